import { formatPhone } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type Profile = {
  name: string | null
  lastname: string | null
  phone: string | null
  version: number
}

/** Name, last name and phone. */
export function ProfileCard({ user }: { user: Profile }) {
  return (
    <Card id="perfil" title="Tus datos">
      {/* A new version is a new form: what it shows is what is kept now. */}
      <Form intent="profile" key={user.version}>
        <input type="hidden" name="version" value={user.version} />
        <Field
          label="Nombre"
          name="name"
          autoComplete="given-name"
          enterKeyHint="next"
          defaultValue={user.name ?? ''}
        />
        <Field
          label="Apellidos"
          name="lastname"
          autoComplete="family-name"
          enterKeyHint="next"
          defaultValue={user.lastname ?? ''}
        />
        <Field
          label="Teléfono"
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          enterKeyHint="done"
          defaultValue={user.phone ? formatPhone(user.phone) : ''}
          help="10 dígitos, con o sin espacios."
        />
        <Submit>Guardar</Submit>
      </Form>
    </Card>
  )
}

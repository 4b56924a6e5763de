import { completionInput } from '../../domain/account.ts'
import { completeProfile } from '../../server/accounts/changes.ts'
import { db } from '../../server/context.ts'
import { toast } from '../flash.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/completion.ts'

export const action = ({ request, context }: Route.ActionArgs) =>
  submit(request, completionInput, async (input) => {
    await completeProfile(context.get(db), someone(context), input)
    return toast('/', `Te damos la bienvenida, ${input.name}`)
  })

export default function Completion({ actionData }: Route.ComponentProps) {
  return (
    <Card>
      <PageHeader title="Completa tu perfil" subtitle="Así sabremos cómo llamarte y a dónde marcarte." />
      <Form result={actionData}>
        <Field label="Nombre" name="name" autoComplete="given-name" enterKeyHint="next" />
        <Field label="Apellidos" name="lastname" autoComplete="family-name" enterKeyHint="next" />
        <Field
          label="Teléfono"
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          enterKeyHint="done"
          help="10 dígitos, con o sin espacios."
        />
        <Submit>Guardar</Submit>
      </Form>
      <form method="post" action="/signout" className="text-center">
        <button type="submit" className="min-h-11 text-[0.9375rem] text-mute underline underline-offset-4">
          Cerrar sesión
        </button>
      </form>
    </Card>
  )
}

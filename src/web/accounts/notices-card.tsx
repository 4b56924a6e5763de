import { dateTime } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type NoticesCardProps = {
  user: { version: number; whatsappOptInAt: Date | null; newsOptInAt: Date | null }
}

/** What we may write about, besides the letters of one's own appointments. */
export function NoticesCard({ user }: NoticesCardProps) {
  const since = (at: Date | null) => (at ? `Lo aceptaste el ${dateTime(at)}` : undefined)
  return (
    <Card id="avisos" title="Avisos">
      <p className="text-[0.9375rem] text-mute">Los correos sobre tus citas te llegan siempre.</p>
      <Form intent="notices" key={user.version}>
        <input type="hidden" name="version" value={user.version} />
        <Checkbox
          label="Quiero avisos de mis citas por WhatsApp"
          name="whatsapp"
          defaultChecked={user.whatsappOptInAt !== null}
          help={since(user.whatsappOptInAt)}
        />
        <Checkbox
          label="Quiero novedades por correo"
          name="news"
          defaultChecked={user.newsOptInAt !== null}
          help={since(user.newsOptInAt)}
        />
        <Submit>Guardar avisos</Submit>
      </Form>
    </Card>
  )
}

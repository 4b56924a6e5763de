import { kindLabels } from '../../access/rules/actor.ts'
import { Form, Submit } from '../../kit/form/form.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { InvitationAtHome } from '../accept.ts'

type InvitationCardProps = {
  invitation: InvitationAtHome | null
  /** The code of the link that the user followed, if any. */
  code: string | null
}

/** An invitation to the team on the home of a user who has an account, or what is wrong with its link. */
export function InvitationCard({ invitation, code }: InvitationCardProps) {
  if (invitation?.is !== 'yours') return invitation && <UselessInvitation invitation={invitation} />
  const { kind, agency } = invitation
  return (
    <Card title="Te invitaron al equipo" className="border-brand">
      <p>
        Si aceptas, tu cuenta pasa a ser de <strong>{kindLabels[kind]}</strong>
        {agency && ` de ${agency}`} y se cierran tus demás sesiones.
      </p>
      <Form intent="accept-invitation">
        {code && <input type="hidden" name="invitacion" value={code} />}
        <Submit className="sm:justify-self-start">Aceptar invitación</Submit>
      </Form>
    </Card>
  )
}

/** Why a signed-in user can't accept here: what is wrong with the link they opened, or that they opened none yet. */
export function UselessInvitation({
  invitation,
}: {
  invitation: Exclude<InvitationAtHome, { is: 'yours' }>
}) {
  if (invitation.is === 'closed')
    return (
      <Alert tone="wait" title={invitation.title}>
        {invitation.description}
      </Alert>
    )
  if (invitation.is === 'in-the-mail')
    return (
      <Alert tone="info" title="Te invitaron al equipo">
        Para aceptar, abre el enlace que enviamos a <span className="wrap-anywhere">{invitation.email}</span>.
        ¿No lo encuentras? Pide que te lo reenvíen.
      </Alert>
    )
  const signOut = (
    <form method="post" action="/signout">
      <Button type="submit" variant="ghost">
        Cerrar sesión
      </Button>
    </form>
  )
  return (
    <Alert tone="wait" title="Esta invitación es para otro correo" actions={signOut}>
      Es para <span className="break-all">{invitation.email}</span>. Cierra sesión y abre el enlace otra vez.
    </Alert>
  )
}

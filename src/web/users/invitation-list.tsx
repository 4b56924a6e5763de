import { kindLabels } from '../../domain/access/actor.ts'
import type { Invitation } from '../../server/users/invitations.ts'
import { Badge } from '../ui/badge.tsx'
import { Details } from '../ui/details.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

/** `invitedBy` and `ends` in words. */
type Shown = Omit<Invitation, 'expiresAt' | 'agencyId'> & { ends: string }
type InvitationListProps = {
  invitations: readonly Shown[]
  result: (FormResult & { values: { invitationId?: string } }) | undefined
}

/** Invitations that nobody has answered, each with its two buttons. */
export function InvitationList({ invitations, result }: InvitationListProps) {
  return (
    <Details summary={`Invitaciones abiertas (${invitations.length})`} open={result !== undefined}>
      <ul className="grid gap-4">
        {invitations.map((invitation) => (
          <li
            key={invitation.id}
            className="grid gap-3 border-line not-first:border-t not-first:pt-4 lg:flex lg:items-center lg:justify-between"
          >
            <InvitationFacts invitation={invitation} />
            <Form
              result={result?.values.invitationId === invitation.id ? result : undefined}
              className="grid-cols-2 gap-3"
            >
              <input type="hidden" name="invitationId" value={invitation.id} />
              <Submit
                variant="ghost"
                name="intent"
                value="resend"
                aria-label={`Reenviar a ${invitation.email}`}
              >
                Reenviar
              </Submit>
              <Submit
                variant="ghost"
                name="intent"
                value="withdraw"
                aria-label={`Retirar la de ${invitation.email}`}
              >
                Retirar
              </Submit>
            </Form>
          </li>
        ))}
      </ul>
    </Details>
  )
}

function InvitationFacts({
  invitation: { email, kind, agency, invitedBy, ends, state },
}: {
  invitation: Shown
}) {
  return (
    <div className="grid min-w-0 gap-1">
      <p className="font-semibold break-all">{email}</p>
      <p className="text-sm text-mute">
        {kindLabels[kind]}
        {agency && ` de ${agency}`} · la invitó {invitedBy ?? 'quien administra el servidor'}
      </p>
      {state === 'expired' ? (
        <Badge tone="wait" className="justify-self-start">
          Vencida
        </Badge>
      ) : (
        <p className="text-sm text-mute">Vence {ends}</p>
      )}
    </div>
  )
}

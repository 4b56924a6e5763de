/** How long an invitation can be accepted, in days. */
export const invitationDays = 7

export type InvitationState = 'open' | 'expired' | 'accepted' | 'withdrawn'

type Life = { acceptedAt: Date | null; withdrawnAt: Date | null; expiresAt: Date }

/** State of an invitation at a moment. */
export function invitationState({ acceptedAt, withdrawnAt, expiresAt }: Life, now: Date): InvitationState {
  if (acceptedAt) return 'accepted'
  if (withdrawnAt) return 'withdrawn'
  return expiresAt <= now ? 'expired' : 'open'
}

type Words = { title: string; description: string }

/** The message of an invitation that cannot be accepted. */
export const closedInvitation: Record<Exclude<InvitationState, 'open'> | 'unknown', Words> = {
  expired: {
    title: 'Esta invitación venció',
    description: `Sirve durante ${invitationDays} días. Pide a quien te invitó que te la reenvíe.`,
  },
  accepted: {
    title: 'Esta invitación ya se usó',
    description: 'Cada una sirve una sola vez. Si la aceptaste tú, inicia sesión.',
  },
  withdrawn: {
    title: 'Esta invitación se retiró',
    description: 'Si crees que es un error, habla con quien te invitó.',
  },
  unknown: {
    title: 'No encontramos esta invitación',
    description:
      'Revisa que el enlace esté completo. Si te enviaron otra después, solo sirve la más reciente.',
  },
}

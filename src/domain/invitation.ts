import { z } from 'zod'
import { completionInput, email } from './account.ts'
import { kindLabels } from './actor.ts'
import { anyText, choice } from './text.ts'
import { tidy } from './tidy.ts'

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

/** The code of an invitation's link; a malformed one is null. */
export const invitationCode = z.preprocess(tidy, z.string().max(100)).transform((code) => code || null)

const agencyId = z.preprocess((sent) => tidy(sent) || null, z.uuid('Elige su concesionaria.').nullable())

/** The form of an invitation; an ally belongs to an agency. */
export const inviteInput = z
  .object({ email, kind: choice(kindLabels, 'Elige su rol.'), agencyId })
  .refine(({ kind, agencyId }) => kind !== 'alliate' || agencyId !== null, {
    path: ['agencyId'],
    message: 'Elige su concesionaria.',
  })
export type Invite = z.output<typeof inviteInput>

/** The form of /completion for a user who may have an invitation; `role` is asked of these only. */
export const createInput = completionInput.extend({ role: anyText(20), invitacion: invitationCode })
export type NewUser = Omit<z.output<typeof createInput>, 'invitacion'>

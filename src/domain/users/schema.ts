import { z } from 'zod'
import { kindLabels } from '../access/actor.ts'
import { completionInput, email, personName } from '../accounts/schema.ts'
import {
  anyText,
  choice,
  requiredEmail,
  seenVersion,
  staleForm,
  theirPhone,
  ticked,
} from '../shared/schema.ts'
import { tidy } from '../shared/text.ts'
import { roleChoices } from './user.ts'

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

/** The form of an invitation on the home of whoever has an account. */
export const acceptInvitationInput = z.object({ invitacion: invitationCode })

/** Which invitation is sent again or withdrawn. */
export const aboutInvitation = z.object({
  invitationId: z.uuid('Ese botón ya no sirve. Vuelve a abrir la página.'),
})

export type Invite = z.output<typeof inviteInput>

/** The form of /completion for a user who may have an invitation; `role` is asked of these only. */
export const createInput = completionInput.extend({ role: anyText(20), invitacion: invitationCode })

export type NewUser = Omit<z.output<typeof createInput>, 'invitacion'>

/** What the manager changes of somebody, by its intent. Loose where what is decided of each appointment has names of its own. */
export const accessInput = {
  role: z.looseObject({
    version: seenVersion,
    confirmed: ticked,
    role: choice(roleChoices, 'Elige su rol.'),
    agencyId,
  }),
  active: z.looseObject({
    version: seenVersion,
    confirmed: ticked,
    active: z.enum(['yes', 'no'], staleForm),
  }),
  'remove-second-factor': z.object({ version: seenVersion, confirmed: ticked }),
  'correct-profile': z.object({
    version: seenVersion,
    name: personName('Escribe su nombre.'),
    lastname: personName('Escribe sus apellidos.'),
    phone: theirPhone,
  }),
  'correct-email': z.object({ version: seenVersion, email: requiredEmail }),
}
export type RoleWish = z.output<(typeof accessInput)['role']>

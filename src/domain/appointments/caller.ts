import type { z } from 'zod'
import { completionInput, personName } from '../accounts/account.ts'
import { requiredEmail } from '../shared/email.ts'
import { theirPhone } from '../shared/phone.ts'

/** A caller who has no account yet. */
export const callerInput = completionInput.extend({
  name: personName('Escribe su nombre.'),
  lastname: personName('Escribe sus apellidos.'),
  phone: theirPhone,
  email: requiredEmail,
})
export type Caller = z.output<typeof callerInput>

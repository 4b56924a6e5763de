import type { z } from 'zod'
import { completionInput } from './account.ts'
import { requiredEmail } from './email.ts'

/** Somebody who calls and has no account yet. */
export const callerInput = completionInput.extend({ email: requiredEmail })
export type Caller = z.output<typeof callerInput>

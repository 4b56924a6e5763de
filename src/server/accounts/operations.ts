import type { z } from 'zod'
import {
  codeInput,
  newPasswordInput,
  recoveryInput,
  signInInput,
  signOutInput,
  signUpInput,
} from '../../domain/accounts/schema.ts'
import { signInErrors } from '../../domain/accounts/sign-in-errors.ts'
import { failed, Refusal, type Result } from '../../domain/shared/refusal.ts'
import { invalid } from '../../domain/shared/schema.ts'
import { log } from '../app/log.ts'
import { databaseRefusal } from '../platform/database/faults.ts'
import type { Caller, Done } from './caller.ts'
import { signIn, signOut, signUp } from './entry.ts'
import { confirmReset, sendReset, verifyResetCode } from './reset.ts'
import { applyActionCode, sendVerification } from './verify-email.ts'

/** An operation's answer. The cookies go apart from it: what is in `result` may reach scripts. */
export type Answered<T> = { result: Result<T>; headers: Headers }

/** The sign-in operations (specification §7): each reads whatever it is given, and answers instead of throwing. */
export const operations = {
  'sign-in': operation(signInInput, signIn),
  'sign-up': operation(signUpInput, signUp),
  'sign-out': operation(signOutInput, signOut),
  'send-reset': operation(recoveryInput, sendReset),
  'verify-reset-code': operation(codeInput, verifyResetCode),
  'confirm-reset': operation(newPasswordInput, confirmReset),
  'apply-action-code': operation(codeInput, applyActionCode),
  'send-verification': operation(codeInput, sendVerification),
}

function operation<Schema extends z.ZodType, T>(
  schema: Schema,
  run: (caller: Caller, input: z.output<Schema>) => Promise<Done<T>>,
) {
  return async (caller: Caller, input: unknown): Promise<Answered<T>> => {
    try {
      const parsed = schema.safeParse(input)
      if (!parsed.success) return { result: invalid(parsed.error), headers: new Headers() }
      const { value, headers = new Headers() } = await run(caller, parsed.data)
      return { result: { ok: true, value }, headers }
    } catch (error) {
      return { result: refusalOf(error), headers: new Headers() }
    }
  }
}

function refusalOf(error: unknown): Result<never> {
  const refusal = error instanceof Refusal ? error : databaseRefusal(error)
  if (refusal) return failed(refusal)
  log.error({ err: error }, 'a sign-in operation failed')
  return { ok: false, error: { code: 'internal-error', ...signInErrors['internal-error'] } }
}

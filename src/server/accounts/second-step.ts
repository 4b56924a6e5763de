import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import type { OperationCaller } from './caller.ts'
import { cookiesOf, refusalFor, saidBy } from './entry.ts'
import { countTry, hashOf } from './limits.ts'

/** What the person typed: a code of the authenticator, or one for recovery. */
export type StepCode = { code: string } | { recoveryCode: string }

/** The cookies to set, and why the sign-in has to begin again, if it has to. */
export type StepResult = { headers: Headers; over: string | null }

/** Ends a sign-in that waits for its second step. Wrong codes are refused; too many, and the password is asked again. */
export async function takeSecondStep(caller: OperationCaller, typed: StepCode): Promise<StepResult> {
  const { db, ask, address, now } = caller
  await countTry(db, 'second step by address', address, now)
  const answer =
    'code' in typed
      ? await ask.post('/two-factor/verify-totp', { code: typed.code })
      : await ask.post('/two-factor/verify-backup-code', { code: hashOf(typed.recoveryCode) })
  const headers = cookiesOf(answer)
  if (answer.ok) return { headers, over: null }
  const { code, message } = await saidBy(answer)
  const over = begunAgain[code]
  if (over) return { headers, over }
  if (code === 'TOO_MANY_TRIES') refuse('resource-exhausted', message)
  if (code === 'ACCOUNT_TEMPORARILY_LOCKED')
    refuse(
      'resource-exhausted',
      'Hubo demasiados códigos equivocados. Espera 15 minutos y vuelve a intentarlo.',
    )
  const field = 'code' in typed ? 'code' : 'recoveryCode'
  const wrong = wrongCodes[code]
  if (!wrong && answer.status !== 409) throw refusalFor(answer.status, code)
  const description = wrong ?? usedRecovery
  throw new Refusal('invalid-argument', {
    title: 'Revisa el código',
    description,
    details: { errors: { [field]: description } },
  })
}

/** What is said when no sign-in waits for its second step any more. */
export const tooLate = 'Pasó demasiado tiempo. Escribe otra vez tu correo y tu contraseña.'

const begunAgain: Partial<Record<string, string>> = {
  INVALID_TWO_FACTOR_COOKIE: tooLate,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE:
    'Hubo demasiados códigos equivocados. Escribe otra vez tu correo y tu contraseña.',
  TOTP_NOT_ENABLED: 'Tu segundo factor cambió. Escribe otra vez tu correo y tu contraseña.',
  BACKUP_CODES_NOT_ENABLED: 'Tu segundo factor cambió. Escribe otra vez tu correo y tu contraseña.',
}

const usedRecovery = 'Ese código de recuperación no es correcto o ya se usó.'
const wrongCodes: Partial<Record<string, string>> = {
  INVALID_CODE: 'Ese código no es correcto. Escribe el que tu aplicación muestra ahora.',
  CODE_USED: 'Ese código ya se usó. Espera a que tu aplicación muestre el siguiente.',
  INVALID_BACKUP_CODE: usedRecovery,
}

const challenge = /(?:^|;\s*)((?:__Host-)?carga\.two_factor)=[^;]+/

/** Whether a browser stands between the password and the code. */
export const isHalfSigned = (cookies: string | null) => challenge.test(cookies ?? '')

/** Takes the half-done sign-in out of the browser. */
export function forgetChallenge(cookies: string | null, headers: Headers): void {
  const name = challenge.exec(cookies ?? '')?.[1]
  if (!name) return
  const secure = name.startsWith('__Host-') ? '; Secure' : ''
  headers.append('set-cookie', `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`)
}

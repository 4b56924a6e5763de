import type { Result } from '../../shared/refusal.ts'
import type { operations } from '../email-operations.ts'
import { signInErrors } from '../rules/sign-in-errors.ts'
import { networkTimeout } from './refresh.ts'

/** Whether this browser stores our cookies. It tries one, since a browser set to store none may say that it does. */
export function keepsCookies(): boolean {
  if (!navigator.cookieEnabled) return false
  const [prefix, secure] = location.protocol === 'https:' ? ['__Host-', '; Path=/; Secure'] : ['', '']
  const probe = `${prefix}carga.probe=1`
  // biome-ignore lint/suspicious/noDocumentCookie: the other way is asynchronous, and not in every browser.
  document.cookie = `${probe}; SameSite=Lax${secure}`
  const kept = document.cookie.includes(probe)
  // biome-ignore lint/suspicious/noDocumentCookie: as above.
  document.cookie = `${prefix}carga.probe=; Max-Age=0${secure}`
  return kept
}

type Operations = typeof operations
type Value<Name extends keyof Operations> =
  Awaited<ReturnType<Operations[Name]>> extends { result: Result<infer T> } ? T : never
type Fields = Readonly<Record<string, string>>

/** An operation as a page calls it. */
export const operation =
  <Name extends keyof Operations>(name: Name) =>
  (fields: Fields = {}): Promise<Result<Value<Name>>> =>
    ask(name, fields)

/** The sign-in operations (specification §7), for pages: each answers what it did or why not, and never throws. */
export const sessionOperations = {
  signIn: operation('sign-in'),
  signUp: operation('sign-up'),
  signOut: operation('sign-out'),
  sendReset: operation('send-reset'),
  verifyResetCode: operation('verify-reset-code'),
  confirmReset: operation('confirm-reset'),
  applyActionCode: operation('apply-action-code'),
  sendVerification: operation('send-verification'),
}

/** A failure that the page itself detects. */
export const failedHere = (code: keyof typeof signInErrors): Extract<Result<never>, { ok: false }> => ({
  ok: false,
  error: { code, ...signInErrors[code] },
})

/** Sends once: a sign-in that may have arrived is never sent again by itself. */
async function ask<T>(name: string, fields: Fields): Promise<Result<T>> {
  if (!keepsCookies()) return failedHere('web-storage-unsupported')
  try {
    const answer = await fetch(`/v1/session/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
      signal: AbortSignal.timeout(networkTimeout()),
    })
    const said: unknown = await answer.json()
    return isResult<T>(said) ? said : failedHere('internal-error')
  } catch (error) {
    return failedHere(error instanceof SyntaxError ? 'internal-error' : 'network-request-failed')
  }
}

const isResult = <T>(said: unknown): said is Result<T> =>
  typeof said === 'object' && said !== null && 'ok' in said && (said.ok === true || 'error' in said)

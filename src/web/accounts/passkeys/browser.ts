import type { Result } from '../../../domain/shared/refusal.ts'
import { operation } from '../operations.ts'

/** Whether this browser has passkeys, and reads and writes them as JSON. */
export const hasPasskeys = () =>
  typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential

let waiting: AbortController | undefined

/** Ends what waits for a passkey: a browser asks for one at a time. */
export const stopAsking = () => waiting?.abort()

/** Signs in by a passkey; `conditional` offers them where the e-mail is typed. Null where the user chose none. */
export async function enterByPasskey(mediation?: 'conditional'): Promise<Result<unknown> | null> {
  stopAsking()
  waiting = new AbortController()
  const { signal } = waiting
  const asked = await operation('ask-for-passkey')()
  if (!asked.ok) return mediation ? null : asked
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked.value)
  const chosen = await navigator.credentials
    .get({ publicKey, signal, ...(mediation && { mediation }) })
    .catch(() => null)
  return chosen && operation('sign-in-by-passkey')({ credential: JSON.stringify(chosen) })
}

/** Makes one, as the browser tells the server; or why it did not. */
export async function makePasskey(asked: PublicKeyCredentialCreationOptionsJSON) {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked)
    return { credential: JSON.stringify(await navigator.credentials.create({ publicKey })) }
  } catch (error) {
    return { isKnown: (error as Error).name === 'InvalidStateError' }
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { sessionLimits } from '../../domain/accounts/sessions.ts'
import { withoutTail } from '../../domain/shared/text.ts'
import { log } from '../app/stop.ts'
import type { Db } from '../platform/database/client.ts'
import { type Auth, createAuth } from './auth.ts'

export type ProviderSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  label: string
}
type Options = Parameters<typeof createAuth>[1]

/** The one provider's name, as it stands in its return address and in `accounts`. */
export const providerId = 'oidc'

/** Where the library goes with an answer that it can't tell whose it is. */
export const failedPath = '/session/provider/done'

/** What a call to the issuer found out beside what the library says of it. */
export const noticed = new AsyncLocalStorage<{ clientRefused: boolean }>()

/**
 * The sign-in library with the issuer, read at its first use and kept; null while the issuer can't be read or is another
 * one than it says. An instance of its own: an issuer that is down must not hold up those who come with a password.
 */
export function providerAuth(db: Db, options: Options, settings: ProviderSettings) {
  let opened: Promise<Auth | null> | undefined
  return async (): Promise<Auth | null> => {
    opened ??= open(db, options, settings)
    const auth = await opened
    if (!auth) opened = undefined
    return auth
  }
}

async function open(db: Db, options: Options, settings: ProviderSettings): Promise<Auth | null> {
  try {
    const address = `${plain(settings.issuer)}/.well-known/openid-configuration`
    const answer = await fetch(address, { signal: AbortSignal.timeout(sessionLimits.networkTimeout.desk) })
    const { issuer } = (await answer.json()) as { issuer?: unknown }
    if (typeof issuer !== 'string' || plain(issuer) !== plain(settings.issuer))
      throw new Error('the issuer names itself otherwise')
    const auth = createAuth(db, { ...options, provider: { plugin: plugin(address, settings), failedPath } })
    return (await noticesRefusal(auth)) ? auth : null
  } catch (err) {
    log.error({ err }, 'the provider of identities cannot be used')
    return null
  }
}

const plain = (address: string) => withoutTail(address, '/')

const plugin = (discoveryUrl: string, { clientId, clientSecret }: ProviderSettings) =>
  genericOAuth({
    config: [
      {
        providerId,
        discoveryUrl,
        clientId,
        clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
        // The name is the person's own to give; only a plain yes says that the mailbox is theirs.
        mapProfileToUser: ({ email_verified: verified }) => ({
          name: '',
          emailVerified: verified === true || verified === 'true',
        }),
      },
    ],
  })

/** The library tells a client that the issuer refuses from a code that it refuses in its log only. */
async function noticesRefusal(auth: Auth): Promise<boolean> {
  const { socialProviders } = await auth.$context
  const provider = socialProviders.find(({ id }) => id === providerId)
  if (!provider) return false
  const ask = provider.validateAuthorizationCode
  provider.validateAuthorizationCode = async (data) => {
    try {
      return await ask(data)
    } catch (error) {
      const found = noticed.getStore()
      const { status, error: code } = error as { status?: number; error?: string }
      if (found) found.clientRefused = status === 401 || code === 'invalid_client'
      throw error
    }
  }
  return true
}

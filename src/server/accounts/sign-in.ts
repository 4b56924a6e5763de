import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { type Auth, authPath, clientAddressHeader } from './auth.ts'

type Origin = { baseUrl: string; address: string; headers: Headers }

export type AskAuth = ReturnType<typeof askAuth>

/** Calls the sign-in library as a browser would; answers its response with cookies. */
export function askAuth(auth: Auth, { baseUrl, address, headers: given }: Origin) {
  const headers = (extra: Record<string, string> = {}) => {
    const own = new Headers({ origin: baseUrl, [clientAddressHeader]: address, ...extra })
    for (const name of ['cookie', 'user-agent']) if (given.has(name)) own.set(name, given.get(name) as string)
    return own
  }
  return {
    post: (path: string, body: object): Promise<Response> =>
      auth.handler(
        new Request(`${baseUrl}${authPath}${path}`, {
          method: 'POST',
          headers: headers({ 'content-type': 'application/json' }),
          body: JSON.stringify(body),
        }),
      ),
    get: (path: string): Promise<Response> =>
      auth.handler(new Request(`${baseUrl}${authPath}${path}`, { headers: headers() })),
    /** The cookies that move a session's end on; the library decides whether it is time. */
    async refreshed(): Promise<string[]> {
      const answer = await auth.handler(
        new Request(`${baseUrl}${authPath}/get-session`, { headers: headers() }),
      )
      return answer.headers.getSetCookie()
    },
    /** A text as the library keeps secrets: encrypted under its key. */
    sealed: async (data: string): Promise<string> =>
      symmetricEncrypt({ key: (await auth.$context).secretConfig, data }),
    unsealed: async (data: string): Promise<string> =>
      symmetricDecrypt({ key: (await auth.$context).secretConfig, data }),
  }
}

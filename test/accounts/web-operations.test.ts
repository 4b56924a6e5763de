import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sessionLimits } from '../../src/domain/accounts/sessions.ts'
import { sessionOperations } from '../../src/web/accounts/operations.ts'

/** A server that accepts requests and answers none. */
let silent: Server
beforeEach(async () => {
  silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  silent.closeAllConnections()
  silent.close()
})

/** As much of a browser as an operation asks for; the time until it gives up is noted and then not waited for. */
function browser(userAgent: string) {
  const { port } = silent.address() as AddressInfo
  const ask = fetch
  let cookie = ''
  vi.stubGlobal('navigator', { cookieEnabled: true, userAgent })
  vi.stubGlobal('document', {
    get cookie() {
      return cookie
    },
    set cookie(set: string) {
      cookie = set
    },
  })
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => ask(`http://127.0.0.1:${port}${path}`, init))
  const timeout = AbortSignal.timeout
  return vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50))
}

test.each([
  ['a desk', 'Mozilla/5.0 (X11; Linux x64)', sessionLimits.networkTimeout.desk],
  ['a phone', 'Mozilla/5.0 (Linux; Android 15) Mobile', sessionLimits.networkTimeout.phone],
])('at %s an unanswered call ends as network-request-failed', async (_where, userAgent, wait) => {
  const asked = browser(userAgent)
  const answer = await sessionOperations.signIn({ email: 'a@b.mx', password: 'una-frase-larga' })
  expect(answer).toMatchObject({ ok: false, error: { code: 'network-request-failed' } })
  expect(asked.mock.calls).toEqual([[wait]])
})

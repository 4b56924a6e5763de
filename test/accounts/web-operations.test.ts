import { sessionLimits } from '../../src/accounts/rules/sessions.ts'
import { sessionOperations } from '../../src/accounts/screens/operations.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test.each([
  ['a desk', 'Mozilla/5.0 (X11; Linux x64)', sessionLimits.networkTimeout.desk],
  ['a phone', 'Mozilla/5.0 (Linux; Android 15) Mobile', sessionLimits.networkTimeout.phone],
])('at %s an unanswered call ends as network-request-failed', async (_where, userAgent, wait) => {
  vi.stubGlobal('navigator', { cookieEnabled: true, userAgent })
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('location', { protocol: 'https:' })
  // The time is over at once, before any answer.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  vi.stubGlobal('fetch', async (_path: string, { signal }: RequestInit) => signal!.throwIfAborted())
  const answer = await sessionOperations.signIn({ email: 'a@b.mx', password: 'una-frase-larga' })
  expect(answer).toMatchObject({ ok: false, error: { code: 'network-request-failed' } })
  expect(timeout.mock.calls).toEqual([[wait]])
})

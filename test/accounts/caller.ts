import { askAuth, createAuth, type OperationCaller } from '../../src/server/accounts/auth.ts'
import { knownBrowser } from '../../src/server/accounts/session.ts'
import type { Db } from '../../src/server/platform/database/client.ts'
import { secret } from '../kit/people.ts'
import { newVisitor } from '../kit/visitor.ts'

const baseUrl = 'http://carga.test'

/** The caller of a sign-in operation, at a new address. */
export function callerTo(db: Db, wish: Partial<OperationCaller> = {}): OperationCaller {
  const { address } = newVisitor()
  const auth = createAuth(db, { secret, baseUrl, termsVersion: '1' })
  const known = knownBrowser({ secret, baseUrl }, null)
  const ask = askAuth(auth, { baseUrl, address, headers: new Headers() })
  return {
    db,
    ask,
    address,
    termsVersion: '1',
    actor: null,
    sessionId: null,
    known,
    now: new Date(),
    ...wish,
  }
}

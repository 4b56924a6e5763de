import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import pg from 'pg'
import { askAuth, createAuth, type OperationCaller } from '../../src/accounts/auth.ts'
import { operations } from '../../src/accounts/email-operations.ts'
import { knownBrowser } from '../../src/accounts/session.ts'
import { newEmail } from '../kit/accounts.ts'
import { db, openBare, sendJobsOnce } from '../kit/open.ts'
import { secret } from '../kit/people.ts'
import { newVisitor } from '../kit/visitor.ts'
import { memberOf } from './own.ts'

openBare()
sendJobsOnce()
let known: string
beforeAll(async () => {
  known = (await memberOf()).email
})

/** The caller of a sign-in operation, at a new address. */
function caller(): OperationCaller {
  const { address } = newVisitor()
  const site = { secret, baseUrl: 'http://carga.test', brand: 'Carga', termsVersion: '1' }
  const ask = askAuth(createAuth(db, site), { ...site, address, headers: new Headers() })
  const person = { actor: null, sessionId: null, known: knownBrowser(site, null) }
  return { ...site, ...person, db, ask, address, now: new Date() }
}

const wrong = (email: string) => operations['sign-in'](caller(), { email, password: 'equivocada' })

test('hashes a password for an unknown e-mail too', async () => {
  const hash = vi.spyOn(crypto, 'scrypt')
  syncBuiltinESMExports()
  await wrong(known)
  await wrong(newEmail())
  const costs = hash.mock.calls.map(([, , length, options]) => [length, options])
  hash.mockRestore()
  syncBuiltinESMExports()
  expect(costs).toEqual([costs[0], costs[0]])
})

test('asks the database the same for a known and an unknown e-mail', async () => {
  const asked = async (email: string) => {
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    const { result } = await operations['send-reset'](caller(), { email })
    expect(result).toEqual({ ok: true, value: null })
    const statements = spy.mock.calls.map(([query]: unknown[]) => textOf(query))
    spy.mockRestore()
    // What wakes the workers follows a commit at any time, also that of the call before.
    return statements.filter((text) => text !== `select pg_notify($1, '')`)
  }
  await asked(newEmail())
  const statements = await asked(known)
  expect(statements.length).toBeGreaterThan(3)
  expect(await asked(newEmail())).toEqual(statements)
})

const textOf = (query: unknown) =>
  typeof query === 'string' ? query : ((query as { text?: string } | undefined)?.text ?? '')

import pg from 'pg'
import { beforeAll, expect, test, vi } from 'vitest'
import { askAuth, createAuth, type OperationCaller } from '../../src/server/accounts/auth.ts'
import { operations } from '../../src/server/accounts/email-operations.ts'
import { knownBrowser } from '../../src/server/accounts/session.ts'
import { newEmail } from '../kit/accounts.ts'
import { openBare, sendJobsOnce, world } from '../kit/open.ts'
import { secret } from '../kit/people.ts'
import { newVisitor } from '../kit/visitor.ts'
import { memberOf } from './own.ts'

openBare()
sendJobsOnce()
let known: string
beforeAll(async () => {
  known = (await memberOf(world)).email
})

/** The caller of a sign-in operation, at a new address. */
function caller(): OperationCaller {
  const { db } = world
  const { address } = newVisitor()
  const site = { secret, baseUrl: 'http://carga.test', termsVersion: '1' }
  const ask = askAuth(createAuth(db, site), { ...site, address, headers: new Headers() })
  const person = { actor: null, sessionId: null, known: knownBrowser(site, null) }
  return { ...site, ...person, db, ask, address, now: new Date() }
}

const wrong = (email: string) => operations['sign-in'](caller(), { email, password: 'equivocada' })

/** Processor time of the whole process, which unlike the clock a busy machine doesn't stretch. */
async function workOf(run: () => Promise<unknown>) {
  const from = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(from)
  return user + system
}
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!

test('hashes a password for an unknown e-mail too', async () => {
  const ours: number[] = []
  const others: number[] = []
  for (let n = 0; n < 5; n++) {
    ours.push(await workOf(() => wrong(known)))
    others.push(await workOf(() => wrong(newEmail())))
    await world.db.execute('delete from sign_in_failures')
  }
  // Without the hash it is a twentieth.
  const ratio = median(others) / median(ours)
  expect(ratio).toBeGreaterThan(0.6)
  expect(ratio).toBeLessThan(1.6)
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

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { operations } from '../../src/server/accounts/email-operations.ts'
import type { Db } from '../../src/server/platform/database/client.ts'
import { startJobs, stopJobs } from '../../src/server/platform/jobs/jobs.ts'
import { newEmail, password } from '../kit/accounts.ts'
import { freshDatabase } from '../kit/fresh-database.ts'
import { callerTo } from './caller.ts'

let db: Db
const known = newEmail()
beforeAll(async () => {
  db = await freshDatabase()
  await startJobs(db)
  await operations['sign-up'](callerTo(db), { email: known, password })
})
afterAll(async () => {
  await stopJobs()
  await db.$client.end()
})

const wrong = (email: string) => operations['sign-in'](callerTo(db), { email, password: 'equivocada' })

/** Processor time of the whole process, which unlike the clock a busy machine doesn't stretch. */
async function workOf(run: () => Promise<unknown>) {
  const from = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(from)
  return user + system
}
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!

test('hashes a password for an unknown e-mail too', async () => {
  const [ours, nobodys]: [number[], number[]] = [[], []]
  for (let n = 0; n < 5; n++) {
    ours.push(await workOf(() => wrong(known)))
    nobodys.push(await workOf(() => wrong(newEmail())))
    await db.execute('delete from sign_in_failures')
  }
  // Without the hash it is a twentieth.
  const ratio = median(nobodys) / median(ours)
  expect(ratio).toBeGreaterThan(0.6)
  expect(ratio).toBeLessThan(1.6)
})

test('asks the database the same for a known and an unknown e-mail', async () => {
  const asked = async (email: string) => {
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    const { result } = await operations['send-reset'](callerTo(db), { email })
    expect(result).toEqual({ ok: true, value: null })
    // What wakes the workers follows a moment after the commit.
    await sleep(100)
    const statements = spy.mock.calls.map(([query]: unknown[]) => textOf(query))
    spy.mockRestore()
    return statements
  }
  await asked(newEmail())
  const statements = await asked(known)
  expect(statements.length).toBeGreaterThan(3)
  expect(await asked(newEmail())).toEqual(statements)
})

const textOf = (query: unknown) =>
  typeof query === 'string' ? query : ((query as { text?: string } | undefined)?.text ?? '')

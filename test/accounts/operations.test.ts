import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { operations } from '../../src/server/accounts/email-operations.ts'
import type { Db } from '../../src/server/platform/database/client.ts'
import { sessions } from '../../src/server/platform/database/schema/accounts.ts'
import { startJobs, stopJobs } from '../../src/server/platform/jobs/jobs.ts'
import { log } from '../../src/server/platform/telemetry/log.ts'
import { freshDatabase } from '../kit/fresh-database.ts'
import { insertPerson } from '../kit/people.ts'
import { rowsIn } from '../kit/reading.ts'
import { callerTo } from './caller.ts'

const [email, password] = ['ana@prueba.mx', 'una-frase-larga']
let db: Db
beforeAll(async () => {
  db = await freshDatabase()
  await startJobs(db)
})
afterAll(async () => {
  await stopJobs()
  await db.$client.end()
})

// Each operation over HTTP: test/accounts/session/endpoint.test.ts, recover.test.ts and verify-email.test.ts.
test('signing up or in sets a cookie that scripts do not read, and ends the session of the caller', async () => {
  for (const name of ['sign-up', 'sign-in'] as const) {
    const { actor, id: userId } = await insertPerson(db)
    const [old] = await rowsIn({ db }, sessions, { userId })
    const caller = callerTo(db, { actor, sessionId: old!.id })
    const { result, headers } = await operations[name](caller, { email, password })
    expect(result).toEqual({ ok: true, value: { secondStep: false } })
    const cookies = headers.getSetCookie().join()
    expect(cookies).toMatch(/carga\.session_token=.+HttpOnly/)
    expect(cookies).not.toContain(old!.token)
    expect(await rowsIn({ db }, sessions, { userId })).toEqual([])
  }
})

test('sends the e-mail that verifies a mailbox', async () => {
  const { actor } = await insertPerson(db, { emailVerified: false })
  const { result } = await operations['send-verification'](callerTo(db, { actor }), {})
  expect(result).toEqual({ ok: true, value: { sent: true } })
})

// That any input is answered: test/security/json.test.ts.
test('logs an unforeseen error and answers internal-error without its details', async () => {
  const logged = vi.spyOn(log, 'error').mockImplementation(() => undefined)
  const broken = callerTo(db, { ask: { post: () => Promise.reject(new Error('secret')) } as never })
  const { result } = await operations['sign-in'](broken, { email, password })
  expect(result).toMatchObject({ ok: false, error: { code: 'internal-error' } })
  expect(JSON.stringify(result)).not.toContain('secret')
  expect(logged).toHaveBeenCalledOnce()
})

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { operations } from '../../src/server/accounts/email-operations.ts'
import { makeCode } from '../../src/server/accounts/letter-codes.ts'
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

test('signs up, in and out with a cookie that scripts do not read; signing in ends the session of the caller', async () => {
  const { actor, id: userId } = await insertPerson(db)
  const [old] = await rowsIn({ db }, sessions, { userId })
  for (const [name, wish] of [
    ['sign-up', {}],
    ['sign-in', { actor, sessionId: old!.id }],
  ] as const) {
    const { result, headers } = await operations[name](callerTo(db, wish), { email, password })
    expect(result).toEqual({ ok: true, value: { secondStep: false } })
    expect(headers.getSetCookie().join()).toMatch(/carga\.session_token=.+HttpOnly/)
    expect(headers.getSetCookie().join()).not.toContain(old!.token)
  }
  expect(await rowsIn({ db }, sessions, { userId })).toEqual([])
  const { result, headers } = await operations['sign-out'](callerTo(db), undefined)
  expect(result.ok).toBe(true)
  expect(headers.getSetCookie().join()).toMatch(/carga\.session_token=;.*Max-Age=0/)
})

test('sends, verifies and spends the code for a new password', async () => {
  const { email, id } = await insertPerson(db)
  const sent = await operations['send-reset'](callerTo(db), { email })
  expect(sent.result).toEqual({ ok: true, value: null })
  const oobCode = await makeCode(db, 'reset_password', id, new Date())
  const verify = async () => (await operations['verify-reset-code'](callerTo(db), { oobCode })).result
  const expected = { ok: true, value: { email } }
  expect(await verify()).toEqual(expected)
  const chosen = { oobCode, password: 'otra-frase-larga' }
  expect((await operations['confirm-reset'](callerTo(db), chosen)).result).toEqual(expected)
  expect(await verify()).toMatchObject({ ok: false, error: { code: 'failed-precondition' } })
})

test('verifies a mailbox under a session of its account only; a refused code still serves', async () => {
  const { id, actor } = await insertPerson(db, { emailVerified: false })
  const caller = callerTo(db, { actor })
  const { result: sent } = await operations['send-verification'](caller, {})
  expect(sent).toEqual({ ok: true, value: { sent: true } })
  const oobCode = await makeCode(db, 'verify_email', id, new Date())
  const outside = await operations['apply-action-code'](callerTo(db), { oobCode })
  expect(outside.result).toMatchObject({ ok: false, error: { code: 'failed-precondition' } })
  const { result } = await operations['apply-action-code'](caller, { oobCode })
  expect(result).toEqual({ ok: true, value: { email: actor.email } })
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

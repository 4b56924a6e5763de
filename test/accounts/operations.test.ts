import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { operations } from '../../src/server/accounts/email-operations.ts'
import { makeCode } from '../../src/server/accounts/letter-codes.ts'
import type { Db } from '../../src/server/platform/database/client.ts'
import { sessions } from '../../src/server/platform/database/schema/accounts.ts'
import { startJobs, stopJobs } from '../../src/server/platform/jobs/jobs.ts'
import { log } from '../../src/server/platform/telemetry/log.ts'
import { freshDatabase } from '../kit/fresh-database.ts'
import { insertPerson } from '../kit/people.ts'
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

test('an account is made, left and entered again, and no cookie is in what scripts may read', async () => {
  for (const name of ['sign-up', 'sign-in'] as const) {
    const { result, headers } = await operations[name](callerTo(db), { email, password })
    expect(result).toEqual({ ok: true, value: { secondStep: false } })
    expect(headers.getSetCookie().join()).toMatch(/carga\.session_token=.+HttpOnly/)
  }
  const { result, headers } = await operations['sign-out'](callerTo(db), undefined)
  expect(result.ok).toBe(true)
  expect(headers.getSetCookie().join()).toMatch(/carga\.session_token=;.*Max-Age=0/)
})

test('signing in ends the session whose cookie came along', async () => {
  const { actor } = await insertPerson(db)
  const [old] = await db.select().from(sessions).where(eq(sessions.userId, actor.id))
  const caller = callerTo(db, { actor, sessionId: old!.id })
  const { result, headers } = await operations['sign-in'](caller, { email, password })
  expect(result.ok).toBe(true)
  expect(headers.getSetCookie().join()).not.toContain(old!.token)
  expect(await db.select().from(sessions).where(eq(sessions.userId, actor.id))).toEqual([])
})

test('a forgotten password, from the letter to the new one', async () => {
  const person = await insertPerson(db)
  const sent = await operations['send-reset'](callerTo(db), { email: person.email })
  expect(sent.result).toEqual({ ok: true, value: null })
  const oobCode = await makeCode(db, 'reset_password', person.id, new Date())
  const expected = { ok: true, value: { email: person.email } }
  expect((await operations['verify-reset-code'](callerTo(db), { oobCode })).result).toEqual(expected)
  const chosen = { oobCode, password: 'otra-frase-larga' }
  expect((await operations['confirm-reset'](callerTo(db), chosen)).result).toEqual(expected)
  const { result } = await operations['verify-reset-code'](callerTo(db), { oobCode })
  expect(result).toMatchObject({ ok: false, error: { code: 'failed-precondition' } })
  const entered = await operations['sign-in'](callerTo(db), {
    email: person.email,
    password: chosen.password,
  })
  expect(entered.result.ok).toBe(true)
})

test('a mailbox is proved', async () => {
  const { id, actor } = await insertPerson(db, { emailVerified: false })
  const caller = callerTo(db, { actor })
  expect((await operations['send-verification'](caller, {})).result).toEqual({
    ok: true,
    value: { sent: true },
  })
  const oobCode = await makeCode(db, 'verify_email', id, new Date())
  // Only under a session of the account itself; the code stays good.
  const outside = await operations['apply-action-code'](callerTo(db), { oobCode })
  expect(outside.result).toMatchObject({ ok: false, error: { code: 'failed-precondition' } })
  const { result } = await operations['apply-action-code'](caller, { oobCode })
  expect(result).toEqual({ ok: true, value: { email: actor.email } })
})

test.each(Object.keys(operations).filter((name) => name !== 'sign-out'))(
  '%s answers whatever it is sent, and never throws',
  async (name) => {
    for (const sent of [undefined, null, 7, 'x', [], {}, { email: {}, password: [], oobCode: 1 }]) {
      const { result } = await operations[name as 'sign-in'](callerTo(db), sent)
      expect(result).toMatchObject({
        ok: false,
        error: { title: expect.any(String), description: expect.any(String) },
      })
    }
  },
)

test('wrong fields come with a message each', async () => {
  const { result } = await operations['sign-up'](callerTo(db), { email: 'x', password: 'corta' })
  const errors = { email: expect.stringContaining('correo válido'), password: 'Usa al menos 8 caracteres.' }
  expect(result).toMatchObject({ ok: false, error: { code: 'invalid-argument', errors } })
})

test('what nobody foresaw is logged and is an internal-error, without its details', async () => {
  const logged = vi.spyOn(log, 'error').mockImplementation(() => undefined)
  const broken = callerTo(db, { ask: { post: () => Promise.reject(new Error('secret')) } as never })
  const { result } = await operations['sign-in'](broken, { email, password })
  expect(result).toMatchObject({ ok: false, error: { code: 'internal-error' } })
  expect(JSON.stringify(result)).not.toContain('secret')
  expect(logged).toHaveBeenCalledOnce()
})

import { eq } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { signInErrors } from '../../../src/domain/accounts/sign-in-errors.ts'
import { type RefusalCode, refusals } from '../../../src/domain/shared/refusal.ts'
import { operations } from '../../../src/server/accounts/email-operations.ts'
import { makeCode } from '../../../src/server/accounts/letter-codes.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { openBare, world } from '../../kit/open.ts'
import { newVisitor, type Visitor } from '../../kit/visitor.ts'

openBare()

const password = 'una-frase-larga'
let accounts = 0
const newEmail = () => `alguien-${accounts++}@prueba.mx`

type Init = { method?: string; body?: string; headers?: Record<string, string>; signal?: AbortSignal }

/** Asks as a page of ours does. */
async function ask(name: string, sent: unknown, as: Visitor = newVisitor(), changes: Init = {}) {
  const headers = { 'content-type': 'application/json', origin: 'http://carga.test', ...changes.headers }
  const init = { method: 'POST', body: JSON.stringify(sent), ...changes, headers }
  const answer = await world.send(`/v1/session/${name}`, as, init)
  return {
    ...answer,
    json: JSON.parse(answer.text) as { ok: boolean; value?: unknown; error?: { code: string } },
  }
}

describe('each operation, asked by a script', () => {
  test('an account is made, left and entered; nothing of it may be kept by anybody on the way', async () => {
    const as = newVisitor()
    const email = newEmail()
    for (const name of ['sign-up', 'sign-out', 'sign-in']) {
      const { status, json, headers } = await ask(name, { email, password }, as)
      expect([status, json.ok]).toEqual([200, true])
      expect(headers.get('cache-control')).toBe('no-store')
    }
    expect((await world.visit('/', as)).location).toBe('/completion')
  })

  test('wrong fields come back by their names, and no password with them', async () => {
    const { status, json, text } = await ask('sign-up', { email: 'no es', password: 'corta' })
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ errors: { email: expect.any(String), password: expect.any(String) } })
    expect(text).not.toContain('corta"')
  })

  test.each(Object.keys(operations))('%s takes no form, no garbage and no address alone', async (name) => {
    if (name === 'sign-out') return
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await ask(name, { email: 'a@b.mx', password }, newVisitor(), form)).json.ok).toBe(false)
    expect((await ask(name, null, newVisitor(), { body: '{"email":' })).json.ok).toBe(false)
    expect((await world.visit(`/v1/session/${name}`)).status).toBe(501)
  })

  test('a page of another origin hears unauthorized-domain, also for a sign-out', async () => {
    for (const name of ['sign-in', 'sign-out']) {
      const { status, json } = await ask(name, {}, newVisitor(), { headers: { origin: 'https://evil.test' } })
      expect([status, json.error]).toEqual([
        403,
        { code: 'unauthorized-domain', ...signInErrors['unauthorized-domain'] },
      ])
    }
  })

  test('ALLOWED_ORIGINS names the origins that may, and /v1/projects says which', async () => {
    const allowed = world.under({ ALLOWED_ORIGINS: 'http://carga.test, https://otra.test:8443' })
    const sent = { method: 'POST', body: JSON.stringify({ email: newEmail(), password }) }
    const from = (origin: string) =>
      allowed.send('/v1/session/sign-up', newVisitor(), {
        ...sent,
        headers: { 'content-type': 'application/json', origin },
      })
    expect((await from('https://otra.test:8443')).status).toBe(200)
    expect((await from('https://otra.test')).status).toBe(403)
    const { text } = await allowed.visit('/v1/projects')
    expect(JSON.parse(text)).toEqual({ authorizedDomains: ['carga.test', 'otra.test:8443'] })
    expect(JSON.parse((await world.visit('/v1/projects')).text)).toEqual({
      authorizedDomains: ['carga.test'],
    })
  })
})

/** Asks for a sign-in while the database fails with an error of this kind: its counting of tries meets it. */
async function withFault(sqlstate: string) {
  const sql = world.db.$client
  await sql.query(`create function fault() returns trigger language plpgsql as
    $$ begin raise exception using errcode = '${sqlstate}', message = 'a fault of the test'; end $$`)
  await sql.query(
    'create trigger fault before insert or update on limits for each row execute function fault()',
  )
  try {
    return await ask('sign-in', { email: 'nadie@prueba.mx', password })
  } finally {
    await sql.query('drop function fault cascade')
  }
}

/** Asks for a sign-in while the table it counts in is held, and has this done to the connection that waits. */
async function whileWaiting(end: 'pg_cancel_backend' | 'pg_terminate_backend') {
  const holder = await world.db.$client.connect()
  await holder.query('begin; lock table limits in access exclusive mode')
  const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const answer = ask('sign-in', { email: 'nadie@prueba.mx', password })
  try {
    // On a busy machine its password alone takes a second.
    await vi.waitFor(
      async () => expect((await world.db.$client.query(`select ${end}(pid) ${waiting}`)).rowCount).toBe(1),
      30_000,
    )
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  return answer
}

async function usedCode() {
  const { id } = await world.person()
  const oobCode = await makeCode(world.db, 'reset_password', id, new Date())
  await ask('confirm-reset', { oobCode, password })
  return ask('verify-reset-code', { oobCode })
}

async function inactive() {
  const email = newEmail()
  await ask('sign-up', { email, password })
  await world.db.update(users).set({ active: false }).where(eq(users.email, email))
  return ask('sign-in', { email, password })
}

async function tooOften() {
  const as = newVisitor()
  for (let tries = 0; tries < 10; tries++) await ask('sign-up', { email: newEmail(), password }, as)
  return ask('sign-up', { email: newEmail(), password }, as)
}

async function known() {
  const email = newEmail()
  await ask('sign-up', { email, password })
  return ask('sign-up', { email, password })
}

/** Which request provokes each status of the store (specification §8); a status without one would not compile. */
const provoked: Record<Exclude<RefusalCode, 'not-found' | 'cancelled'>, () => ReturnType<typeof ask>> = {
  'invalid-argument': () => ask('sign-in', { email: 'nadie@prueba.mx', password: 'no-es-esta' }),
  'already-exists': known,
  'permission-denied': inactive,
  'resource-exhausted': tooOften,
  'failed-precondition': usedCode,
  unauthenticated: () => ask('send-verification', {}),
  unimplemented: () => ask('sign-in-with-magic', {}),
  // A connection that somebody ends, and a statement that took too long.
  unavailable: () => whileWaiting('pg_terminate_backend'),
  'deadline-exceeded': () => whileWaiting('pg_cancel_backend'),
  // Faults that PostgreSQL reports by itself only when something is broken: raised in its name.
  aborted: () => withFault('40001'),
  'out-of-range': () => withFault('22003'),
  'data-loss': () => withFault('XX001'),
  internal: () => withFault('XX000'),
  unknown: () => withFault('P0001'),
}

test.each(Object.entries(provoked))(
  '%s is provoked over HTTP, with its status and its words',
  async (code, by) => {
    const { status, json } = await by()
    expect(json.error?.code).toBe(code)
    expect(status).toBe(refusals[code as RefusalCode].status)
    expect(json.error).toMatchObject({
      title: expect.stringMatching(/\S/),
      description: expect.stringMatching(/\S/),
    })
  },
)

test('not-found is provoked by a row that is not there, or not for whoever asks', async () => {
  const { status, text } = await world.visit(
    `/admin/users/${crypto.randomUUID()}`,
    await world.person({ kind: 'manager' }),
  )
  expect(status).toBe(refusals['not-found'].status)
  expect(text).toContain('No encontramos esta página')
})

test('cancelled is what a request ends as whose asker has gone', async () => {
  const gone = { method: 'POST', headers: { origin: 'http://carga.test' }, signal: AbortSignal.abort() }
  expect((await world.send('/v1/session/sign-in', newVisitor(), gone)).status).toBe(refusals.cancelled.status)
})

test('internal-error: a bug says so, and nothing of itself', async () => {
  const { status, json, text } = await withFault('42P01')
  expect([status, json.error?.code]).toEqual([500, 'internal-error'])
  expect(text).not.toContain('a fault of the test')
})

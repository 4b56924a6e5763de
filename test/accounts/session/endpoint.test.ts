import { signInErrors } from '../../../src/accounts/rules/sign-in-errors.ts'
import { sessions } from '../../../src/platform/database/schema/accounts.ts'
import { type RefusalCode, refusals } from '../../../src/shared/refusal.ts'
import { newEmail, password, resetCodeOf } from '../../kit/accounts.ts'
import { db, expectRowsIn, fixture, newPerson, openBare, runSql } from '../../kit/open.ts'
import { expectLocation, expectStatus } from '../../kit/reading.ts'
import { newVisitor, type Visitor } from '../../kit/visitor.ts'
import { memberOf } from '../own.ts'

openBare()

type Init = { method?: string; body?: string; headers?: Record<string, string>; signal?: AbortSignal }

/** Asks as a page of ours does. */
async function ask(name: string, sent: unknown, as: Visitor = newVisitor(), changes: Init = {}) {
  const headers = { 'content-type': 'application/json', origin: 'http://carga.test', ...changes.headers }
  const init = { method: 'POST', body: JSON.stringify(sent), ...changes, headers }
  const answer = await fixture.send(`/v1/session/${name}`, as, init)
  return {
    ...answer,
    json: JSON.parse(answer.text) as { ok: boolean; value?: unknown; error?: { code: string } },
  }
}

test('the API for scripts signs up, out and in, and ends the session of the caller; no answer may be cached', async () => {
  const as = newVisitor()
  const email = newEmail()
  const caller = await newPerson()
  for (const [name, who] of [
    ['sign-up', as],
    ['sign-out', as],
    ['sign-in', as],
    ['sign-in', caller],
  ] as const) {
    const { status, json, headers } = await ask(name, { email, password }, who)
    expect([status, json.ok]).toEqual([200, true])
    expect(headers.get('cache-control')).toBe('no-store')
  }
  expectLocation(await fixture.data('/', as), '/completion')
  await expectRowsIn(sessions, { userId: caller.id }, [])
})

test('the API for scripts names the wrong fields, and returns no password', async () => {
  const { status, json, text } = await ask('sign-up', { email: 'no es', password: 'corta' })
  expect(status).toBe(400)
  expect(json.error).toMatchObject({ errors: { email: expect.any(String), password: expect.any(String) } })
  expect(text).not.toContain('corta"')
})

test('the API for scripts allows the origins of ALLOWED_ORIGINS, which /v1/projects lists, and no other, for a sign-out neither', async () => {
  const allowed = fixture.under({ ALLOWED_ORIGINS: 'http://carga.test, https://otra.test:8443' })
  const body = JSON.stringify({ email: newEmail(), password })
  const from = (origin: string, name = 'sign-up') => {
    const headers = { 'content-type': 'application/json', origin }
    return allowed.send(`/v1/session/${name}`, newVisitor(), { method: 'POST', body, headers })
  }
  expectStatus(await from('https://otra.test:8443'), 200)
  for (const name of ['sign-up', 'sign-out']) {
    const { status, text } = await from('https://otra.test', name)
    const error = { code: 'unauthorized-domain', ...signInErrors['unauthorized-domain'] }
    expect([status, JSON.parse(text)]).toEqual([403, expect.objectContaining({ error })])
  }
  const domainsOf = async ({ visit }: Pick<typeof allowed, 'visit'>) =>
    JSON.parse((await visit('/v1/projects')).text)
  expect(await domainsOf(allowed)).toEqual({ authorizedDomains: ['carga.test', 'otra.test:8443'] })
  expect(await domainsOf(fixture)).toEqual({ authorizedDomains: ['carga.test'] })
})

/** A sign-in during which the database fails so: counting the try meets it. */
async function withFault(sqlstate: string) {
  const sql = db.$client
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

/** A sign-in that waits for a locked table, and whose connection is ended so meanwhile. */
async function whileWaiting(end: 'pg_cancel_backend' | 'pg_terminate_backend') {
  const holder = await db.$client.connect()
  await holder.query('begin; lock table limits in access exclusive mode')
  const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const answer = ask('sign-in', { email: 'nadie@prueba.mx', password })
  try {
    await expect
      .poll(async () => (await db.$client.query(`select ${end}(pid) ${waiting}`)).rowCount, {
        timeout: 30_000,
      })
      .toBe(1)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  return answer
}

async function usedCode() {
  const oobCode = await resetCodeOf(await newPerson())
  await ask('confirm-reset', { oobCode, password })
  return ask('verify-reset-code', { oobCode })
}

async function inactive() {
  const { email } = await memberOf({ active: false })
  return ask('sign-in', { email, password })
}

async function tooOften() {
  const as = newVisitor()
  await ask('sign-up', { email: newEmail(), password }, as)
  await runSql`update limits set count = 30 where key like 'sign-up by address %'`
  return ask('sign-up', { email: newEmail(), password }, as)
}

async function known() {
  const { email } = await newPerson()
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
  // A connection that is ended, and a statement that took too long.
  unavailable: () => whileWaiting('pg_terminate_backend'),
  'deadline-exceeded': () => whileWaiting('pg_cancel_backend'),
  // Faults that PostgreSQL reports by itself only when something is broken: raised in its name.
  aborted: () => withFault('40001'),
  'out-of-range': () => withFault('22003'),
  'data-loss': () => withFault('XX001'),
  internal: () => withFault('XX000'),
  unknown: () => withFault('P0001'),
}

test.each(Object.entries(provoked))('answers %s over HTTP, with its status and words', async (code, by) => {
  const { status, json } = await by()
  expect(json.error?.code).toBe(code)
  expect(status).toBe(refusals[code as RefusalCode].status)
  expect(json.error).toMatchObject({
    title: expect.stringMatching(/\S/),
    description: expect.stringMatching(/\S/),
  })
})

test('ends a request as cancelled once its client has gone', async () => {
  const gone = { method: 'POST', headers: { origin: 'http://carga.test' }, signal: AbortSignal.abort() }
  expectStatus(await fixture.send('/v1/session/sign-in', newVisitor(), gone), refusals.cancelled.status)
})

test('answers a bug with internal-error, without its details', async () => {
  const { status, json, text } = await withFault('42P01')
  expect([status, json.error?.code]).toEqual([500, 'internal-error'])
  expect(text).not.toContain('a fault of the test')
})

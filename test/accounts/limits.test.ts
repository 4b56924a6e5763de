import { clearLimits, countTry } from '../../src/accounts/limits.ts'
import { countPasswordTry } from '../../src/accounts/password.ts'
import { signInFailures } from '../../src/platform/database/schema/accounts.ts'
import type { Refusal } from '../../src/shared/refusal.ts'
import { choosePassword, newEmail, password, readable, resetCodeOf, signIn } from '../kit/accounts.ts'
import { db, fixture, openBare, post, realClockAfterEach, rowsWhere, runSql } from '../kit/open.ts'
import { expectLocation, expectStatus } from '../kit/reading.ts'
import { memberOf } from './own.ts'

openBare()
realClockAfterEach()

/** The words with which a try is refused, or null. */
const refusalWords = (tried: Promise<unknown>) =>
  tried.then(
    () => null,
    ({ description }: Refusal) => description,
  )
const day = new Date('2026-11-24T10:00:00Z')
const later = (seconds: number) => after(+day, seconds)
const tryAt = (who: string, at = day) => refusalWords(countTry(db, 'sign-in by address', who, at))
/** As many as an address may make in a minute. */
async function attemptsAt(who: string, at = day) {
  const tries = Array.from({ length: 30 }, () => tryAt(who, at))
  expect(new Set(await Promise.all(tries))).toEqual(new Set([null]))
}

// Many tries at once: test/security/brute-force.test.ts.
test('the limit of an address says how long to wait, which refused tries do not prolong', async () => {
  await attemptsAt('10.0.0.2')
  expect(await tryAt('10.0.0.2', later(1))).toContain('Espera 59 segundos')
  expect(await tryAt('10.0.0.2', later(59.5))).toContain('Espera 1 segundo ')
  expect(await tryAt('10.0.0.2', later(60))).toBeNull()
})

test('tries counted by a clock that was a day ahead bar no one once it is right', async () => {
  const email = newEmail()
  await attempts(email, 5, later(86_400))
  expect(await attempt(email, later(86_400))).toContain('Espera')
  expect(await attempt(email, day)).toBeNull()
  expect(await attempt(email, day)).toContain('Espera 60 segundos')
  await attemptsAt('10.0.0.9', later(86_400))
  await attemptsAt('10.0.0.9')
  expect(await tryAt('10.0.0.9')).toContain('Espera 60 segundos')
})

test('the limit of an address counts each address and each limit apart', async () => {
  await attemptsAt('10.0.0.3')
  expect(await tryAt('10.0.0.3')).toContain('Espera')
  expect(await tryAt('10.0.0.4')).toBeNull()
  await expect(countTry(db, 'sign-up by address', '10.0.0.3', day)).resolves.toBeUndefined()
})

test('the limit of an address keeps none, and clears what has ended', async () => {
  const { rows } = await runSql<{ key: string }>`select key from limits`
  expect(rows.length).toBeGreaterThan(0)
  for (const { key } of rows) expect(key).toMatch(/^sign-(in|up) by address [0-9a-f]{64}$/)
  await clearLimits(db, later(61))
  const left = await runSql<{ key: string }>`select key from limits order by key`
  expect(left.rows.map(({ key }) => key.slice(0, 7))).toEqual(['sign-in', 'sign-up'])
  await clearLimits(db, later(3601))
  expect((await runSql`select 1 from limits`).rowCount).toBe(0)
})

test('limits sign-ups from one wider network to 40 an hour', async () => {
  const from = (network: number, at = day) =>
    countTry(db, 'sign-up by wider network', `2001:db8:5:${network.toString(16)}::1`, at)
  for (let n = 0; n < 40; n++) await from(n)
  await expect(from(40)).rejects.toMatchObject({ code: 'resource-exhausted' })
  await expect(countTry(db, 'sign-up by wider network', '2001:db8:6::1', day)).resolves.toBeUndefined()
})

// That of many tries at once five reach the password: test/security/brute-force.test.ts.
const after = (from: number, seconds: number) => new Date(from + seconds * 1000)
/** A try at an account's password; refused or not, without the work of hashing. */
const attempt = (email: string, now: Date) => refusalWords(countPasswordTry(db, { email }, now))
async function attempts(email: string, count: number, now = new Date()) {
  for (let n = 0; n < count; n++) expect(await attempt(email, now)).toBeNull()
}

test('doubles the wait after each wrong password, up to 15 minutes, and forgets all after a day', async () => {
  const email = newEmail()
  let now = Date.now()
  await attempts(email, 5, after(now, 0))
  for (const [seconds, words] of [
    [30, '30 segundos'],
    [60, '60 segundos'],
    [120, '2 minutos'],
    [240, '4 minutos'],
    [480, '8 minutos'],
    [900, '15 minutos'],
    [900, '15 minutos'],
  ] as const) {
    expect(await attempt(email, after(now, 0))).toContain(`Espera ${words}`)
    // A refused try makes the wait no longer.
    expect(await attempt(email, after(now, seconds - 1))).toContain('Espera')
    now += seconds * 1000
    await attempts(email, 1, after(now, 0))
  }
  await attempts(email, 5, after(now, 24 * 3600 + 1))
})

test('limits an unknown e-mail alike, in the same words; the right password starts again', async () => {
  const unknown = newEmail()
  const { email } = await memberOf()
  const now = Date.now()
  fixture.at(after(now, 0))
  for (const one of [email, unknown]) {
    expectStatus(await signIn(one, 'equivocada'), 400)
    await attempts(one, 4, after(now, 0))
  }
  const known = await signIn(email)
  const stranger = await signIn(unknown)
  expect([known.status, stranger.status]).toEqual([429, 429])
  expect(readable(stranger, unknown)).toBe(readable(known, email))
  fixture.at(after(now, 31))
  expectLocation(await signIn(email), '/')
  await attempts(email, 4, after(now, 31))
})

test('ends the wait by a new password from the e-mail', async () => {
  const person = await memberOf()
  await attempts(person.email, 5)
  expectStatus(await signIn(person.email), 429)
  await choosePassword(await resetCodeOf(person), 'otra-frase-larga')
  expectLocation(await signIn(person.email, 'otra-frase-larga'), '/')
})

test('counts apart in a browser where that account signed in before, and only there', async () => {
  const { email } = await memberOf()
  const other = await memberOf()
  const as = fixture.visitor()
  await signIn(email, password, as)
  await post('/signout', {}, as)
  await attempts(email, 5)
  expectStatus(await signIn(email), 429)
  expectLocation(await signIn(email, password, as), '/')
  await post('/signout', {}, as)
  for (let n = 0; n < 5; n++) expectStatus(await signIn(email, 'equivocada', as), 400)
  expectStatus(await signIn(email, password, as), 429)

  await attempts(other.email, 5)
  const forged = fixture.visitor()
  forged.cookies.set('carga.known', `${as.cookies.get('carga.known')!.split('.')[0]}.x`)
  for (const browser of [as, forged]) expectStatus(await signIn(other.email, password, browser), 429)
})

test('counts no browser apart that the account knew before its password was replaced', async () => {
  const person = await memberOf()
  const { email } = person
  const before = Array.from({ length: 3 }, () => fixture.visitor())
  for (const as of before) {
    await signIn(email, password, as)
    await fixture.post('/signout', {}, as)
  }
  await choosePassword(await resetCodeOf(person), 'otra-frase-larga')
  for (const as of before) expectStatus(await signIn(email, 'equivocada', as), 400)
  await attempts(email, 2)
  for (const as of before) expectStatus(await signIn(email, 'otra-frase-larga', as), 429)
})

test('keeps no e-mail in clear', async () => {
  const kept = await rowsWhere(signInFailures)
  expect(kept).not.toEqual([])
  for (const { accountHash } of kept) expect(accountHash).toMatch(/^[0-9a-f]{64}( [0-9a-f]{64})?$/)
})

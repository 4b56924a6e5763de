import { beforeAll, expect, test } from 'vitest'
import { makeCode } from '../../src/server/accounts/letter-codes.ts'
import { signInFailures } from '../../src/server/platform/database/schema/accounts.ts'
import { newEmail, password, readable, storiesIn } from '../kit/accounts.ts'
import { openBare, realClockAfterEach, world } from '../kit/open.ts'

openBare()
let { signUp, userOf } = {} as ReturnType<typeof storiesIn>
beforeAll(async () => {
  ;({ signUp, userOf } = storiesIn(world))
})
realClockAfterEach()

// Each try comes from an address of its own, as from somebody who has many.
const tryIn = (email: string, secret = 'equivocada') => world.post('/signin', { email, password: secret })
const after = (from: number, seconds: number) => world.at(new Date(from + seconds * 1000))
async function wrongTimes(email: string, count: number) {
  for (let n = 0; n < count; n++) expect((await tryIn(email)).status).toBe(400)
}

test('of forty tries at once, from as many addresses, five reach the password', async () => {
  for (const email of [(await signUp()).email, newEmail()]) {
    const answers = await Promise.all(Array.from({ length: 40 }, () => tryIn(email)))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(35)
  }
})

test('each wrong password makes the next wait twice as long, up to a quarter of an hour', {
  timeout: 60_000,
}, async () => {
  const { email } = await signUp()
  let now = Date.now()
  after(now, 0)
  await wrongTimes(email, 5)
  for (const [seconds, words] of [
    [30, '30 segundos'],
    [60, '60 segundos'],
    [120, '2 minutos'],
    [240, '4 minutos'],
    [480, '8 minutos'],
    [900, '15 minutos'],
    [900, '15 minutos'],
  ] as const) {
    const refused = await tryIn(email)
    expect(refused.status).toBe(429)
    expect(readable(refused, email)).toContain(`Espera ${words}`)
    after(now, seconds - 1)
    // Tries while it waits make it no longer.
    expect((await tryIn(email, password)).status).toBe(429)
    now += seconds * 1000
    after(now, 0)
    await wrongTimes(email, 1)
  }
  after(now, 900)
  expect((await tryIn(email, password)).location).toBe('/')
  await wrongTimes(email, 4)
})

test('an e-mail nobody has waits alike, in the same words', async () => {
  const [{ email }, unknown] = [await signUp(), newEmail()]
  after(Date.now(), 0)
  for (const one of [email, unknown]) await wrongTimes(one, 5)
  const [known, stranger] = [await tryIn(email), await tryIn(unknown)]
  expect(stranger.status).toBe(known.status)
  expect(readable(stranger, unknown)).toBe(readable(known, email))
})

test('a new password by letter ends the wait', async () => {
  const { email } = await signUp()
  await wrongTimes(email, 5)
  expect((await tryIn(email, password)).status).toBe(429)
  const oobCode = await makeCode(world.db, 'reset_password', (await userOf(email))!.id, new Date())
  const chosen = { intent: 'password', oobCode, password: 'otra-frase-larga' }
  await world.post(`/recover-password?mode=resetPassword&oobCode=${oobCode}`, chosen)
  expect((await tryIn(email, chosen.password)).location).toBe('/')
})

test('in a browser where somebody signed in before they count apart: nobody elsewhere locks its owner out', async () => {
  const { email, as } = await signUp()
  await world.post('/signout', {}, as)
  await wrongTimes(email, 5)
  const from = (secret: string) => world.post('/signin', { email, password: secret }, as)
  expect((await from(password)).location).toBe('/')
  await world.post('/signout', {}, as)
  for (let n = 0; n < 5; n++) expect((await from('equivocada')).status).toBe(400)
  expect((await from(password)).status).toBe(429)

  // It is known to this e-mail only, and not to who copies half of it.
  const other = (await signUp()).email
  await wrongTimes(other, 5)
  expect((await world.post('/signin', { email: other, password }, as)).status).toBe(429)
  const forged = world.visitor()
  forged.cookies.set('carga.known', `${as.cookies.get('carga.known')!.split('.')[0]}.x`)
  expect((await world.post('/signin', { email: other, password }, forged)).status).toBe(429)
})

test('a day without a try forgets them', async () => {
  const { email } = await signUp()
  const now = Date.now()
  after(now, 0)
  await wrongTimes(email, 5)
  after(now, 24 * 3600 + 1)
  await wrongTimes(email, 4)
})

test('who was tried is not kept in clear', async () => {
  for (const { accountHash } of await world.db.select().from(signInFailures))
    expect(accountHash).toMatch(/^[0-9a-f]{64}( [0-9a-f]{64})?$/)
})

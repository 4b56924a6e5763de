import { networkOf } from '../../src/platform/http/network.ts'
import { newEmail, password, signUp } from '../kit/accounts.ts'
import { fixture, inParallel, openBare, post, runSql } from '../kit/open.ts'
import { expectShown, expectStatus } from '../kit/reading.ts'
import { newVisitor } from '../kit/visitor.ts'

openBare()

const tryIn = (email: string, typed: string, address?: string) =>
  post('/signin', { email, password: typed }, newVisitor(address))
/** So many requests, one after the other. */
async function inTurn(times: number, send: (nth: number) => Promise<{ status: number }>) {
  const answers = []
  for (let nth = 0; nth < times; nth++) answers.push(await send(nth))
  return answers
}
/** How many answers have a status. */
const count = (answers: readonly { status: number }[], status = 400) =>
  answers.filter((answer) => answer.status === status).length

// How long an account waits, and that unknown e-mails wait alike, is told in test/accounts/limits.test.ts.
test('of guesses at one account from many addresses five are checked, and the right password is refused like the others', async () => {
  const { email } = await signUp()
  const burst = () => Promise.all(Array.from({ length: 40 }, (_, at) => tryIn(email, `clave-${at}`)))
  const first = await burst()
  expect([count(first), count(first, 429)]).toEqual([5, 35])
  expect(count(await burst(), 429)).toBe(40)
  const right = await tryIn(email, password)
  expect([right.status, right.cookies]).toEqual([429, []])
  expectStatus(await tryIn(email, 'otra-clave'), 429)
})

test('an e-mail written in another way counts for the same account', async () => {
  const { email } = await signUp()
  const ways = [email, email.toUpperCase(), ` ${email} `, `${email}\u200b`, email.replace('p', 'P')]
  expect(count(await inTurn(10, (guess) => tryIn(ways[guess % ways.length]!, 'otra-clave')))).toBe(5)
})

test('one address may guess thirty times a minute over all accounts, beyond ten ever more slowly', async () => {
  const started = performance.now()
  const answers = await inParallel(36, () => tryIn(newEmail(), 'verano2026', '203.0.113.7'))
  expect([count(answers), count(answers, 429)]).toEqual([30, 6])
  expect(performance.now() - started).toBeGreaterThan(20 * 40)
})

test('a known browser signs in although its address used up its tries', async () => {
  const neighbour = newVisitor('203.0.113.8')
  const { email } = await signUp(newEmail(), neighbour)
  await post('/signout', {}, neighbour)
  const stranger = () => tryIn(newEmail(), 'verano2026', '203.0.113.8')
  await stranger()
  await runSql`update limits set count = 30`
  expectStatus(await stranger(), 429)
  expectStatus(await post('/signin', { email, password }, neighbour), 303)
})

test("a customer's forms are limited to sixty a minute", async () => {
  const person = await fixture.person()
  const other = await fixture.person()
  const send = (who = person) => post('/cuenta', { intent: 'keys', singleKeys: 'on' }, who)
  expectStatus(await send(), 303)
  await runSql`update limits set count = 60 where key like 'forms by account %'`
  expectShown(await send(), 429, 'Hiciste muchos intentos seguidos.')
  expectStatus(await send(other), 303)
})

/** The counts of the addresses that signed in. */
async function countsAfter(run: () => Promise<unknown>) {
  await runSql`delete from limits`
  await run()
  const { rows } = await runSql<{ count: number }>`
    select count from limits where key like 'sign-in by address %' order by count`
  return rows.map(({ count }) => count)
}

test('a network of IPv6 counts as one address', async () => {
  const address = (guess: number) => `2001:db8:1:2:${guess}:${guess}::1`
  const guesses = () => inTurn(3, (guess) => tryIn(newEmail(), 'verano2026', address(guess)))
  expect(await countsAfter(guesses)).toEqual([3])
  const other = () => tryIn(newEmail(), 'verano2026', '2001:db8:1:3::1')
  expect(await countsAfter(async () => [await guesses(), await other()])).toEqual([1, 3])
})

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['10.1.2.3', '10.1.2.3'],
  ['unknown', 'unknown'],
])('%s counts as the address %s', (address, network) => expect(networkOf(address)).toBe(network))

test.each([
  ['is no matter to whoever trusts none', '', '198.51.100.1, 203.0.113.9', '203.0.113.8'],
  ['counts as its proxy wrote it', 'true', '198.51.100.1, 203.0.113.9'],
  ['counts as the outer of two wrote it', '2', '198.51.100.1, 203.0.113.32, 10.1.1.1'],
  ['counts as the outermost of three wrote it', '3', '198.51.100.1,203.0.113.33 ,10.1.1.1,10.1.1.2'],
  // Past the outer proxies, what is there was written by those behind them.
  ['counts as those behind wrote it, past the outer proxies', '3', '203.0.113.34'],
])('a header %s', async (_what, TRUST_PROXY, chain, address?: string) => {
  const host = fixture.under(TRUST_PROXY ? { TRUST_PROXY } : {})
  const guesses = () =>
    inTurn(3, (guess) => {
      const headers = { 'x-forwarded-for': chain.replace('198.51.100.1', `198.51.100.${guess}`) }
      const form = { email: newEmail(), password: 'verano2026' }
      return host.post('/signin', form, newVisitor(address ?? `10.8.8.${guess}`), { headers })
    })
  expect(await countsAfter(guesses)).toEqual([3])
})

test('codes of e-mails are guessed sixty times in ten minutes from one address, looked at or sent', async () => {
  const as = newVisitor('203.0.113.20')
  const path = '/recover-password?mode=resetPassword'
  const answers = await inTurn(80, (guess) => {
    const oobCode = `adivino-${guess}`
    const form = { intent: 'password', oobCode, password: 'una-clave-nueva' }
    return guess % 2 ? post(path, form, as) : fixture.visit(`${path}&oobCode=${oobCode}`, as)
  })
  expect(count(answers, 429)).toBeGreaterThanOrEqual(20)
  expect(count(answers) + count(answers, 429)).toBe(80)
})

import { dictionary } from '@zxcvbn-ts/language-common'
import type { OperationCaller } from '../../src/accounts/auth.ts'
import { signIn } from '../../src/accounts/entry.ts'
import {
  hashedPassword,
  isCommonPassword,
  isPassword,
  refuseWhenCrowded,
} from '../../src/accounts/password.ts'
import { runWithContext } from '../../src/platform/telemetry/log.ts'
import { accountOf, choosePassword, newEmail, resetCodeOf } from '../kit/accounts.ts'
import { db, fixture, openBare } from '../kit/open.ts'
import { expectPage, expectStatus } from '../kit/reading.ts'

openBare()

test('refuses the 3000 most common passwords of 8 characters or more', () => {
  const long = dictionary['passwords-common'].filter((one) => one.length >= 8).slice(0, 3000)
  expect(long).toHaveLength(3000)
  expect(long.filter((one) => !isCommonPassword(one))).toEqual([])
})

test.each([
  ['PASSWORD', true],
  ['contraseña123', true],
  ['Carga en Casa', true],
  ['MÉXICO2026', true],
  ['ññññññññ', true],
  ['abababababab', true],
  ['una-frase-larga', false],
  ['gX7#pq2L', false],
])('%s: common is %s', (text, common) => expect(isCommonPassword(text)).toBe(common))

test('refuses to sign up with a common password or with the own e-mail', async () => {
  const email = newEmail()
  for (const [password, words] of [
    ['12345678', 'es muy común'],
    [email.toUpperCase(), 'Tu correo no sirve de contraseña'],
    [email.split('@')[0]!, 'Tu correo no sirve de contraseña'],
  ] as const)
    expectPage(await fixture.post('/signup', { email, password }), 400, words)
  expect(await accountOf(email)).toBeUndefined()
})

test('refuses a common password behind a link of an e-mail, whose code still serves', async () => {
  const code = await resetCodeOf(await fixture.person())
  expectPage(await choosePassword(code, 'iloveyou'), 400, 'es muy común')
  expectStatus(await choosePassword(code, 'mi gato come tortillas'), 303)
})

test('recognizes a hashed password and no other', async () => {
  const hash = await hashedPassword('una-larga-y-buena')
  expect(await isPassword({ hash, password: 'una-larga-y-buena' })).toBe(true)
  expect(await isPassword({ hash, password: 'una-larga-y-mala' })).toBe(false)
})

test('refuses more hashing while too many wait, until they are through', async () => {
  // An invalid hash fails at its turn, without the work.
  const crowd = Array.from({ length: 200 }, () => isPassword({ hash: '', password: 'x' }))
  expect(refuseWhenCrowded).toThrow('unavailable')
  await Promise.allSettled(crowd)
  expect(refuseWhenCrowded).not.toThrow()
})

test('a network that asks for many hashes delays the others by one, and itself alone is refused', async () => {
  const hash = await hashedPassword('una-larga-y-buena')
  const order: string[] = []
  const ask = (network: string, kept: string) =>
    runWithContext({ network }, () =>
      isPassword({ hash: kept, password: 'una-larga-y-buena' })
        .catch(() => false)
        .finally(() => order.push(network)),
    )
  const crowd = Array.from({ length: 200 }, () => ask('hostile', ''))
  expect(() => runWithContext({ network: 'hostile' }, refuseWhenCrowded)).toThrow('unavailable')
  expect(() => runWithContext({ network: 'honest' }, refuseWhenCrowded)).not.toThrow()
  expect(await ask('honest', hash)).toBe(true)
  expect(order.indexOf('honest')).toBeLessThan(20)
  await Promise.all(crowd)
})

test('a browser that the account knows does not wait behind its network', async () => {
  const ask = { post: () => isPassword({ hash: '', password: 'x' }).catch(() => Response.json({})) }
  const known = { numberFor: () => 'known', cookieFor: () => 'a=b' }
  const caller = { db, ask, known, address: '10.1.1.1', actor: null, now: new Date() }
  const enter = () =>
    signIn(caller as unknown as OperationCaller, { email: newEmail(), password: 'x', next: null })
  await runWithContext({ network: 'hostile' }, async () => {
    const crowd = Array.from({ length: 200 }, () => ask.post())
    expect(refuseWhenCrowded).toThrow('unavailable')
    expect((await enter()).value).toEqual({ secondStep: false })
    await Promise.all(crowd)
  })
})

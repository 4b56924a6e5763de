import { dictionary } from '@zxcvbn-ts/language-common'
import { beforeAll, expect, test } from 'vitest'
import { makeCode } from '../../src/server/accounts/letter-codes.ts'
import { isCommonPassword } from '../../src/server/accounts/password.ts'
import { newEmail, storiesIn } from '../kit/accounts.ts'
import { openBare, world } from '../kit/open.ts'
import { expectPage } from '../kit/reading.ts'

openBare()
let { signUp, userOf } = {} as ReturnType<typeof storiesIn>
beforeAll(async () => {
  ;({ signUp, userOf } = storiesIn(world))
})

test('the three thousand most common ones of our length are refused', () => {
  const long = dictionary['passwords-common'].filter((one) => one.length >= 8).slice(0, 3000)
  expect(long).toHaveLength(3000)
  expect(long.filter((one) => !isCommonPassword(one))).toEqual([])
})

test.each([
  'PASSWORD',
  'QwertyUiop',
  'Contraseña',
  'contraseña123',
  'Carga en Casa',
  'carga-en-casa',
  'MÉXICO2026',
  'ññññññññ',
  'abababababab',
])('%s is common', (text) => expect(isCommonPassword(text)).toBe(true))

test.each(['una-frase-larga', 'mi gato come tortillas', 'gX7#pq2L', 'caballo correcto'])(
  '%s is not',
  (text) => expect(isCommonPassword(text)).toBe(false),
)

test('nobody signs up with one, nor with their own e-mail', async () => {
  const email = newEmail()
  for (const [password, words] of [
    ['12345678', 'es muy común'],
    [email.toUpperCase(), 'Tu correo no sirve de contraseña'],
    [email.split('@')[0]!, 'Tu correo no sirve de contraseña'],
  ] as const) {
    const answer = await world.post('/signup', { email, password })
    expect([answer.status, await userOf(email)]).toEqual([400, undefined])
    expect(answer.text).toContain(words)
  }
})

test('a letter gives no way to one, and its code stays good', async () => {
  const { email } = await signUp()
  const oobCode = await makeCode(world.db, 'reset_password', (await userOf(email))!.id, new Date())
  const path = `/recover-password?mode=resetPassword&oobCode=${oobCode}`
  const choose = (password: string) => world.post(path, { intent: 'password', oobCode, password })
  const refused = await choose('iloveyou')
  expectPage(refused, 400, 'es muy común')
  expect((await choose('mi gato come tortillas')).status).toBe(303)
})

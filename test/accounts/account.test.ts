import fc from 'fast-check'
import type { z } from 'zod'
import { asksForTerms } from '../../src/accounts/rules/privacy.ts'
import { completionInput, signInInput, signUpInput } from '../../src/accounts/rules/schema.ts'
import { deviceInWords, retryWait, sessionLimits } from '../../src/accounts/rules/sessions.ts'
import { tidy } from '../../src/shared/text.ts'

const minute = 60_000
const messages = (schema: z.ZodType, typed: object) =>
  Object.fromEntries(schema.safeParse(typed).error?.issues.map((i) => [i.path[0], i.message]) ?? [])

test('says what each field of an empty form needs', () => {
  const credentials = { email: 'Escribe tu correo electrónico.', password: 'Escribe tu contraseña.' }
  expect(messages(signUpInput, {})).toEqual(credentials)
  expect(messages(signInInput, { email: ' ', password: '' })).toEqual(credentials)
  expect(messages(completionInput, { name: new Blob() })).toEqual({
    name: 'Escribe tu nombre.',
    lastname: 'Escribe tus apellidos.',
    phone: 'Escribe tu teléfono.',
  })
})

const email = (typed: string) => messages(signUpInput, { email: typed, password: 'carga-en-casa' })

test('an e-mail is kept trimmed and in lower case', () => {
  const input = signUpInput.parse({ email: '  Cliente@Demo.MX ', password: 'carga-en-casa' })
  expect(input).toEqual({ email: 'cliente@demo.mx', password: 'carga-en-casa' })
})

test.each(['cliente', 'a@b', 'a@demo.mx,b@demo.mx'])('refuses the e-mail %s', (typed) =>
  expect(email(typed)).toEqual({ email: 'Escribe un correo válido, como nombre@correo.mx.' }),
)

test('an e-mail has at most 254 characters', () =>
  expect(email(`${'a'.repeat(254)}@demo.mx`)).toEqual({ email: 'Ese correo es demasiado largo.' }))

const password = (typed: string) => messages(signUpInput, { email: 'a@demo.mx', password: typed })

test('a password has 8 to 64 characters, an emoji being one', () => {
  expect(password('🔌'.repeat(7))).toEqual({ password: 'Usa al menos 8 caracteres.' })
  expect(password('🔌'.repeat(8))).toEqual({})
  expect(password('🔌'.repeat(64))).toEqual({})
  expect(password('🔌'.repeat(65))).toEqual({ password: 'Usa como máximo 64 caracteres.' })
})

test('a password is kept exactly, and a short one may still try to sign in', () => {
  expect(signUpInput.parse({ email: 'a@demo.mx', password: '  espacios  ' }).password).toBe('  espacios  ')
  expect(signInInput.parse({ email: 'a@demo.mx', password: 'corta' }).password).toBe('corta')
})

const next = (typed: unknown) => signInInput.parse({ email: 'a@demo.mx', password: 'x', next: typed }).next

test.each(['/', '/admin/users?texto=ana#fin', '/address'])('keeps the next path %s', (path) =>
  expect(next(path)).toBe(path),
)

test.each([
  undefined,
  '',
  'admin',
  'https://evil.mx/',
  '//evil.mx',
  '/\\evil.mx',
  '/\t/evil.mx',
  '/.//evil.mx',
  'javascript:alert(1)',
  '//[',
])('drops the next path %s', (path) => expect(next(path)).toBeNull())

test('the next path stays on the site for any input', () => {
  const odd = fc.string({
    unit: fc.constantFrom('/', '\\', '.', '%2f', '\t', '@', ':', 'evil.mx', '?', '#'),
  })
  fc.assert(
    fc.property(odd, (rest) => {
      const path = next(`/${rest}`)
      return path === null || new URL(path, 'https://ours.mx').origin === 'https://ours.mx'
    }),
  )
})

const names = (name: string, lastname = 'Ríos') => ({ name, lastname, phone: '55 1234 5678' })

test('names are tidied', () =>
  expect(completionInput.parse(names(' Jose\u0301 \t\n Ma\u0000ri\u202Ea ', 'Núñez  de la O'))).toEqual({
    name: 'José Maria',
    lastname: 'Núñez de la O',
    phone: '5512345678',
  }))

test.each([
  ['...', 'Escribe al menos una letra.'],
  ['123', 'Escribe al menos una letra.'],
  ['\u200B', 'Escribe tu nombre.'],
  ['a'.repeat(81), 'Usa como máximo 80 caracteres.'],
])('refuses the name %j', (name, message) =>
  expect(messages(completionInput, names(name))).toEqual({ name: message }),
)

test('tidying names again changes nothing, and no hidden character is left', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (typed) => {
      const once = tidy(typed)
      expect(tidy(once)).toBe(once)
      expect(once).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]|^\s|\s$|\s{2}/u)
    }),
  ))

test.each([
  ['no terms before', null, '2025-01', 'first'],
  ['the terms in force', '2025-01', '2025-01', null],
  ['earlier terms', '2025-01', '2026-02', 'changed'],
  ['later terms, which the operator took back', '2026-02', '2025-01', 'changed'],
])('asks an account that accepted %s accordingly', (_, agreed, inForce, why) =>
  expect(asksForTerms(agreed, inForce)).toBe(why),
)

test('has the session constants of the specification (§4, §9)', () =>
  expect(sessionLimits).toMatchObject({
    popup: { width: 500, height: 600 },
    popupClosedAfter: 8_000,
    tokenSyncSeconds: 300,
    refreshBefore: 5 * minute,
    endedEarlySeconds: 30,
    retry: { first: 30_000, longest: 16 * minute },
    networkTimeout: { desk: 30_000, phone: 60_000 },
    poll: 800,
    redirectAnswer: 10 * minute,
  }))

test('tries a refresh again after 30 s, then twice as long each time, at most 16 min', () => {
  const waits = [30_000, minute, 2 * minute, 4 * minute, 8 * minute, 16 * minute, 16 * minute]
  expect([1, 2, 3, 4, 5, 6, 50].map(retryWait)).toEqual(waits)
})

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const windows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36`

test.each([
  [windows, 'Chrome en Windows'],
  [`${windows} Edg/140.0.0.0`, 'Edge en Windows'],
  [
    `Mozilla/5.0 (Linux; Android 16; Pixel 9) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`,
    'Chrome en Android',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S921B) ${webkit} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet en Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome en iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
    'Safari en Mac',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox en Linux'],
  ['curl/8.5.0', 'Dispositivo desconocido'],
  [null, 'Dispositivo desconocido'],
])('names the device of %s', (userAgent, words) => expect(deviceInWords(userAgent)).toBe(words))

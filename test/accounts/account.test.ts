import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { completionInput, signInInput, signUpInput } from '../../src/domain/accounts/schema.ts'
import { tidy } from '../../src/domain/shared/text.ts'

const messages = (schema: z.ZodType, typed: object) =>
  Object.fromEntries(schema.safeParse(typed).error?.issues.map((i) => [i.path[0], i.message]) ?? [])

test('an empty form says what each field needs', () => {
  const credentials = { email: 'Escribe tu correo electrónico.', password: 'Escribe tu contraseña.' }
  expect(messages(signUpInput, {})).toEqual(credentials)
  expect(messages(signInInput, { email: ' ', password: '' })).toEqual(credentials)
  expect(messages(completionInput, { name: new Blob() })).toEqual({
    name: 'Escribe tu nombre.',
    lastname: 'Escribe tus apellidos.',
    phone: 'Escribe tu teléfono.',
  })
})

describe('e-mail', () => {
  const email = (typed: string) => messages(signUpInput, { email: typed, password: 'carga-en-casa' })

  test('is kept trimmed and in lower case', () => {
    const input = signUpInput.parse({ email: '  Cliente@Demo.MX ', password: 'carga-en-casa' })
    expect(input).toEqual({ email: 'cliente@demo.mx', password: 'carga-en-casa' })
  })

  test.each(['cliente', 'a@b', 'a b@demo.mx', 'a@demo.mx,b@demo.mx', 'a@demo..mx'])('refuses %s', (typed) =>
    expect(email(typed)).toEqual({ email: 'Escribe un correo válido, como nombre@correo.mx.' }),
  )

  test('has at most 254 characters', () => {
    expect(email(`${'a'.repeat(254)}@demo.mx`)).toEqual({ email: 'Ese correo es demasiado largo.' })
  })
})

describe('password', () => {
  const password = (typed: string) => messages(signUpInput, { email: 'a@demo.mx', password: typed })

  test('has 8 to 64 characters, an emoji being one', () => {
    expect(password('🔌'.repeat(7))).toEqual({ password: 'Usa al menos 8 caracteres.' })
    expect(password('🔌'.repeat(8))).toEqual({})
    expect(password('🔌'.repeat(64))).toEqual({})
    expect(password('🔌'.repeat(65))).toEqual({ password: 'Usa como máximo 64 caracteres.' })
  })

  test('is kept to the letter, and a short one may still try to sign in', () => {
    expect(signUpInput.parse({ email: 'a@demo.mx', password: '  espacios  ' }).password).toBe('  espacios  ')
    expect(signInInput.parse({ email: 'a@demo.mx', password: 'corta' }).password).toBe('corta')
  })
})

describe('next', () => {
  const next = (typed: unknown) => signInInput.parse({ email: 'a@demo.mx', password: 'x', next: typed }).next

  test.each(['/', '/admin/users?texto=ana#fin', '/address'])('keeps %s', (path) =>
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
  ])('drops %s', (path) => expect(next(path)).toBeNull())

  test('whatever is typed, the answer stays on the site', () => {
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
})

describe('names', () => {
  const names = (name: string, lastname = 'Ríos') => ({ name, lastname, phone: '55 1234 5678' })

  test('are tidied', () => {
    const typed = names(' Jose\u0301 \t\n Ma\u0000ri\u202Ea ', 'Núñez  de la O')
    expect(completionInput.parse(typed)).toEqual({
      name: 'José Maria',
      lastname: 'Núñez de la O',
      phone: '5512345678',
    })
  })

  test.each([
    ['...', 'Escribe al menos una letra.'],
    ['123', 'Escribe al menos una letra.'],
    ['\u200B', 'Escribe tu nombre.'],
    ['a'.repeat(81), 'Usa como máximo 80 caracteres.'],
  ])('refuse %j', (name, message) =>
    expect(messages(completionInput, names(name))).toEqual({ name: message }),
  )

  test('tidying twice is tidying once, and leaves nothing that hides', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (typed) => {
        const once = tidy(typed)
        expect(tidy(once)).toBe(once)
        expect(once).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]|^\s|\s$|\s{2}/u)
      }),
    )
  })
})

test('half a megabyte of marks in disorder is refused in no time', () => {
  const marks = '\u0301\u0323'.repeat(250_000)
  const started = performance.now()
  expect(signUpInput.safeParse({ email: marks, password: marks }).success).toBe(false)
  expect(performance.now() - started).toBeLessThan(2_000)
})

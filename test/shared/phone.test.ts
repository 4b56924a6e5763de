import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { optionalPhone, requiredPhone } from '../../src/domain/shared/schema.ts'
import { normalisePhone } from '../../src/domain/shared/search.ts'

const phone = fc
  .tuple(fc.integer({ min: 2, max: 9 }), fc.stringMatching(/^\d{9}$/))
  .map(([first, rest]) => `${first}${rest}`)

describe('phone', () => {
  test.each(['', '123', '0512345678', '1512345678', '551234567', '55123456789', '+1 415 555 2671', 'diez'])(
    'refuses "%s"',
    (typed) => expect(normalisePhone(typed)).toBeNull(),
  )

  test('a number that begins like a prefix is kept whole', () => {
    expect(normalisePhone('5212345678')).toBe('5212345678')
    expect(normalisePhone('52 52 12 34 56 78')).toBe('5212345678')
  })

  test('any prefix and any spacing say the same', () => {
    const prefixes = fc.constantFrom('', '0052', '52', '521', '044', '045', '01', '+52 ', '+52 1 ', '(')
    fc.assert(
      fc.property(prefixes, phone, fc.constantFrom(' ', '-', '.', ''), (prefix, digits, gap) => {
        expect(normalisePhone(prefix + [...digits].join(gap))).toBe(digits)
      }),
    )
  })

  test('a wrong phone has its message', () => {
    expect(requiredPhone.safeParse(undefined).error?.issues[0]?.message).toBe('Escribe tu teléfono.')
    const short = 'Escribe los 10 dígitos de tu teléfono, con lada.'
    expect(requiredPhone.safeParse('55 12').error?.issues[0]?.message).toBe(short)
    expect(optionalPhone.safeParse('55 12').error?.issues[0]?.message).toBe(short)
    expect(optionalPhone.parse(undefined)).toBeNull()
    expect(optionalPhone.parse('+52 55 1234 5678')).toBe('5512345678')
  })
})

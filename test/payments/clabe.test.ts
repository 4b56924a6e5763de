import { expect, test } from 'vitest'
import { clabeDigits, isClabe } from '../../src/domain/payments/banks.ts'

test.each([
  ['032180000118359719', true],
  ['002010077777777771', true],
  ['032180000118359718', false],
  ['03218000011835971', false],
  ['0321800001183597190', false],
  ['03218000011835971a', false],
  ['', false],
])('%s is a CLABE: %s', (digits, is) => expect(isClabe(digits)).toBe(is))

test('no digit can be mistaken: any other one breaks it', () => {
  const right = '032180000118359719'
  for (let at = 0; at < 18; at++)
    for (let digit = 0; digit < 10; digit++) {
      const typed = right.slice(0, at) + digit + right.slice(at + 1)
      expect(isClabe(typed)).toBe(typed === right)
    }
})

test('is typed with spaces or hyphens, too', () =>
  expect(clabeDigits(' 032 180-0001 1835971 9')).toBe('032180000118359719'))

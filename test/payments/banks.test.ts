import { expect, test } from 'vitest'
import { bankCodes, bankLabels, bankName } from '../../src/domain/payments/banks.ts'

test('banks are chosen by name, the other one last, whatever their codes', () => {
  const names = bankCodes.map((code) => bankLabels[code])
  expect(names.at(-1)).toBe('Otro banco')
  expect(names.slice(0, -1)).toEqual(names.slice(0, -1).toSorted(new Intl.Collator('es-MX').compare))
  expect(names.indexOf('BBVA México')).toBeLessThan(names.indexOf('Ve por Más'))
  expect(new Set(bankCodes).size).toBe(Object.keys(bankLabels).length)
})

test('a bank is named by its code, and what is no code stands as it is', () => {
  expect(['012', 'Mi banco', '__proto__'].map(bankName)).toEqual(['BBVA México', 'Mi banco', '__proto__'])
})

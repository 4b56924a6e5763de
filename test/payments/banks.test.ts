import { expect, test } from 'vitest'
import { bankCode, bankGroups, bankLabels, bankName } from '../../src/domain/payments/banks.ts'

test('banks are chosen by name, the common ones first and the other one last, whatever their codes', () => {
  const [common = [], others = []] = bankGroups.map(({ codes }) => codes.map((code) => bankLabels[code]))
  expect(common.slice(0, 3)).toEqual(['Banamex', 'Banco Azteca', 'Banorte'])
  expect(others.at(-1)).toBe('Otro banco')
  for (const names of [common, others.slice(0, -1)])
    expect(names).toEqual(names.toSorted(new Intl.Collator('es-MX').compare))
  expect([...common, ...others].toSorted()).toEqual(Object.values(bankLabels).toSorted())
})

test('a bank is named by its code, and what is no code stands as it is', () => {
  expect(['012', 'Mi banco', '__proto__'].map(bankName)).toEqual(['BBVA México', 'Mi banco', '__proto__'])
})

test.each([
  ['012', '012'],
  ['BBVA', '012'],
  ['bbva méxico', '012'],
  ['BBVA Bancomer', '012'],
  ['Nu', '638'],
  ['Banco del Bienestar', '166'],
  ['other', 'other'],
  ['Otro banco', 'other'],
  ['Caja Popular', 'caja popular'],
  ['constructor', 'constructor'],
])('the code of %j is %j', (bank, code) => {
  expect(bankCode(bank)).toBe(code)
})

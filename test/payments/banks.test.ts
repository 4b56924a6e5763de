import {
  bankCode,
  bankGroups,
  bankLabels,
  bankName,
  clabeDigits,
  isClabe,
  mayBeOf,
} from '../../src/payments/rules/banks.ts'

test('lists banks by name, the common ones first and the other one last', () => {
  const [common = [], others = []] = bankGroups.map(({ codes }) => codes.map((code) => bankLabels[code]))
  expect(common.slice(0, 3)).toEqual(['Banamex', 'Banco Azteca', 'Banorte'])
  expect(others.at(-1)).toBe('Otro banco')
  for (const names of [common, others.slice(0, -1)])
    expect(names).toEqual(names.toSorted(new Intl.Collator('es-MX').compare))
  expect([...common, ...others].toSorted()).toEqual(Object.values(bankLabels).toSorted())
})

test('names a bank by its code, and keeps other text', () =>
  expect(['012', 'Mi banco', '__proto__'].map(bankName)).toEqual(['BBVA México', 'Mi banco', '__proto__']))

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
])('finds the code of %j: %j', (bank, code) => expect(bankCode(bank)).toBe(code))

test.each([
  ['032180000118359719', true],
  ['002010077777777771', true],
  ['032180000118359718', false],
  ['03218000011835971', false],
  ['0321800001183597190', false],
  ['03218000011835971a', false],
  ['', false],
])('%s is a CLABE: %s', (digits, is) => expect(isClabe(digits)).toBe(is))

test('refuses a CLABE with any digit changed', () => {
  const right = '032180000118359719'
  for (let at = 0; at < 18; at++)
    for (let digit = 0; digit < 10; digit++) {
      const typed = right.slice(0, at) + digit + right.slice(at + 1)
      expect(isClabe(typed)).toBe(typed === right)
    }
})

test('accepts spaces and hyphens in a CLABE', () =>
  expect(clabeDigits(' 032 180-0001 1835971 9')).toBe('032180000118359719'))

test.each([
  ['Camila Prueba', 'Camila Prueba', true],
  ['PRUEBA CAMILA', 'Camila Prueba', true],
  ['José Ángel Núñez Ruiz', 'Jose Nuñez', true],
  ['Ana', 'Ana María Soto', false],
  ['Otro Nombre', 'Camila Prueba', false],
  ['Camila Otra', 'Camila Prueba', false],
  ['', 'Camila Prueba', false],
])('whether an account of “%s” may be of %s: %s', (beneficiary, person, may) =>
  expect(mayBeOf(beneficiary, person)).toBe(may),
)

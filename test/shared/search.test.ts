import fc from 'fast-check'
import { optionalPhone, requiredPhone } from '../../src/shared/schema.ts'
import { normalisePhone, readSearch, type Search, scoreOf, searchWords } from '../../src/shared/search.ts'

const read = (typed: string) => readSearch(typed, 2026)

test.each([
  '555 555 02 01',
  '525555550201',
  '+52 1 555 555 0201',
  '044 555 555 0201',
  '(555) 555-0201',
  '555.555.0201',
  '00 52 555 555 0201',
  '5 5 5 5 5 5 0 2 0 1',
])('a phone as a caller ID shows it: %s', (typed) => {
  expect(searchWords(typed)).toEqual(['5555550201'])
  expect(read(typed).phone).toBe('5555550201')
})

test.each([
  ['0201', ['0201']],
  ['+52 555', ['555']],
  ['044 555 55', ['55555']],
  ['04400', ['04400']],
  ['Carlos +52 555 555 0201', ['Carlos', '5555550201']],
  ['044 555 555 0201 Carlos', ['5555550201', 'Carlos']],
  ['Londres 247', ['Londres', '247']],
  ['VT-2026-00012', ['VT-2026-00012']],
  ['vt-00012 Ana', ['vt-', '00012', 'Ana']],
  ['  ', []],
])('a phone as a caller ID shows it: "%s" is looked for as %j', (typed, words) =>
  expect(searchWords(typed)).toEqual(words),
)

describe('folios', () => {
  test.each([
    ['VT-2026-00012', ['VT-2026-00012']],
    ['vt 2026 12', ['VT-2026-00012']],
    ['cot202500003', ['COT-2025-00003']],
    ['pag 16', ['PAG-2026-00016', 'PAG-2025-00016', 'PAG-2024-00016']],
    ['VT-2025-0000777', ['VT-2025-0000777', 'VT-2025-00777']],
    ['pag-prueba-1', ['PAG-PRUEBA-1', 'pag-prueba-1']],
    ['GES-2026-0', []],
    ['Ana', []],
    ['5555550201', []],
  ])('%s', (typed, folios) => expect(read(typed).folios).toEqual(folios))

  test('a bare number may be one of every kind, of this year first', () => {
    const { folios } = read('#12')
    expect(folios).toHaveLength(21)
    expect(folios.slice(0, 8)).toEqual([
      ...['VT', 'IN', 'AV', 'COT', 'PAG', 'REE', 'GES'].map((kind) => `${kind}-2026-00012`),
      'VT-2025-00012',
    ])
  })
})

test.each([
  ['María Núñez', ['María', 'Núñez']],
  ['de la Cruz', ['Cruz']],
  ['Calle Londres 24, Col. Del Carmen', ['Londres', '24', 'Carmen']],
  ['Al', []],
  ['12', []],
  ['06700', ['06700']],
  ['ana@prueba.mx', ['ana@prueba.mx']],
])('"%s" names people by %j', (typed, words) => expect(read(typed).words).toEqual(words))

test.each([
  ['DEMO29914050', 'DEMO29914050'],
  ['mban 0100-2211', 'MBAN01002211'],
  ['Carlos', null],
  ['A1', null],
])('the key of "%s" is %s', (typed, key) => expect(read(typed).key).toBe(key))

describe('what is meant the most', () => {
  const carlos = { name: 'Carlos Demo', phone: '5555550201', email: 'carlos@demo.mx' }
  const score = (typed: string, of: Parameters<typeof scoreOf>[1]) => scoreOf(read(typed) as Search, of)

  test.each([
    ['VT-2026-00012', { folio: 'VT-2026-00012' }, 100],
    ['demo29914050', { keys: [null, 'DEMO29914050'] }, 100],
    ['+52 555 555 0201', carlos, 98],
    ['Carlos@demo.mx', carlos, 98],
    ['cárlos  demo', carlos, 95],
    ['carlos', carlos, 85],
    ['carl', carlos, 80],
    ['0201', carlos, 72],
    ['demo carlos', carlos, 66],
    ['Londres', carlos, 30],
  ] as const)('%s', (typed, of, points) => expect(score(typed, of)).toBe(points))

  test('a bare number means this year’s folio before an older one', () =>
    expect(score('12', { folio: 'VT-2026-00012' })).toBeGreaterThan(score('12', { folio: 'VT-2025-00012' })))
})

const phone = fc
  .tuple(fc.integer({ min: 2, max: 9 }), fc.stringMatching(/^\d{9}$/))
  .map(([first, rest]) => `${first}${rest}`)

test.each(['', '123', '0512345678', '1512345678', '551234567', '55123456789', '+1 415 555 2671', 'diez'])(
  'a typed phone refuses "%s"',
  (typed) => expect(normalisePhone(typed)).toBeNull(),
)

test('a typed phone: a number that begins like a prefix is kept whole', () => {
  expect(normalisePhone('5212345678')).toBe('5212345678')
  expect(normalisePhone('52 52 12 34 56 78')).toBe('5212345678')
})

test('a typed phone any prefix and any spacing say the same', () => {
  const prefixes = fc.constantFrom('', '0052', '52', '521', '044', '045', '01', '+52 ', '+52 1 ', '(')
  fc.assert(
    fc.property(prefixes, phone, fc.constantFrom(' ', '-', '.', ''), (prefix, digits, gap) => {
      expect(normalisePhone(prefix + [...digits].join(gap))).toBe(digits)
    }),
  )
})

test('a typed phone: a wrong phone has its message', () => {
  expect(requiredPhone.safeParse(undefined).error?.issues[0]?.message).toBe('Escribe tu teléfono.')
  const short = 'Escribe los 10 dígitos de tu teléfono, con lada.'
  expect(requiredPhone.safeParse('55 12').error?.issues[0]?.message).toBe(short)
  expect(optionalPhone.safeParse('55 12').error?.issues[0]?.message).toBe(short)
  expect(optionalPhone.parse(undefined)).toBeNull()
  expect(optionalPhone.parse('+52 55 1234 5678')).toBe('5512345678')
})

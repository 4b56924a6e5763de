import fc from 'fast-check'
import { interests, yearOptions, yearsForFilter } from '../../src/appointments/rules/appointment.ts'
import { aMonth } from '../../src/kit/list/filters.ts'
import { placeOf } from '../../src/projects/rules/postal-codes.ts'
import { epochSeconds, fromEpochSeconds } from '../../src/shared/calendar.ts'
import { monthNames, weekdayNames } from '../../src/shared/format.ts'
import {
  municipalities,
  municipalitiesOf,
  municipalityLabel,
  regionGroups,
  stateLabel,
  states,
} from '../../src/shared/places.ts'
import { listOf } from '../../src/shared/text.ts'

describe('regions', () => {
  test('two groups: 16 boroughs and four municipalities', () => {
    expect(regionGroups.map(({ label }) => label)).toEqual(['Ciudad de México', 'Estado de México'])
    expect(
      municipalitiesOf('cdmx')
        .map(({ slug }) => slug)
        .join(' '),
    ).toBe(
      'alvaro-obregon azcapotzalco benito-juarez coyoacan cuajimalpa-de-morelos cuauhtemoc gustavo-a-madero iztacalco iztapalapa la-magdalena-contreras miguel-hidalgo milpa-alta tlahuac tlalpan venustiano-carranza xochimilco',
    )
    expect(municipalitiesOf('edomex').map(({ slug, label }) => [slug, label])).toEqual([
      ['huixquilucan', 'Huixquilucan'],
      ['lerma', 'Lerma'],
      ['naucalpan', 'Naucalpan de Juárez'],
      ['toluca', 'Toluca'],
    ])
  })

  test.each(['', 'jalisco', '__proto__', 'constructor', 'toString'])('no municipalities in "%s"', (id) => {
    expect(municipalitiesOf(id)).toEqual([])
    expect(municipalityLabel(id)).toBe(id)
  })

  test('the index is the place in the list', () => {
    expect(municipalities.map(({ index }) => index)).toEqual([...Array(20).keys()])
    expect(municipalityLabel('gustavo-a-madero')).toBe('Gustavo A. Madero')
  })
})

test('32 states, each slug its label without accents', () => {
  expect(states).toHaveLength(32)
  expect(stateLabel('nuevo-leon')).toBe('Nuevo León')
  const plain = (label: string) =>
    label.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '-')
  const shortened = states.filter(({ slug, label }) => plain(label) !== slug).map(({ slug }) => slug)
  expect(shortened).toEqual(['cdmx', 'edomex'])
  const labels = states.map(({ label }) => label)
  expect(labels.toSorted(new Intl.Collator('es-MX').compare)).toEqual(labels)
})

test('filters and months have their options', () => {
  expect(interests.map(({ value }) => value)).toEqual(['01', '02', '03'])
  expect(aMonth.choices?.[11]).toEqual({ value: '11', label: 'Diciembre' })
  expect([weekdayNames[0], weekdayNames[6], monthNames.length]).toEqual(['Domingo', 'Sábado', 12])
  expect(yearOptions).toEqual([2024, 2025, 2026])
  expect(yearsForFilter([2028, 2026, 2023])).toEqual([2023, 2024, 2025, 2026, 2028])
})

describe('documents as lists', () => {
  const named = (names: (string | null)[]) => Object.fromEntries(names.map((name, i) => [`id${i}`, { name }]))

  test('ids are copied and names sorted as a dictionary does', () => {
    const list = listOf(named(['Óscar', null, 'ñame', 'ana', 'Ñandú', 'nube', 'Ángel']))
    expect(list.map(({ name }) => name)).toEqual(['ana', 'Ángel', 'nube', 'ñame', 'Ñandú', 'Óscar', null])
    expect(list[0]).toEqual({ id: 'id3', name: 'ana' })
  })

  test('sorts by another field, with another name for the id', () => {
    const list = listOf({ a: { at: new Date(2) }, b: { at: new Date(1) } }, { sortBy: 'at', idField: 'uid' })
    expect(list.map(({ uid }) => uid)).toEqual(['b', 'a'])
    expect(listOf({ a: { n: 10 }, b: { n: 9 } }, { sortBy: 'n' }).map(({ id }) => id)).toEqual(['b', 'a'])
  })
})

test('epoch seconds and dates', () => {
  expect(epochSeconds(new Date('2026-11-24T16:30:00.900Z'))).toBe(1795537800)
  fc.assert(
    fc.property(fc.integer({ min: -1e10, max: 1e10 }), (s) => epochSeconds(fromEpochSeconds(s)) === s),
  )
})

describe('postal codes', () => {
  test.each([
    ['01000', 'alvaro-obregon'],
    ['02999', 'azcapotzalco'],
    ['03100', 'benito-juarez'],
    ['04000', 'coyoacan'],
    ['05100', 'cuajimalpa-de-morelos'],
    ['06700', 'cuauhtemoc'],
    ['07300', 'gustavo-a-madero'],
    ['08000', 'iztacalco'],
    ['09000', 'iztapalapa'],
    ['10000', 'la-magdalena-contreras'],
    ['11560', 'miguel-hidalgo'],
    ['12000', 'milpa-alta'],
    ['13000', 'tlahuac'],
    ['14000', 'tlalpan'],
    ['15000', 'venustiano-carranza'],
    ['16999', 'xochimilco'],
    ['50000-50299', 'toluca'],
    ['52000-52059', 'lerma'],
    ['52760-52799', 'huixquilucan'],
    ['53000-53999', 'naucalpan'],
  ])('%s is in %s', (codes, municipality) => {
    for (const code of codes.split('-')) expect(placeOf(code)).toEqual({ area: 'served', municipality })
  })

  test.each(['50300', '51999', '52060', '52759', '52800', '54000', '57999'])(
    '%s: Edomex, not reached',
    (code) => expect(placeOf(code)).toEqual({ area: 'edomex' }),
  )

  test.each(['00999', '17000', '49999', '58000', '64000', '', '0310', '031000', '03a00', '٠٣١٠٠'])(
    '"%s": elsewhere',
    (code) => expect(placeOf(code)).toEqual({ area: 'elsewhere' }),
  )
})

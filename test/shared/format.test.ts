import { spawnSync } from 'node:child_process'
import * as columns from '../../src/shared/columns.ts'
import * as format from '../../src/shared/format.ts'
import * as days from '../../src/shared/spoken-days.ts'

const at = (local: string) => new Date(`${local}-06:00`)

describe('dates of Mexico City', () => {
  test.each([
    ['2026-11-21T16:30', 'sáb 21 nov 2026, 4:30 p.\u00a0m.'],
    ['2026-01-01T00:00', 'jue 1 ene 2026, 12:00 a.\u00a0m.'],
    ['2026-09-16T12:05', 'mié 16 sep 2026, 12:05 p.\u00a0m.'],
  ])('%s', (local, shown) => expect(format.dateTime(at(local))).toBe(shown))

  test.each([
    ['2026-11-21T16:30', '2026-01-01T00:00', 'sáb 21 nov, 4:30 p.\u00a0m.'],
    ['2027-01-01T00:00', '2026-12-31T23:59', 'vie 1 ene 2027, 12:00 a.\u00a0m.'],
    ['2025-12-31T23:59', '2026-01-01T00:00', 'mié 31 dic 2025, 11:59 p.\u00a0m.'],
  ])('%s, listed on %s', (local, now, shown) => {
    expect(format.dayTimeIn(at(local), at(now))).toBe(shown)
    expect(format.dayIn(local.slice(0, 10), at(now))).toBe(shown.split(',')[0])
  })

  test.each([
    ['2026-11-30T09:00', 'lun\u00a030, 9:00'],
    ['2026-11-02T18:59', 'lun\u00a02, 6:59'],
    ['2026-12-01T19:30', 'mar\u00a01\u00a0dic, 7:30 p.\u00a0m.'],
    ['2025-11-30T06:05', 'dom\u00a030\u00a0nov\u00a02025, 6:05 a.\u00a0m.'],
  ])('%s, in a column on 30 November 2026', (local, shown) =>
    expect(columns.briefTime(at(local), at('2026-11-30T10:00'))).toBe(shown),
  )

  test.each([
    ['VT-2026-00192', 'VT-00192'],
    ['VT-2025-00192', 'VT-2025-00192'],
    ['COT-2026-2026-1', 'COT-2026-1'],
    ['', ''],
  ])('the folio %s in 2026', (folio, shown) =>
    expect(columns.shortFolio(folio, at('2026-12-31T23:59'))).toBe(shown),
  )

  test.each([
    ['2026-11-24T09:12', 'a las 9:12 a.\u00a0m.', 'el mar 24 nov '],
    ['2026-12-31T13:00', 'a la 1:00 p.\u00a0m.', 'el jue 31 dic '],
  ])('%s, when a page was kept', (local, hour, day) =>
    expect(format.keptAt(at(local))).toEqual({ today: `Guardado ${hour}`, later: `Guardado ${day}${hour}` }),
  )

  test('summer time, kept until 2022', () =>
    expect(format.dateTime(new Date('2022-07-01T12:00Z'))).toBe('vie 1 jul 2022, 7:00 a.\u00a0m.'))

  test('long, of a moment and of a local date', () => {
    expect(format.longDate(at('2026-11-24T00:00'))).toBe('martes 24 de noviembre de 2026')
    expect(format.longDate('2026-11-24')).toBe('martes 24 de noviembre de 2026')
  })

  test.each([
    ['2026-11-24T00:00', '2026-11-25T00:00', 'mar 24 nov 2026'],
    ['2026-11-24T00:00', '2026-11-27T00:00', 'mar 24 nov 2026 a jue 26 nov 2026'],
    ['2026-11-24T09:00', '2026-11-24T14:00', 'mar 24 nov 2026, 9:00 a.\u00a0m. a 2:00 p.\u00a0m.'],
    [
      '2026-11-24T15:00',
      '2026-11-26T00:00',
      'mar 24 nov 2026, 3:00 p.\u00a0m. a jue 26 nov 2026, 12:00 a.\u00a0m.',
    ],
  ])('from %s to %s', (from, to, shown) => expect(format.dateSpan(at(from), at(to))).toBe(shown))

  test('hours of a day and its weekday, for boxes and tables', () => {
    expect([0, 570, 1440].map(format.clockText)).toEqual(['00:00', '09:30', '00:00'])
    expect([0, 5, 6].map(format.weekdayName)).toEqual(['Lunes', 'Sábado', 'Domingo'])
  })

  test.each([
    ['2026-11-24T09:30', 'las 9:30 a.\u00a0m.', '09:30'],
    ['2026-11-24T13:05', 'la 1:05 p.\u00a0m.', '13:05'],
    ['2026-11-24T01:00', 'la 1:00 a.\u00a0m.', '01:00'],
  ])('%s with its article, and for a time input', (local, said, typed) =>
    expect([format.theTime(at(local)), format.wallTime(at(local))]).toEqual([said, typed]),
  )

  test('a month inside a sentence and as a title; numeric dates', () => {
    expect(format.longMonth('2026-11-01')).toBe('noviembre de 2026')
    expect(format.monthAndYear('2026-11-01')).toBe('Noviembre 2026')
    expect(format.numericDate('2026-11-04')).toBe('04/11/2026')
    expect(format.numericDate(at('2026-11-04T23:59'))).toBe('04/11/2026')
    expect(format.longDateTime(at('2026-11-24T16:30'))).toBe(
      'martes 24 de noviembre de 2026, 4:30 p.\u00a0m.',
    )
  })

  test('time and window', () => {
    expect(format.atTime(at('2026-11-24T13:00'))).toBe('A la 1:00 p.\u00a0m.')
    expect(format.atTime(at('2026-11-24T11:00'))).toBe('A las 11:00 a.\u00a0m.')
    expect(format.time(at('2026-11-24T16:30'))).toBe('4:30 p.\u00a0m.')
    expect(format.arrivalWindow(at('2026-11-24T10:00'), 30)).toBe('Llegamos entre 10:00 y 10:30 a.\u00a0m.')
    expect(format.arrivalWindow(at('2026-11-24T11:30'), 30)).toBe(
      'Llegamos entre 11:30 a.\u00a0m. y 12:00 p.\u00a0m.',
    )
    expect(format.arrivalWindow(at('2026-11-24T12:30'), 60)).toBe('Llegamos entre 12:30 y 1:30 p.\u00a0m.')
  })

  test.each([
    ['2026-11-24T09:00', 30, 'entre 9:00 y 9:30'],
    ['2026-11-24T12:45', 30, 'entre 12:45 y 1:15'],
    ['2026-11-24T13:00', 0, 'a la 1:00'],
    ['2026-11-24T10:00', 0, 'a las 10:00'],
    // Where the other half of the day could be meant, it is said.
    ['2026-11-24T06:30', 30, 'entre 6:30 y 7:00 a.\u00a0m.'],
    ['2026-11-24T18:45', 30, 'entre 6:45 y 7:15 p.\u00a0m.'],
    ['2026-11-24T19:00', 0, 'a las 7:00 p.\u00a0m.'],
  ])('the hour of a promise at %s for %i minutes is "%s"', (start, minutes, said) =>
    expect(format.promisedHour(at(start), minutes)).toBe(said),
  )

  test.each([
    ['2026-11-24T00:00', 'Hoy', 'Hoy, martes 24 de noviembre'],
    ['2026-11-23T23:59', 'Mañana', 'Mañana, martes 24 de noviembre'],
    ['2026-11-22T23:59', 'El martes 24 de noviembre', 'Martes 24 de noviembre'],
    ['2026-11-25T00:00', 'El martes 24 de noviembre', 'Martes 24 de noviembre'],
    ['2025-12-31T12:00', 'El martes 24 de noviembre de 2026', 'Martes 24 de noviembre de 2026'],
  ])('read at %s, a visit of the 24th is "%s", and its heading "%s"', (now, spoken, heading) => {
    const visit = at('2026-11-24T09:00')
    expect(days.spokenDay(visit, at(now))).toBe(spoken)
    expect(days.dayHeading(visit, at(now))).toBe(heading)
  })

  test.each([
    ['2026-11-24T16:05', 'hasta las 4:05 p.\u00a0m.'],
    ['2026-11-25T01:00', 'hasta el miércoles 25 de noviembre a la 1:00 a.\u00a0m.'],
  ])('a link that is valid until %s says so: %s', (until, said) =>
    expect(days.untilMoment(at(until), at('2026-11-24T15:05'))).toBe(said),
  )

  test.each([
    ['2026-11-24T18:00', 'hoy'],
    ['2026-11-05T00:00', 'el 5 de noviembre'],
    ['2026-02-28T23:59', 'febrero'],
    ['2025-11-24T09:00', 'noviembre de 2025'],
  ])('since %s, read on the 24th of November, is since %s', (since, said) =>
    expect(days.sinceWhen(at(since), at('2026-11-24T20:00'))).toBe(said),
  )
})

test.each([
  [0, '0\u00a0min'],
  [45, '45\u00a0min'],
  [60, '1\u00a0h'],
  [95, '1\u00a0h 35\u00a0min'],
])('%i minutes last %s', (minutes, shown) => expect(format.duration(minutes)).toBe(shown))

test.each([
  [0, 'hace un momento'],
  [59_999, 'hace un momento'],
  [7_200_000, 'hace 2 horas'],
  [86_400_000, 'hace 1 día'],
  [800 * 86_400_000, 'hace 2 años'],
  [-30_000, 'en un momento'],
  [-3_600_000, 'en 1 hora'],
])('%i ms ago: %s', (elapsed, shown) => {
  const now = at('2026-11-24T12:00')
  expect(format.relative(new Date(now.getTime() - elapsed), now)).toBe(shown)
})

test.each([
  ['2026-11-24T23:59', 'hoy'],
  ['2026-11-25T00:00', 'mañana'],
  ['2026-11-26T11:59', 'en 2 días'],
])('until %s: %s', (end, shown) => expect(format.untilDay(at(end), at('2026-11-24T12:00'))).toBe(shown))

test.each([
  ['09:30', 570],
  ['18:00:00', 1080],
  ['6:00 p. m.', 1080],
  ['6:00\u00a0p.\u00a0m.', 1080],
  ['12:15 AM', 15],
  ['24:00', null],
  ['13:00 p. m.', null],
  ['0:30 a. m.', null],
  ['9:60', null],
  ['', null],
  ['temprano', null],
])('%s is a time as people type it', (typed, minute) => expect(format.minuteOfClock(typed)).toBe(minute))

test.each([
  [0.2, '1 segundo'],
  [59.1, '60 segundos'],
  [91, '2 minutos'],
  [3600, '60 minutos'],
  [7200, '2 horas'],
])('%d seconds are %s', (seconds, words) => expect(format.waitInWords(seconds)).toBe(words))

describe('figures', () => {
  test.each([
    [1_234_500, '$12,345.00'],
    [0, '$0.00'],
    [-50_000, '-$500.00'],
  ])('%i centavos', (centavos, shown) => expect(format.money(centavos)).toBe(shown))

  test.each([
    [680_000, '$68.00'],
    [94_827_586, '$9,482.7586'],
    [1, '$0.0001'],
  ])('%i ten-thousandths', (price, shown) => expect(format.unitPrice(price)).toBe(shown))

  test.each([
    [1000, '1'],
    [9_999_999, '9,999.999'],
  ])('%i thousandths', (quantity, shown) => expect(format.quantity(quantity)).toBe(shown))

  test.each([
    [1000, '1,000'],
    [-1234567, '-1,234,567'],
    [1234.5678, '1,234.5678'],
  ])('%f', (value, shown) => expect(format.thousands(value)).toBe(shown))

  test.each([
    [4.5, 1, '4.5'],
    [4.04, 1, '4'],
    [12345.678, 2, '12,345.68'],
  ])('%f with at most %i decimals', (value, decimals, shown) =>
    expect(format.figure(value, decimals)).toBe(shown),
  )

  test.each([
    [245, 3, 0, '0.245'],
    [1000, 3, 0, '1'],
    [68_0000, 4, 2, '68.00'],
    [-5, 2, 2, '-0.05'],
  ])('%i of 10^-%i, at least %i decimals', (value, places, atLeast, shown) =>
    expect(format.fixedPoint(value, places, atLeast)).toBe(shown),
  )

  test('counts agree with their noun', () => {
    const counted = [0, 1, 1200].map((count) => format.counted(count, 'cita', 'citas'))
    expect(counted).toEqual(['0 citas', '1 cita', '1,200 citas'])
  })

  test('percentages', () =>
    expect([1000, 1250, 5].map(format.percent)).toEqual(['10\u00a0%', '12.5\u00a0%', '0.05\u00a0%']))
})

test('phones and their links', () => {
  expect(format.formatPhone('5512345678')).toBe('551 234 56 78')
  expect(format.formatPhone('123')).toBe('123')
  expect(format.telLink('5512345678')).toBe('tel:+525512345678')
  expect(format.whatsappLink('5512345678')).toBe('https://wa.me/525512345678')
  expect(format.whatsappLink('5512345678', 'Folio VT-2026-00012')).toBe(
    'https://wa.me/525512345678?text=Folio%20VT-2026-00012',
  )
})

const noon = new Date('2026-11-24T12:00-06:00')

test.each([
  ['America/Tijuana', '10:00 a. m. para ti'],
  ['America/Hermosillo', '11:00 a. m. para ti'],
  ['America/Cancun', '1:00 p. m. para ti'],
  ['Asia/Tokyo', 'mié 25, 3:00 a. m. para ti'],
  // The clocks of these show the same.
  ['America/Mexico_City', null],
  ['America/Monterrey', null],
])('noon of central Mexico, in %s: %s', (zone, words) =>
  expect(format.hourIn(zone, noon)?.replaceAll('\u00a0', ' ') ?? null).toBe(words),
)

test('Tijuana changes its clocks twice a year, the centre does not', () =>
  expect(format.hourIn('America/Tijuana', new Date('2026-07-24T12:00-06:00'))).toContain('11:00'))

describe('whatever the time zone of the machine', () => {
  const script = `
    const f = await import(${JSON.stringify(new URL('../../src/shared/format.ts', import.meta.url).href)})
    const from = Date.UTC(2022, 0, 1)
    for (let i = 0; i < 2000; i++) {
      const at = new Date(from + i * 1439 * 60_000)
      console.log(f.dateTime(at), f.longDate(at), f.arrivalWindow(at, 30))
    }
    console.log(f.longDate('2026-11-24'))`
  const shownIn = (TZ: string) => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, TZ, NODE_OPTIONS: '' },
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    return stdout
  }
  const utc = shownIn('UTC')

  test.each(['America/Tijuana', 'Asia/Tokyo', 'America/Mexico_City'])('%s', (zone) => {
    expect(utc.split('\n')).toHaveLength(2002)
    expect(shownIn(zone)).toBe(utc)
  })

  test('no spaces of a system’s own, so that Node and every browser write the same bytes', () =>
    expect(utc.replaceAll(/(?<=[ap]\.)\u00a0(?=m\.)/g, ' ')).not.toMatch(/[^\S \n]/))
})

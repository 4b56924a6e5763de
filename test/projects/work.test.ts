import {
  appointmentWork,
  byHarm,
  countedWork,
  lastEvening,
  nightWords,
  shownOf,
  urgencyOf,
  type WorkKind,
  whenWords,
  workSummary,
  workWait,
} from '../../src/customers/rules/work.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'
import { minuteAt, toDate } from '../../src/shared/calendar.ts'

/** A Tuesday. */
const today = '2026-11-24'
const at = (time: string, date = today) => toDate(minuteAt(date, time))
const now = at('12:00')

const facts = { state: 'requested', assigneeId: null, offered: false } as const
const assigned = { state: 'assigned', assigneeId: 'a', offered: false } as const
test.each([
  ['unassigned, later today', facts, at('17:00'), 'nobody_today'],
  ['unassigned, tomorrow', facts, at('00:00', '2026-11-25'), 'nobody_soon'],
  ['unassigned, past its start', facts, at('11:30'), 'late'],
  ['unassigned, yesterday', facts, at('17:00', '2026-11-23'), 'left_open'],
  ['proposed', { ...facts, assigneeId: 'a' }, at('17:00'), 'to_confirm'],
  [
    'proposed, its customer asked about another time',
    { ...facts, assigneeId: 'a', offered: true },
    at('17:00'),
    null,
  ],
  [
    'unassigned, its customer asked about another time',
    { ...facts, offered: true },
    at('17:00'),
    'nobody_today',
  ],
  ['assigned, ahead', assigned, at('12:00'), null],
  ['assigned, not begun', assigned, at('11:59'), 'late'],
  ['on the way, not there', { ...assigned, state: 'en_route' }, at('11:00'), 'late'],
  ['begun', { ...assigned, state: 'in_progress' }, at('11:00'), null],
] as const)('an appointment asks of the office: %s', (_, row, startsAt, kind) => {
  expect(appointmentWork({ ...row, startsAt }, now)).toBe(kind)
})

test('sorts by harm: who waits live and what breaks today first, then what waits longest', () => {
  const order: [kind: WorkKind, time: string, id?: string][] = [
    ['urgent', '11:00'],
    ['approval', '11:30'],
    ['late', '11:00'],
    ['nobody_today', '13:00'],
    ['task', '02:00'],
    ['proof', '08:00', 'a'],
    ['proof', '08:00', 'b'],
    ['proof', '09:00', 'c'],
    ['code', '01:00'],
  ]
  const lines = order.map(([kind, time, id = 'a']) => ({ kind, at: at(time), id }))
  expect(byHarm(lines.toReversed())).toEqual(lines)
})

test.each([
  ['late', at('11:22'), '38\u00a0min tarde', 'bad'],
  ['nobody_today', at('15:00'), 'Empieza hoy 3:00 p.\u00a0m.', 'bad'],
  ['nobody_soon', at('15:00', '2026-11-26'), 'Empieza jue 26 nov 3:00 p.\u00a0m.', 'wait'],
  ['to_confirm', at('15:00', '2026-11-26'), 'Empieza jue 26 nov 3:00 p.\u00a0m.', 'neutral'],
  ['proof', at('12:00', '2026-11-23'), 'Hace 1 día', 'neutral'],
  ['proof', at('11:59', '2026-11-23'), 'Hace 1 día', 'wait'],
  ['to_quote', at('10:00', '2026-11-23'), 'Hace 1 día', 'neutral'],
  ['urgent', at('10:00'), 'Hace 2 horas', 'wait'],
  ['left_open', at('10:00', '2026-11-22'), 'Hace 2 días', 'wait'],
  ['overdue', at('10:00', '2026-11-21'), 'Venció hace 3 días', 'wait'],
  ['late_cases', at('00:00', '2026-11-22'), 'Venció hace 2 días', 'bad'],
] as const)('words how long %s waits since %s: %s', (kind, since, words, tone) => {
  expect(workWait(kind, since, now)).toEqual({ words, tone })
})

test.each([
  ['late', 4, '4 tarde'],
  ['approval', 1, '1 autorización'],
  ['approval', 2, '2 autorizaciones'],
  ['to_quote', 1, '1 por cotizar'],
] as const)('counts %s: %i', (kind, total, words) => {
  expect(countedWork(kind, { total, isMore: false })).toBe(words)
})

const line = (kind: WorkKind, start: Date, more = {}) => {
  return { kind, at: start, id: 'a', takenBy: null, isSnoozed: false, ...more }
}

test.each([
  ['late', at('11:00'), 'now'],
  ['nobody_soon', at('11:00', '2026-11-28'), 'today'],
  ['to_confirm', at('23:59', '2026-11-25'), 'today'],
  ['to_confirm', at('00:00', '2026-11-26'), 'later'],
  ['overdue', at('11:00', '2026-11-01'), 'later'],
] as const)('places %s of %s: %s', (kind, start, place) => {
  expect(urgencyOf({ kind, at: start }, now)).toBe(place)
})

test('lists what cannot wait, all whom somebody waits for, and of what can wait the first that is not put off', () => {
  const many = (kind: WorkKind) => Array.from({ length: 12 }, () => line(kind, at('11:00')))
  const home = (own: ReturnType<typeof many>) => shownOf(own, { id: 'me' }, null, now)
  expect([many('late'), many('task'), many('proof')].map((own) => home(own).length)).toEqual([12, 10, 1])
  const off = line('proof', at('08:00'), { isSnoozed: true })
  const mine = line('proof', at('09:00'), { takenBy: 'me' })
  expect(home([off, mine])).toEqual([mine])
  const viewed = (view: 'mias' | 'pospuestas' | WorkKind) => shownOf([off, mine], { id: 'me' }, view, now)
  expect([viewed('mias'), viewed('pospuestas'), viewed('proof'), viewed('task')]).toEqual([
    [mine],
    [off],
    [off, mine],
    [],
  ])
})

test.each([
  [[], 'Esto es lo de hoy.'],
  [[1], 'Tienes 1 cosa por resolver.'],
])('sums up %j', (totals, words) => {
  expect(workSummary(totals.map((total) => ({ total, isMore: false })))).toBe(words)
})

test('says “more than” where counting was cut off', () => {
  const counts = [
    { total: 1000, isMore: true },
    { total: 4, isMore: false },
  ]
  expect(workSummary(counts)).toBe('Tienes más de 1,004 cosas por resolver.')
})

test.each([
  [at('17:00'), 'hoy, 5:00 p.\u00a0m.'],
  [at('09:00', '2026-11-25'), 'mañana, 9:00 a.\u00a0m.'],
  [at('09:00', '2026-11-30'), 'lun 30 nov, 9:00 a.\u00a0m.'],
])('words the moment %s as %s', (start, words) => expect(whenWords(start, now)).toBe(words))

test.each([
  ['a Tuesday', '2026-11-24', '2026-11-23'],
  ['a Monday, from Saturday', '2026-11-23', '2026-11-21'],
  ['a Sunday', '2026-11-22', '2026-11-21'],
  ['after a holiday', '2026-11-17', '2026-11-14'],
])('the night began on the last open evening: %s', (_, date, evening) => {
  expect(lastEvening(defaultSettings, at('08:00', date))).toEqual(at('18:00', evening))
})
test('the night began yesterday for a house that is never open', () => {
  const hours = defaultSettings.hours.map(() => null)
  expect(lastEvening({ ...defaultSettings, hours }, now)).toEqual(at('18:00', '2026-11-23'))
})
const since = at('18:00', '2026-11-23')
test.each([
  [{ confirmed: 0, replaced: 0, without: 0 }, null],
  [{ confirmed: 1, replaced: 0, without: 0 }, 'Desde anoche, el sistema confirmó 1 cita.'],
  [
    { confirmed: 4, replaced: 1, without: 1 },
    'Desde anoche, el sistema confirmó 4 citas, cambió 1 de persona y dejó 1 sin persona.',
  ],
  [
    { confirmed: 0, replaced: 0, without: 0, letGo: 1, quotes: 3, payments: 1, offers: 2 },
    'Desde anoche, el sistema liberó 1 sin correo confirmado y dio por vencido: 3 cotizaciones, 1 pago, 2 propuestas de horario.',
  ],
  [
    { confirmed: 0, replaced: 2, without: 1 },
    'Desde anoche, el sistema cambió 2 de persona y dejó 1 sin persona.',
  ],
])('the night is summed up: %j', (counts, words) => expect(nightWords(counts, since, now)).toBe(words))
test('the night names its day when longer than one night', () => {
  const counts = { confirmed: 1, replaced: 0, without: 0 }
  expect(nightWords(counts, at('18:00', '2026-11-21'), at('08:00', '2026-11-23'))).toBe(
    'Desde el sábado por la noche, el sistema confirmó 1 cita.',
  )
})

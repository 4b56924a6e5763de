import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import {
  absenceWords,
  disruptionCost,
  moveOfferEndsAt,
  placementProposals,
  type Stranded,
  withOneMore,
} from '../../src/dispatch/rules/absence.ts'
import { openSlots } from '../../src/scheduling/rules/availability.ts'
import { rank } from '../../src/scheduling/rules/eligibility.ts'
import {
  type BusyRow,
  busyOf,
  defaultTravel,
  type PersonRow,
  rosterOf,
} from '../../src/scheduling/rules/roster.ts'
import { absenceInput } from '../../src/scheduling/rules/schema.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'
import { daysOn, minuteAt } from '../../src/shared/calendar.ts'

const date = '2026-11-24'
const at = (time: string, day = date) => minuteAt(day, time)
const coyoacan = 3
const person = (id: string): PersonRow => ({
  id,
  kind: 'tecnician',
  active: true,
  zones: [],
  timeOff: [],
  shifts: [0, 1, 2, 3, 4].map((weekday) => ({ weekday, from: 540, to: 1080 })),
})
const roster = rosterOf([person('away'), person('b'), person('c')])
const ask = {
  service: 'technical_visit' as const,
  zone: coyoacan,
  now: at('08:00', '2026-11-23'),
  days: daysOn(date, 4),
  settings: defaultSettings,
  travel: defaultTravel(),
  promised: true,
}
const held = (who: number, start: number, minutes = 60): BusyRow => ({
  person: who,
  start,
  end: start + minutes,
  zone: coyoacan,
  service: 'technical_visit',
})
const day = daysOn(date, 1)[0]!
const stranded = (start: number, more: Partial<Stranded> = {}) => ({
  start,
  personId: 'away',
  moved: 0,
  taken: [],
  away: { person: 0, start: day.start, end: day.end },
  earliest: ask.now,
  ...more,
})

test('proposes no hours when its customer has another appointment', () => {
  const busy = busyOf(3, [held(1, at('10:00')), held(2, at('10:00'))])
  const asked = stranded(at('10:00'), { taken: [{ start: at('09:00'), end: at('18:00') }] })
  const found = placementProposals(roster, busy, ask, asked, 3)
  expect(found).toHaveLength(3)
  for (const { start } of found) expect(start).toBeGreaterThanOrEqual(day.end)
})

test('proposes the least harm of all free places', () => {
  const rows = fc.array(
    fc.record({
      who: fc.constantFrom(1, 2),
      day: fc.integer({ min: 0, max: 3 }),
      slot: fc.integer({ min: 18, max: 33 }),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(
      rows,
      fc.integer({ min: 18, max: 33 }),
      fc.integer({ min: 0, max: 1 }),
      (wanted, slot, moved) => {
        const placed: BusyRow[] = []
        for (const one of wanted) {
          const start = ask.days[one.day]!.base + one.slot * 30
          if (!placed.some((row) => row.person === one.who && row.start < start + 60 && start < row.end))
            placed.push(held(one.who, start))
        }
        const busy = busyOf(3, placed)
        const start = day.base + slot * 30
        const asked = stranded(start, { moved })
        const [first] = placementProposals(roster, busy, ask, asked, 3).filter(
          ({ against }) => against.length === 0,
        )
        const all = [start, ...openSlots(roster, busy, ask).flatMap(({ starts }) => starts)].flatMap((one) =>
          rank(roster, busy, one, ask)
            .filter(({ id }) => id !== 'away' || one >= day.end)
            .map(
              ({ id }) =>
                disruptionCost({ start, personId: 'away' }, { start: one, personId: id }, moved).total,
            ),
        )
        expect(first?.harm.total).toBe(all.length === 0 ? undefined : Math.min(...all))
      },
    ),
  )
})

test('holds what is proposed for one appointment from the next', () => {
  const busy = withOneMore(busyOf(3, [held(2, at('12:00'))]), 3, held(1, at('10:00')))
  expect([...busy.at]).toEqual([0, 0, 1, 2])
  expect([...busy.starts]).toEqual([at('10:00'), at('12:00')])
})

const id = randomUUID()

test.each(['', 'give_', 'give_x', `offer_${id}`, `offer_${id}_x`, 'keep'])(
  'the form refuses %j as a choice',
  (text) => {
    const { error } = absenceInput.safeParse({ version: '1', [`choice.${id}`]: text })
    expect(error?.issues[0]?.path).toEqual([`choice.${id}`])
  },
)

test('words what a confirmation does by the choices', () => {
  const give = { kind: 'give', personId: 'b' } as const
  const offer = { kind: 'offer', personId: 'b', start: at('10:00') } as const
  const release = { kind: 'release' } as const
  expect(
    absenceWords('Ernesto', [
      { state: 'assigned', choice: give },
      { state: 'requested', choice: give },
      { state: 'requested', choice: offer },
      { state: 'assigned', choice: release },
      { state: 'requested', choice: release },
    ]),
  ).toEqual([
    '2 citas conservan su hora con otra persona: reciben un correo 2 clientes y 1 persona que las toma.',
    'A 1 cliente le preguntamos por correo si le queda otra hora; mientras, su cita queda sin persona.',
    '1 cita queda sin persona: si el cliente tiene correo, le avisamos que buscamos a alguien más.',
    '1 cita queda por asignar, sin aviso.',
    'A Ernesto le avisamos de 2 citas asignadas que ya no lleva.',
  ])
})

const from = { start: at('10:00'), personId: 'tomas' }
const to = (day: string, time: string, personId = 'tomas') => ({ start: at(time, day), personId })

test.each([
  ['another person, at its time', to('2026-11-24', '10:00', 'tania'), 0, 120],
  ['another person at its time, moved before', to('2026-11-24', '10:00', 'tania'), 2, 120],
  ['half an hour later', to('2026-11-24', '10:30'), 0, 30],
  ['later, moved once before', to('2026-11-24', '11:00'), 1, 60 + 480],
  ['later, moved twice before, with another person', to('2026-11-24', '11:00', 'tania'), 2, 60 + 480 + 120],
  [
    'two days later, earlier, with another person',
    to('2026-11-26', '09:00', 'tania'),
    0,
    2 * 1440 - 60 + 480 + 120,
  ],
  ['over the end of a month', to('2026-12-01', '10:00'), 0, 7 * 1440 + 7 * 240],
])('counts the harm of %s', (_, place, moved, total) => {
  const harm = disruptionCost(from, place, moved)
  expect(harm.total).toBe(total)
  expect(harm.minutes + harm.days + harm.again + harm.person).toBe(total)
})

test.each([
  ['a day at most', '2026-11-20 10:00', '2026-11-24 10:00', '2026-11-24 12:00', '2026-11-21 10:00'],
  [
    'two hours before the start',
    '2026-11-24 08:00',
    '2026-11-24 16:00',
    '2026-11-25 10:00',
    '2026-11-24 14:00',
  ],
  [
    'two hours before the new one, where that is earlier',
    '2026-11-24 08:00',
    '2026-11-24 16:00',
    '2026-11-24 13:00',
    '2026-11-24 11:00',
  ],
  ['half an hour at least', '2026-11-24 09:00', '2026-11-24 10:00', '2026-11-24 16:00', '2026-11-24 09:30'],
])('an offer stands %s', (_, now, start, offered, end) => {
  const moment = (text: string) => at(text.slice(11), text.slice(0, 10))
  expect(moveOfferEndsAt(moment(now), moment(start), moment(offered))).toBe(moment(end))
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  absenceWords,
  choiceText,
  disruptionCost,
  placementProposals,
  type Stranded,
  withOneMore,
} from '../../src/domain/scheduling/absence.ts'
import { openSlots } from '../../src/domain/scheduling/availability.ts'
import { rank } from '../../src/domain/scheduling/eligibility.ts'
import {
  type BusyRow,
  busyOf,
  defaultTravel,
  type PersonRow,
  rosterOf,
} from '../../src/domain/scheduling/roster.ts'
import { absenceInput, decisionsOf } from '../../src/domain/scheduling/schema.ts'
import { defaultSettings } from '../../src/domain/settings/settings-schema.ts'
import { daysOn, minuteAt } from '../../src/domain/shared/calendar.ts'

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
const wish = (start: number, more: Partial<Stranded> = {}) => ({
  start,
  personId: 'away',
  moved: 0,
  taken: [],
  away: { person: 0, start: day.start, end: day.end },
  earliest: ask.now,
  ...more,
})
const best = (rows: BusyRow[], start: number, more: Partial<Stranded> = {}) =>
  placementProposals(roster, busyOf(3, rows), ask, wish(start, more), 3)

describe('what is proposed', () => {
  test('its own time with whoever can comes first, then the nearest time', () => {
    const found = best([], at('10:00'))
    expect(found.map(({ personId, start, harm }) => [personId, start - at('10:00'), harm.total])).toEqual([
      ['b', 0, 120],
      ['c', 0, 120],
      ['b', -30, 150],
    ])
  })

  test('where everybody is busy then, the nearest time that somebody has', () => {
    const [first] = best([held(1, at('10:00')), held(2, at('09:30'), 150)], at('10:00'))
    expect([first?.personId, first?.start]).toEqual(['b', at('11:30')])
  })

  test('never whoever is away, that day; on another they may come back', () => {
    const full = [held(1, at('09:00'), 540), held(2, at('09:00'), 540)]
    const found = best(full, at('10:00'))
    expect(found.every(({ start }) => start >= day.end)).toBe(true)
    expect(found[0]).toMatchObject({ personId: 'away', start: at('09:00', '2026-11-25') })
  })

  test('never when its customer has something else', () => {
    const taken = [{ start: at('09:00'), end: at('18:00') }]
    const found = best([held(1, at('10:00')), held(2, at('10:00'))], at('10:00'), { taken })
    expect(found.every(({ start }) => start >= day.end)).toBe(true)
  })

  test('one that was moved before stays at its time if it can', () => {
    expect(best([], at('10:00'), { moved: 1 }).map(({ harm }) => harm.total)).toEqual([120, 120, 630])
  })

  test('nothing, where nobody can', () => {
    expect(placementProposals(rosterOf([]), busyOf(0, []), ask, wish(at('10:00')), 3)).toEqual([])
  })
})

test('the least harm there is: no free place of anybody’s does less', () => {
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
        const asked = wish(start, { moved })
        const [first] = placementProposals(roster, busy, ask, asked, 3)
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

test('what is proposed for one is held for the next', () => {
  const busy = withOneMore(busyOf(3, [held(2, at('12:00'))]), 3, held(1, at('10:00')))
  expect([...busy.at]).toEqual([0, 0, 1, 2])
  expect([...busy.starts]).toEqual([at('10:00'), at('12:00')])
})

describe('the form', () => {
  const [id, other, third] = [1, 2, 3].map((n) => `0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5${n}`) as [
    string,
    string,
    string,
  ]

  test('reads every choice and what was seen', () => {
    const wished = absenceInput.parse({
      version: '3',
      reason: ' Enferma ',
      [`choice.${id}`]: choiceText({ kind: 'give', personId: other }),
      [`seen.${id}`]: '2',
      [`choice.${other}`]: choiceText({ kind: 'offer', personId: id, start: 29_000_000 }),
      [`choice.${third}`]: 'release',
    })
    expect(wished).toEqual({
      version: 3,
      reason: 'Enferma',
      seen: { [id]: 2 },
      choices: {
        [id]: { kind: 'give', personId: other },
        [other]: { kind: 'offer', personId: id, start: 29_000_000 },
        [third]: { kind: 'release' },
      },
    })
    expect(decisionsOf(wished).choices).toEqual({ [id]: other, [third]: 'release' })
  })

  test.each(['', 'give_', 'give_x', `offer_${id}`, `offer_${id}_x`, 'keep'])('%j is no choice', (text) => {
    const { error } = absenceInput.safeParse({ version: '1', [`choice.${id}`]: text })
    expect(error?.issues[0]?.path).toEqual([`choice.${id}`])
  })
})

test('what a press would do is said by what is chosen', () => {
  const give = { kind: 'give', personId: 'b' } as const
  const offer = { kind: 'offer', personId: 'b', start: at('10:00') } as const
  const release = { kind: 'release' } as const
  expect(absenceWords('Ernesto', [])).toEqual([])
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

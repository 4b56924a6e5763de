import type { BoardDay, BoardPerson, BoardVisit } from '../../src/dispatch/rules/board.ts'
import { defaultTravel, travelBetween } from '../../src/scheduling/rules/roster.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'
import { daysOn, minuteAt } from '../../src/shared/calendar.ts'

/** A Tuesday. */
export const date = '2026-11-24'
export const at = (time: string) => minuteAt(date, time)
export const coyoacan = 3
export const toluca = 19
/** Minutes on the road between these two. */
export const ride = travelBetween(defaultTravel(), coyoacan, toluca)

export const person = (id: string, more: Partial<BoardPerson> = {}): BoardPerson => ({
  id,
  name: id,
  kind: 'tecnician',
  active: true,
  zones: [],
  shifts: [{ weekday: 1, from: 9 * 60, to: 18 * 60 }],
  timeOff: [],
  since: 0,
  ...more,
})

let visits = 0
/** A confirmed visit of an hour in Coyoacán. */
export const visit = (personId: string | null, time: string, more: Partial<BoardVisit> = {}): BoardVisit => ({
  id: `visit${++visits}`,
  folio: `VT-${visits}`,
  service: 'technical_visit',
  state: 'assigned',
  customer: 'Ana Pérez',
  surname: 'Pérez',
  confirmed: true,
  version: 1,
  zone: coyoacan,
  personId,
  personPhone: null,
  postalCode: '04000',
  pin: null,
  start: at(time),
  end: at(time) + 60,
  ...more,
})

/** That day as it is seen some days before, with two technicians and an analyst. */
export const board = (more: Partial<BoardDay> = {}): BoardDay => ({
  day: daysOn(date, 1)[0]!,
  now: minuteAt('2026-11-20', '10:00'),
  people: [person('tomas'), person('tania'), person('andres', { kind: 'analyst' })],
  visits: [],
  offers: [],
  settings: defaultSettings,
  travel: [...defaultTravel()],
  beyond: [],
  ...more,
})

import { performers, serviceFacts } from '../appointments/appointment.ts'
import type { LocalDay } from '../shared/calendar.ts'
import { type Ask, openingOf } from './availability.ts'
import { isHard, type Reason, rank, whyNot } from './eligibility.ts'
import type { Busy, Roster } from './roster.ts'

/** Whom the manager wants: one person only, or anybody, of whom one is preferred. People are indexes of the roster. */
export type WantedPerson = { only?: number | undefined; preferred?: number | undefined }

/** Who would take a start, and the soft reasons against it, which the manager may override. */
export type Taker = { person: number; against: Reason[] }

/** free: nothing against it. urgent: only sooner than the notice. ruled: against another rule. */
export type SlotKind = 'free' | 'urgent' | 'ruled'

export const kindOfSlot = ({ against }: Pick<Taker, 'against'>): SlotKind => {
  if (against.length === 0) return 'free'
  return against.every(({ code }) => code === 'notice') ? 'urgent' : 'ruled'
}

/** The same question without the notice: an urgent visit is as good as another, but for the rule. */
export const withoutNotice = (ask: Ask): Ask => ({
  ...ask,
  settings: {
    ...ask.settings,
    services: {
      ...ask.settings.services,
      [ask.service]: { ...ask.settings.services[ask.service], noticeHours: 0 },
    },
  },
})

/**
 * Who takes a start (epoch minutes) for the manager: the preferred person if able, else the best able one; of those with
 * only soft reasons against them the preferred one, else the one with the fewest. Null when no one may.
 */
export function takerOf(
  roster: Roster,
  busy: Busy,
  start: number,
  ask: Ask,
  { only, preferred }: WantedPerson,
): Taker | null {
  const judged = (person: number): Taker => ({ person, against: whyNot(roster, busy, person, start, ask) })
  if (only !== undefined) {
    const taker = judged(only)
    return taker.against.some(isHard) ? null : taker
  }
  const able = rank(roster, busy, start, withoutNotice(ask))
  const best = able.find(({ person }) => person === preferred) ?? able[0]
  if (best) return judged(best.person)
  const kind = performers.indexOf(serviceFacts[ask.service].by)
  const others = roster.ids.flatMap((_, person) => (roster.kinds[person] === kind ? [judged(person)] : []))
  const [nearest] = others
    .filter(({ against }) => !against.some(isHard))
    .sort(
      (a, b) =>
        Number(b.person === preferred) - Number(a.person === preferred) ||
        a.against.length - b.against.length,
    )
  return nearest ?? null
}

/** A start of a day that the manager may choose, in epoch minutes. */
export type DeskSlot = Taker & { start: number; kind: SlotKind }

/** Every start of a day on the grid, within the hours and to come, that someone may take; in their order. */
export function deskSlotsOn(
  day: LocalDay,
  roster: Roster,
  busy: Busy,
  ask: Ask,
  wanted: WantedPerson,
): DeskSlot[] {
  const { services, stepMinutes } = ask.settings
  const opening = openingOf(day, ask.settings)
  if (!opening) return []
  const last = opening.end - services[ask.service].minutes
  const found: DeskSlot[] = []
  const first = Math.max(opening.start, ask.now + 1)
  const onGrid = day.base + Math.ceil((first - day.base) / stepMinutes) * stepMinutes
  for (let start = onGrid; start <= last; start += stepMinutes) {
    const taker = takerOf(roster, busy, start, ask, wanted)
    if (taker) found.push({ start, kind: kindOfSlot(taker), ...taker })
  }
  return found
}

/** A day of the manager's calendar: how many starts can be chosen, and how many of them only with the notice overridden. */
export type DeskDay = { date: string; free: number; urgent: number }

/**
 * The day that the calendar opens: the wanted one where it is among them, else the first with a start that needs no
 * reason, else the first with any; null where there is none.
 */
export const dayShown = (days: readonly DeskDay[], wanted: string | null): string | null =>
  (
    days.find(({ date }) => date === wanted) ??
    days.find(({ free, urgent }) => free > urgent) ??
    days.find(({ free }) => free > 0)
  )?.date ?? null

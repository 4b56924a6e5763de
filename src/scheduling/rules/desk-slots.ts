import { performers, serviceFacts } from '../../appointments/rules/appointment.ts'
import type { LocalDay } from '../../shared/calendar.ts'
import { type Ask, openingOf } from './availability.ts'
import { isHard, type Reason, rank, whyNot, whyNotAlone } from './eligibility.ts'
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
  const [nearest] = peopleOfTrade(roster, ask)
    .map(judged)
    .filter(({ against }) => !against.some(isHard))
    .sort(
      (a, b) =>
        Number(b.person === preferred) - Number(a.person === preferred) ||
        a.against.length - b.against.length,
    )
  return nearest ?? null
}

/** Those whose trade the service is. */
const peopleOfTrade = ({ ids, kinds }: Roster, { service }: Ask) =>
  [...ids.keys()].filter((person) => kinds[person] === performers.indexOf(serviceFacts[service].by))

/** A start of a day that the manager may choose, in epoch minutes. */
export type DeskSlot = Taker & { start: number; kind: SlotKind }

/** The starts of a day on the grid, within the hours and to come. */
function startsOn(day: LocalDay, { now, service, settings }: Ask): number[] {
  const { services, stepMinutes } = settings
  const opening = openingOf(day, settings)
  if (!opening) return []
  const last = opening.end - services[service].minutes
  const starts: number[] = []
  const first = Math.max(opening.start, now + 1)
  const onGrid = day.base + Math.ceil((first - day.base) / stepMinutes) * stepMinutes
  for (let start = onGrid; start <= last; start += stepMinutes) starts.push(start)
  return starts
}

/** Every start of a day that someone may take, in their order; `asked` is one more, which need not be on the grid or within the hours. */
export function deskSlotsOn(
  day: LocalDay,
  roster: Roster,
  busy: Busy,
  ask: Ask,
  wanted: WantedPerson,
  asked: number | null = null,
): DeskSlot[] {
  const starts = new Set(startsOn(day, ask))
  if (asked !== null && asked > ask.now) starts.add(asked)
  return [...starts]
    .sort((a, b) => a - b)
    .flatMap((start) => {
      const taker = takerOf(roster, busy, start, ask, wanted)
      return taker ? [{ start, kind: kindOfSlot(taker), ...taker }] : []
    })
}

/**
 * Whether a day may have starts that only soft rules forbid. Only their appointments could still keep all of the people
 * from it: those are read once the day is opened.
 */
export const mayBeRuled = (day: LocalDay, roster: Roster, ask: Ask, { only }: WantedPerson): boolean => {
  const people = only === undefined ? peopleOfTrade(roster, ask) : [only]
  return startsOn(day, ask).some((start) =>
    people.some((person) => !whyNotAlone(roster, person, start, ask).some(isHard)),
  )
}

/**
 * A day of the manager's calendar: how many starts can be chosen, how many of them only with the notice overridden, and
 * whether there may be more against other soft rules.
 */
export type DeskDay = { date: string; free: number; urgent: number; ruled: boolean }

/**
 * The day that the calendar opens: the wanted one where it is among them, else the first with a start that needs no
 * reason, else the first with any; null where there is none.
 */
export const dayShown = (days: readonly DeskDay[], wanted: string | null): string | null =>
  (
    days.find(({ date }) => date === wanted) ??
    days.find(({ free, urgent }) => free > urgent) ??
    days.find(({ free }) => free > 0) ??
    days.find(({ ruled }) => ruled)
  )?.date ?? null

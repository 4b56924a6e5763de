import { performers, type Service, serviceFacts } from '../appointments/rules/appointment.ts'
import type { Db } from '../platform/database/client.ts'
import { addDays, daysFrom, daysOn, localDate, toDate, toMinutes } from '../shared/calendar.ts'
import { bySpanish } from '../shared/text.ts'
import { askOn, offeredDays, questionAt, type SlotQuestion } from './choose.ts'
import { currentStaffing, type Staffing } from './roster.ts'
import { earliest } from './rules/availability.ts'
import {
  type DeskDay,
  type DeskSlot,
  dayShown,
  deskSlotsOn,
  mayBeRuled,
  takerOf,
} from './rules/desk-slots.ts'
import { type Reason, reasonWords } from './rules/eligibility.ts'

/** What the manager looks for a time for. */
type DeskInput = {
  service: Service
  zone: number
  /** A local date, or null for the first with a free start. */
  date: string | null
  /** A start on that date which need not be one of the calendar's; epoch minutes. */
  asked?: number | null
  /** Only with this person; null is anybody. */
  personId: string | null
  /** The appointment that would be moved: its own start is no other one, and its assignee stays where they can. */
  moved?: { id: string; startsAt: Date; assigneeId: string | null }
}

/** Days after the horizon that are shown, for what is booked that far ahead with a reason. */
const daysBeyond = 31

/** No date is further ahead: it protects from a mistyped year. */
const mostDaysAhead = 730

export type DeskAgenda = Awaited<ReturnType<typeof deskAgenda>>

/**
 * The manager's calendar of a service: the days with what a person can really take, and every start of one of them with
 * who would take it. What only a soft rule forbids is there too, with the rule.
 */
export async function deskAgenda(db: Db, input: DeskInput, now: Date) {
  const { asked = null, moved, personId, service, zone } = input
  const date = asked === null ? input.date : localDate(asked)
  const staffing = await currentStaffing(db)
  const open = await offeredDays(db, service, zone, now, { without: moved?.id, personId, urgent: true })
  const { settings } = staffing
  const startsOf = new Map(open.map((day) => [day.date, day.starts]))
  const soonest = earliest({ service, settings, now: toMinutes(now) })
  const own = moved && toMinutes(moved.startsAt)
  const days = shownDays(staffing, input, date, now).map((day): DeskDay => {
    const starts = (startsOf.get(day.date) ?? []).filter((start) => start !== own)
    const urgent = starts.filter((start) => start < soonest).length
    return { date: day.date, free: starts.length, ruled: day.ruled, urgent }
  })
  const ownDate = own === undefined ? null : localDate(own)
  const ownDay = days.some((day) => day.date === ownDate && day.free > day.urgent) ? ownDate : null
  const chosen = dayShown(days, date ?? ownDay)
  const slots = chosen ? await slotsOn(db, input, chosen, now) : []
  return {
    service,
    window: settings.arrivalWindowMinutes,
    noticeHours: settings.services[service].noticeHours,
    people: peopleFor(staffing, service),
    personId,
    days: days.map(({ urgent, ...day }) => day),
    date: chosen,
    slots,
    /** The start that was asked for; it is among the slots where somebody may take it. */
    asked: asked === null ? null : toDate(asked).toISOString(),
    soonest: firstOf(open, (start) => start >= soonest && start !== own),
    /** The first start of today that the notice alone forbids. */
    urgent: firstOf(open.slice(0, 1), (start) => start < soonest && start !== own),
  }
}

/** The days from today until a month after the horizon, and the wanted one where that is later. */
function shownDays(
  staffing: Staffing,
  { personId, service, zone }: DeskInput,
  date: string | null,
  now: Date,
) {
  const { roster, settings } = staffing
  const minute = toMinutes(now)
  const days = daysFrom(minute, settings.services[service].horizonDays + 1 + daysBeyond)
  const today = days[0]!.date
  const last = days.at(-1)!.date
  if (date && date > last && date <= addDays(today, mostDaysAhead)) days.push(daysOn(date, 1)[0]!)
  const wanted = wantedIn(staffing, { personId, preferredId: null })
  return days.map((day) => ({
    date: day.date,
    ruled: mayBeRuled(day, roster, askOn(day, staffing, { service, zone, start: minute }, now), wanted),
  }))
}

function firstOf(days: readonly { starts: readonly number[] }[], fits: (start: number) => boolean) {
  const start = days.flatMap(({ starts }) => starts).find(fits)
  return start === undefined ? null : toDate(start).toISOString()
}

async function slotsOn(
  db: Db,
  { asked = null, moved, personId, service, zone }: DeskInput,
  date: string,
  now: Date,
) {
  const day = daysOn(date, 1)[0]!
  const whole = { start: day.start, minutes: day.end - day.start }
  const questionOf = await questionAt(db, { ...whole, ...(moved && { without: moved.id }) }, now)
  const question = questionOf({ service, zone, start: day.start })
  const { ask, busy, staffing } = question
  const wanted = wantedIn(staffing, { personId, preferredId: moved?.assigneeId ?? null })
  const own = moved && toMinutes(moved.startsAt)
  const ofDay = asked !== null && localDate(asked) === date ? asked : null
  return deskSlotsOn(day, staffing.roster, busy, ask, wanted, ofDay)
    .filter(({ start }) => start !== own)
    .map((slot) => shown(slot, staffing))
}

const shown = ({ against, kind, person, start }: DeskSlot, { people }: Staffing) => ({
  start: toDate(start).toISOString(),
  kind,
  personId: people[person]!.id,
  name: people[person]!.name,
  reasons: against.map(reasonWords),
})

/** Those who could be asked to carry out a service, by name. */
const peopleFor = ({ people, roster }: Staffing, service: Service) =>
  people
    .filter(
      (_, person) =>
        roster.active[person] === 1 && roster.kinds[person] === performers.indexOf(serviceFacts[service].by),
    )
    .sort((a, b) => bySpanish(a.name, b.name))

type WantedIds = { personId: string | null; preferredId: string | null }

const wantedIn = ({ indexOf }: Staffing, { personId, preferredId }: WantedIds) => ({
  // One who left the roster takes nothing.
  ...(personId !== null && { only: indexOf.get(personId) ?? -1 }),
  ...(preferredId !== null && { preferred: indexOf.get(preferredId) }),
})

/** Who takes a start for the manager, with the soft reasons against it; null when no one may. */
export function deskTaker(
  { ask, busy, staffing }: SlotQuestion,
  start: number,
  wanted: WantedIds,
): { id: string; against: Reason[] } | null {
  const taker = takerOf(staffing.roster, busy, start, ask, wantedIn(staffing, wanted))
  return taker && { id: staffing.roster.ids[taker.person]!, against: taker.against }
}

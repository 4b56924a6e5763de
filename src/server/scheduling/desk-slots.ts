import { performers, type Service, serviceFacts } from '../../domain/appointments/appointment.ts'
import { earliest } from '../../domain/scheduling/availability.ts'
import {
  type DeskDay,
  type DeskSlot,
  dayShown,
  deskSlotsOn,
  takerOf,
} from '../../domain/scheduling/desk-slots.ts'
import { type Reason, reasonWords } from '../../domain/scheduling/eligibility.ts'
import { daysOn, localDate, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { bySpanish } from '../../domain/shared/text.ts'
import type { Db } from '../platform/database/client.ts'
import { offeredDays, questionAt, type SlotQuestion } from './choose.ts'
import { currentStaffing, type Staffing } from './roster.ts'

/** What the manager looks for a time for. */
type DeskWish = {
  service: Service
  zone: number
  /** A local date, or null for the first with a free start. */
  date: string | null
  /** Only with this person; null is anybody. */
  personId: string | null
  /** The appointment that would be moved: its own start is no other one, and its assignee stays where they can. */
  moved?: { id: string; startsAt: Date; assigneeId: string | null }
}

export type DeskAgenda = Awaited<ReturnType<typeof deskAgenda>>

/**
 * The manager's calendar of a service: the days with what a person can really take, and every start of one of them with
 * who would take it. What only a soft rule forbids is there too, with the rule.
 */
export async function deskAgenda(db: Db, wish: DeskWish, now: Date) {
  const { date, moved, personId, service, zone } = wish
  const staffing = await currentStaffing(db)
  const open = await offeredDays(db, service, zone, now, { without: moved?.id, personId, urgent: true })
  const { settings } = staffing
  const soonest = earliest({ service, settings, now: toMinutes(now) })
  const own = moved && toMinutes(moved.startsAt)
  const days: DeskDay[] = open.map((day) => {
    const starts = day.starts.filter((start) => start !== own)
    return { date: day.date, free: starts.length, urgent: starts.filter((start) => start < soonest).length }
  })
  const ownDate = own === undefined ? null : localDate(own)
  const ownDay = days.some((day) => day.date === ownDate && day.free > day.urgent) ? ownDate : null
  const chosen = dayShown(days, date ?? ownDay)
  const slots = chosen ? await slotsOn(db, wish, chosen, now) : []
  return {
    service,
    window: settings.arrivalWindowMinutes,
    noticeHours: settings.services[service].noticeHours,
    people: peopleFor(staffing, service),
    personId,
    days: days.map((day) => ({ date: day.date, free: day.free })),
    date: chosen,
    slots,
    soonest: firstOf(open, (start) => start >= soonest && start !== own),
    /** The first start of today that the notice alone forbids. */
    urgent: firstOf(open.slice(0, 1), (start) => start < soonest && start !== own),
  }
}

function firstOf(days: readonly { starts: readonly number[] }[], fits: (start: number) => boolean) {
  const start = days.flatMap(({ starts }) => starts).find(fits)
  return start === undefined ? null : toDate(start).toISOString()
}

async function slotsOn(db: Db, { moved, personId, service, zone }: DeskWish, date: string, now: Date) {
  const day = daysOn(date, 1)[0]!
  const whole = { start: day.start, minutes: day.end - day.start }
  const questionOf = await questionAt(db, { ...whole, ...(moved && { without: moved.id }) })
  const question = questionOf({ service, zone, start: day.start }, now)
  const { ask, busy, staffing } = question
  const wanted = wantedIn(staffing, { personId, preferredId: moved?.assigneeId ?? null })
  const own = moved && toMinutes(moved.startsAt)
  return deskSlotsOn(day, staffing.roster, busy, ask, wanted)
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

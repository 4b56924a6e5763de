import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalAttendeeType,
  type ICalCalendar,
  ICalCalendarMethod,
  ICalEventStatus,
} from 'ical-generator'
import type { AppointmentState } from '../../domain/appointments/appointment.ts'
import { timeZone } from '../../domain/shared/calendar.ts'
import { tidy } from '../../domain/shared/text.ts'

/** An appointment as a calendar shows it. Values may hold anything a person typed. */
export type Entry = {
  id: string
  /** Grows with every change; programs ignore what is older than what they have. */
  sequence: number
  state: AppointmentState
  startsAt: Date
  endsAt: Date
  updatedAt: Date
  summary: string
  /** The description, line by line. */
  lines: readonly string[]
  location: string | null
  href: string
}
/** Whose calendars these are: `from` is the sender of letters, `Carga en Casa <citas@…>` or the bare address. */
export type Source = { brand: string; baseUrl: string; from: string }
export type Method = 'REQUEST' | 'CANCEL'

/** Minutes after which a program that subscribes asks again. */
const refreshMinutes = 60

/** An appointment for one reader's calendar, as it goes with a letter: theirs to take in, or to take out. */
export function invitation(
  entry: Entry,
  method: Method,
  reader: { name: string | null; email: string },
  source: Source,
): string {
  const calendar = emptyCalendar(source).method(ICalCalendarMethod[method])
  const event = add(calendar, method === 'CANCEL' ? { ...entry, state: 'cancelled' } : entry, source)
  event.organizer(organizerOf(source))
  event.createAttendee({
    email: reader.email,
    name: quotable(reader.name ?? reader.email),
    role: ICalAttendeeRole.REQ,
    type: ICalAttendeeType.INDIVIDUAL,
    // They chose the time themselves, or it was agreed with them: nobody waits for an answer.
    status: ICalAttendeeStatus.ACCEPTED,
    rsvp: false,
  })
  return calendar.toString()
}

/** One appointment as a file to open. */
export function calendarFile(entry: Entry, source: Source): string {
  const calendar = emptyCalendar(source).method(ICalCalendarMethod.PUBLISH)
  add(calendar, entry, source)
  return calendar.toString()
}

/** A calendar that programs subscribe to. The same entries make the same text. */
export function subscription(entries: readonly Entry[], name: string, source: Source): string {
  const calendar = emptyCalendar(source)
    .method(ICalCalendarMethod.PUBLISH)
    .name(tidy(name))
    .ttl(refreshMinutes * 60)
  calendar.x('X-WR-TIMEZONE', timeZone)
  for (const entry of entries) add(calendar, entry, source)
  return calendar.toString()
}

const emptyCalendar = ({ brand }: Source) =>
  ical({ prodId: { company: idPart(brand), product: 'citas', language: 'ES' } })

/** Times are in UTC, so that no program has to know Mexico City's clock. */
function add(calendar: ICalCalendar, entry: Entry, { baseUrl }: Source) {
  return calendar.createEvent({
    id: `${entry.id}@${new URL(baseUrl).hostname}`,
    sequence: entry.sequence,
    start: entry.startsAt,
    end: entry.endsAt,
    stamp: entry.updatedAt,
    lastModified: entry.updatedAt,
    summary: tidy(entry.summary),
    description: entry.lines.map(tidy).join('\n'),
    location: entry.location === null ? null : tidy(entry.location),
    url: entry.href,
    status: ICalEventStatus[statusOf(entry.state)],
  })
}

function statusOf(state: AppointmentState): keyof typeof ICalEventStatus {
  if (state === 'cancelled') return 'CANCELLED'
  return state === 'requested' ? 'TENTATIVE' : 'CONFIRMED'
}

function organizerOf({ brand, from }: Source) {
  const email = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()
  return { name: quotable(brand), email }
}

/** A name as it may stand between quotes: RFC 5545 has no way to write one inside. */
const quotable = (name: string) => tidy(name).replaceAll('"', '’')
/** A part of the product identifier, which slashes divide. */
const idPart = (name: string) => tidy(name).replaceAll('/', ' ')

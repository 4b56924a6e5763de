import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalAttendeeType,
  type ICalCalendar,
  ICalCalendarMethod,
  ICalEventStatus,
} from 'ical-generator'
import { type AppointmentState, type Service, serviceFacts } from '../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { addressLine } from '../../domain/projects/address.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { timeZone } from '../../domain/shared/calendar.ts'
import { arrivalWindow } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import { tidy } from '../../domain/shared/text.ts'
import type { AddressSnapshot } from '../platform/database/schema/projects.ts'

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
type Method = 'REQUEST' | 'CANCEL'

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

/** An appointment as the entries tell it. */
export type Dated = {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  startsAt: Date
  minutes: number
  sequence: number
  updatedAt: Date
  municipality: string | null
  address: AddressSnapshot | null
  performer: string | null
}
type House = { brand: string; baseUrl: string; settings: Pick<Settings, 'arrivalWindowMinutes'> }

/** Where a customer sees what they booked of a service. */
export const servicePages: Record<Service, string> = {
  technical_visit: '/technics-visit',
  installation: '/installation',
  videocall: '/videocall',
}

/**
 * What a customer's calendar says. It begins with the window they were promised and lasts until the work ends even if
 * it begins with the window's end. `whole` also tells where and who comes: for letters and files that only they open.
 */
export function customersEntry(dated: Dated, { whole }: { whole: boolean }, house: House): Entry {
  const window = windowOf(dated, house)
  const { service, startsAt } = dated
  return {
    ...sameForAll(dated),
    endsAt: later(startsAt, dated.minutes + window),
    summary: `${serviceFacts[service].label} · ${house.brand}`,
    lines: [
      ...(window > 0 ? [arrivalWindow(startsAt, window)] : []),
      ...(whole && dated.performer ? [`Te atiende ${dated.performer}`] : []),
      `Folio ${dated.folio}`,
      `Ver mi cita: ${house.baseUrl}${servicePages[service]}`,
    ],
    location: whole ? dated.address && addressLine(dated.address) : areaOf(dated),
    href: house.baseUrl + servicePages[service],
  }
}

/** What the calendar of whoever carries it out says: the exact time, for whom, and, when `whole`, the door. */
export function performersEntry(
  dated: Dated & { customer: string | null },
  { whole }: { whole: boolean },
  house: House,
): Entry {
  const href = house.baseUrl + appointmentPath('pending', dated)
  return {
    ...sameForAll(dated),
    endsAt: later(dated.startsAt, dated.minutes),
    summary: [serviceFacts[dated.service].label, dated.customer].filter(Boolean).join(' · '),
    lines: [`Folio ${dated.folio}`, `Abrir la cita: ${href}`],
    location: whole ? dated.address && addressLine(dated.address) : areaOf(dated),
    href,
  }
}

const sameForAll = ({ id, sequence, state, startsAt, updatedAt }: Dated) => ({
  ...{ id, sequence, state, startsAt, updatedAt },
})

const windowOf = ({ service }: Dated, { settings }: House) =>
  serviceFacts[service].needsTravel ? settings.arrivalWindowMinutes : 0
const later = (from: Date, minutes: number) => new Date(from.getTime() + minutes * 60_000)

/** The part of town, which is no address. */
const areaOf = ({ municipality }: Dated) => municipality && municipalityLabel(municipality)

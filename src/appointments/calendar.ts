import { and, asc, between, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalAttendeeType,
  type ICalCalendar,
  ICalCalendarMethod,
  ICalEventStatus,
} from 'ical-generator'
import { type Actor, isCustomer } from '../access/rules/actor.ts'
import { countTry, newCode } from '../accounts/limits.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { calendarFeeds, users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import type { AddressSnapshot } from '../platform/database/schema/projects.ts'
import { hashOf } from '../platform/http/sealing.ts'
import { addressLine } from '../projects/rules/address.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import type { Settings } from '../settings/rules/settings-schema.ts'
import { timeZone } from '../shared/calendar.ts'
import { municipalityLabel } from '../shared/places.ts'
import { refuse } from '../shared/refusal.ts'
import { tidy } from '../shared/text.ts'
import { type AppointmentState, type Service, serviceFacts } from './rules/appointment.ts'
import { appointmentPath } from './rules/appointment-path.ts'
import { feedDays, hasOwnAppointments } from './rules/list.ts'
import { arrivalSentence, promisedMinutes } from './rules/promise.ts'
import { appointmentFacts, assignee, confirmedAssignee, customer, visibleTo } from './visibility.ts'

/** An appointment as a calendar shows it. Values may hold anything a person typed. */
export type Entry = {
  id: string
  /** Grows with every change; programs ignore versions older than theirs. */
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

/** The identity of the calendars: `from` is the sender of letters, `Carga en Casa <citas@…>` or the bare address. */
export type Source = { brand: string; baseUrl: string; from: string }
type Method = 'REQUEST' | 'CANCEL'

/** Minutes after which a subscribed program refreshes. */
const refreshMinutes = 60

/** An appointment for one reader's calendar, attached to a letter: to add it, or to remove it. */
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
    // They chose the time themselves, or agreed to it: no answer is expected.
    status: ICalAttendeeStatus.ACCEPTED,
    rsvp: false,
  })
  return calendar.toString()
}

/** One appointment as a calendar file. */
export function calendarFile(entry: Entry, source: Source): string {
  const calendar = emptyCalendar(source).method(ICalCalendarMethod.PUBLISH)
  add(calendar, entry, source)
  return calendar.toString()
}

const stamp = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, '')

/** The addresses that take an appointment into the two calendars people open in a browser; others take the file. */
export function calendarLinks({ endsAt, lines, location, startsAt, summary }: Entry) {
  const body = lines.map(tidy).join('\n')
  const place = location === null ? {} : { location: tidy(location) }
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: tidy(summary),
    dates: `${stamp(startsAt)}/${stamp(endsAt)}`,
    details: body,
    ...place,
  })
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: tidy(summary),
    startdt: startsAt.toISOString(),
    enddt: endsAt.toISOString(),
    body,
    ...place,
  })
  return {
    google: `https://calendar.google.com/calendar/render?${google}`,
    outlook: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}`,
  }
}

/** A calendar that programs subscribe to. The same entries give the same text. */
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

/** Times are in UTC, so that programs need not know Mexico City's time zone. */
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

/** A name for use between quotes: RFC 5545 cannot escape a quote inside. */
const quotable = (name: string) => tidy(name).replaceAll('"', '’')

/** A part of the product identifier, whose parts are separated by slashes. */
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

/** Where a customer sees their appointments of a service. */
export const servicePages: Record<Service, string> = {
  technical_visit: '/technics-visit',
  installation: '/installation',
  videocall: '/videocall',
}

/**
 * A customer's calendar entry. It begins with the promised window and lasts until the end of work that begins with the
 * window's end. `whole` also includes the address and the assignee: for letters and files that only the customer opens.
 */
export function customersEntry(dated: Dated, { whole }: { whole: boolean }, house: House): Entry {
  const window = promisedMinutes(dated.service, house.settings.arrivalWindowMinutes)
  const { service, startsAt } = dated
  return {
    ...sameForAll(dated),
    endsAt: later(startsAt, dated.minutes + window),
    summary: `${serviceFacts[service].label} · ${house.brand}`,
    lines: [
      ...(window > 0 ? [arrivalSentence(dated, window)] : []),
      ...(whole && dated.performer ? [`Te atiende ${dated.performer}`] : []),
      `Folio ${dated.folio}`,
      `Ver mi cita: ${house.baseUrl}${servicePages[service]}`,
    ],
    location: whole ? dated.address && addressLine(dated.address) : areaOf(dated),
    href: house.baseUrl + servicePages[service],
  }
}

/** The assignee's calendar entry: the exact time, the customer, and, when `whole`, the address. */
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
  id,
  sequence,
  state,
  startsAt,
  updatedAt,
})

const later = (from: Date, minutes: number) => new Date(from.getTime() + minutes * 60_000)

/** The part of town, which is no address. */
const areaOf = ({ municipality }: Dated) => municipality && municipalityLabel(municipality)

/** Creates a link for the actor's calendar; an earlier one stops working. Only the return value holds its secret. */
export async function makeFeed(db: Db, actor: Actor, now: Date): Promise<string> {
  if (!hasOwnAppointments(actor)) return refuse('permission-denied')
  const { code, hash } = newCode()
  const made = { secretHash: hash, createdAt: now, lastReadAt: null }
  await transaction(db, async (tx) => {
    await tx
      .insert(calendarFeeds)
      .values({ userId: actor.id, ...made })
      .onConflictDoUpdate({ target: calendarFeeds.userId, set: made })
    await record(tx, { ...by(actor), name: 'make_calendar_link' })
  })
  return code
}

/** Removes the actor's link; without one nothing happens. */
export async function removeFeed(db: Db, actor: Actor): Promise<void> {
  if (!hasOwnAppointments(actor)) return refuse('permission-denied')
  await transaction(db, async (tx) => {
    if (await endFeed(tx, actor.id)) await record(tx, { ...by(actor), name: 'remove_calendar_link' })
  })
}

/** Ends a user's link together with the change that causes it. Returns whether there was one. */
export async function endFeed(tx: Tx, userId: string): Promise<boolean> {
  const gone = await tx.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId)).returning()
  return gone.length > 0
}

/** The actor's link, without its secret; null when there is none, undefined for a user who may have none. */
export async function feedOf(db: Db, actor: Actor) {
  if (!hasOwnAppointments(actor)) return undefined
  const [feed] = await db
    .select({ createdAt: calendarFeeds.createdAt, lastReadAt: calendarFeeds.lastReadAt })
    .from(calendarFeeds)
    .where(eq(calendarFeeds.userId, actor.id))
  return feed ?? null
}

const by = ({ id }: Actor) => ({ entity: 'user', entityId: id, actorId: id })

/** The columns of entries. */
const dated = {
  ...appointmentFacts,
  sequence: appointments.sequence,
  updatedAt: appointments.updatedAt,
  performer: confirmedAssignee,
  customer: customer.name,
}

type Owner = Pick<Actor, 'id' | 'role'>

/** One's own: booked, or confirmed to carry out. */
const ownOf = (owner: Owner): SQL | undefined =>
  isCustomer(owner)
    ? eq(appointments.customerId, owner.id)
    : and(eq(appointments.assigneeId, owner.id), isNotNull(appointments.confirmedAt))

const rowsOf = (db: Db, where: SQL | undefined) =>
  db
    .select(dated)
    .from(appointments)
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(where)

/**
 * One of the actor's own appointments, as long as they may see it; undefined when it is another user's, or does not
 * exist.
 */
async function ownAppointment(db: Db, actor: Actor, id: string) {
  if (!isId(id)) return undefined
  const [row] = await rowsOf(db, and(eq(appointments.id, id), ownOf(actor), visibleTo(actor)))
  return row
}

/**
 * A user's own appointments of the last and the next weeks, including cancelled ones, so that calendars remove them.
 */
function ownAppointments(db: Db, owner: Owner, now: Date) {
  const daysFrom = (days: number) => new Date(now.getTime() + days * 24 * 3_600_000)
  const during = between(appointments.startsAt, daysFrom(-feedDays.past), daysFrom(feedDays.ahead))
  return rowsOf(db, and(ownOf(owner), during)).orderBy(asc(appointments.startsAt), asc(appointments.id))
}

/** One of the actor's own appointments as a calendar file, with its folio. Others' do not exist. */
export async function ownCalendarFile(
  db: Db,
  actor: Actor,
  id: string,
  source: Source,
): Promise<{ folio: string; file: string }> {
  const [row, { settings }] = await Promise.all([ownAppointment(db, actor, id), currentStaffing(db)])
  if (!row) return refuse('not-found')
  const entryOf = isCustomer(actor) ? customersEntry : performersEntry
  const entry = entryOf(row, { whole: true }, { ...source, settings })
  return { folio: row.folio, file: calendarFile(entry, source) }
}

/**
 * The calendar of a secret link, for its holder: without a session. It contains time, service and municipality, and no
 * address, phone or last name (decision 0032). An unknown link is refused as if it did not exist.
 */
export async function readFeed(
  db: Db,
  secret: string,
  address: string,
  source: Source,
  now: Date,
): Promise<string> {
  const owner = await ownerOf(db, secret)
  if (!owner || !hasOwnAppointments(owner)) {
    await countTry(db, 'unknown calendars by address', address, now)
    return refuse('not-found')
  }
  await countTry(db, 'calendar by account', owner.id, now)
  await noteRead(db, owner.id, now)
  const [rows, { settings }] = await Promise.all([ownAppointments(db, owner, now), currentStaffing(db)])
  const entryOf = isCustomer(owner) ? customersEntry : performersEntry
  const entries = rows.map((row) => entryOf(row, { whole: false }, { ...source, settings }))
  return subscription(entries, `Citas · ${source.brand}`, source)
}

async function ownerOf(db: Db, secret: string) {
  const [owner] = await db
    .select({ id: users.id, role: users.role, kind: users.kind })
    .from(calendarFeeds)
    .innerJoin(users, eq(users.id, calendarFeeds.userId))
    .where(and(eq(calendarFeeds.secretHash, hashOf(secret)), users.active, isNull(users.deletedAt)))
  return owner
}

/** When a program last read it, to the hour: each read would otherwise write. */
const noteRead = (db: Db, userId: string, now: Date) =>
  db
    .update(calendarFeeds)
    .set({ lastReadAt: now })
    .where(
      sql`${calendarFeeds.userId} = ${userId} and coalesce(${calendarFeeds.lastReadAt}, '-infinity') < ${now}::timestamptz - interval '1 hour'`,
    )

import { and, eq } from 'drizzle-orm'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { customersEntry, type Dated, invitation, performersEntry } from '../appointments/calendar.ts'
import type { Db } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'

/** What every e-mail is written with. */
export type EmailContext = {
  brand: string
  baseUrl: string
  /** The sender, whom calendars name as the organizer. */
  from: string
  settings: Pick<Settings, 'arrivalWindowMinutes' | 'support'>
}

export type Fact = readonly [label: string, value: string]
export type EmailLink = { label: string; href: string }

/** What an e-mail says. Values may hold anything a person typed. */
export type EmailContent = {
  heading: string
  /** The heading, where it has none of its own. */
  subject?: string
  /** Stands behind the subject. */
  folio?: string | null
  paragraphs: readonly string[]
  /** Those that are null are left out. */
  facts: readonly (Fact | null)[]
  link: EmailLink
  /** Further ones, above it. */
  links?: readonly EmailLink[]
  calendar?: CalendarAttachment | null
}
export type EmailBody = Omit<EmailContent, 'link' | 'folio' | 'calendar'>

export type CalendarAttachment = { method: 'REQUEST' | 'CANCEL'; content: string }

/** One kind of e-mail to one kind of reader. All of it runs when its job does, so that it says what is so by then. */
export type Email<Job, Facts = unknown> = {
  /** What it is about, as it stands now; nothing where that is gone. */
  load(db: Db, job: Job, now: Date): Promise<Facts | null | undefined>
  /** Whether it still says what is so: otherwise it is not sent. */
  isRelevant(facts: Facts, now: Date, job: Job): boolean
  recipients(db: Db, facts: Facts): readonly Recipient[] | Promise<readonly Recipient[]>
  compose(facts: Facts, recipient: Recipient, context: EmailContext): EmailContent
}

type KindsTo<Job, To> = Job extends { letter: infer Kind extends string; to: To } ? Kind : never

/** All e-mails of the jobs about something: by who reads them, then by kind. */
export type EmailsOf<Job extends { letter: string; to: string }> = {
  [To in Job['to']]: { [Kind in KindsTo<Job, To>]: Email<Job> }
}

/** Whom an e-mail goes to. An unverified address may be another person's mailbox. */
export type Recipient = {
  /** Empty where the mailbox is no account's. */
  id: string
  email: string
  name: string | null
  emailVerified: boolean
  active: boolean
}

/** The columns of a recipient. */
export const recipient = {
  id: users.id,
  email: users.email,
  name: users.name,
  emailVerified: users.emailVerified,
  active: users.active,
}

/** A mailbox of which nothing is known but its address. */
export const mailbox = (email: string, id = ''): Recipient => ({
  id,
  email,
  name: null,
  emailVerified: false,
  active: true,
})

/** The customer of what an e-mail is about, unless their account is inactive. */
export const activeCustomer = (_db: Db, { customer }: { customer: Recipient }) =>
  customer.active ? [customer] : []

export const activeManagers = (db: Db): Promise<Recipient[]> =>
  db
    .select(recipient)
    .from(users)
    .where(and(eq(users.kind, 'manager'), users.active))
    .orderBy(users.id)

/** A member of staff; no one where they are inactive or have left. */
export const activeStaff = (db: Db, id: string): Promise<Recipient[]> =>
  db
    .select(recipient)
    .from(users)
    .where(and(eq(users.id, id), eq(users.role, 'staff'), users.active))

/** A member of staff, or the managers where there is none, or they left. */
export async function staffOrManagers(db: Db, id: string | null): Promise<Recipient[]> {
  const own = id ? await activeStaff(db, id) : []
  return own.length > 0 ? own : activeManagers(db)
}

type Method = CalendarAttachment['method']
type Appointment = Dated & { customer: Pick<Recipient, 'name'>; was: { startsAt: Date | null } }

/** The calendar file of a customer's e-mail. In a mailbox that no one proved it says neither where nor to whom. */
export function customersCalendar(
  method: Method,
  appointment: Appointment,
  { email, emailVerified, name }: Recipient,
  context: EmailContext,
): CalendarAttachment {
  const entry = customersEntry(appointment, { whole: emailVerified }, context)
  const shown = emailVerified ? entry : { ...entry, location: null }
  const attendee = { email, name: emailVerified ? name : null }
  return { method, content: invitation(shown, method, attendee, context) }
}

/** The calendar file of an e-mail to the assignee; a removed assignee's file removes the entry. */
export function performersCalendar(
  method: Method,
  appointment: Appointment,
  reader: Recipient,
  context: EmailContext,
): CalendarAttachment {
  const { customer, startsAt, was } = appointment
  // Where it is now, and for whom, is no business of a person taken off.
  const known =
    method === 'CANCEL'
      ? { ...appointment, startsAt: was.startsAt ?? startsAt, customer: null }
      : { ...appointment, customer: customer.name }
  const entry = performersEntry(known, { whole: method === 'REQUEST' }, context)
  const shown = method === 'CANCEL' ? { ...entry, location: null } : entry
  return { method, content: invitation(shown, method, reader, context) }
}

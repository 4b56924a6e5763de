import { type AnyColumn, and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { customersEntry, type Dated, invitation, performersEntry } from '../appointments/calendar.ts'
import { appointmentFacts, assignee, confirmedAssignee } from '../appointments/visibility.ts'
import { clabeInParts } from '../payments/rules/banks.ts'
import { type Concept, conceptLabels } from '../payments/rules/payment.ts'
import type { Db } from '../platform/database/client.ts'
import { users, visitCards } from '../platform/database/schema/accounts.ts'
import { appointments, calls, sheets } from '../platform/database/schema/appointments.ts'
import { payments, refunds } from '../platform/database/schema/payments.ts'
import { editedSettings } from '../settings/queries.ts'
import type { Settings } from '../settings/rules/settings-schema.ts'
import { longDate, money } from '../shared/format.ts'

/** The context of every e-mail. */
export type EmailContext = {
  brand: string
  baseUrl: string
  /** The sender, also the organizer in calendar files. */
  from: string
  settings: Pick<Settings, 'arrivalWindowMinutes' | 'support'>
}

export type Fact = readonly [label: string, value: string]
export type EmailLink = { label: string; href: string }

/** The content of an e-mail. Values may contain any text that a user typed. */
export type EmailContent = {
  heading: string
  /** The subject; the heading where absent. */
  subject?: string
  /** Stands behind the subject. */
  folio?: string | null
  paragraphs: readonly string[]
  /** Null entries are left out. */
  facts: readonly (Fact | null)[]
  link: EmailLink
  /** Further ones, above it. */
  links?: readonly EmailLink[]
  calendar?: CalendarAttachment | null
  /** The portrait of who comes, as JPEG: for verified mailboxes alone. */
  portrait?: Uint8Array | null
}
export type EmailBody = Omit<EmailContent, 'link' | 'folio' | 'calendar'>

export type CalendarAttachment = { method: 'REQUEST' | 'CANCEL'; content: string }

/** One kind of e-mail to one kind of reader, composed from the data at the time of its job. */
export type Email<Job, Facts = unknown> = {
  /** Loads its current data; nothing where the row is gone. */
  load(db: Db, job: Job, now: Date): Promise<Facts | null | undefined>
  /** Whether it is still true: otherwise it is not sent. */
  isRelevant(facts: Facts, now: Date, job: Job): boolean
  recipients(db: Db, facts: Facts): readonly Recipient[] | Promise<readonly Recipient[]>
  compose(facts: Facts, recipient: Recipient, context: EmailContext): EmailContent
}

type KindsTo<Job, To> = Job extends { letter: infer Kind extends string; to: To } ? Kind : never

/** The e-mails of some jobs, by reader, then by kind. */
export type EmailsOf<Job extends { letter: string; to: string }> = {
  [To in Job['to']]: { [Kind in KindsTo<Job, To>]: Email<Job> }
}

/** A recipient. An unverified address may be another person's mailbox. */
export type Recipient = {
  /** Empty where the mailbox has no account. */
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

/** A mailbox without an account. */
export const mailbox = (email: string, id = ''): Recipient => ({
  id,
  email,
  name: null,
  emailVerified: false,
  active: true,
})

/** The customer, unless their account is inactive. */
export const activeCustomer = (_db: Db, { customer }: { customer: Recipient }) =>
  customer.active ? [customer] : []

export const activeManagers = (db: Db): Promise<Recipient[]> =>
  db
    .select(recipient)
    .from(users)
    .where(and(eq(users.kind, 'manager'), users.active))
    .orderBy(users.id)

/** A staff member; none where they are inactive or have left. */
export const activeStaff = (db: Db, id: string): Promise<Recipient[]> =>
  db
    .select(recipient)
    .from(users)
    .where(and(eq(users.id, id), eq(users.role, 'staff'), users.active))

/** A staff member, or the managers where there is none or they left. */
export async function staffOrManagers(db: Db, id: string | null): Promise<Recipient[]> {
  const own = id ? await activeStaff(db, id) : []
  return own.length > 0 ? own : activeManagers(db)
}

type Method = CalendarAttachment['method']
type Appointment = Dated & { customer: Pick<Recipient, 'name'>; was: { startsAt: Date | null } }

/** The calendar file of a customer's e-mail; for an unverified mailbox without address and name. */
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
  // A removed assignee does not learn the new place and customer.
  const known =
    method === 'CANCEL'
      ? { ...appointment, startsAt: was.startsAt ?? startsAt, customer: null }
      : { ...appointment, customer: customer.name }
  const entry = performersEntry(known, { whole: method === 'REQUEST' }, context)
  const shown = method === 'CANCEL' ? { ...entry, location: null } : entry
  return { method, content: invitation(shown, method, reader, context) }
}

/** What a letter about an appointment says of it, as it is now. */
export async function appointmentSnapshot(db: Db, id: string) {
  const [row] = await db
    .select({
      ...appointmentFacts,
      sequence: appointments.sequence,
      updatedAt: appointments.updatedAt,
      assigneeId: appointments.assigneeId,
      bookedAt: appointments.createdAt,
      isForCaller: isNotNull(appointments.bookedBy).mapWith(Boolean),
      confirmed: sql<boolean>`${appointments.confirmedAt} is not null`,
      performer: confirmedAssignee,
      car: { vehicle: visitCards.vehicle, colour: visitCards.colour, plates: visitCards.plates },
      outcome: appointments.outcome,
      closingReason: appointments.closingReason,
      closingNote: appointments.closingNote,
      late: appointments.late,
      nobodyCameAt: appointments.nobodyCameAt,
      timeSetAt: appointments.timeSetAt,
      runningLateMinutes: appointments.runningLateMinutes,
      runningLateAt: appointments.runningLateAt,
      summary: calls.summary,
      nextSteps: calls.nextSteps,
      nobodyCameAnswer: appointments.nobodyCameAnswer,
      projectId: appointments.projectId,
      warrantyUntil: sheets.warrantyUntil,
      sheetState: sheets.state,
      ...feeFacts(),
      returnReason: sheets.returnReason,
      claimRefusal: sheets.claimRefusal,
      customer: recipient,
    })
    .from(appointments)
    .innerJoin(users, eq(users.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .leftJoin(visitCards, eq(visitCards.userId, appointments.assigneeId))
    .leftJoin(sheets, eq(sheets.appointmentId, appointments.id))
    .leftJoin(calls, eq(calls.appointmentId, appointments.id))
    .where(eq(appointments.id, id))
  return row
}

const fees = sql`select id from payments where appointment_id = ${appointments.id}`

/** What became of a visit's fee: given back, and whether its end lets the installation be booked. */
const feeFacts = () => ({
  isFeeReturned: sql<boolean>`exists (${fees} and fee_outcome = 'returned')`,
  isReady: readySince(sql`cause.name = 'end_fee' and cause.entity_id in (${fees})`, appointments.projectId),
})

/** Whether the installation of a project can be booked since an event, the `cause`: both are of one moment. */
export const readySince = (cause: SQL, projectId: AnyColumn) => sql<boolean>`exists (select from events ready
  join events cause on cause.at = ready.at and ${cause}
  join projects on projects.id = ready.entity_id and is_ready(projects)
  where ready.entity = 'project' and ready.name = 'ready' and ready.entity_id = ${projectId})`
export const toBook = { label: 'Agendar mi instalación', path: '/agenda-installation' }

/** The bank account for transfers; nothing while none is set. */
export function accountFacts({ folio, spei }: { folio: string; spei: Settings['spei'] }): Fact[] {
  const { bank, beneficiary, clabe } = spei
  if (!clabe) return []
  return [
    ['Transfiere a', `${beneficiary}, ${bank}`],
    ['CLABE', clabeInParts(clabe)],
    ['Concepto', folio],
  ]
}

/** How open charges are paid: how much, until when, and to which account. */
export const chargesFacts = ({ charges, spei }: Owed = nothing) =>
  charges.flatMap((charge) => chargeFacts(charge, spei))
export const payLinks = ({ charges }: Owed = nothing, { baseUrl }: { baseUrl: string }) =>
  charges.length > 0 ? [{ label: 'Pagar', href: `${baseUrl}/payments` }] : []

export type Owed = { charges: readonly OpenCharge[]; spei: Settings['spei'] }
const nothing: Owed = { charges: [], spei: { bank: '', beneficiary: '', clabe: '' } }

const chargeFacts = (charge: OpenCharge, spei: Settings['spei']): (Fact | null)[] => [
  [conceptLabels[charge.concept], money(charge.amount)],
  charge.dueAt && ['Págalo a más tardar', `el ${longDate(charge.dueAt)}`],
  ...accountFacts({ folio: charge.folio, spei }),
]

type OpenCharge = Pick<typeof payments.$inferSelect, 'amount' | 'concept' | 'dueAt' | 'folio'>

/** The open charges of one thing, with the account that takes their transfers: for the e-mail of what caused them. */
export async function openChargesOf(
  db: Db,
  about: { quoteId: string } | { appointmentId: string } | { projectId: string; concept?: Concept },
): Promise<Owed> {
  const same = Object.entries(about).map(([name, value]) => eq(payments[name as 'quoteId'], value))
  const charges: OpenCharge[] = await db
    .select()
    .from(payments)
    .where(and(...same, eq(payments.state, 'pending')))
    .orderBy(payments.createdAt)
  return { charges, spei: (await editedSettings(db)).settings.spei }
}

/** A refund that the system proposed and that waits for the customer's account. */
export async function proposedRefundOf(db: Db, projectId: string) {
  const waits = and(eq(refunds.state, 'requested'), isNull(refunds.requestedBy), isNull(refunds.clabe))
  const [row] = await db
    .select({ amount: refunds.amount })
    .from(refunds)
    .where(and(eq(refunds.projectId, projectId), waits))
  return row ?? null
}

/** An e-mail with what else follows from its event: the installation can be booked, or money is to be given back. */
export const withFollowing = <Body extends EmailBody>(
  body: Body,
  { isReady, refund }: Proposed & { isReady: boolean },
  { baseUrl }: Pick<EmailContext, 'baseUrl'>,
): Body => ({
  ...body,
  paragraphs: [
    ...body.paragraphs,
    ...(isReady ? ['Ya puedes agendar tu instalación: elige el día y la hora que mejor te queden.'] : []),
    ...refundSentence({ refund }),
  ],
  facts: [...body.facts, ...refundFacts({ refund })],
  links: [...(body.links ?? []), ...(isReady ? [{ label: toBook.label, href: baseUrl + toBook.path }] : [])],
})

type Proposed = { refund: Awaited<ReturnType<typeof proposedRefundOf>> }
export const refundSentence = ({ refund }: Proposed) => (refund ? [whereRefundGoes] : [])
export const refundFacts = ({ refund }: Proposed): Fact[] =>
  refund ? [['A tu favor', money(refund.amount)]] : []
export const whereRefundGoes =
  'Tienes dinero a tu favor. Entra a tu cuenta y dinos a qué CLABE lo mandamos. Si pagaste con tarjeta, puede volver a ella.'

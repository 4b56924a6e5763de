import { eq, isNotNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { users } from '../database/account-schema.ts'
import { appointments } from '../database/appointment-schema.ts'
import type { Db } from '../database/database.ts'
import { sheets } from '../database/sheet-schema.ts'
import type { AppointmentLetterJob, AppointmentLetters, To } from './jobs.ts'
import { reader } from './recipients.ts'

const assignee = alias(users, 'assignee')

/** An appointment as it stands, for a letter about it. */
export async function standingOf(db: Db, id: string) {
  const [row] = await db
    .select({
      id: appointments.id,
      folio: appointments.folio,
      service: appointments.service,
      state: appointments.state,
      startsAt: appointments.startsAt,
      minutes: appointments.minutes,
      sequence: appointments.sequence,
      updatedAt: appointments.updatedAt,
      municipality: appointments.municipality,
      address: appointments.address,
      assigneeId: appointments.assigneeId,
      bookedAt: appointments.createdAt,
      isForCaller: isNotNull(appointments.bookedBy).mapWith(Boolean),
      confirmed: sql<boolean>`${appointments.confirmedAt} is not null`,
      // Somebody only provisionally chosen is not announced to anybody.
      performer: sql<string | null>`case when ${appointments.confirmedAt} is not null
        then nullif(concat_ws(' ', ${assignee.name}, ${assignee.lastname}), '') end`,
      outcome: appointments.outcome,
      closingReason: appointments.closingReason,
      closingNote: appointments.closingNote,
      late: appointments.late,
      nobodyCameAt: appointments.nobodyCameAt,
      sheetState: sheets.state,
      returnReason: sheets.returnReason,
      claimRefusal: sheets.claimRefusal,
      customer: reader,
    })
    .from(appointments)
    .innerJoin(users, eq(users.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .leftJoin(sheets, eq(sheets.appointmentId, appointments.id))
    .where(eq(appointments.id, id))
  return row
}

export type Standing = NonNullable<Awaited<ReturnType<typeof standingOf>>>

const waits = ({ state, startsAt }: Standing, now: Date) =>
  startsAt > now && (state === 'requested' || state === 'assigned')
const isCancelled = ({ state }: Standing) => state === 'cancelled'
const confirmed = (standing: Standing, now: Date) =>
  waits(standing, now) && standing.state === 'assigned' && standing.performer !== null
/** Its customer said so, and nobody has begun since. */
const isMissed = ({ nobodyCameAt, state }: Standing) =>
  nobodyCameAt !== null && (state === 'requested' || state === 'assigned' || state === 'en_route')
const nobodys = (standing: Standing, now: Date) =>
  waits(standing, now) && standing.state === 'requested' && standing.assigneeId === null
/** Chosen for a start that it still has. */
const unmoved = (standing: Standing, now: Date, { was }: AppointmentLetterJob) =>
  waits(standing, now) && was?.startsAt === standing.startsAt.toISOString()
const isTheirs = ({ assigneeId, confirmed }: Standing, personId: string) =>
  confirmed && assigneeId === personId

type Rule = (standing: Standing, now: Date, job: AppointmentLetterJob) => boolean

const rules: { [Reader in To]: Record<AppointmentLetters[Reader], Rule> } = {
  customer: {
    booked: waits,
    assigned: confirmed,
    changed: waits,
    cancelled: isCancelled,
    on_the_way: ({ state, performer }) => state === 'en_route' && performer !== null,
    no_person: nobodys,
    let_go: isCancelled,
    called_off: isCancelled,
    analyst_missed: isCancelled,
    reminder_24h: unmoved,
    reminder_2h: unmoved,
    finished: ({ state }) => state === 'done',
    not_possible: ({ outcome, state }) => state === 'done' && outcome === 'not_possible',
    half_done: ({ outcome, state }) => state === 'done' && outcome === 'partial',
    no_show: ({ state }) => state === 'no_show',
    nobody_came: isMissed,
    fault_received: ({ state }) => state === 'done',
  },
  managers: {
    no_person: nobodys,
    analyst_missed: isCancelled,
    late_cancel: (standing) => isCancelled(standing) && standing.late,
    nobody_came: isMissed,
  },
  person: {
    assigned: (standing, now, job) => confirmed(standing, now) && concerns(standing, job),
    changed: (standing, now) => waits(standing, now),
    cancelled: isCancelled,
    // Given back to the same person meanwhile, they never knew.
    no_person: (standing, _now, job) => 'personId' in job && !concerns(standing, job),
    called_off: isCancelled,
    sheet_returned: ({ sheetState }) => sheetState === 'returned',
    claim_reopened: ({ state }) => state === 'done',
    claim_declined: ({ claimRefusal }) => claimRefusal !== null,
  },
}

const concerns = (standing: Standing, job: AppointmentLetterJob) =>
  !('personId' in job) || job.personId === undefined || isTheirs(standing, job.personId)

/** Whether a letter still says what is so. */
export function stillTrue(standing: Standing, job: AppointmentLetterJob, now: Date): boolean {
  const rule = (rules[job.to] as Partial<Record<string, Rule>>)[job.letter]
  if (!rule) throw new Error(`no letter ${job.letter} goes to ${job.to}`)
  return rule(standing, now, job)
}

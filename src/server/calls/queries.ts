import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { interestLabel } from '../../domain/appointments/appointment.ts'
import { type CallSide, roomOpensAt } from '../../domain/calls/room.ts'
import { assignee, customer } from '../appointments/people.ts'
import type { Db } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { callSittings } from '../platform/database/schema/call-schema.ts'
import { whyOver } from './access.ts'

/** What a page needs to go into the room of a call. */
export type CallEntry = {
  appointmentId: string
  folio: string
  side: CallSide
  /** How the other side is called. */
  peerName: string
  opensAt: Date
  startsAt: Date
  minutes: number
  /** What it is about, in words, and what its customer wrote when booking. */
  topic: string | null
  /** One's place is kept and its connection lost: the page sits down again by itself. */
  resumes: boolean
}

/** The way into the room of a call for one of its two sides while it is open; null for everybody else and at any other time. */
export async function callEntry(
  db: Db,
  actor: Actor,
  appointmentId: string,
  now: Date,
): Promise<CallEntry | null> {
  const side = sideOf(actor)
  const row = side && (await entryRow(db, appointmentId))
  if (!row || whyOver(row.appointment, { side, userId: actor.id }, now)) return null
  const { folio, interest, minutes, notes, startsAt } = row.appointment
  const peerName = side === 'customer' ? row.analyst : row.customer
  const opensAt = roomOpensAt(startsAt)
  const resumes = await isLost(db, appointmentId, actor.id)
  return {
    ...{ appointmentId, folio, side, peerName, opensAt, startsAt, minutes },
    topic: [interestLabel(interest), notes].filter(Boolean).join('\n') || null,
    resumes,
  }
}

const sideOf = ({ kind, role }: Actor): CallSide | null =>
  role === 'customer' ? 'customer' : kind === 'analyst' ? 'analyst' : null

async function entryRow(db: Db, id: string) {
  const [row] = await db
    .select({
      appointment: appointments,
      customer: customer.fullName,
      analyst: sql<string>`coalesce(${assignee.fullName}, '')`,
    })
    .from(appointments)
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(and(eq(appointments.id, id), eq(appointments.service, 'videocall')))
  if (!row) return null
  const isTold = row.appointment.confirmedAt !== null && row.analyst !== ''
  return { ...row, analyst: isTold ? row.analyst : 'Tu analista' }
}

async function isLost(db: Db, appointmentId: string, userId: string): Promise<boolean> {
  const [own] = await db
    .select({ lostAt: callSittings.lostAt })
    .from(callSittings)
    .where(
      and(
        eq(callSittings.appointmentId, appointmentId),
        eq(callSittings.userId, userId),
        isNull(callSittings.leftAt),
      ),
    )
  return Boolean(own?.lostAt)
}

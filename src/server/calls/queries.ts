import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { interestLabel } from '../../domain/appointments/appointment.ts'
import {
  type CallSide,
  type CallTurn,
  callChangesAt,
  callTurnOf,
  type OwnCallFacts,
  roomOpensAt,
  roomPhase,
} from '../../domain/calls/room.ts'
import { assignee, customer } from '../appointments/own-day.ts'
import type { Db } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments, callSittings } from '../platform/database/schema/appointments.ts'
import { placeOverReason } from './participation.ts'

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
  if (!row || placeOverReason(row.appointment, { side, userId: actor.id }, now)) return null
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

/** A customer's call as their pages show it. `changesIn`: milliseconds from now until it is something else by itself. */
export type OwnCall = {
  turn: CallTurn | null
  opensAt: Date
  callBackAskedAt: Date | null
  /** Where they would be phoned; told only while the room is open. */
  phone: string | null
  changesIn: number | null
}

type Row = Omit<OwnCallFacts, 'now' | 'analystIsHere'> & { id: string }

/** How the room of somebody's own active call stands for them. */
export async function ownCallOf(db: Db, customerId: string, row: Row, now: Date): Promise<OwnCall> {
  const isOpen = roomPhase(row, now) === 'open'
  const [analystIsHere, phone] = isOpen
    ? await Promise.all([analystIn(db, row.id), phoneOf(db, customerId)])
    : [false, null]
  const facts = { ...row, analystIsHere, now }
  const changesAt = callChangesAt(facts)
  return {
    turn: callTurnOf(facts),
    opensAt: roomOpensAt(row.startsAt),
    callBackAskedAt: row.callBackAskedAt,
    phone,
    changesIn: changesAt && changesAt.getTime() - now.getTime(),
  }
}

async function analystIn(db: Db, appointmentId: string): Promise<boolean> {
  const sitting = and(
    eq(callSittings.appointmentId, appointmentId),
    eq(callSittings.side, 'analyst'),
    isNull(callSittings.leftAt),
    isNull(callSittings.lostAt),
  )
  return (await db.select({ id: callSittings.id }).from(callSittings).where(sitting).limit(1)).length > 0
}

async function phoneOf(db: Db, id: string): Promise<string | null> {
  const [customer] = await db.select({ phone: users.phone }).from(users).where(eq(users.id, id))
  return customer?.phone ?? null
}

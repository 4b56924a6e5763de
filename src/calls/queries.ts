import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Actor, isAnalyst, isCustomer } from '../access/rules/actor.ts'
import { readsCalls } from '../access/rules/routes.ts'
import { freeToTakeOver } from '../appointments/assign.ts'
import { activeStates, interestLabel } from '../appointments/rules/appointment.ts'
import { appointmentMachine } from '../appointments/rules/transitions.ts'
import { type AppointmentRow, factsOf } from '../appointments/transition.ts'
import { assignee, customer, stateIn } from '../appointments/visibility.ts'
import type { Db } from '../platform/database/client.ts'
import { holds } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments, callMessages, callSittings, calls } from '../platform/database/schema/appointments.ts'
import { placeOverReason } from './participation.ts'
import {
  assignsCalls,
  type CallSide,
  type CallTurn,
  callChangesAt,
  callTurnOf,
  type OwnCallFacts,
  roomOpensAt,
  roomPhase,
  type Stay,
  togetherFor,
  waitOf,
} from './rules/room.ts'

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
    appointmentId,
    folio,
    side,
    peerName,
    opensAt,
    startsAt,
    minutes,
    topic: [interestLabel(interest), notes].filter(Boolean).join('\n') || null,
    resumes,
  }
}

const sideOf = (actor: Actor): CallSide | null =>
  isCustomer(actor) ? 'customer' : isAnalyst(actor) ? 'analyst' : null

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
  /** Their phone number; only while the room is open. */
  phone: string | null
  changesIn: number | null
}

type Row = Omit<OwnCallFacts, 'now' | 'analystIsHere'> & { id: string }

/** How the room of a person's own active call stands for them. */
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

/** One stay of a person's in the room of a call; `to` is null while it lasts. */
export type Participation = { id: string; side: CallSide; name: string; from: Date; to: Date | null }

/** What a call left behind: who was there and for how long, what was said and agreed. The caller asks who may read it. */
export async function callRecord(db: Db, appointmentId: string, now: Date) {
  const [[call], sittings, chat] = await Promise.all([
    db.select().from(calls).where(eq(calls.appointmentId, appointmentId)),
    participationsOf(db, appointmentId),
    chatOf(db, appointmentId),
  ])
  const stays = (side: CallSide) => sittings.filter((one) => one.side === side).map(stayUntil(now))
  return {
    notes: { text: call?.notes ?? '', version: call?.notesVersion ?? 0 },
    summary: call?.summary ?? null,
    nextSteps: call?.nextSteps ?? null,
    sittings,
    /** In milliseconds. */
    together: togetherFor(stays('customer'), stays('analyst')),
    chat,
  }
}

const stayUntil =
  (now: Date) =>
  ({ from, to }: Participation): Stay => ({ from: from.getTime(), to: (to ?? now).getTime() })

async function participationsOf(db: Db, appointmentId: string): Promise<Participation[]> {
  const rows = await db
    .select({ sitting: callSittings, name: users.fullName })
    .from(callSittings)
    .innerJoin(users, eq(users.id, callSittings.userId))
    .where(eq(callSittings.appointmentId, appointmentId))
    .orderBy(asc(callSittings.joinedAt), asc(callSittings.id))
  return rows.map(({ name, sitting: { id, joinedAt, leftAt, lostAt, side } }) => ({
    id,
    side,
    name,
    from: joinedAt,
    // A place is kept for a while after its connection was lost; no one was on it.
    to: lostAt ?? leftAt,
  }))
}

const chatOf = (db: Db, appointmentId: string) =>
  db
    .select({
      id: callMessages.id,
      side: callMessages.side,
      name: users.fullName,
      text: callMessages.text,
      at: callMessages.at,
    })
    .from(callMessages)
    .innerJoin(users, eq(users.id, callMessages.authorId))
    .where(eq(callMessages.appointmentId, appointmentId))
    .orderBy(asc(callMessages.at), asc(callMessages.id))

export type CallRecord = Awaited<ReturnType<typeof callRecord>>

/** Which sides of a call are in its room right now, with a connection. */
export async function sidesInRoom(db: Db, appointmentId: string): Promise<CallSide[]> {
  const open = await db
    .select({ side: callSittings.side })
    .from(callSittings)
    .where(
      and(
        eq(callSittings.appointmentId, appointmentId),
        isNull(callSittings.leftAt),
        isNull(callSittings.lostAt),
      ),
    )
  return open.map(({ side }) => side)
}

/** As many as fit on a screen; more never wait at once. */
const most = 20

/** The calls whose customer is in the room without an analyst, the longest wait first; null for whom that is no matter of. */
export async function callsWaiting(db: Db, actor: Actor, now: Date) {
  if (!actor.kind || !readsCalls(actor.kind)) return null
  const rows = await db
    .select({
      held: appointments,
      customer: customer.fullName,
      assignee: sql<string>`coalesce(${assignee.fullName}, '')`,
    })
    .from(appointments)
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(
      and(
        holds(appointments.service, 'videocall'),
        isNotNull(appointments.customerWaitingSince),
        stateIn(activeStates),
      ),
    )
    .orderBy(asc(appointments.customerWaitingSince))
    .limit(most)
  return Promise.all(
    rows.map(async ({ held, ...names }) => ({
      id: held.id,
      folio: held.folio,
      service: held.service,
      version: held.version,
      interest: held.interest,
      since: held.customerWaitingSince!,
      startsAt: held.startsAt,
      customer: names.customer,
      assignee: names.assignee || null,
      isMine: held.assigneeId === actor.id && held.confirmedAt !== null,
      takeOverAt: waitOf(factsOf(held))?.takeOverAt ?? now,
      mayTake: await mayTake(db, actor, held, now),
      mayGive: assignsCalls(actor),
    })),
  )
}

export type WaitingCall = NonNullable<Awaited<ReturnType<typeof callsWaiting>>>[number]

async function mayTake(db: Db, actor: Actor, held: AppointmentRow, now: Date): Promise<boolean> {
  if (!isAnalyst(actor) || !appointmentMachine.can('takeOver', actor, factsOf(held), now)) return false
  const free = await freeToTakeOver(db, { ...held, assignee: personOf(held) }, now)
  return free.some(({ id }) => id === actor.id)
}

const personOf = ({ assigneeId }: AppointmentRow) => (assigneeId ? { id: assigneeId } : null)

import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Actor } from '../access/rules/actor.ts'
import { livingSession, sessionHolds } from '../accounts/session.ts'
import type { AppointmentState } from '../appointments/rules/appointment.ts'
import { affectedUserIds } from '../appointments/rules/appointment.ts'
import { appointmentMachine } from '../appointments/rules/transitions.ts'
import { type AppointmentRow, factsOf, lockAppointment, transition } from '../appointments/transition.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { callSittings, calls, type LeftBecause } from '../platform/database/schema/appointments.ts'
import { announce } from '../platform/live/announcements.ts'
import { refuse } from '../shared/refusal.ts'
import { type CallSide, roomPhase } from './rules/room.ts'
import type { Media } from './rules/schema.ts'

/** A participant's place in the room of a call. */
export type RoomPlace = { appointmentId: string; side: CallSide; userId: string; sessionId: string }

/** More pages than a participant opens for one call. */
const MAX_PARTICIPATIONS = 500

/** A page that sits down, and the socket it does it by. */
type Joining = { page: string; media: Media; connection: string }

/**
 * Takes the place of one's side: the same page keeps its place, another one replaces it. The first time both are there
 * the appointment begins. Returns the sitting's id; a refusal when the room is no longer theirs.
 */
export async function join(db: Db, place: RoomPlace, joining: Joining, now: Date): Promise<string> {
  const [sitting, after] = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, 'system', place.appointmentId)
    if (placeOverReason(held, place, now)) refuse('not-found')
    const sitting = await sitDown(tx, place, joining)
    const after = await settleWait(tx, await startWhenBothJoined(tx, held, now), now)
    await notifyRoom(tx, place.appointmentId)
    return [sitting, after] as const
  })
  announce(db, { people: affectedUserIds(after) })
  return sitting
}

async function sitDown(tx: Tx, place: RoomPlace, { connection, media, page }: Joining): Promise<string> {
  const here = and(eq(callSittings.appointmentId, place.appointmentId), eq(callSittings.side, place.side))
  const open = and(here, isNull(callSittings.leftAt))
  const ofPage = and(eq(callSittings.pageId, page), eq(callSittings.userId, place.userId))
  const holding = { connectionId: connection, sessionId: place.sessionId, media }
  const [same] = await tx
    .update(callSittings)
    .set({ ...holding, lostAt: null, seenAt: sql`now()` })
    .where(and(open, ofPage))
    .returning({ id: callSittings.id })
  if (same) return same.id
  const taken = await placeTaken(tx, open, and(here, ofPage))
  if (taken) return taken
  if ((await tx.$count(callSittings, here)) >= MAX_PARTICIPATIONS) refuse('resource-exhausted')
  await tx.update(callSittings).set(endedFields('replaced')).where(open)
  const [made] = await tx
    .insert(callSittings)
    .values({ ...place, ...holding, pageId: page })
    .returning({ id: callSittings.id })
  return made!.id
}

/**
 * The sitting of a page that another page replaced while it was away: it is notified, and does not take the place back
 * by itself.
 */
async function placeTaken(tx: Tx, open: SQL | undefined, ofPage: SQL | undefined): Promise<string | null> {
  const [other] = await tx
    .select({ id: callSittings.id })
    .from(callSittings)
    .where(and(open, isNull(callSittings.lostAt)))
  const before = other
    ? inArray(callSittings.leftBecause, ['replaced', 'lost'])
    : eq(callSittings.leftBecause, 'replaced')
  const [taken] = await tx
    .update(callSittings)
    .set({ leftBecause: 'replaced' })
    .where(and(ofPage, before))
    .returning({ id: callSittings.id })
  return taken?.id ?? null
}

/** Ends what a socket holds in a room; nothing when it holds nothing. */
export async function leaveRoom(
  db: Db,
  { appointmentId }: Pick<RoomPlace, 'appointmentId'>,
  connection: string,
  because: LeftBecause,
  now: Date,
): Promise<void> {
  await endParticipations(db, appointmentId, async (tx) => {
    const { rowCount } = await tx
      .update(callSittings)
      .set(endedFields(because))
      .where(and(eq(callSittings.connectionId, connection), isNull(callSittings.leftAt)))
    return rowCount ? now : null
  })
}

/** Holds the appointment, ends sittings of its call, and settles what follows; `ending` answers since when their place is empty, null when none ended. */
export async function endParticipations(
  db: Db,
  appointmentId: string,
  ending: (tx: Tx, held: AppointmentRow) => Promise<Date | null>,
): Promise<void> {
  const after = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, 'system', appointmentId)
    const since = await ending(tx, held)
    if (!since) return null
    await notifyRoom(tx, appointmentId)
    return settleWait(tx, held, since)
  })
  if (after) announce(db, { people: affectedUserIds(after) })
}

/** What is written on a sitting that ends. */
export const endedFields = (because: LeftBecause) => ({
  connectionId: null,
  leftAt: sql`now()`,
  leftBecause: because,
})

const lost = {
  name: 'call_connection_lost',
  text: `with lost as (
      update call_sittings set lost_at = now(), connection_id = null
      where connection_id = $1 and left_at is null returning appointment_id)
    select pg_notify('calls', appointment_id::text) from lost`,
}

/** A socket is gone: its place is kept for a while. */
export async function markConnectionLost(db: Db, connection: string): Promise<void> {
  await db.$client.query({ ...lost, values: [connection] })
}

const shown = {
  name: 'call_media_changed',
  text: `with changed as (
      update call_sittings set media = $2 where connection_id = $1 and left_at is null returning appointment_id)
    select pg_notify('calls', appointment_id::text) from changed`,
}

/** Records what a participant currently sends, for the other side to see. */
export async function showMedia(db: Db, connection: string, media: Media): Promise<void> {
  await db.$client.query({ ...shown, values: [connection, JSON.stringify(media)] })
}

const query = {
  name: 'settle_call_wait',
  text: `update appointments set customer_waiting_since = $2, customer_came_at = coalesce(customer_came_at, $3)
    where id = $1`,
}

/**
 * Writes since when the customer of a locked call waits alone, or that they do not, and when they first came. A place
 * counts as taken until it is given up: a participant who just lost the connection has not left. `since`: when this
 * state began.
 */
async function settleWait(tx: Tx, held: AppointmentRow, since: Date): Promise<AppointmentRow> {
  const sitting = await tx
    .select({ side: callSittings.side, joinedAt: callSittings.joinedAt })
    .from(callSittings)
    .where(and(eq(callSittings.appointmentId, held.id), isNull(callSittings.leftAt)))
  const customer = sitting.find(({ side }) => side === 'customer')
  const alone = customer && !sitting.some(({ side }) => side === 'analyst')
  const customerWaitingSince = alone ? (held.customerWaitingSince ?? later(since, customer.joinedAt)) : null
  const customerCameAt = held.customerCameAt ?? customer?.joinedAt ?? null
  // No new version of the appointment: joining and leaving do not invalidate open forms.
  await tx.$client.query({ ...query, values: [held.id, customerWaitingSince, customerCameAt] })
  return { ...held, customerWaitingSince, customerCameAt }
}

const later = (one: Date, other: Date) => (one > other ? one : other)

/** Notes when both sides are first in the room together, and then lets the appointment begin in its analyst's name. */
async function startWhenBothJoined(tx: Tx, held: AppointmentRow, now: Date): Promise<AppointmentRow> {
  await tx.insert(calls).values({ appointmentId: held.id }).onConflictDoNothing()
  if (!(await areBothHere(tx, held)) || !(await areFirstHere(tx, held, now))) return held
  const analyst = await analystOf(tx, held)
  // Begun by hand, or undone since: the users' decision stands.
  if (!analyst || held.state !== 'assigned' || !appointmentMachine.can('start', analyst, factsOf(held), now))
    return held
  return transition(tx, analyst, held, 'start', now, { startedAt: now })
}

async function areBothHere(tx: Tx, { id }: AppointmentRow): Promise<boolean> {
  const here = await tx
    .select({ side: callSittings.side })
    .from(callSittings)
    .where(and(eq(callSittings.appointmentId, id), isNull(callSittings.leftAt), isNull(callSittings.lostAt)))
  return here.length === 2
}

async function areFirstHere(tx: Tx, { id }: AppointmentRow, now: Date): Promise<boolean> {
  const first = await tx
    .update(calls)
    .set({ metAt: now })
    .where(and(eq(calls.appointmentId, id), isNull(calls.metAt)))
    .returning({ id: calls.appointmentId })
  return first.length === 1
}

async function analystOf(tx: Tx, { assigneeId }: AppointmentRow): Promise<Actor | null> {
  if (!assigneeId) return null
  const [person] = await tx.select().from(users).where(eq(users.id, assigneeId))
  return person ? ({ ...person, twoFactor: person.twoFactorEnabled } as Actor) : null
}

/** The channel on which processes tell each other, by an appointment's id, that something is new in the room of its call. */
export const callsChannel = 'calls'

const notifyQuery = { name: 'notify_call', text: `select pg_notify('${callsChannel}', $1)` }

/** Says that something is new in a room; within a transaction, at its commit. */
export async function notifyRoom({ $client }: Queryable, appointmentId: string): Promise<void> {
  const client: Pick<pg.Pool, 'query'> = $client
  await client.query({ ...notifyQuery, values: [appointmentId] })
}

/** Why a user has no place in a room: signed out, not their call, or not the time for it. */
export type Outside = 'signed_out' | 'not_yours' | 'early' | 'over'

/** `because`: why not; null for who may be in the room now. */
export type RoomAccess =
  | { side: CallSide; userId: string; because: 'early' | 'over' | null }
  | { because: Outside }

type Row = {
  state: AppointmentState
  starts_at: Date
  session_id: string | null
  user_id: string | null
  side: CallSide | null
}

/** The whole rule, in one query: the sessions that hold, whose they are, and what that person is to the call. */
const accessQuery = {
  name: 'call_access',
  text: `select ap.state, ap.starts_at, m.session_id, m.user_id,
      case when m.role = 'customer' and m.user_id = ap.customer_id then 'customer'
        when m.kind = 'analyst' and m.user_id = ap.assignee_id and ap.confirmed_at is not null then 'analyst' end as side
    from appointments ap left join (
      select s.id as session_id, u.id as user_id, u.role, u.kind from ${livingSession} where s.id = any($2) and ${sessionHolds}
    ) m on true
    where ap.id = $1 and ap.service = 'videocall'`,
}

/** What each of these sessions may do in the room of an appointment at this moment. */
export async function accessOf(db: Db, appointmentId: string, sessionIds: readonly string[], now: Date) {
  const { rows } = await db.$client.query<Row>({ ...accessQuery, values: [appointmentId, sessionIds] })
  return (sessionId: string): RoomAccess => accessIn(rows, sessionId, now)
}

function accessIn(rows: readonly Row[], sessionId: string, now: Date): RoomAccess {
  if (rows.length === 0) return { because: 'not_yours' }
  const row = rows.find(({ session_id }) => session_id === sessionId)
  if (!row?.user_id) return { because: 'signed_out' }
  if (!row.side) return { because: 'not_yours' }
  const phase = roomPhase({ state: row.state, startsAt: row.starts_at }, now)
  return { side: row.side, userId: row.user_id, because: phase === 'open' ? null : phase }
}

/** What a place in a room stands on besides its session, asked of a row that is held. */
type CallSnapshot = Pick<AppointmentRow, 'state' | 'startsAt' | 'customerId' | 'assigneeId' | 'confirmedAt'>

/**
 * Why a place in a room is over, or null while it is not: its room is closed, or the call was assigned to another
 * analyst.
 */
export function placeOverReason(
  standing: CallSnapshot,
  { side, userId }: { side: CallSide; userId: string },
  now: Date,
): 'ended' | 'taken_over' | null {
  if (roomPhase(standing, now) !== 'open') return 'ended'
  const whose = side === 'customer' ? standing.customerId : standing.confirmedAt && standing.assigneeId
  return whose === userId ? null : 'taken_over'
}

/**
 * A call is moved to another time: the new room has no participants, no meeting and no wait yet. The row of the call is
 * locked.
 */
export async function resetRoom(
  tx: Tx,
  { appointment: { id: appointmentId, service }, now }: { appointment: AppointmentRow; now: Date },
): Promise<void> {
  if (service !== 'videocall') return
  await tx
    .update(callSittings)
    .set({ leftAt: now, leftBecause: 'ended', connectionId: null })
    .where(and(eq(callSittings.appointmentId, appointmentId), isNull(callSittings.leftAt)))
  await tx
    .update(calls)
    .set({ metAt: null, keepsWaitingAt: null })
    .where(eq(calls.appointmentId, appointmentId))
}

import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { CallSide } from '../../domain/calls/room.ts'
import type { Media } from '../../domain/calls/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { concernedBy, type Held, hold } from '../appointments/appointments-changes.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { callSittings, type LeftBecause } from '../platform/database/schema/call-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import { whyOver } from './access.ts'
import { meet } from './meet.ts'
import { notifyRoom } from './notify.ts'
import { settleWait } from './waiting.ts'

/** Somebody's place in the room of a call. */
export type Place = { appointmentId: string; side: CallSide; userId: string; sessionId: string }
/** More pages than anybody opens for one call. */
const mostSittings = 500
/** A page that sits down, and the socket it does it by. */
type Joining = { page: string; media: Media; connection: string }

/**
 * Takes the place of one's side: the same page sits where it sat, another one in its stead. The first time both are there
 * the appointment begins. Answers the sitting's id; a refusal when the room is no longer theirs.
 */
export async function join(db: Db, place: Place, joining: Joining, now: Date): Promise<string> {
  const [sitting, after] = await transaction(db, async (tx) => {
    const held = await hold(tx, 'system', place.appointmentId)
    if (whyOver(held, place, now)) refuse('not-found')
    const sitting = await sitDown(tx, place, joining)
    const after = await settleWait(tx, await meet(tx, held, now), now)
    await notifyRoom(tx, place.appointmentId)
    return [sitting, after] as const
  })
  announce(db, { people: concernedBy(after) })
  return sitting
}

async function sitDown(tx: Tx, place: Place, { connection, media, page }: Joining): Promise<string> {
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
  if ((await tx.$count(callSittings, here)) >= mostSittings) refuse('resource-exhausted')
  await tx.update(callSittings).set(ended('replaced')).where(open)
  const [made] = await tx
    .insert(callSittings)
    .values({ ...place, ...holding, pageId: page })
    .returning({ id: callSittings.id })
  return made!.id
}

/** The sitting of a page whose place another one took while it was away: it hears so, and does not take it back by itself. */
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
export async function leave(
  db: Db,
  { appointmentId }: Pick<Place, 'appointmentId'>,
  connection: string,
  because: LeftBecause,
  now: Date,
): Promise<void> {
  await end(db, appointmentId, async (tx) => {
    const { rowCount } = await tx
      .update(callSittings)
      .set(ended(because))
      .where(and(eq(callSittings.connectionId, connection), isNull(callSittings.leftAt)))
    return rowCount ? now : null
  })
}

/** Holds the appointment, ends sittings of its call, and settles what follows; `ending` answers since when their place is empty, null when none ended. */
export async function end(
  db: Db,
  appointmentId: string,
  ending: (tx: Tx, held: Held) => Promise<Date | null>,
): Promise<void> {
  const after = await transaction(db, async (tx) => {
    const held = await hold(tx, 'system', appointmentId)
    const since = await ending(tx, held)
    if (!since) return null
    await notifyRoom(tx, appointmentId)
    return settleWait(tx, held, since)
  })
  if (after) announce(db, { people: concernedBy(after) })
}

/** What is written on a sitting that ends. */
export const ended = (because: LeftBecause) => ({
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
export async function lose(db: Db, connection: string): Promise<void> {
  await db.$client.query({ ...lost, values: [connection] })
}

const shown = {
  name: 'call_media_changed',
  text: `with changed as (
      update call_sittings set media = $2 where connection_id = $1 and left_at is null returning appointment_id)
    select pg_notify('calls', appointment_id::text) from changed`,
}

/** Notes what somebody sends right now, for the other side to see. */
export async function showMedia(db: Db, connection: string, media: Media): Promise<void> {
  await db.$client.query({ ...shown, values: [connection, JSON.stringify(media)] })
}

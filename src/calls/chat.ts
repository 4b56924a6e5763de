import { and, asc, eq, gt } from 'drizzle-orm'
import type { Db, Queryable } from '../platform/database/client.ts'
import { callMessages } from '../platform/database/schema/appointments.ts'
import type { RoomPlace } from './participation.ts'
import type { ChatLine } from './rules/protocol.ts'
import type { Signal } from './rules/schema.ts'

/** More lines, and characters in total, than any call has: a participant who joins gets them at once. */
const mostLines = 1_000
const mostCharacters = 200_000

const columns = {
  id: callMessages.id,
  side: callMessages.side,
  text: callMessages.text,
  at: callMessages.at,
}
const lineOf = ({ at, ...line }: Omit<ChatLine, 'at'> & { at: Date }): ChatLine => ({
  ...line,
  at: at.toISOString(),
})

const saying = {
  name: 'say_in_call',
  text: `with made as (
      insert into call_messages (id, appointment_id, author_id, side, text)
      select $1, $2, $3, $4, $5
      where (select count(*) < ${mostLines} and coalesce(sum(char_length(text)), 0) < ${mostCharacters}
        from call_messages where appointment_id = $2)
      on conflict (id) do nothing returning appointment_id)
    select pg_notify('calls', appointment_id::text) from made`,
}

/**
 * Stores a line of the chat, which then reaches both sides. Sent again it stays one line, and is confirmed; an id that
 * another user's line has stores nothing.
 */
export async function addChatLine(
  db: Db,
  { appointmentId, side, userId }: RoomPlace,
  { id, text }: Pick<ChatLine, 'id' | 'text'>,
): Promise<ChatLine | null> {
  if (text === '') return null
  const values = [id, appointmentId, userId, side, text]
  const { rowCount } = await db.$client.query({ ...saying, values })
  if (rowCount) return null
  const own = and(
    eq(callMessages.id, id),
    eq(callMessages.appointmentId, appointmentId),
    eq(callMessages.authorId, userId),
  )
  const [known] = await db.select(columns).from(callMessages).where(own)
  return known ? lineOf(known) : null
}

/** The chat of a call, oldest first; only what is newer than a moment where one is given. */
export async function linesOf(db: Queryable, appointmentId: string, after?: Date): Promise<ChatLine[]> {
  const rows = await db
    .select(columns)
    .from(callMessages)
    .where(and(eq(callMessages.appointmentId, appointmentId), after && gt(callMessages.at, after)))
    .orderBy(asc(callMessages.at), asc(callMessages.id))
  return rows.map(lineOf)
}

/** More signals than two browsers exchange while one of them is away. */
const mostWaiting = 500

const sending = {
  name: 'send_call_signal',
  text: `with sent as (
      insert into call_signals (to_sitting, from_sitting, body)
      select theirs.id, mine.id, $3
      from call_sittings mine join call_sittings theirs on theirs.appointment_id = mine.appointment_id and theirs.side <> mine.side
      where mine.connection_id = $1 and mine.left_at is null and theirs.id = $2 and theirs.left_at is null
        and (select count(*) from call_signals where to_sitting = $2) < ${mostWaiting}
      returning 1)
    select pg_notify('calls', $4) from sent`,
}

/** Stores a signal for the other side's page only; silently dropped when that page is no longer there. */
export async function sendSignal(
  db: Db,
  { appointmentId, connection }: { appointmentId: string; connection: string },
  to: string,
  signal: Signal,
): Promise<void> {
  const values = [connection, to, JSON.stringify(signal), appointmentId]
  await db.$client.query({ ...sending, values })
}

// The sittings are held for the moment: a page that sits down elsewhere meanwhile gets its signals there.
const taking = {
  name: 'take_call_signals',
  text: `with due as (
      select g.id, s.connection_id from call_signals g join call_sittings s on s.id = g.to_sitting
      where s.connection_id = any($1) and s.left_at is null for share of s)
    delete from call_signals g using due where g.id = due.id
    returning g.id, g.from_sitting as "from", g.body as signal, due.connection_id as connection`,
}

type Taken = { id: string; from: string; signal: Signal; connection: string }

/** The signals that wait for these sockets, in the order in which they were sent; only one process takes them. */
export async function takeSignals(
  client: { query: Db['$client']['query'] },
  connections: readonly string[],
): Promise<Taken[]> {
  const { rows } = await client.query<Taken>({ ...taking, values: [connections] })
  return rows.sort((one, other) => Number(one.id) - Number(other.id))
}

/** Deletes signals that were never fetched: their page did not return. */
export async function clearSignals(db: Db): Promise<void> {
  await db.$client.query(`delete from call_signals where at < now() - interval '1 hour'`)
}

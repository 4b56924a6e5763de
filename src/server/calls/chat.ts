import { and, asc, eq, gt } from 'drizzle-orm'
import type { ChatLine } from '../../domain/calls/protocol.ts'
import type { Db, Queryable } from '../platform/database/database.ts'
import { callMessages } from '../platform/database/schema/call-schema.ts'
import type { Place } from './sittings.ts'

/** More lines, and characters of them all, than any call has: whoever comes in gets them at once. */
const [mostLines, mostCharacters] = [1_000, 200_000]

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
 * Keeps a line of the chat, which then reaches both sides. Sent again it stays one line, and is answered; an id that is
 * somebody else's line keeps nothing.
 */
export async function say(
  db: Db,
  { appointmentId, side, userId }: Place,
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

import { and, asc, eq, gt } from 'drizzle-orm'
import type { ChatLine } from '../../domain/call-messages.ts'
import { callMessages } from '../database/call-schema.ts'
import type { Db, Queryable } from '../database/database.ts'
import { notifyRoom } from './notify.ts'
import type { Place } from './sittings.ts'

const columns = {
  id: callMessages.id,
  side: callMessages.side,
  text: callMessages.text,
  at: callMessages.at,
}
const lineOf = ({ at, ...line }: { [Key in keyof typeof columns]: (typeof columns)[Key]['_']['data'] }) => ({
  ...line,
  at: at.toISOString(),
})

/** Keeps a line of the chat. Sent twice it is one line; an id that is somebody else's line keeps nothing and answers null. */
export async function say(
  db: Db,
  { appointmentId, side, userId }: Place,
  { id, text }: Pick<ChatLine, 'id' | 'text'>,
): Promise<ChatLine | null> {
  const [made] = await db
    .insert(callMessages)
    .values({ id, appointmentId, authorId: userId, side, text })
    .onConflictDoNothing()
    .returning(columns)
  if (made) {
    await notifyRoom(db, appointmentId)
    return lineOf(made)
  }
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

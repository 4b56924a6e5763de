import { and, asc, eq, isNull } from 'drizzle-orm'
import { type CallSide, type Stay, togetherFor } from '../../domain/calls/room.ts'
import type { Db } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { callMessages, callSittings, calls } from '../platform/database/schema/appointments.ts'

/** One stay of somebody's in the room of a call; `to` is null while it lasts. */
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
    ...{ id, side, name, from: joinedAt },
    // A place is kept for a while after its connection was lost; nobody was on it.
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

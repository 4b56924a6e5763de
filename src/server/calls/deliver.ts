import type { ChatLine } from '../../domain/calls/protocol.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { accessOf, type Outside } from './access.ts'
import { linesOf } from './chat.ts'
import { heardWhen, type Member, writtenWhen } from './member.ts'
import { type Room, roomOf, type Sitting, viewFor } from './room-view.ts'
import { takeSignals } from './signals.ts'
import { leave } from './sittings.ts'

/** Lines are committed in another order than their times tell; so many milliseconds are looked back. */
const LOOK_BACK_MS = 10_000

/** Brings the members of one room at this process up to date: who may stay, the picture, signals, chat. Throws when the database can't be asked. */
export async function deliver(
  db: Db,
  appointmentId: string,
  members: readonly Member[],
  now: Date,
): Promise<void> {
  const access = await accessOf(
    db,
    appointmentId,
    members.map(({ sessionId }) => sessionId),
    now,
  )
  const staying: Member[] = []
  for (const member of members) {
    const { because } = access(member.sessionId)
    if (because) await putOut(db, member, because, now)
    else staying.push(member)
  }
  if (staying.length > 0) await bring(db, appointmentId, staying, now)
}

/** Ends the stay of somebody who may no longer be in the room, and says why. */
export async function putOut(db: Db, member: Member, because: Outside, now: Date): Promise<void> {
  await leave(db, member, member.connection, writtenWhen[because], now)
  member.end(because)
}

async function bring(db: Db, appointmentId: string, members: readonly Member[], now: Date): Promise<void> {
  // Taken down before the room is read: who sits down meanwhile is not in this picture yet.
  const seated = new Map(members.map(({ connection, sitting }) => [connection, sitting]))
  // Signals are taken first: whoever sent them is in the picture then, which goes out before them.
  const { lines, room, signals } = await transaction(db, async (tx) => ({
    signals: await takeSignals(
      tx.$client,
      members.map(({ connection }) => connection),
    ),
    room: await roomOf(
      tx,
      appointmentId,
      [...seated.values()].filter((sitting) => sitting !== null),
    ),
    lines: await linesOf(tx, appointmentId, toldUntil(members)),
  }))
  if (!room) return
  for (const member of members) {
    const own = ownSitting(room, member)
    const sat = seated.get(member.connection)
    if (!own && sat) sayGone(room, sat, member)
    show(member, room, own, now)
    for (const { connection, from, signal } of signals)
      if (connection === member.connection) member.send({ type: 'signal', from, signal })
    tell(member, lines, now)
  }
}

const ownSitting = ({ sittings }: Room, { connection }: Member): Sitting | null =>
  sittings.find(({ connectionId, leftAt }) => connectionId === connection && leftAt === null) ?? null

/** It sat here and does no longer: another page does, or it was taken for lost. */
function sayGone({ sittings }: Room, sat: string, member: Member) {
  const was = sittings.find(({ id }) => id === sat)
  // The same page came back by another socket.
  if (was?.connectionId) return member.end('replaced')
  const because = was?.leftBecause && heardWhen[was.leftBecause]
  if (because) member.end(because)
  else member.drop()
}

function show(member: Member, room: Room, own: Sitting | null, now: Date) {
  const view = viewFor(room, member.side, own, now)
  const shown = JSON.stringify({ ...view, now: null })
  if (shown === member.shown) return
  member.shown = shown
  member.send({ type: 'room', room: view })
}

/** Up to when all of them have the chat; undefined where somebody has nothing yet. */
function toldUntil(members: readonly Member[]): Date | undefined {
  const since = Math.min(...members.map(({ told }) => told?.at.getTime() ?? 0))
  return since ? new Date(since - LOOK_BACK_MS) : undefined
}

function tell(member: Member, lines: readonly ChatLine[], now: Date) {
  const had = member.told?.ids
  const fresh = lines.filter(({ id }) => !had?.has(id))
  const ids = had ?? new Set()
  for (const { id } of fresh) ids.add(id)
  member.told = { ids, at: now }
  if (!had || fresh.length > 0) member.send({ type: 'chat', lines: fresh })
}

import type { AppointmentState } from '../appointments/rules/appointment.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import type { LeftBecause } from '../platform/database/schema/appointments.ts'
import { linesOf, takeSignals } from './chat.ts'
import { accessOf, leaveRoom, type Outside, type RoomPlace } from './participation.ts'
import type { ChatLine, EndedBecause, PeerView, RoomView, ServerMessage } from './rules/protocol.ts'
import { type AnalystStatus, type CallSide, PLACE_KEPT_MS, roomOpensAt, roomPhase } from './rules/room.ts'
import type { Media } from './rules/schema.ts'

/** Lines are committed in another order than their times tell; so many milliseconds are looked back. */
const LOOK_BACK_MS = 10_000

/** Brings the members of one room at this process up to date: who may stay, the picture, signals, chat. Throws when the database can't be asked. */
export async function syncRoom(
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
    if (because) await evict(db, member, because, now)
    else staying.push(member)
  }
  if (staying.length > 0) await syncMembers(db, appointmentId, staying, now)
}

/** Ends the stay of a participant who may no longer be in the room, with the reason. */
export async function evict(db: Db, member: Member, because: Outside, now: Date): Promise<void> {
  await leaveRoom(db, member, member.connection, writtenWhen[because], now)
  member.end(because)
}

async function syncMembers(
  db: Db,
  appointmentId: string,
  members: readonly Member[],
  now: Date,
): Promise<void> {
  // Taken down before the room is read: who sits down meanwhile is not in this picture yet.
  const seated = new Map(members.map(({ connection, sitting }) => [connection, sitting]))
  // Signals are taken first: their senders are then in the snapshot, which is sent before them.
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
    const own = ownParticipation(room, member)
    const sat = seated.get(member.connection)
    if (!own && sat) endReplaced(room, sat, member)
    show(member, room, own, now)
    for (const { connection, from, signal } of signals)
      if (connection === member.connection) member.send({ type: 'signal', from, signal })
    tell(member, lines, now)
  }
}

const ownParticipation = ({ sittings }: Room, { connection }: Member): RoomParticipation | null =>
  sittings.find(({ connectionId, leftAt }) => connectionId === connection && leftAt === null) ?? null

/** It sat here and does no longer: another page does, or it was taken for lost. */
function endReplaced({ sittings }: Room, sat: string, member: Member) {
  const was = sittings.find(({ id }) => id === sat)
  // The same page came back by another socket.
  if (was?.connectionId) return member.end('replaced')
  const because = was?.leftBecause && heardWhen[was.leftBecause]
  if (because) member.end(because)
  else member.drop()
}

function show(member: Member, room: Room, own: RoomParticipation | null, now: Date) {
  const view = viewFor(room, member.side, own, now)
  const shown = JSON.stringify({ ...view, now: null })
  if (shown === member.shown) return
  member.shown = shown
  member.send({ type: 'room', room: view })
}

/** Up to when all of them have the chat; undefined where a member has nothing yet. */
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

type Facts = {
  state: AppointmentState
  startsAt: Date
  minutes: number
  waitingSince: Date | null
  metAt: Date | null
  customer: string
  analyst: string | null
  online: boolean | null
  busy: boolean
}

/** A stay in the room, open or over. */
type RoomParticipation = {
  id: string
  side: CallSide
  connectionId: string | null
  media: Media
  lostAt: Date | null
  leftAt: Date | null
  leftBecause: LeftBecause | null
}

/** Everything that is to be seen in a room: what `viewFor` makes each side's picture of. */
type Room = Facts & { sittings: readonly RoomParticipation[] }

// One statement, so that it shows one moment.
const query = {
  name: 'call_room',
  text: `select ap.state, ap.starts_at as "startsAt", ap.minutes, ap.customer_waiting_since as "waitingSince", k.met_at as "metAt",
      cu.full_name as customer, nullif(an.full_name, '') as analyst,
      p.seen_at > now() - interval '45 seconds' as online,
      exists (select from call_sittings s
        where s.user_id = an.id and s.appointment_id <> ap.id and s.left_at is null and s.lost_at is null) as busy,
      si.id, si.side, si.connection_id as "connectionId", si.media, si.lost_at as "lostAt", si.left_at as "leftAt",
      si.left_because as "leftBecause"
    from appointments ap join users cu on cu.id = ap.customer_id
      left join users an on an.id = ap.assignee_id and ap.confirmed_at is not null
      left join calls k on k.appointment_id = ap.id left join presence p on p.user_id = an.id
      left join call_sittings si on si.appointment_id = ap.id and (si.left_at is null or si.id = any($2))
    where ap.id = $1`,
}

/** The room of a call with who sits there, and besides those sittings that are asked for, which may be over. */
async function roomOf(tx: Tx, appointmentId: string, asked: readonly string[]): Promise<Room | null> {
  type Row = Facts & (RoomParticipation | { id: null })
  const { rows } = await tx.$client.query<Row>({ ...query, values: [appointmentId, asked] })
  const sittings = rows.filter((row): row is Facts & RoomParticipation => row.id !== null)
  return rows[0] ? { ...rows[0], sittings } : null
}

/** A whole picture of a room for one page in it. */
function viewFor(room: Room, side: CallSide, own: RoomParticipation | null, now: Date): RoomView {
  const { analyst, customer, metAt, minutes, startsAt, waitingSince } = room
  const peerName = side === 'customer' ? (analyst ?? 'Tu analista') : customer
  return {
    side,
    phase: roomPhase(room, now),
    sitting: own?.id ?? null,
    peerName,
    peer: peerOf(room, side, peerName),
    analyst: statusOf(room),
    opensAt: roomOpensAt(startsAt).toISOString(),
    startsAt: startsAt.toISOString(),
    minutes,
    metAt: metAt?.toISOString() ?? null,
    waitingSince: waitingSince?.toISOString() ?? null,
    now: now.toISOString(),
  }
}

function peerOf({ sittings }: Room, side: CallSide, name: string): PeerView | null {
  const theirs = sittings.find((sitting) => sitting.side !== side && sitting.leftAt === null)
  if (!theirs) return null
  const { id, lostAt, media } = theirs
  const keptUntil = lostAt && new Date(lostAt.getTime() + PLACE_KEPT_MS).toISOString()
  return { sitting: id, name, media, lost: lostAt !== null, keptUntil }
}

function statusOf({ busy, online, sittings }: Room): AnalystStatus {
  if (sittings.some(({ leftAt, lostAt, side }) => side === 'analyst' && !leftAt && !lostAt)) return 'here'
  if (busy) return 'busy'
  return online ? 'online' : 'away'
}

/** A page that has the room of a call open at this process. */
export type Member = RoomPlace & {
  /** Names its socket. */
  connection: string
  /** Where it sits, once it joined. */
  sitting: string | null
  /** The picture it was last sent, to send none twice. */
  shown: string
  /** The lines of the chat it has, and when it last received some; null before. */
  told: { ids: Set<string>; at: Date } | null
  /** Evicted or dropped: its further messages are ignored. */
  isOver: boolean
  /** Whether what is sent reaches its page, as far as we know. */
  isHere: () => boolean
  send: (message: ServerMessage) => void
  /** Says why it is out of the room, and closes its socket for good. */
  end: (because: EndedBecause) => void
  /** Closes its socket as if the connection were lost: the page comes back by itself. */
  drop: () => void
}

/** The message to a page whose sitting ended while it was there; null for endings that a present page recovers from. */
const heardWhen: Record<LeftBecause, EndedBecause | null> = {
  left: 'left',
  replaced: 'replaced',
  lost: null,
  ended: 'over',
  signed_out: 'signed_out',
  taken_over: 'not_yours',
}

/** What is written on the sitting of a person who may no longer be in the room. */
const writtenWhen = {
  signed_out: 'signed_out',
  not_yours: 'taken_over',
  early: 'ended',
  over: 'ended',
} satisfies Partial<Record<EndedBecause, LeftBecause>>

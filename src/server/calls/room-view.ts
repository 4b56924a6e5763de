import type { AppointmentState } from '../../domain/appointments/appointment.ts'
import type { Peer, RoomView } from '../../domain/calls/protocol.ts'
import {
  type AnalystStatus,
  type CallSide,
  PLACE_KEPT_MS,
  roomOpensAt,
  roomPhase,
} from '../../domain/calls/room.ts'
import type { Media } from '../../domain/calls/schema.ts'
import type { Tx } from '../platform/database/database.ts'
import type { LeftBecause } from '../platform/database/schema/call-schema.ts'

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
export type Sitting = {
  id: string
  side: CallSide
  connectionId: string | null
  media: Media
  lostAt: Date | null
  leftAt: Date | null
  leftBecause: LeftBecause | null
}
/** Everything that is to be seen in a room: what `viewFor` makes each side's picture of. */
export type Room = Facts & { sittings: readonly Sitting[] }

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
export async function roomOf(tx: Tx, appointmentId: string, asked: readonly string[]): Promise<Room | null> {
  type Row = Facts & (Sitting | { id: null })
  const { rows } = await tx.$client.query<Row>({ ...query, values: [appointmentId, asked] })
  const sittings = rows.filter((row): row is Facts & Sitting => row.id !== null)
  return rows[0] ? { ...rows[0], sittings } : null
}

/** A whole picture of a room for one page in it. */
export function viewFor(room: Room, side: CallSide, own: Sitting | null, now: Date): RoomView {
  const { analyst, customer, metAt, minutes, startsAt, waitingSince } = room
  const peerName = side === 'customer' ? (analyst ?? 'Tu analista') : customer
  return {
    ...{ side, phase: roomPhase(room, now), sitting: own?.id ?? null, peerName },
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

function peerOf({ sittings }: Room, side: CallSide, name: string): Peer | null {
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

import type { AppointmentState } from '../../domain/appointments/appointment.ts'
import { type CallSide, roomPhase } from '../../domain/calls/room.ts'
import { livingSession, sessionHolds } from '../accounts/session.ts'
import type { Held } from '../appointments/appointments-changes.ts'
import type { Db } from '../platform/database/database.ts'

/** Why somebody has no place in a room: nobody signed in, nothing of theirs, or not the time for it. */
export type Outside = 'signed_out' | 'not_yours' | 'early' | 'over'
/** `because`: why not; null for who may be in the room now. */
export type Access =
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
const query = {
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
  const { rows } = await db.$client.query<Row>({ ...query, values: [appointmentId, sessionIds] })
  return (sessionId: string): Access => accessIn(rows, sessionId, now)
}

function accessIn(rows: readonly Row[], sessionId: string, now: Date): Access {
  if (rows.length === 0) return { because: 'not_yours' }
  const row = rows.find(({ session_id }) => session_id === sessionId)
  if (!row?.user_id) return { because: 'signed_out' }
  if (!row.side) return { because: 'not_yours' }
  const phase = roomPhase({ state: row.state, startsAt: row.starts_at }, now)
  return { side: row.side, userId: row.user_id, because: phase === 'open' ? null : phase }
}

/** What a place in a room stands on besides its session, asked of a row that is held. */
type Standing = Pick<Held, 'state' | 'startsAt' | 'customerId' | 'assigneeId' | 'confirmedAt'>

/** Why a place in a room is over, or null while it is not: its room is closed, or the call is somebody else's now. */
export function whyOver(
  standing: Standing,
  { side, userId }: { side: CallSide; userId: string },
  now: Date,
): 'ended' | 'taken_over' | null {
  if (roomPhase(standing, now) !== 'open') return 'ended'
  const whose = side === 'customer' ? standing.customerId : standing.confirmedAt && standing.assigneeId
  return whose === userId ? null : 'taken_over'
}

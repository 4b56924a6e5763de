import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../platform/database/client.ts'
import { appointments, callSittings, type LeftBecause } from '../platform/database/schema/appointments.ts'
import { announcements, listenOn, peopleIn } from '../platform/live/announcements.ts'
import { log } from '../platform/telemetry/log.ts'
import { callsChannel, endedFields, endParticipations, placeOverReason } from './participation.ts'
import { PLACE_KEPT_MS } from './rules/room.ts'
import { type Member, syncRoom } from './sync-room.ts'

/** Every room is looked at again so often, in milliseconds: sessions end without a word, and so do processes. */
const LOOK_EVERY = 3_000

type Room = { members: Set<Member>; again: boolean; working: Promise<void> | null }

const seen = {
  name: 'call_sittings_seen',
  text: `update call_sittings set seen_at = now()
    where connection_id = any($1) and left_at is null and seen_at not between now() - interval '8 seconds' and now() + interval '8 seconds'`,
}

/** The rooms that have pages at this process, each brought up to date whenever any process says that something is new there. */
export function openRooms(db: Db) {
  const rooms = new Map<string, Room>()
  const look = (appointmentId: string) => {
    const room = rooms.get(appointmentId)
    if (!room) return
    room.again = true
    room.working ??= work(db, appointmentId, room)
  }
  // One after the other: many at once would take all connections from a person who waits for a page.
  const lookAtAll = async () => {
    for (const [id, room] of rooms) {
      look(id)
      await room.working
    }
  }
  const stopListening = listenOn(db, [callsChannel, announcements], {
    heard: (channel, payload) => {
      if (channel === callsChannel) return look(payload)
      const people = peopleIn(payload)
      for (const [id, { members }] of rooms)
        if ([...members].some(({ userId }) => people.has(userId))) look(id)
    },
    connected: () => void lookAtAll(),
  })
  const timer = repeat(LOOK_EVERY, async () => {
    await noteSeen(db, [...rooms.values()])
    await lookAtAll()
    await sweepParticipations(db, new Date())
  })
  return {
    look,
    enter(member: Member) {
      const room = rooms.get(member.appointmentId) ?? { members: new Set(), again: false, working: null }
      rooms.set(member.appointmentId, room)
      room.members.add(member)
      look(member.appointmentId)
    },
    exit(member: Member) {
      const room = rooms.get(member.appointmentId)
      room?.members.delete(member)
      if (room?.members.size === 0) rooms.delete(member.appointmentId)
    },
    async stop() {
      clearInterval(timer)
      await stopListening()
      await Promise.all([...rooms.values()].map(({ working }) => working))
    },
  }
}

export type Rooms = ReturnType<typeof openRooms>

/** One look at a time in a room, so that what is sent keeps its order; what is new meanwhile makes one more. */
async function work(db: Db, appointmentId: string, room: Room): Promise<void> {
  try {
    while (room.again && room.members.size > 0) {
      room.again = false
      // Signals for a page whose socket is closing wait until it is back.
      const here = [...room.members].filter((member) => member.isHere())
      if (here.length > 0) await syncRoom(db, appointmentId, here, new Date())
    }
  } catch (err) {
    log.warn({ err, appointment: appointmentId }, 'call room waiting for the database')
  } finally {
    room.working = null
  }
}

/** Says that this process, and with it its sockets, is there. */
async function noteSeen(db: Db, rooms: readonly Room[]): Promise<void> {
  const connections = rooms.flatMap(({ members }) => [...members].map(({ connection }) => connection))
  if (connections.length > 0) await db.$client.query({ ...seen, values: [connections] })
}

/** Runs something so often, and never twice at once. */
function repeat(ms: number, run: () => Promise<void>): NodeJS.Timeout {
  let isRunning = false
  const once = async () => {
    if (isRunning) return
    isRunning = true
    await run().catch((err) => log.warn({ err }, 'call rooms waiting for the database'))
    isRunning = false
  }
  return setInterval(once, ms).unref()
}

/** A process that wrote nothing for so long has ended, in seconds; each writes every ten. */
const SILENT_SECONDS = 30

const silent = {
  name: 'call_sittings_silent',
  text: `with silent as (
      update call_sittings set lost_at = least(seen_at, now()), connection_id = null
      where left_at is null and lost_at is null
        and seen_at not between now() - interval '${SILENT_SECONDS} seconds' and now() + interval '${SILENT_SECONDS} seconds'
      returning appointment_id)
    select count(pg_notify('calls', appointment_id::text)) as told,
      exists (select from call_sittings where left_at is null) as open
    from silent`,
}

type OpenParticipation = Pick<typeof callSittings.$inferSelect, 'lostAt' | 'side' | 'userId'>

/** Takes note of processes that ended without a word, and of places whose call is over or that no one came back to. Any process may, also at once. */
export async function sweepParticipations(db: Db, now: Date): Promise<void> {
  const { rows } = await db.$client.query<{ open: boolean }>(silent)
  if (!rows[0]?.open) return
  const open = await db
    .select({ sitting: callSittings, appointment: appointments })
    .from(callSittings)
    .innerJoin(appointments, eq(appointments.id, callSittings.appointmentId))
    .where(isNull(callSittings.leftAt))
  const due = open.filter(({ appointment, sitting }) => whyGone(appointment, sitting, now))
  // One that fails must not keep the others waiting; the next round takes it up again.
  for (const id of new Set(due.map(({ sitting }) => sitting.appointmentId)))
    await endWhatIsOver(db, id, now).catch((err) =>
      log.warn({ err, appointment: id }, 'call participation not ended'),
    )
}

function whyGone(
  appointment: Parameters<typeof placeOverReason>[0],
  sitting: OpenParticipation,
  now: Date,
): LeftBecause | null {
  const isGivenUp = sitting.lostAt && now.getTime() - sitting.lostAt.getTime() > PLACE_KEPT_MS
  return placeOverReason(appointment, sitting, now) ?? (isGivenUp ? 'lost' : null)
}

/** Who is left waits since the other side's connection was lost, not since we noticed. */
const endWhatIsOver = (db: Db, appointmentId: string, now: Date) =>
  endParticipations(db, appointmentId, async (tx, held) => {
    let since: Date | null = null
    const open = and(eq(callSittings.appointmentId, appointmentId), isNull(callSittings.leftAt))
    for (const sitting of await tx.select().from(callSittings).where(open)) {
      const because = whyGone(held, sitting, now)
      if (!because) continue
      await tx.update(callSittings).set(endedFields(because)).where(eq(callSittings.id, sitting.id))
      since = sitting.lostAt ?? now
    }
    return since
  })

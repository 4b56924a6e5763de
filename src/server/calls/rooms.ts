import { log } from '../app/log.ts'
import type { Db } from '../platform/database/database.ts'
import { announcements, peopleIn } from '../platform/live/announcements.ts'
import { listenOn } from '../platform/live/channels.ts'
import { deliver } from './deliver.ts'
import type { Member } from './member.ts'
import { callsChannel } from './notify.ts'
import { sweepSittings } from './sweep.ts'

/** Every room is looked at again so often, in milliseconds: sessions end without a word, and so do processes. */
const LOOK_EVERY = 3_000

type Room = { members: Set<Member>; again: boolean; working: Promise<void> | null }

const seen = {
  name: 'call_sittings_seen',
  text: `update call_sittings set seen_at = now()
    where connection_id = any($1) and left_at is null and seen_at < now() - interval '8 seconds'`,
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
  // One after the other: many at once would take all connections from whoever waits for a page.
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
    await sweepSittings(db, new Date())
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
      if (here.length > 0) await deliver(db, appointmentId, here, new Date())
    }
  } catch (err) {
    log.warn({ err, appointment: appointmentId }, 'a room waits for the database')
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
    await run().catch((err) => log.warn({ err }, 'rooms wait for the database'))
    isRunning = false
  }
  return setInterval(once, ms).unref()
}

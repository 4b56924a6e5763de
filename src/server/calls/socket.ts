import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import { CLOSED_FOR_GOOD, type ServerMessage } from '../../domain/calls/protocol.ts'
import { type PageMessage, pageMessage } from '../../domain/calls/schema.ts'
import { Refusal } from '../../domain/shared/refusal.ts'
import type { Env } from '../app/env.ts'
import { log } from '../app/log.ts'
import type { Db } from '../platform/database/database.ts'
import { answer, sendServers } from './conversation.ts'
import { allowance, inOrder } from './in-order.ts'
import type { Member } from './member.ts'
import type { Rooms } from './rooms.ts'
import { lose, type Place } from './sittings.ts'

/** Sockets' own numbers: not JSON, not what we understand or too much of it, and a moment that passes. */
const closings = { notJson: 1007, refused: 1008, again: 1013 } as const
/** Two browsers that find a way say some hundred things within a second, and then hardly any. */
const [mostAtOnce, eachSecond] = [200, 60]
/** Who does not read so many bytes is not there. */
const mostUnread = 2 * 1024 * 1024

/** Carries the conversation of one page with its room; `gone` resolves when its place is noted as lost. */
export function converse(deps: { db: Db; env: Env; rooms: Rooms }, place: Place, ws: WebSocket) {
  const { db, env, rooms } = deps
  const member = memberOf(place, ws)
  const queue = inOrder((err) => {
    // The room is no longer theirs since a moment ago: whoever looks at it next says why.
    if (err instanceof Refusal) return rooms.look(place.appointmentId)
    log.warn({ err, appointment: place.appointmentId }, 'a call waits for the database')
    member.drop()
  })
  const mayGo = allowance(mostAtOnce, eachSecond)
  ws.on('message', (data, isBinary) => {
    const mayAsk = mayGo() && queue.waiting() < mostAtOnce && !isBinary
    const said = mayAsk ? understood(String(data)) : closings.refused
    if (typeof said === 'number') return ws.close(said)
    void queue.run(async () => {
      const isHere = ws.readyState === ws.OPEN || isLast(said)
      if (isHere && !member.isOver) await answer(db, env, member, said, new Date())
      // The news of it may have been here before its page was known to sit there.
      if (said.type === 'join') rooms.look(place.appointmentId)
    })
  })
  const gone = new Promise<void>((resolve) => {
    ws.on('close', () => {
      rooms.exit(member)
      void queue.run(() => lose(db, member.connection)).finally(resolve)
    })
  })
  sendServers(env, member, new Date())
  rooms.enter(member)
  return { member, gone }
}

function memberOf(place: Place, ws: WebSocket): Member {
  const send = (message: ServerMessage) => {
    if (ws.readyState !== ws.OPEN) return
    if (ws.bufferedAmount > mostUnread) return ws.terminate()
    ws.send(JSON.stringify(message))
  }
  const member: Member = {
    ...place,
    ...{ connection: randomUUID(), sitting: null, shown: '', told: null, isOver: false, send },
    isHere: () => !member.isOver && ws.readyState === ws.OPEN,
    end(because) {
      if (member.isOver) return
      member.isOver = true
      send({ type: 'ended', because })
      ws.close(CLOSED_FOR_GOOD)
    },
    drop() {
      member.isOver = true
      ws.close(closings.again)
    },
  }
  return member
}

/** What holds although its page closed the socket right behind it. */
const isLast = ({ type }: PageMessage) => type === 'leave' || type === 'chat'

function understood(text: string): PageMessage | number {
  try {
    const { data } = pageMessage.safeParse(JSON.parse(text))
    return data ?? closings.refused
  } catch {
    return closings.notJson
  }
}

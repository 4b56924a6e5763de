import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type RoomView, type ServerMessage, socketPath } from '../../src/calls/rules/protocol.ts'
import type { PageMessage } from '../../src/calls/rules/schema.ts'
import type { Servers } from '../kit/two-servers.ts'
import type { Visitor } from '../kit/visitor.ts'

type Server = Pick<Servers['servers'][0], 'origin'>
type Said<Type> = Extract<ServerMessage, { type: Type }>
export type Page = Awaited<ReturnType<typeof openPage>>

export const media = { audio: true, video: true, screen: false }

let pings = 0

/** A page with the socket of a call open. The same `page` is the same page that reconnects. */
export async function openPage(
  server: Server,
  appointmentId: string,
  as: Visitor,
  page: string = randomUUID(),
) {
  const cookie = [...as.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, origin: server.origin }
  const socket = new WebSocket(server.origin.replace(/^http/, 'ws') + socketPath(appointmentId), { headers })
  const received: ServerMessage[] = []
  let closed: number | null = null
  socket.on('message', (data) => received.push(JSON.parse(String(data))))
  socket.on('close', (code) => {
    closed = code
  })
  await once(socket, 'open')
  const of = <Type extends ServerMessage['type']>(type: Type) =>
    received.filter((message): message is Said<Type> => message.type === type)
  const room = () => of('room').at(-1)?.room ?? null
  const self = {
    socket,
    page,
    of,
    room,
    received,
    say: (message: PageMessage) => socket.send(JSON.stringify(message)),
    closed: () => closed,
    signals: () => of('signal').map(({ signal }) => signal),
    lines: () => of('chat').flatMap(({ lines }) => lines),
    /** Waits for a state of the room in which something holds. */
    sees(holds: (room: RoomView) => boolean) {
      return vi.waitFor(() => {
        const seen = room()
        if (!seen || !holds(seen)) throw new Error(`Not seen yet: ${JSON.stringify([seen, closed])}`)
        return seen
      }, 30_000)
    },
    /** Waits until the server has handled all that was said. */
    async handled() {
      self.say({ type: 'ping', at: ++pings })
      await expect.poll(() => of('pong').map(({ at }) => at)).toContain(pings)
    },
    /** Joins the room, and answers with its place. */
    async joins(): Promise<string> {
      self.say({ type: 'join', page, media })
      return (await self.sees(({ sitting }) => sitting !== null)).sitting!
    },
    /** Waits for the end: the reason, and the close code of the socket. */
    async ends() {
      await expect.poll(() => closed).not.toBeNull()
      return [of('ended').at(-1)?.because ?? null, closed] as const
    },
    /** Breaks the connection. */
    async breaks() {
      socket.terminate()
      await expect.poll(() => closed).not.toBeNull()
    },
  }
  return self
}

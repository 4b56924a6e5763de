import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { CLOSED_FOR_GOOD, socketPath } from '../../domain/calls/protocol.ts'
import { noteSessionUse, readSession } from '../accounts/session.ts'
import type { Env } from '../app/env.ts'
import { log } from '../app/stop.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { isSecondFactorMissing } from '../platform/http/compressed.ts'
import { isOurOrigin } from '../platform/http/security.ts'
import type { Streams } from '../platform/live/streams.ts'
import { accessOf, type RoomAccess } from './participation.ts'
import { openRooms } from './rooms.ts'
import { handleCallSocket } from './socket.ts'

/** A description of two browsers' media is the longest thing said. */
const mostBytes = 64 * 1024

/** Somebody has a tab or two of a call open; each lost connection may linger for some seconds. */
const mostOfAPerson = 10

/** Asked so often whether it is there, a socket that does not answer until the next time is gone, in milliseconds. */
const ASK_EVERY = 5_000

/** A restart, in sockets' own numbers: pages come back by themselves. */
const RESTARTS = 1012

const pathOf = new RegExp(`^${socketPath('([^/?]+)')}(?:\\?|$)`)

type Deps = { db: Db; env: Env; secret: string }
type Open = { ws: WebSocket; userId: string; heard: boolean; gone: Promise<void> }

/** The sockets of calls: what an upgrade to one of their addresses becomes. */
export function openCallSockets(deps: Deps) {
  const server = new WebSocketServer({ noServer: true, maxPayload: mostBytes, perMessageDeflate: false })
  const rooms = openRooms(deps.db)
  const open = new Set<Open>()
  let stopping = false
  const beat = setInterval(() => askWhoIsThere(open), ASK_EVERY).unref()
  const countOf = (person: string) => [...open].filter(({ userId }) => userId === person).length

  const accept = (ws: WebSocket, { appointmentId, sessionId, ...found }: Found) => {
    // Without a listener, an error of one socket would end the process.
    ws.on('error', (err) => log.debug({ err }, 'a socket failed'))
    if (found.because) {
      ws.send(JSON.stringify({ type: 'ended', because: found.because }))
      return ws.close(CLOSED_FOR_GOOD)
    }
    const { side, userId } = found
    const { gone } = handleCallSocket({ ...deps, rooms }, { appointmentId, side, userId, sessionId }, ws)
    const one = { ws, userId, heard: true, gone }
    open.add(one)
    for (const sign of ['pong', 'message'])
      ws.on(sign, () => {
        one.heard = true
      })
    void gone.finally(() => open.delete(one))
    ws.on('close', (code) =>
      log.info({ appointment: appointmentId, actor: userId, side, code }, 'call socket'),
    )
  }
  return {
    /** Whether this is the address of a call's socket; everything else is an ordinary request. */
    takes: ({ url }: Pick<IncomingMessage, 'url'>) => pathOf.test(url ?? ''),
    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      socket.on('error', () => socket.destroy())
      try {
        const found = await whoAsks(deps, request)
        if (!found) return refuse(socket, '404 Not Found', 'No existe.')
        if (stopping) return refuse(socket, '503 Service Unavailable', 'Un momento.')
        if (countOf(found.userId) >= mostOfAPerson)
          return refuse(socket, '429 Too Many Requests', 'Hay demasiadas ventanas abiertas.')
        server.handleUpgrade(request, socket, head, (ws) => accept(ws, found))
      } catch (err) {
        log.warn({ err }, 'a call waits for the database')
        refuse(socket, '503 Service Unavailable', 'Un momento.')
      }
    },
    /** Closes every socket so that its page comes back to another process; their places are kept meanwhile. */
    async stop() {
      stopping = true
      clearInterval(beat)
      for (const ws of server.clients) ws.close(RESTARTS)
      const cut = setTimeout(() => {
        for (const ws of server.clients) ws.terminate()
      }, 1_000)
      await Promise.all([...open].map(({ gone }) => gone))
      clearTimeout(cut)
      for (const ws of server.clients) ws.terminate()
      await rooms.stop()
    },
  }
}

export type CallSockets = ReturnType<typeof openCallSockets>

type Found = Extract<RoomAccess, { side: unknown }> & { appointmentId: string; sessionId: string }

/** Whose page asks, when it is a page of ours of somebody whose call it is; null for everybody else alike. */
async function whoAsks({ db, env, secret }: Deps, { headers, url }: IncomingMessage): Promise<Found | null> {
  const appointmentId = pathOf.exec(url ?? '')?.[1] ?? ''
  const isOurs = isOurOrigin(headers.origin ?? '', headers.host ?? null, env.allowedOrigins, env.anyHost)
  if (!isOurs || !isId(appointmentId)) return null
  const session = await readSession(db, { secret, baseUrl: env.baseUrl }, headers.cookie ?? null)
  if (!session || isSecondFactorMissing(env, session.actor)) return null
  if (session.unseen) await noteSessionUse(db, session.sessionId)
  const access = (await accessOf(db, appointmentId, [session.sessionId], new Date()))(session.sessionId)
  return 'side' in access ? { ...access, appointmentId, sessionId: session.sessionId } : null
}

function askWhoIsThere(open: ReadonlySet<Open>) {
  for (const one of open) {
    if (!one.heard) one.ws.terminate()
    one.heard = false
    one.ws.ping()
  }
}

/** The same bytes for everybody who is refused in the same way. Who asks may leave their end open: ours is closed. */
function refuse(socket: Duplex, status: string, words: string) {
  const head = [
    `HTTP/1.1 ${status}`,
    'connection: close',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(words)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
  ]
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${words}`)
}

/** How often each process notes which analysts have a screen open, in milliseconds; what is older than two of them tells nothing. */
const NOTE_EVERY = 20_000

const query = {
  name: 'note_presence',
  text: `insert into presence (user_id) select unnest($1::uuid[])
    on conflict (user_id) do update set seen_at = now()`,
}

/** Keeps noting which analysts have a screen of ours open at this process; the answer ends it. */
export function notePresence(db: Db, streams: Pick<Streams, 'analysts'>, every = NOTE_EVERY): () => void {
  const note = async () => {
    const people = streams.analysts()
    if (people.length > 0) await db.$client.query({ ...query, values: [people] })
  }
  const timer = setInterval(
    () => note().catch((err) => log.warn({ err }, 'presence waits for the database')),
    every,
  )
  timer.unref()
  return () => clearInterval(timer)
}

import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { noteSessionUse, readSession } from '../accounts/session.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { bareHeaders, isOurOrigin, isSecondFactorMissing } from '../platform/http/security.ts'
import type { Streams } from '../platform/live/streams.ts'
import { log } from '../platform/telemetry/log.ts'
import { epochSeconds } from '../shared/calendar.ts'
import { Refusal } from '../shared/refusal.ts'
import { addChatLine, sendSignal } from './chat.ts'
import {
  accessOf,
  join,
  leaveRoom,
  markConnectionLost,
  type RoomAccess,
  type RoomPlace,
  showMedia,
} from './participation.ts'
import { openRooms, type Rooms } from './rooms.ts'
import { CLOSED_FOR_GOOD, type IceServer, type ServerMessage, socketPath } from './rules/protocol.ts'
import { type PageMessage, pageMessage } from './rules/schema.ts'
import { evict, type Member } from './sync-room.ts'

/** Sockets' own numbers: not JSON, not what we understand or too much of it, and a moment that passes. */
const closings = { notJson: 1007, refused: 1008, again: 1013 } as const

/** Two browsers that find a way say some hundred things within a second, and then hardly any. */
const mostAtOnce = 200
const eachSecond = 60

/** A socket with this many unread bytes counts as gone. */
const mostUnread = 2 * 1024 * 1024

/** Carries the conversation of one page with its room; `gone` resolves when its place is noted as lost. */
function handleCallSocket(deps: { db: Db; env: Env; rooms: Rooms }, place: RoomPlace, ws: WebSocket) {
  const { db, env, rooms } = deps
  const member = memberOf(place, ws)
  const queue = serialQueue((err) => {
    // The room is no longer theirs: the next update states the reason.
    if (err instanceof Refusal) return rooms.look(place.appointmentId)
    log.warn({ err, appointment: place.appointmentId }, 'call waiting for the database')
    member.drop()
  })
  const mayGo = tokenBucket(mostAtOnce, eachSecond)
  ws.on('message', (data, isBinary) => {
    const mayAsk = mayGo() && queue.waiting() < mostAtOnce && !isBinary
    const said = mayAsk ? parsePageMessage(String(data)) : closings.refused
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
      void queue.run(() => markConnectionLost(db, member.connection)).finally(resolve)
    })
  })
  sendServers(env, member, new Date())
  rooms.enter(member)
  return { member, gone }
}

function memberOf(place: RoomPlace, ws: WebSocket): Member {
  const send = (message: ServerMessage) => {
    if (ws.readyState !== ws.OPEN) return
    if (ws.bufferedAmount > mostUnread) return ws.terminate()
    ws.send(JSON.stringify(message))
  }
  const member: Member = {
    ...place,
    connection: randomUUID(),
    sitting: null,
    shown: '',
    told: null,
    isOver: false,
    send,
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

function parsePageMessage(text: string): PageMessage | number {
  try {
    const { data } = pageMessage.safeParse(JSON.parse(text))
    return data ?? closings.refused
  } catch {
    return closings.notJson
  }
}

/** Runs what is given one after the other; a failure is reported, and the next one runs. */
function serialQueue(failed: (error: unknown) => void) {
  let last = Promise.resolve()
  let waiting = 0
  return {
    waiting: () => waiting,
    run(next: () => Promise<void>): Promise<void> {
      waiting++
      last = last
        .then(next)
        .catch(failed)
        .finally(() => waiting--)
      return last
    },
  }
}

/** So many at once, and so many each second; false when that is used up. */
function tokenBucket(most: number, eachSecond: number) {
  let left = most
  let at = performance.now()
  return () => {
    const now = performance.now()
    left = Math.min(most, left + ((now - at) / 1_000) * eachSecond)
    at = now
    if (left < 1) return false
    left--
    return true
  }
}

type Answers = {
  [Type in PageMessage['type']]: (
    to: { db: Db; env: Env; member: Member },
    said: Extract<PageMessage, { type: Type }>,
    now: Date,
  ) => unknown
}

const answers: Answers = {
  ping: ({ member }, { at }) => member.send({ type: 'pong', at }),
  join: async ({ db, member }, { media, page }, now) => {
    // A socket is one page's, which sits down once.
    if (member.sitting) return showMedia(db, member.connection, media)
    member.sitting = await join(db, member, { page, media, connection: member.connection }, now)
  },
  media: ({ db, member }, { media }) => showMedia(db, member.connection, media),
  signal: ({ db, member }, { signal, to }) => sendSignal(db, member, to, signal),
  chat: async ({ db, member }, line) => {
    const known = await addChatLine(db, member, line)
    // Its page sent it again because it got no acknowledgement.
    if (known) member.send({ type: 'chat', lines: [known] })
  },
  ice: ({ env, member }, _said, now) => sendServers(env, member, now),
  leave: async ({ db, member }, _said, now) => {
    await leaveRoom(db, member, member.connection, 'left', now)
    member.end('left')
  },
}

/** Does what a page asks, if it may still be in the room; otherwise says why not and ends it. */
async function answer(db: Db, env: Env, member: Member, said: PageMessage, now: Date): Promise<void> {
  const access = await accessOf(db, member.appointmentId, [member.sessionId], now)
  const { because } = access(member.sessionId)
  if (because) return evict(db, member, because, now)
  const run = answers[said.type] as (
    to: { db: Db; env: Env; member: Member },
    said: PageMessage,
    now: Date,
  ) => unknown
  await run({ db, env, member }, said, now)
}

/** The servers by which this page finds a way to the other one. */
const sendServers = (env: Env, { appointmentId, send, sitting }: Member, now: Date) =>
  send({ type: 'ice', ...iceServersFor(env, sitting ?? appointmentId, now) })

/**
 * The servers a page looks for a way through, with a relay's credentials that end by themselves. `who` stands in the
 * relay's log, so it names no person: the sitting or the appointment.
 */
export function iceServersFor({ ice }: Pick<Env, 'ice'>, who: string, now: Date) {
  const { relay, relayOnly, stun } = ice
  const servers: IceServer[] = stun.length > 0 ? [{ urls: stun }] : []
  const expiresAt = relay && new Date(now.getTime() + relay.ttlMinutes * 60_000)
  if (relay && expiresAt) servers.push({ urls: relay.urls, ...credentials(relay.secret, who, expiresAt) })
  return { servers, relayOnly, expiresAt: expiresAt?.toISOString() ?? null } satisfies Ice
}

type Ice = Omit<Extract<ServerMessage, { type: 'ice' }>, 'type'>

/** As coturn's use-auth-secret checks them (draft-uberti-behave-turn-rest-00): the relay knows the secret, and no person's account. */
function credentials(secret: string, who: string, expiresAt: Date) {
  const username = `${epochSeconds(expiresAt)}:${who}`
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') }
}

/** A description of two browsers' media is the longest thing said. */
const mostBytes = 64 * 1024

/** A person has a tab or two of a call open; each lost connection may linger for some seconds. */
const mostOfAPerson = 10

/** Asked so often whether it is there, a socket that does not answer until the next time is gone, in milliseconds. */
const ASK_EVERY = 5_000

/** A restart, in sockets' own numbers: pages come back by themselves. */
const RESTARTS = 1012

const pathOf = new RegExp(`^${socketPath('([^/?]+)')}(?:\\?|$)`)

/** What calls need of the environment. */
type Env = {
  baseUrl: string
  allowedOrigins: readonly string[]
  anyHost: boolean
  REQUIRE_2FA: boolean
  ice: {
    stun: string[]
    relay: { urls: string[]; secret: string; ttlMinutes: number } | null
    relayOnly: boolean
  }
}
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
    ws.on('error', (err) => log.debug({ err }, 'call socket error'))
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
      log.info({ appointment: appointmentId, actor: userId, side, code }, 'call socket closed'),
    )
  }
  return {
    /** Whether this is the address of a call's socket; everything else is an ordinary request. */
    takes: ({ url }: Pick<IncomingMessage, 'url'>) => pathOf.test(url ?? ''),
    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      const https = deps.env.baseUrl.startsWith('https:')
      socket.on('error', () => socket.destroy())
      try {
        const found = await whoAsks(deps, request)
        if (!found) return refuse(socket, https, '404 Not Found', 'No existe.')
        if (stopping) return refuse(socket, https, '503 Service Unavailable', 'Un momento.')
        if (countOf(found.userId) >= mostOfAPerson)
          return refuse(socket, https, '429 Too Many Requests', 'Hay demasiadas ventanas abiertas.')
        server.handleUpgrade(request, socket, head, (ws) => accept(ws, found))
      } catch (err) {
        log.warn({ err }, 'call waiting for the database')
        refuse(socket, https, '503 Service Unavailable', 'Un momento.')
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

type Found = Extract<RoomAccess, { side: unknown }> & { appointmentId: string; sessionId: string }

/** Whose page asks, when it is a page of ours of a person whose call it is; null for everybody else alike. */
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
function refuse(socket: Duplex, https: boolean, status: string, words: string) {
  const head = [
    `HTTP/1.1 ${status}`,
    'connection: close',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(words)}`,
    ...Object.entries(bareHeaders(https)).map((pair) => pair.join(': ')),
  ]
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${words}`)
}

/**
 * How often each process records which analysts have a screen open, in milliseconds; an entry older than two intervals
 * is ignored.
 */
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
    () => note().catch((err) => log.warn({ err }, 'presence update waiting for the database')),
    every,
  )
  timer.unref()
  return () => clearInterval(timer)
}

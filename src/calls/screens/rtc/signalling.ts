import { CLOSED_FOR_GOOD, type ServerMessage } from '../../rules/protocol.ts'
import type { PageMessage } from '../../rules/schema.ts'
import type { CallState } from './call-state.ts'

type Listener = {
  link: (link: CallState['link']) => void
  /** A new socket is open: nothing was sent on it yet. */
  opened: () => void
  message: (message: ServerMessage) => void
  /** The server closed it, not to be opened again. */
  closedForGood: () => void
}

/** How often the server is pinged, how long it has to answer, and how long for a new socket; milliseconds. */
const every = 4_000
const patience = 5_000

const first = 500
const longest = 5_000
/** How long to wait before a lost socket is opened again: not at all, 0.5 s, 1 s … 5 s. */
export const reconnectWait = (tries: number): number =>
  tries === 0 ? 0 : Math.min(first * 2 ** (tries - 1), longest)

/** The socket of a call. It is opened again whenever it is lost, and pinged, since a dead socket gives no sign. */
export function createSignalling(path: string, listener: Listener) {
  let socket: WebSocket | null = null
  let tries = 0
  let later: ReturnType<typeof setTimeout> | undefined
  let beat: ReturnType<typeof setInterval> | undefined
  const pings = createPings()

  function connect() {
    drop()
    const mine = new WebSocket(addressOf(path))
    socket = mine
    later = setTimeout(lost, patience)
    mine.onopen = () => {
      clearTimeout(later)
      beat = setInterval(check, every)
      listener.link('open')
      listener.opened()
    }
    mine.onmessage = ({ data }) => hear(JSON.parse(String(data)))
    mine.onclose = ({ code }) => (code === CLOSED_FOR_GOOD ? gone() : lost())
  }
  function hear(message: ServerMessage) {
    // Only now: a server that accepts sockets and drops them at once is not retried without pause.
    tries = 0
    if (message.type === 'pong') pings.answered(message.at)
    else listener.message(message)
  }
  function lost() {
    drop()
    listener.link('lost')
    // Jitter, so that pages don't all reconnect at the same moment when a server comes back.
    later = setTimeout(connect, reconnectWait(tries) * (0.5 + Math.random() / 2))
    tries += 1
  }
  function gone() {
    stop()
    listener.closedForGood()
  }
  function drop() {
    clearTimeout(later)
    clearInterval(beat)
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
    socket = null
  }
  const isOpen = () => socket?.readyState === WebSocket.OPEN
  /** False when it could not be sent. */
  function send(message: PageMessage): boolean {
    if (!isOpen()) return false
    socket?.send(JSON.stringify(message))
    return true
  }
  const ping = () => pings.ask((at) => send({ type: 'ping', at }))
  function check() {
    const asked = socket
    ping().catch(() => socket === asked && lost())
  }
  /** The network, or the user, came back: no reason to wait any longer. */
  function nudge() {
    if (isOpen()) return check()
    if (socket?.readyState === WebSocket.CONNECTING) return
    tries = 0
    connect()
  }
  const look = () => document.visibilityState === 'visible' && nudge()
  function open() {
    connect()
    window.addEventListener('online', nudge)
    window.addEventListener('offline', check)
    window.addEventListener('pageshow', look)
    document.addEventListener('visibilitychange', look)
  }
  function stop() {
    window.removeEventListener('online', nudge)
    window.removeEventListener('offline', check)
    window.removeEventListener('pageshow', look)
    document.removeEventListener('visibilitychange', look)
    drop()
  }
  /** Sends one last message, for which the server closes the socket: closed from here, it might not arrive. */
  function closeWith(message: PageMessage) {
    const mine = socket
    if (!mine || !send(message)) return stop()
    socket = null
    stop()
    mine.onopen = mine.onmessage = mine.onclose = null
    setTimeout(() => mine.close(), patience)
  }
  return { open, send, ping, close: stop, closeWith }
}

function addressOf(path: string): URL {
  const url = new URL(path, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url
}

/** Pings that wait for their answer, by the moment that each carries. */
function createPings() {
  const waiting = new Map<number, () => void>()
  let last = 0
  const ask = (send: (at: number) => boolean) =>
    new Promise<number>((resolve, reject) => {
      const start = performance.now()
      const at = Math.max(Date.now(), last + 1)
      last = at
      if (!send(at)) return reject(new Error('the socket is not open'))
      const timer = setTimeout(() => {
        waiting.delete(at)
        reject(new Error('no answer'))
      }, patience)
      waiting.set(at, () => {
        clearTimeout(timer)
        resolve(performance.now() - start)
      })
    })
  const answered = (at: number) => {
    waiting.get(at)?.()
    waiting.delete(at)
  }
  return { ask, answered }
}

import { once } from 'node:events'
import { createConnection, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** What becomes of the bytes between a server and its database. */
export type Weather =
  | { kind: 'fair' }
  /** Nobody is let in, and who was in is thrown out. */
  | { kind: 'closed' }
  /** Nothing arrives any more, and nobody is told. */
  | { kind: 'silent' }
  /** Each answer comes so many milliseconds later. */
  | { kind: 'slow'; ms: number }
  /** Each connection breaks after so many more pieces from the database. */
  | { kind: 'cutting'; after: number }

/** A way to a database whose weather can be changed; listens on a port of this machine. */
export async function openProxy(target: NetConnectOpts) {
  let weather: Weather = { kind: 'fair' }
  const pairs = new Set<[Socket, Socket]>()
  const server = createServer((near) => {
    if (weather.kind === 'closed') return near.on('error', () => undefined).resetAndDestroy()
    const far = createConnection(target)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      for (const one of pair) one.destroy()
    }
    for (const one of pair) one.on('error', end).on('close', end)
    carry(near, far, () => weather)
    answer(far, near, () => weather)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    /** Changes the weather; what was held back goes on when it is fair again. */
    turn(next: Weather) {
      weather = next
      if (next.kind === 'closed') for (const [near] of pairs) near.resetAndDestroy()
      if (next.kind !== 'silent') for (const pair of pairs) for (const one of pair) one.resume()
    },
    /** Breaks every open connection at once. */
    reset() {
      for (const [near] of pairs) near.resetAndDestroy()
    },
    async close() {
      for (const pair of pairs) for (const one of pair) one.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function carry(from: Socket, to: Socket, weather: () => Weather) {
  from.on('data', (piece: Buffer) => {
    if (weather().kind === 'silent') hold(from, piece)
    else if (to.writable) to.write(piece)
  })
}

function answer(from: Socket, to: Socket, weather: () => Weather) {
  let pieces = 0
  from.on('data', (piece: Buffer) => {
    const now = weather()
    if (now.kind === 'silent') hold(from, piece)
    else if (now.kind === 'slow') setTimeout(() => to.writable && to.write(piece), now.ms)
    else if (now.kind === 'cutting' && ++pieces > now.after) to.resetAndDestroy()
    else if (to.writable) to.write(piece)
  })
}

function hold(from: Socket, piece: Buffer) {
  from.pause()
  from.unshift(piece)
}

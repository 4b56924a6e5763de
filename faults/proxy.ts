import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** What becomes of the bytes between a server and its database. */
export type Weather =
  | { kind: 'fair' }
  /** Nobody is let in, and who was in is thrown out. */
  | { kind: 'closed' }
  /** Nothing arrives any more, and nobody is told. */
  | { kind: 'silent' }
  /** Each piece comes so many milliseconds later. */
  | { kind: 'slow'; ms: number }
  /** Each connection breaks after so many more pieces from the database. */
  | { kind: 'cutting'; after: number }

/** A way to a database whose weather can be changed; listens on a port of this machine. */
export async function openProxy(target: NetConnectOpts) {
  let weather: Weather = { kind: 'fair' }
  /** The database's end by the other one. */
  const pairs = new Map<Socket, Socket>()
  const server = createServer((near) => {
    if (weather.kind === 'closed') return near.on('error', () => undefined).resetAndDestroy()
    const far = createConnection(target)
    pairs.set(near, far)
    const end = () => {
      pairs.delete(near)
      near.destroy()
      far.destroy()
    }
    for (const one of [near, far]) one.on('error', end).on('close', end)
    let answers = 0
    carry(near, far, () => undefined)
    carry(far, near, () => {
      if (weather.kind === 'cutting' && ++answers > weather.after) near.resetAndDestroy()
    })
  })
  function carry(from: Socket, to: Socket, look: () => void) {
    from.on('data', (piece: Buffer) => {
      look()
      const pass = () => to.writable && to.write(piece)
      if (weather.kind === 'silent') {
        from.pause()
        from.unshift(piece)
      } else if (weather.kind === 'slow') setTimeout(pass, weather.ms)
      else pass()
    })
  }
  const reset = () => {
    for (const near of pairs.keys()) near.resetAndDestroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Changes the weather; what was held back goes on when it is fair again. */
    turn(next: Weather) {
      weather = next
      if (next.kind === 'closed') reset()
      if (next.kind !== 'silent') for (const pair of pairs) for (const one of pair) one.resume()
    },
    /** Breaks every open connection at once. */
    reset,
    async close() {
      reset()
      server.close()
      await once(server, 'close')
    },
  }
}

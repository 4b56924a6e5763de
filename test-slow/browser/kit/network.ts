import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Page } from '@playwright/test'

/**
 * A network between a browser and a server at `port`: what is said through it while it is lost waits, unanswered, as on a
 * dead line. The browser is to go to the answered origin; port 0 is any that is free.
 */
export async function startNetwork(port: number, to: number) {
  const sockets = new Set<Socket>()
  let isLost = false
  let breaksAfter = Number.POSITIVE_INFINITY
  const keep = (socket: Socket) => {
    sockets.add(socket)
    if (isLost) socket.pause()
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  const server = createServer((from) => {
    const there = connect(to, '127.0.0.1')
    let sent = 0
    from.on('data', (data) => {
      sent += data.length
      // What was sent is read there first.
      if (sent < breaksAfter) return
      from.pause()
      setTimeout(() => from.destroy(), 2_000)
    })
    for (const [socket, other] of [
      [from, there],
      [there, from],
    ] as const) {
      keep(socket)
      socket.on('data', (data) => other.write(data)).on('close', () => other.destroy())
    }
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** Breaks each connection that has sent so many bytes. */
    breakAfter(bytes: number) {
      breaksAfter = bytes
    },
    lose() {
      isLost = true
      for (const socket of sockets) socket.pause()
    },
    find() {
      isLost = false
      for (const socket of sockets) socket.resume()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const full = {
  offline: false,
  latency: 1,
  downloadThroughput: 1e8,
  uploadThroughput: 1e8,
  packetQueueLength: 1_000,
}

/**
 * A page whose media can be lost. Chromium lets that happen to connections made after it was told of some condition, so
 * this comes before the call.
 */
export async function losable(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const losing = (packetLoss: number) =>
    session.send('Network.emulateNetworkConditions', { ...full, packetLoss })
  await losing(0.001)
  return { lose: () => losing(100), find: () => losing(0.001) }
}

import { createConnection } from 'node:net'
import { addCustomers } from '../bench/crowd.ts'
import { memoryOf } from '../bench/stack.ts'
import { type Fault, pause, seconds } from './outcome.ts'
import { openEmbedded } from './server.ts'
import { ask } from './work.ts'

const clients = 500
const mostGrowth = 150

/** Says the beginning, then a byte a second; counts how many are let go. */
function dripping(port: number, count: number, head: string) {
  let closed = 0
  const sockets = Array.from({ length: count }, () => {
    const socket = createConnection(port, '127.0.0.1')
    socket
      .on('error', () => undefined)
      .on('close', () => closed++)
      .resume()
    socket.write(head)
    const drip = setInterval(() => (socket.writable ? socket.write('a') : clearInterval(drip)), 1_000)
    socket.on('close', () => clearInterval(drip))
    return socket
  })
  return {
    closed: () => closed,
    end: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Heads and bodies that come a byte a second, beside somebody who just wants their page. */
export const slowClients: Fault = async () => {
  const server = await openEmbedded({ supervised: false })
  try {
    const [customer] = await addCustomers(server.pool, 1)
    const page = () => ask(`${server.origin}/technics-visit`, customer!.cookie)
    await page()
    const { port } = new URL(server.origin)
    const before = memoryOf(server.child)
    const heads = dripping(Number(port), clients, 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
    const bodies = dripping(
      Number(port),
      clients,
      `POST /signin HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: ${server.origin}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 500000\r\n\r\n`,
    )
    await pause(5_000)
    const meanwhile = await page()
    await pause(20_000)
    const growth = memoryOf(server.child) - before
    const gone = heads.closed()
    for (const one of [heads, bodies]) one.end()
    return [
      {
        fault: 'slow clients',
        done: `${clients} heads and ${clients} bodies at a byte a second`,
        expected: `heads are let go within 20 s (bodies within 180 s: a photo over a poor network is one), others are served, memory grows < ${mostGrowth} MB`,
        measured: `${gone} of ${clients} heads let go after 25 s; a page meanwhile: ${meanwhile.status} in ${seconds(meanwhile.ms)}; ${growth} MB more`,
        ok: gone === clients && meanwhile.status === 200 && growth < mostGrowth,
      },
    ]
  } finally {
    await server.close()
  }
}

import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { addCustomers } from '../bench/crowd.ts'
import { memoryOf } from '../bench/stack.ts'
import { type Fault, pause, seconds } from './outcome.ts'
import { openEmbedded } from './server.ts'
import { ask } from './work.ts'

const wanted = 10_000
const people = 500
const mostKb = 60

/** Opens one stream from one of this machine's own addresses: from a single one the ports would run out. */
async function openStream(port: number, cookie: string, n: number): Promise<Socket> {
  const socket = createConnection({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (n % 8)}` })
  socket.on('error', () => undefined)
  socket.write(`GET /live HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`)
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.resume()
  return socket
}

/** As many screens as one city has open, none of which does anything. */
export const streams: Fault = async () => {
  const server = await openEmbedded({ supervised: false })
  const open: Socket[] = []
  try {
    const customers = await addCustomers(server.pool, people)
    const port = Number(new URL(server.origin).port)
    await ask(`${server.origin}/technics-visit`, customers[0]!.cookie)
    await pause(2_000)
    const before = memoryOf(server.child)
    for (let n = 0; n < wanted; n += 100)
      open.push(
        ...(await Promise.all(
          Array.from({ length: 100 }, (_, more) =>
            openStream(port, customers[(n + more) % people]!.cookie, n + more),
          ),
        )),
      )
    await pause(25_000)
    const living = open.filter(({ destroyed }) => !destroyed).length
    const growth = memoryOf(server.child) - before
    const page = await ask(`${server.origin}/technics-visit`, customers[1]!.cookie)
    const each = Math.round((growth * 1024) / wanted)
    return {
      fault: 'idle streams',
      done: `${wanted} /live streams of ${people} people`,
      expected: `all stay open past a beat, a page is served within 2 s, < ${mostKb} kB each`,
      measured: `${living} open; ${growth} MB more (${before} before): ${each} kB each; a page meanwhile: ${page.status} in ${seconds(page.ms)}`,
      ok: living === wanted && page.status === 200 && page.ms < 2_000 && each < mostKb,
    }
  } finally {
    for (const socket of open) socket.destroy()
    await server.close()
  }
}

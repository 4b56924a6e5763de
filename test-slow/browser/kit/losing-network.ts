import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it went by. */
type Passed = { method: string; path: string; headers: IncomingMessage['headers']; body: Buffer }

/**
 * A way to the server at `to` that may lose an answer: the server has done what it was asked, and whoever asked does not
 * hear of it. It remembers what a phone sent, and can send all of it once more.
 */
export async function startLosingNetwork(to: number) {
  const passed: Passed[] = []
  let toLose = 0
  const lost: string[] = []
  const server = createServer(async (from, answer) => {
    const body = Buffer.concat(await Array.fromAsync(from))
    const one = { method: from.method!, path: from.url!, headers: from.headers, body }
    const isChange = from.method !== 'GET' && from.url?.startsWith('/onsite/')
    if (isChange) passed.push(one)
    const heard = await pass(to, one)
    if (isChange && lost.length < toLose) {
      lost.push(one.path)
      return answer.destroy()
    }
    hand(heard, answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    passed,
    lost,
    /** Loses the answers to so many of the changes that come next. */
    lose(count: number) {
      toLose = lost.length + count
    },
    /** Sends every change once more, to the letter; answers the statuses. */
    async again() {
      const statuses: number[] = []
      for (const one of [...passed]) {
        const heard = await pass(to, one)
        heard.resume()
        statuses.push(heard.statusCode ?? 0)
      }
      return statuses
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function pass(to: number, { body, headers, method, path }: Passed): Promise<IncomingMessage> {
  const there = request({ host: '127.0.0.1', port: to, method, path, headers })
  there.end(body)
  const [heard] = (await once(there, 'response')) as [IncomingMessage]
  return heard
}

function hand(heard: IncomingMessage, answer: ServerResponse) {
  answer.writeHead(heard.statusCode ?? 502, heard.headers)
  heard.pipe(answer)
  // A stream of news lasts as long as its page.
  answer.on('close', () => heard.destroy())
}

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One message as it came. */
export type Received = { headers: Record<string, string>; body: string }
/** What is answered to a message: a status, nothing at all, a cut line, a redirection, another protocol, or an answer without an end. */
export type Reply = number | 'silent' | 'cut' | 'endless' | 'switches' | { leadsTo: string }

/** The server of a dealership: it keeps what it is sent, and answers 204 unless told otherwise, once for each reply. */
export async function openListener() {
  const requests: Received[] = []
  const replies: Reply[] = []
  const server = createServer(async (request, response) => {
    requests.push({ headers: request.headers as Record<string, string>, body: await textOf(request) })
    const reply = replies.shift() ?? 204
    if (reply === 'silent') return
    if (reply === 'cut') return void response.destroy()
    if (reply === 'switches')
      return void request.socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      )
    if (reply === 'endless') return void endless(response)
    if (typeof reply === 'object') return void response.writeHead(307, { location: reply.leadsTo }).end()
    response.writeHead(reply).end('sí')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    requests,
    replies,
    port,
    url: `http://127.0.0.1:${port}/avisos`,
    close: () => new Promise((closed) => server.closeAllConnections() ?? server.close(closed)),
  }
}

export type Listener = Awaited<ReturnType<typeof openListener>>

function endless(response: import('node:http').ServerResponse) {
  response.writeHead(200)
  const more = () => {
    if (response.destroyed) return
    response.write('x'.repeat(16 * 1024), () => setImmediate(more))
  }
  more()
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

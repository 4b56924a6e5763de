import { once } from 'node:events'
import http from 'node:http'

type Upstream = { origin: string; up: boolean; agent: http.Agent }

/**
 * What stands in front of several web processes: keeps connections to them, asks each for /readyz, and gives requests in
 * turn to those that said yes. It tries nothing twice: whatever a process fails at is someone's failed request.
 */
export async function openProxy(origins: readonly string[], everyMs: number) {
  const upstreams = origins.map(
    (origin): Upstream => ({
      origin,
      up: true,
      agent: new http.Agent({ keepAlive: true, maxSockets: 64 }),
    }),
  )
  let turn = 0
  const next = () => {
    const up = upstreams.filter((one) => one.up)
    return up[turn++ % up.length]
  }
  const look = (upstream: Upstream) =>
    fetch(`${upstream.origin}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      async (answer) => {
        await answer.arrayBuffer()
        upstream.up = answer.ok
      },
      () => {
        upstream.up = false
      },
    )
  const looks = setInterval(() => upstreams.forEach(look), everyMs)
  const proxy = http
    .createServer((request, response) => {
      const upstream = next()
      if (!upstream) return response.writeHead(502).end('no process is up')
      const { agent, origin } = upstream
      const { hostname, port } = new URL(origin)
      const { method, headers, url: path } = request
      const asked = http.request({ agent, hostname, port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      asked.once('error', ({ message }) => response.writeHead(502).end(`${origin}: ${message}`))
      return request.pipe(asked)
    })
    .listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  return {
    origin: `http://localhost:${typeof address === 'object' && address ? address.port : 0}`,
    /** Whether all of them were ready when they were last asked. */
    allUp: () => upstreams.every(({ up }) => up),
    close() {
      clearInterval(looks)
      proxy.closeAllConnections()
      proxy.close()
      for (const { agent } of upstreams) agent.destroy()
    },
  }
}

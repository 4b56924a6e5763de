import http from 'node:http'

/** `plain` asks for the answer without compression. */
export type Ask = {
  path: string
  cookie?: string
  form?: Record<string, string>
  plain?: boolean
  headers?: Record<string, string>
}
export type Answer = {
  status: number
  ms: number
  bytes: number
  body: Buffer
  headers: http.IncomingHttpHeaders
}
export type Figures = {
  perSecond: number
  p50: number
  p95: number
  p99: number
  max: number
  statuses: Record<string, number>
}

/** A browser's connections to one server: kept alive, never more than so many. */
export function connect({ origin }: { origin: string }, connections: number) {
  const { hostname, port, host } = new URL(origin)
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const ask = ({ path, cookie, form, plain, headers: more }: Ask): Promise<Answer> => {
    const body = form && new URLSearchParams(form).toString()
    const headers = {
      host,
      'accept-encoding': plain ? 'identity' : 'gzip, deflate, br, zstd',
      ...(cookie && { cookie }),
      ...(body && {
        origin,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': body.length,
      }),
      ...more,
    }
    const started = performance.now()
    return new Promise((resolve, reject) => {
      const request = http.request({ agent, hostname, port, path, headers, method: body ? 'POST' : 'GET' })
      request.once('error', reject)
      request.once('response', (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.once('error', reject)
        response.once('end', () => {
          const content = Buffer.concat(parts)
          const ms = performance.now() - started
          const { statusCode: status = 0, headers: given } = response
          resolve({ status, ms, bytes: content.length, body: content, headers: given })
        })
      })
      request.end(body)
    })
  }
  return { ask, connections, close: () => agent.destroy() }
}

export type Client = ReturnType<typeof connect>

/** Each connection asks again as soon as it was answered, until there is nothing more to ask. */
export async function press(
  client: Client,
  next: () => Ask | undefined,
): Promise<Figures & { all: Answer[] }> {
  const all: Answer[] = []
  const started = performance.now()
  const one = async () => {
    for (let wanted = next(); wanted; wanted = next()) all.push(await client.ask(wanted))
  }
  await Promise.all(Array.from({ length: client.connections }, one))
  return { ...figuresOf(all, performance.now() - started), all }
}

/** What so many answers within so many milliseconds amount to. */
export function figuresOf(all: readonly Answer[], elapsed: number): Figures {
  const times = all.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => hundredth(times[Math.ceil(times.length * share) - 1] ?? 0)
  const statuses: Record<string, number> = {}
  for (const { status } of all) statuses[status] = (statuses[status] ?? 0) + 1
  return {
    perSecond: Math.round((all.length / elapsed) * 1000),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
    statuses,
  }
}

export const hundredth = (value: number) => Math.round(value * 100) / 100

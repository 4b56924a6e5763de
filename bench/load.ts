import http from 'node:http'
import { sized } from './report.ts'

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
  answers: number
  perSecond: number
  p50: number
  p95: number
  p99: number
  max: number
  /** What the server's own process computed for each, in milliseconds. */
  cpuMs: number
  bytes: number
  statuses: Record<string, number>
}

type Server = { origin: string; cpu?: () => number }

/** A browser's connections to one server: kept alive, never more than so many. */
export function connect({ origin, cpu = () => 0 }: Server, connections: number) {
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
  return { ask, connections, cpu, close: () => agent.destroy() }
}

export type Client = ReturnType<typeof connect>

/** Each connection asks again as soon as it was answered, until there is nothing more to ask. */
export async function press(
  client: Client,
  next: () => Ask | undefined,
): Promise<Figures & { all: Answer[] }> {
  const all: Answer[] = []
  const [started, computed] = [performance.now(), client.cpu()]
  const one = async () => {
    for (let wanted = next(); wanted; wanted = next()) all.push(await client.ask(wanted))
  }
  await Promise.all(Array.from({ length: client.connections }, one))
  const figures = figuresOf(all, performance.now() - started)
  return { ...figures, cpuMs: hundredth((client.cpu() - computed) / all.length), all }
}

/** The same question for some seconds, after some that are not counted; for a twentieth of both in a short run. */
export async function pressFor(client: Client, wanted: Ask, seconds: number, warm = 2): Promise<Figures> {
  const until = (end: number) => () => (performance.now() < end ? wanted : undefined)
  const second = sized(1000, 50)
  await press(client, until(performance.now() + warm * second))
  const { all, ...figures } = await press(client, until(performance.now() + seconds * second))
  return figures
}

/** What so many answers within so many milliseconds amount to. */
export function figuresOf(all: readonly Answer[], elapsed: number): Figures {
  const times = all.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) =>
    tenth(times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)] ?? 0)
  const statuses: Record<string, number> = {}
  for (const { status } of all) statuses[status] = (statuses[status] ?? 0) + 1
  return {
    answers: all.length,
    perSecond: Math.round((all.length / elapsed) * 1000),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
    cpuMs: 0,
    bytes: all[0]?.bytes ?? 0,
    statuses,
  }
}

const tenth = (value: number) => Math.round(value * 10) / 10
export const hundredth = (value: number) => Math.round(value * 100) / 100

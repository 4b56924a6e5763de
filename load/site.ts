import { readFileSync } from 'node:fs'
import pg from 'pg'
import { openListeners } from '../bench/listeners.ts'
import { connect } from '../bench/load.ts'
import { openStack } from '../bench/stack.ts'
import { arrivals, drive, type Mark, sendOne } from './drive.ts'
import { makeFixture } from './fixture.ts'
import { type MixName, nextOf } from './mix.ts'

/** One run: what became of each request, megabytes second by second, and how many processors each part used. */
export type Run = { marks: Mark[]; memory: number[]; seconds: number; cores: Record<string, number> }
export type Site = Awaited<ReturnType<typeof openSite>>
type Size = { appointments: number; bookers: number }

/** Milliseconds between two refreshes of a screen, as in the browser (kit/live.ts). */
const refresh = 300
/** Customers whose pages stay open. */
const listening = 200

/** The built application over a fixture of that size, in so many web processes; and people who ask it, in this process. */
export async function openSite(size: Size, setup: { processes: number; replica: boolean }) {
  // Each sign-in comes from another network, as a proxy would tell.
  const environment = { TRUST_PROXY: 'true', LOG_LEVEL: 'error' }
  const stack = await openStack({ shared_buffers: '512MB' }, { environment, ...setup })
  try {
    const everyone = await makeFixture(stack.pool, size.appointments, size.bookers)
    const { ask } = connect(stack, Number.POSITIVE_INFINITY)
    /** The run under way, which what the open screens ask counts to. */
    let current: { started: number; marks: Mark[] } | undefined
    const waiting = new Set<number>()
    await openListeners(stack.origin, everyone.desk, (n) => {
      if (waiting.has(n)) return
      waiting.add(n)
      setTimeout(() => {
        waiting.delete(n)
        const again = {
          kind: 'live',
          path: '/admin/appointments-pending.data',
          cookie: everyone.desk[n]!,
          good: 200,
        }
        if (current) void sendOne(ask, again, current.marks, current.started)
      }, refresh)
    })
    await openListeners(stack.origin, everyone.customer.slice(0, listening))
    const secondsOf = await processorTime(stack)
    /** Bookings that were told yes, and those that never heard. */
    const books = { accepted: 0, unknown: 0 }
    const run = async (mix: MixName, rate: number, seconds: number): Promise<Run> => {
      const marks: Mark[] = []
      const started = performance.now()
      const before = secondsOf()
      const memory: number[] = []
      const timer = setInterval(() => memory.push(usageOf(stack.pid!).megabytes), 1000)
      if (mix === 'usual') current = { started, marks }
      await drive(ask, arrivals(rate, seconds), () => nextOf(mix, everyone), marks)
      current = undefined
      clearInterval(timer)
      const elapsed = (performance.now() - started) / 1000
      const cores = Object.entries(secondsOf()).map(([part, used]) => [
        part,
        tenth((used - before[part]!) / elapsed),
      ])
      for (const { kind, outcome, status } of marks)
        if (kind === 'booking' && outcome === 'answered') books.accepted++
        else if (kind === 'booking' && status === 0) books.unknown++
      return { marks, memory, seconds, cores: Object.fromEntries(cores) }
    }
    return { pool: stack.pool, run, books, close: stack.close }
  } catch (error) {
    await stack.close()
    throw error
  }
}

export const tenth = (value: number) => Math.round(value * 10) / 10

/** Seconds of processor that each part has used so far. */
async function processorTime({ connection, pid, replica }: Awaited<ReturnType<typeof openStack>>) {
  const database = await postmasterOf(connection)
  const second = replica && (await postmasterOf(replica))
  return (): Record<string, number> => {
    const { system, user } = process.cpuUsage()
    return {
      web: usageOf(pid!).seconds,
      database: usageOf(database).seconds,
      replica: second ? usageOf(second).seconds : 0,
      generator: (system + user) / 1e6,
    }
  }
}

async function postmasterOf(connection: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ file: string }>(`select pg_read_file('postmaster.pid') as file`)
  await client.end()
  return Number.parseInt(rows[0]!.file, 10)
}

/** What a process has used of the processors, with its children and those of them that ended; and what they hold now. */
function usageOf(pid: number) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const sum = { seconds: 0, megabytes: 0 }
  for (const one of [pid, ...children]) {
    const [, line = ''] = statOf(one).split(') ')
    const fields = line.split(' ').map(Number)
    for (const ticks of fields.slice(11, 15)) sum.seconds += ticks / 100
    sum.megabytes += Math.round(((fields[21] ?? 0) * 4096) / 2 ** 20)
  }
  return sum
}

function statOf(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // It has just ended.
    return ''
  }
}

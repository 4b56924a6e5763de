import pg from 'pg'
import { openStack } from '../bench/stack.ts'
import { type Generator, openGenerator } from './crew.ts'
import type { Mark } from './drive.ts'
import { bookingKind, type MixName } from './mix.ts'
import { cpuOfTree, machine, parentOf, watchMemory } from './watch.ts'
import { type House, makeWorld } from './world.ts'

/** One run: what became of each request, the memory second by second, and how many processors each part used. */
export type Run = {
  marks: Mark[]
  memory: number[]
  seconds: number
  cores: Record<keyof Parts | 'others', number>
}

export type Site = Awaited<ReturnType<typeof openSite>>

/** The built application over a house of its own, in so many web processes, with a replica or without; and somebody who asks it. */
export async function openSite(house: House, setup: { processes: number; replica: boolean }) {
  // Each sign-in comes from another network, as a proxy would tell.
  const environment = { TRUST_PROXY: 'true', LOG_LEVEL: 'error' }
  const stack = await openStack({ shared_buffers: '512MB' }, { environment, ...setup })
  let generator: Generator | undefined
  const close = async () => {
    generator?.close()
    await stack.close()
  }
  try {
    const { cast, listening } = await makeWorld(stack.pool, house)
    const database = await postmasterOf(stack.connection)
    const replica = stack.replica && (await postmasterOf(stack.replica))
    generator = openGenerator()
    await generator.order({ what: 'meet', origin: stack.origin, cast, listening })
    const parts = { web: stack.pid!, database, replica, generator: generator.pid }
    const run = runner(generator, parts)
    const books = { accepted: 0, unknown: 0 }
    return {
      pool: stack.pool,
      async run(...wishes: Parameters<typeof run>): Promise<Run> {
        const done = await run(...wishes)
        for (const { kind, outcome, status } of done.marks)
          if (kind === bookingKind && outcome === 'answered') books.accepted++
          else if (kind === bookingKind && status === 0) books.unknown++
        return done
      },
      /** Bookings so far: those that were told yes, and those that never heard. */
      booked: () => books,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Its own connection's server process was started by it. */
async function postmasterOf(connection: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = parentOf(rows[0]!.pid)
  await client.end()
  return postmaster
}

type Parts = Record<'web' | 'database' | 'generator', number> & { replica: number | undefined }

function runner(generator: Generator, parts: Parts) {
  const used = () => ({
    web: cpuOfTree(parts.web),
    database: cpuOfTree(parts.database),
    replica: parts.replica === undefined ? 0 : cpuOfTree(parts.replica),
    generator: cpuOfTree(parts.generator),
    others: machine().used,
  })
  return async (mix: MixName, rate: number, seconds: number): Promise<Run> => {
    const [before, started, memory] = [used(), performance.now(), watchMemory(parts.web)]
    const marks = await generator.order({ what: 'run', mix, rate, seconds })
    const [after, elapsed] = [used(), (performance.now() - started) / 1000]
    const cores = (part: keyof typeof before) => (after[part] - before[part]) / elapsed
    const ours = {
      web: cores('web'),
      database: cores('database'),
      replica: cores('replica'),
      generator: cores('generator'),
    }
    const others = Math.max(
      0,
      Object.values(ours).reduce((left, part) => left - part, cores('others')),
    )
    return { marks, memory: memory(), seconds, cores: { ...ours, others } }
  }
}

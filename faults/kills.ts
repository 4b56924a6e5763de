import { readFileSync } from 'node:fs'
import path from 'node:path'
import { addCustomers } from '../bench/crowd.ts'
import { type Outcome, on, pause, seconds, until } from './outcome.ts'
import { openEmbedded, postmasterOf } from './server.ts'
import { ask, startWork } from './work.ts'

const answersWithin = 5_000

type Killed = { what: string; cycles: number; victim: (folder: string) => number }

const web: Killed = {
  what: 'web',
  cycles: 8,
  victim: (folder) => Number(readFileSync(path.join(folder, 'app.pid'), 'utf8')),
}
const postgres: Killed = {
  what: 'PostgreSQL',
  cycles: 6,
  victim: postmasterOf,
}

/** Kills a process again and again while people book and pay, and starts nothing itself. */
const killed = ({ cycles, victim, what }: Killed) =>
  on(openEmbedded, async (server) => {
    const [reader] = await addCustomers(server.pool, 1)
    const work = await startWork(server)
    const back: number[] = []
    for (let cycle = 0; cycle < cycles; cycle++) {
      await pause(2_000)
      process.kill(victim(server.folder), 'SIGKILL')
      await pause(20)
      back.push(
        await until(
          async () => (await ask(`${server.origin}/technics-visit`, reader!.cookie)).status === 200,
        ),
      )
    }
    await pause(2_000)
    await work.stop()
    return told(what, cycles, back, work)
  })

async function told(
  what: string,
  cycles: number,
  back: readonly number[],
  { acknowledged, verdict }: Awaited<ReturnType<typeof startWork>>,
): Promise<Outcome> {
  const { doubled, half, lost } = await verdict()
  const [bookings, payments] = [acknowledged.bookings.size, acknowledged.payments.size]
  const longest = Math.max(...back)
  return {
    fault: `kill -9 ${what}`,
    done: `${cycles} times, under bookings and payments by 8 hands`,
    expected: `0 lost, 0 doubled, answers within ${seconds(answersWithin)}, nothing restarted by hand`,
    measured: `${bookings} bookings and ${payments} payments acknowledged: ${lost} lost, ${doubled} doubled, ${half} half-made; back after ${back.map(seconds).join(', ')}`,
    ok: lost + doubled + half === 0 && longest <= answersWithin && Math.min(bookings, payments) > 20,
  }
}

export const killWeb = killed(web)
export const killPostgres = killed(postgres)

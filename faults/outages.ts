import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addCustomers } from '../bench/crowd.ts'
import { failuresOf, sumsOf } from '../load/drive.ts'
import { type Fault, type Outcome, openExternal, openServer, type Server, until } from './server.ts'
import { startWork } from './work.ts'

/** What work may meet: broken connections, refusals with the time to come again, or only good answers. */
type Trouble = 'broken connections' | 'refusals' | 'good answers'

/** Milliseconds that nobody waits longer than, where the server itself goes on. */
const longestWait = 10_000

/** Something happens to a system at which people book and pay; what they were told is then compared with the rows. */
const underWork =
  <Opened extends Server>(
    open: () => Promise<Opened>,
    trouble: Trouble,
    happen: (server: Opened) => Promise<Outcome>,
  ): Fault =>
  async () => {
    const server = await open()
    const work = await startWork(server)
    try {
      await pause(3_000)
      const before = work.marks.length
      const { goal, met, ...measured } = await happen(server)
      await pause(3_000)
      await work.stop()
      const verdict = await work.verdict()
      const { doubled, half, lost } = verdict
      const marks = work.marks.slice(before)
      const { away, failed } = sumsOf(marks)
      const longest = Math.round(Math.max(...marks.map(({ ms }) => ms)))
      const isPlain = failed === 0 && longest <= longestWait && (trouble === 'refusals' || away === 0)
      return {
        ...measured,
        ...verdict,
        longest,
        away,
        failed,
        failures: failuresOf(marks),
        goal: `${goal}; nothing lost, doubled or half-made; work meets no worse than ${trouble}`,
        met:
          met &&
          lost + doubled + half === 0 &&
          Math.min(verdict.bookings, verdict.payments) > 20 &&
          (trouble === 'broken connections' || isPlain),
      }
    } finally {
      await work.stop()
      await server.close()
    }
  }

/** Kills a process again and again, and starts nothing itself. */
const killed = (times: number, pidFile: string) =>
  underWork(openServer, 'broken connections', async ({ folder, origin, pool }) => {
    const [reader] = await addCustomers(pool, 1)
    const headers = { cookie: reader!.cookie }
    let longestBack = 0
    for (let cycle = 0; cycle < times; cycle++) {
      await pause(2_000)
      process.kill(Number.parseInt(readFileSync(path.join(folder, pidFile), 'utf8'), 10), 'SIGKILL')
      await pause(20)
      const back = await until(async () => (await fetch(`${origin}/technics-visit`, { headers })).ok)
      longestBack = Math.max(longestBack, back)
    }
    return { longestBack, goal: `${times} times back within 5 s, by itself`, met: longestBack <= 5_000 }
  })

/** The database falls silent. */
const silent = underWork(openExternal, 'refusals', async ({ isReady, proxy }) => {
  proxy.turn({ kind: 'silent' })
  const red = await until(async () => !(await isReady()))
  await pause(10_000)
  proxy.turn({ kind: 'fair' })
  return { red, green: await until(isReady), goal: '/readyz red, then green by itself', met: true }
})

const slow = underWork(openExternal, 'good answers', async ({ proxy }) => {
  proxy.turn({ kind: 'slow', ms: 250 })
  await pause(15_000)
  proxy.turn({ kind: 'fair' })
  return { goal: 'a database half a second away is waited for', met: true }
})

/** Every connection is cut every half second; then each after some answers, also between two pieces of one. */
const resets = underWork(openExternal, 'refusals', async ({ proxy }) => {
  for (let cut = 0; cut < 10; cut++) {
    await pause(500)
    proxy.reset()
  }
  proxy.turn({ kind: 'cutting', after: 9 })
  await pause(5_000)
  proxy.turn({ kind: 'fair' })
  return { goal: 'connections are made anew', met: true }
})

export const outages: Record<string, Fault> = {
  'kill-web': killed(8, 'app.pid'),
  'kill-postgres': killed(6, 'postgres/postmaster.pid'),
  gone: silent,
  slow,
  resets,
}

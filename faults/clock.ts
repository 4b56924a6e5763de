import type pg from 'pg'
import { addTechnicians, addVisits, openSessions } from '../bench/crowd.ts'
import { remindAt } from '../src/domain/shared/calendar.ts'
import { jobsWhere } from './mail.ts'
import { type Fault, pause, until } from './outcome.ts'
import { openEmbedded } from './server.ts'
import { ask } from './work.ts'

const hour = 3_600_000
const mostJobs = 120

/** A day that is far enough, at noon of Mexico City: its reminders fall into no quiet hours. */
const noonIn = (days: number) => (Math.floor(Date.now() / hour / 24) + days) * 24 * hour + 18 * hour

const remindersNow = (pool: pg.Pool) =>
  jobsWhere(pool, `name = 'letter' and data ->> 'letter' = 'reminder_24h'`)

/** The application's clock jumps a day ahead, back, and ahead again; its database's does not. */
export const clock: Fault = async () => {
  const server = await openEmbedded({ supervised: false, args: ['--import', './faults/movable-clock.mjs'] })
  const clockTo = async (ms: number) => {
    const { child } = server
    const heard = new Promise((resolve) => child.once('message', resolve))
    child.send({ now: ms })
    await heard
  }
  try {
    const { pool } = server
    const [personId] = await addTechnicians(pool, 1)
    const startsAt = noonIn(3)
    await addVisits(pool, [{ personId: personId!, start: startsAt / 60_000 }])
    const { rows } = await pool.query<{ customer_id: string }>('select customer_id from appointments')
    const [cookie] = await openSessions(pool, [rows[0]!.customer_id])
    const due = remindAt(new Date(startsAt), 'reminder_24h').getTime() + 60_000
    const before = await jobsWhere(pool, 'true')
    const statuses: number[] = []
    const counts: number[] = []
    for (const [n, ms] of [due, Date.now(), due, Date.now()].entries()) {
      await clockTo(ms)
      if (n === 0) await until(async () => (await remindersNow(pool)) > 0, 150_000, 500)
      else await pause(65_000)
      counts.push(await remindersNow(pool))
      statuses.push((await ask(`${server.origin}/technics-visit`, cookie!)).status)
    }
    const jobs = (await jobsWhere(pool, 'true')) - before
    return {
      fault: 'clock jumps',
      done: 'two days ahead, back, ahead again and back, a round of jobs after each',
      expected: `the reminder once, the session stays, fewer than ${mostJobs} jobs in all`,
      measured: `reminders after each jump: ${counts.join(', ')}; screens: ${statuses.join(', ')}; ${jobs} jobs`,
      ok:
        counts.every((count) => count === 1) && statuses.every((status) => status === 200) && jobs < mostJobs,
    }
  } finally {
    await server.close()
  }
}

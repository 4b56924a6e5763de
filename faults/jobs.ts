import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { addCustomers, addTechnicians, allStarts } from '../bench/crowd.ts'
import { freePort } from '../bench/stack.ts'
import { toDate } from '../src/domain/shared/calendar.ts'
import { jobsWhere, openMail } from './mail.ts'
import { type Fault, pause, until } from './outcome.ts'
import { openEmbedded } from './server.ts'
import { ask } from './work.ts'

const bookings = 10
const hour = 3_600

/** Makes what waits for its next try due; answers how many seconds it would have waited. */
async function hurry(pool: pg.Pool, queue: string): Promise<number> {
  const { rows } = await pool.query<{ s: number | null }>(
    `with due as (
       select name, id, extract(epoch from start_after - now())::float as s from pgboss.job
       where name = $1 and state = 'retry' and start_after > now()
     ), hurried as (
       update pgboss.job set start_after = now() from due, pg_notify('jobs', '') where job.name = due.name and job.id = due.id
     )
     select max(s) as s from due`,
    [queue],
  )
  return rows[0]?.s ?? 0
}

/** Nobody takes e-mails for an hour of retries, whose waits are shortened one by one and added up; then somebody does. */
export const smtp: Fault = async () => {
  const port = await freePort()
  const server = await openEmbedded({ environment: { SMTP_URL: `smtp://127.0.0.1:${port}` } })
  try {
    await addTechnicians(server.pool, 20)
    const customers = await addCustomers(server.pool, bookings)
    for (const [n, { cookie }] of customers.entries()) {
      const startsAt = toDate(allStarts()[n * 3]!).toISOString()
      await ask(`${server.origin}/agenda-technics-visit`, cookie, { startsAt, requestKey: randomUUID() })
    }
    let down = 0
    for (let tries = 0; down < hour && tries < 200; tries++) {
      await pause(1_000)
      down += await hurry(server.pool, 'letter')
    }
    const mail = await openMail(port)
    const left = `name = 'letter' and state not in ('completed', 'cancelled')`
    const isDone = async () => {
      await hurry(server.pool, 'letter')
      return (await jobsWhere(server.pool, left)) === 0
    }
    await until(isDone, 90_000, 500)
    const dead = await jobsWhere(server.pool, `name = 'dead-letters'`)
    const { rows } = await server.pool.query<{ email: string }>(
      'select email from users join appointments on customer_id = users.id',
    )
    await mail.close()
    const each = rows.map(({ email }) => mail.copies.filter(({ to }) => to === email).length)
    const single = each.filter((count) => count === 1).length
    const twice = mail.copies.length - new Set(mail.copies.map(({ id, to }) => `${id} ${to}`)).size
    return {
      fault: 'SMTP down',
      done: `for ${Math.round(down)} s of waits between tries, after ${rows.length} bookings`,
      expected: 'each e-mail arrives once, later; none is given up',
      measured: `${single} of ${bookings} customers have their e-mail once; ${twice} sent twice, ${dead} given up`,
      ok: single === bookings && twice === 0 && dead === 0,
    }
  } finally {
    await server.close()
  }
}

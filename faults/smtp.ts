import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { freePort } from '../bench/stack.ts'
import { type Fault, openServer, until } from './server.ts'
import { startWork } from './work.ts'

const hour = 3_600

/** Makes the letters that wait for their next try due; answers how many seconds they would have waited, and how many are left. */
const hurry = `with due as (
    select name, id, extract(epoch from start_after - now())::float as s from pgboss.job
    where name = 'letter' and state = 'retry' and start_after > now()
  ), hurried as (
    update pgboss.job set start_after = now() from due, pg_notify('jobs', '') where job.name = due.name and job.id = due.id
  )
  select coalesce((select max(s) from due), 0) as waited,
    (select count(*)::int from pgboss.job where name = 'letter' and state < 'completed') as left,
    (select count(*)::int from pgboss.job where name = 'dead-letters') as dead`

/** Nobody takes e-mails for an hour of retries, whose waits are shortened one by one and added up; then somebody does. */
export const smtp: Fault = async () => {
  const port = await freePort()
  const server = await openServer({ environment: { SMTP_URL: `smtp://127.0.0.1:${port}` } })
  const hurried = async () =>
    (await server.pool.query<{ waited: number; left: number; dead: number }>(hurry)).rows[0]!
  /** Whom each e-mail was for, and its Message-ID. */
  const copies: string[] = []
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, { envelope }, done) => {
      const [, id] = /^message-id:\s*(\S+)/im.exec((await stream.toArray()).join(''))!
      copies.push(...envelope.rcptTo.map(({ address }) => `${address} ${id}`))
      done()
    },
  })
  try {
    const work = await startWork(server)
    await until(async () => work.marks.length > 40)
    await work.stop()
    let down = 0
    for (let tries = 0; down < hour && tries < 200; tries++) {
      await pause(1_000)
      down += (await hurried()).waited
    }
    await once(mail.listen(port, '127.0.0.1'), 'listening')
    await until(async () => (await hurried()).left === 0, 90_000)
    const { rows } = await server.pool.query<{ email: string }>(
      'select email from users join appointments on customer_id = users.id',
    )
    const told = rows.filter(({ email }) => copies.some((copy) => copy.startsWith(`${email} `))).length
    const twice = copies.length - new Set(copies).size
    const { dead } = await hurried()
    return {
      down: Math.round(down),
      bookings: rows.length,
      told,
      twice,
      dead,
      goal: 'an hour later every customer has the e-mail of the booking, none came twice and none was given up',
      met: down >= hour && told === rows.length && rows.length > 0 && twice + dead === 0,
    }
  } finally {
    await new Promise<void>((resolve) => mail.close(resolve))
    await server.close()
  }
}

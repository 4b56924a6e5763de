import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { addCustomers, addStaff, addTechnicians, allStarts, openSessions } from '../bench/crowd.ts'
import { freePort } from '../bench/stack.ts'
import { toDate } from '../src/domain/shared/calendar.ts'
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

const countOf = async (pool: pg.Pool, where: string) =>
  Number((await pool.query<{ n: string }>(`select count(*) as n from pgboss.job where ${where}`)).rows[0]!.n)

/** A mail server on that port; whom each letter went to, by its Message-ID. */
async function openMail(port: number) {
  const letters: { to: string; id: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, { envelope }, done) {
      let source = ''
      stream.on('data', (part: Buffer) => {
        source += part
      })
      stream.on('end', () => {
        const id = /^message-id:\s*(\S+)/im.exec(source)?.[1] ?? ''
        letters.push(...envelope.rcptTo.map(({ address }) => ({ to: address, id })))
        done()
      })
    },
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return { letters, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

/** Nobody takes letters for an hour of retries, whose waits are shortened one by one and added up; then somebody does. */
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
      return (await countOf(server.pool, left)) === 0
    }
    await until(isDone, 90_000, 500)
    const dead = await countOf(server.pool, `name = 'dead-letters'`)
    const { rows } = await server.pool.query<{ email: string }>(
      'select email from users join appointments on customer_id = users.id',
    )
    await mail.close()
    const each = rows.map(({ email }) => mail.letters.filter(({ to }) => to === email).length)
    const single = each.filter((count) => count === 1).length
    const twice = mail.letters.length - new Set(mail.letters.map(({ id, to }) => `${id} ${to}`)).size
    return [
      {
        fault: 'SMTP down',
        done: `for ${Math.round(down)} s of waits between tries, after ${rows.length} bookings`,
        expected: 'each letter arrives once, later; none is given up',
        measured: `${single} of ${bookings} customers have their letter once; ${twice} sent twice, ${dead} given up`,
        ok: single === bookings && twice === 0 && dead === 0,
      },
    ]
  } finally {
    await server.close()
  }
}

/** A job that can never be done, among others that can. */
export const poison: Fault = async () => {
  const server = await openEmbedded()
  try {
    const [cookie] = await openSessions(server.pool, [await addStaff(server.pool, 'manager')])
    await server.pool.query(
      `insert into pgboss.job (name, data, retry_limit, retry_delay, retry_backoff, dead_letter)
       select name, '{"deliveryId":"not a delivery"}', retry_limit, retry_delay, retry_backoff, dead_letter
       from pgboss.queue, pg_notify('jobs', '') where name = 'send-webhook'`,
    )
    const isDead = async () => {
      await hurry(server.pool, 'send-webhook')
      return (await countOf(server.pool, `name = 'dead-letters' and source_name = 'send-webhook'`)) === 1
    }
    const ms = await until(isDead, 120_000, 300)
    const { rows } = await server.pool.query<{ tries: number }>(
      `select source_retry_count + 1 as tries from pgboss.job where name = 'dead-letters'`,
    )
    const home = await ask(`${server.origin}/admin`, cookie!)
    const page = await ask(`${server.origin}/admin/account/configuracion`, cookie!)
    const seen = home.text.includes('Tareas automáticas detenidas') && page.text.includes('Intentar otra vez')
    const ready = await server.isReady()
    return [
      {
        fault: 'poisoned job',
        done: 'a job that fails at every try, its waits shortened',
        expected: 'given up after its tries, kept as a dead letter, seen by the manager; the rest goes on',
        measured: `${Number.isFinite(ms) ? `dead after ${rows[0]?.tries} tries` : 'never given up'}; ${seen ? 'seen' : 'not seen'} at home and in the configuration; ${ready ? 'ready' : 'not ready'}`,
        ok: Number.isFinite(ms) && seen && ready,
      },
    ]
  } finally {
    await server.close()
  }
}

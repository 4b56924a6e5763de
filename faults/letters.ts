import { spawn } from 'node:child_process'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { addCustomers } from '../bench/crowd.ts'
import { freePort, root, secret, withoutOurs } from '../bench/stack.ts'
import { startEmbedded } from '../src/server/platform/database/embedded/cluster.ts'
import { jobsWhere, openMail } from './mail.ts'
import { type Fault, type Outcome, pause, seconds, until } from './outcome.ts'
import { ended, openEmbedded, postmasterOf } from './server.ts'

type Mail = Awaited<ReturnType<typeof openMail>>
type Worker = Awaited<ReturnType<typeof openWorker>>
type World = { pool: pg.Pool; folder: string; workers: Worker[]; mail: Mail }

const inHandAgain = 60_000
/** A kill between the server's yes and the row that says so: nobody can know, and the e-mail goes again. */
const nearKillMs = 1_000

async function openWorker(app: string, smtp: number) {
  const { connection } = await startEmbedded(app, { join: true })
  const folder = mkdtempSync(path.join(tmpdir(), 'carga-worker-'))
  const log = openSync(path.join(app, 'workers.log'), 'a')
  const port = await freePort()
  const start = () =>
    spawn(process.execPath, ['src/server/app/main.ts'], {
      cwd: root,
      env: {
        ...withoutOurs(process.env),
        PORT: String(port),
        ROLE: 'worker',
        DEMO: 'false',
        DATA_DIR: folder,
        LOG_LEVEL: 'warn',
        AUTH_SECRET: secret,
        SMTP_URL: `smtp://127.0.0.1:${smtp}`,
        DATABASE_URL: `postgres://${connection.user}@localhost/carga?host=${encodeURIComponent(connection.host)}`,
      },
      stdio: ['ignore', log, log],
    })
  let child = start()
  await until(() => fetch(`http://localhost:${port}/readyz`).then(({ ok }) => ok))
  return {
    async killed() {
      await ended(child, 'SIGKILL')
      child = start()
    },
    async close() {
      await ended(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A web process with its database, two workers beside it, and a mail server. */
async function withWorkers(takesMs: number, run: (world: World) => Promise<Outcome>): Promise<Outcome> {
  const port = await freePort()
  const mail = await openMail(port, takesMs)
  const server = await openEmbedded({ environment: { ROLE: 'web' } })
  const workers: Worker[] = []
  try {
    for (let n = 0; n < 2; n++) workers.push(await openWorker(server.folder, port))
    return await run({ pool: server.pool, folder: server.folder, workers, mail })
  } finally {
    for (const worker of workers) await worker.close()
    await server.close()
    await mail.close()
  }
}

/** E-mails to a customer about one appointment. */
async function leave(pool: pg.Pool, count: number) {
  const [customer] = await addCustomers(pool, 1)
  const { rows } = await pool.query<{ id: string }>(
    `insert into appointments (folio, service, state, customer_id, project_id, starts_at, minutes, request_key, request_digest)
     values ('AV-' || gen_random_uuid(), 'videocall', 'requested', $1, $2, now() + interval '3 days', 60, uuidv7(), '') returning id`,
    [customer!.id, customer!.projectId],
  )
  await pool.query(
    `insert into pgboss.job (name, data, retry_limit, retry_delay, retry_backoff, retry_delay_max, dead_letter)
     select name, $1, retry_limit, retry_delay, retry_backoff, retry_delay_max, dead_letter
     from pgboss.queue, generate_series(1, $2), pg_notify('jobs', '') where name = 'letter'`,
    [JSON.stringify({ letter: 'booked', appointmentId: rows[0]!.id, to: 'customer' }), count],
  )
}

type Told = { fault: string; done: string; asked: number; kills?: number[] }

/** Waits until all are sent, and counts how often each came; a kill that fell beside the server's yes excuses a second copy. */
async function told({ mail, pool }: World, { asked, done, fault, kills = [] }: Told): Promise<Outcome> {
  const ms = await until(
    async () => (await jobsWhere(pool, `name = 'letter' and state < 'completed'`)) === 0,
    240_000,
    200,
  )
  const left = await jobsWhere(pool, `name = 'letter' and state <> 'completed'`)
  const emails = [...Map.groupBy(mail.copies, ({ id }) => id).values()]
  const twice = emails.filter(({ length }) => length > 1)
  const doubled = twice.filter(
    (all) => all.length > 2 || !kills.some((at) => Math.abs(all[0]!.at - at) < nearKillMs),
  ).length
  return {
    fault,
    done: `${done}, two workers`,
    expected: `each of ${asked} e-mails once${kills.length > 0 ? `, in hand again within ${seconds(inHandAgain)}` : ''}`,
    measured: `${emails.length} e-mails came, ${doubled} more than once (${twice.length - doubled} whose yes a kill cut off), ${left} not sent; all done ${seconds(ms)} after the last`,
    ok: emails.length === asked && doubled === 0 && left === 0 && (kills.length === 0 || ms <= inHandAgain),
  }
}

/** Workers and the database are killed while e-mails wait. */
export const killed: Fault = () =>
  withWorkers(50, async (world) => {
    const { folder, mail, pool, workers } = world
    const kills: number[] = []
    for (let n = 0; n < 12; n++) {
      // The database may have just been killed.
      await until(async () => (await pool.query('select 1')).rowCount === 1)
      await leave(pool, 25)
      await until(async () => mail.copies.length > n * 25 + 3, 20_000, 5)
      kills.push(performance.now())
      if (n % 3 === 2) process.kill(postmasterOf(folder), 'SIGKILL')
      else await workers[n % 2]!.killed()
      await pause(2_500)
    }
    const done = '8 workers and 4 times PostgreSQL killed while e-mails wait'
    return told(world, { fault: 'e-mails, kills', done, asked: 300, kills })
  })

/** A mail server that takes nearly as long as we wait. */
export const slowMail: Fault = () =>
  withWorkers(45_000, async (world) => {
    await leave(world.pool, 16)
    return told(world, {
      fault: 'e-mails, slow server',
      done: 'a server that takes 45 s for each',
      asked: 16,
    })
  })

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { addCustomers } from '../bench/crowd.ts'
import { freePort, root, secret, withoutOurs } from '../bench/stack.ts'
import { startEmbedded } from '../src/server/platform/database/embedded/cluster.ts'
import { type Fault, type Outcome, pause, seconds, until } from './outcome.ts'
import { ended, openEmbedded } from './server.ts'

type Copy = { id: string; at: number }
type Waiting = { pool: pg.Pool; folder: string; workers: Worker[]; mail: Mail }
type Mail = Awaited<ReturnType<typeof openMail>>
type Worker = Awaited<ReturnType<typeof openWorker>>

/** Whom the third of four managers' mailbox is: it does not exist. */
const nobody = 'nadie@carga.mx'
const inHandAgain = 60_000
/** A kill between the server's yes and the row that says so: nobody can know, and the letter goes again. */
const nearKillMs = 1_000

/** A mail server that takes its time, and keeps what it took. */
async function openMail(port: number) {
  const state = { takesMs: 0, copies: [] as Copy[], to: [] as string[] }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      done(address === nobody ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null),
    onData(stream, { envelope }, done) {
      let source = ''
      stream.on('data', (part: Buffer) => {
        source += part
      })
      stream.on('end', () => {
        const id = /^message-id:\s*(\S+)/im.exec(source)?.[1] ?? ''
        setTimeout(() => {
          state.copies.push({ id, at: performance.now() })
          state.to.push(...envelope.rcptTo.map(({ address }) => address))
          done()
        }, state.takesMs)
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return { state, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

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
  const isReady = () => until(() => fetch(`http://localhost:${port}/readyz`).then(({ ok }) => ok))
  await isReady()
  return {
    async again(signal: NodeJS.Signals) {
      await ended(child, signal)
      child = start()
    },
    isReady,
    async close() {
      await ended(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A web process with its database, two workers beside it, and a mail server. */
async function withWorkers(run: (world: Waiting) => Promise<Outcome>): Promise<Outcome[]> {
  const port = await freePort()
  const mail = await openMail(port)
  const server = await openEmbedded({ environment: { ROLE: 'web' } })
  const workers: Worker[] = []
  try {
    for (let n = 0; n < 2; n++) workers.push(await openWorker(server.folder, port))
    return [await run({ pool: server.pool, folder: server.folder, workers, mail })]
  } finally {
    for (const worker of workers) await worker.close()
    await server.close()
    await mail.close()
  }
}

/** Letters about one appointment, to whoever they go to. */
async function leave(pool: pg.Pool, count: number, to: 'customer' | 'managers' = 'customer') {
  const [customer] = await addCustomers(pool, 1)
  const { rows } = await pool.query<{ id: string }>(
    `insert into appointments (folio, service, state, customer_id, project_id, starts_at, minutes, request_key, request_digest)
     values ('AV-' || gen_random_uuid(), 'videocall', 'requested', $1, $2, now() + interval '3 days', 60, uuidv7(), '') returning id`,
    [customer!.id, customer!.projectId],
  )
  const letter = to === 'customer' ? 'booked' : 'no_person'
  await pool.query(
    `insert into pgboss.job (name, data, retry_limit, retry_delay, retry_backoff, retry_delay_max, dead_letter)
     select name, $1, retry_limit, retry_delay, retry_backoff, retry_delay_max, dead_letter
     from pgboss.queue, generate_series(1, $2), pg_notify('jobs', '') where name = 'letter'`,
    [JSON.stringify({ letter, appointmentId: rows[0]!.id, to }), count],
  )
}

const untilSent = (pool: pg.Pool, within = 240_000) =>
  until(
    async () =>
      (await pool.query(`select from pgboss.job where name = 'letter' and state < 'completed' limit 1`))
        .rowCount === 0,
    within,
    200,
  )

/** How often each letter came; `excused` were sent again after a kill that fell beside the server's yes. */
function counted(copies: readonly Copy[], kills: readonly number[] = []) {
  const letters = [...Map.groupBy(copies, ({ id }) => id).values()]
  const doubled = letters.filter(({ length }) => length > 1)
  const excused = doubled.filter(
    (all) => all.length === 2 && kills.some((at) => Math.abs(all[0]!.at - at) < nearKillMs),
  )
  return { letters: letters.length, doubled: doubled.length - excused.length, excused: excused.length }
}

type Told = { fault: string; done: string; asked: number; left: number; ms: number; kills?: number[] }

function told({ asked, done, fault, kills = [], left, ms }: Told, mail: Mail): Outcome {
  const { doubled, excused, letters } = counted(mail.state.copies, kills)
  return {
    fault,
    done: `${done}, two workers`,
    expected: `each of ${asked} letters once${kills.length > 0 ? `, in hand again within ${seconds(inHandAgain)}` : ''}`,
    measured: `${letters} letters came, ${doubled} more than once (${excused} whose yes a kill cut off), ${left} not sent; all done ${seconds(ms)} after the last`,
    ok: letters === asked && doubled === 0 && left === 0 && (kills.length === 0 || ms <= inHandAgain),
  }
}

const leftOver = async (pool: pg.Pool) =>
  Number(
    (
      await pool.query<{ n: string }>(
        `select count(*) as n from pgboss.job where name = 'letter' and state <> 'completed'`,
      )
    ).rows[0]!.n,
  )

/** An operator restarts the workers while letters wait. */
export const restarts: Fault = () =>
  withWorkers(async ({ mail, pool, workers }) => {
    mail.state.takesMs = 300
    await leave(pool, 200)
    for (let n = 0; n < 8; n++) {
      await pause(1_500)
      await workers[n % 2]!.again('SIGTERM')
      if (n % 2 === 1) await Promise.all(workers.map((worker) => worker.isReady()))
    }
    const ms = await untilSent(pool)
    const done = '8 restarts while letters wait, a server that takes 0.3 s'
    return told({ fault: 'letters, restarts', done, asked: 200, left: await leftOver(pool), ms }, mail)
  })

/** Workers and the database are killed while letters wait. */
export const killed: Fault = () =>
  withWorkers(async ({ folder, mail, pool, workers }) => {
    mail.state.takesMs = 50
    const kills: number[] = []
    for (let n = 0; n < 12; n++) {
      // The database may have just been killed.
      await until(async () => (await pool.query('select 1')).rowCount === 1)
      await leave(pool, 25)
      await until(async () => mail.state.copies.length > n * 25 + 3, 20_000, 5)
      kills.push(performance.now())
      if (n % 3 === 2) process.kill(postmaster(folder), 'SIGKILL')
      else await workers[n % 2]!.again('SIGKILL')
      await pause(2_500)
    }
    const ms = await untilSent(pool)
    const done = '8 workers and 4 times PostgreSQL killed while letters wait'
    return told({ fault: 'letters, kills', done, asked: 300, left: await leftOver(pool), ms, kills }, mail)
  })

const postmaster = (folder: string) =>
  Number(readFileSync(path.join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

/** A mail server that takes nearly as long as we wait. */
export const slowMail: Fault = () =>
  withWorkers(async ({ mail, pool }) => {
    mail.state.takesMs = 45_000
    await leave(pool, 16)
    const ms = await untilSent(pool)
    const done = 'a server that takes 45 s for each'
    return told({ fault: 'letters, slow server', done, asked: 16, left: await leftOver(pool), ms }, mail)
  })

/** One of four managers has a mailbox that does not exist. */
export const badMailbox: Fault = () =>
  withWorkers(async ({ mail, pool }) => {
    const emails = ['una@carga.mx', 'dos@carga.mx', nobody, 'cuatro@carga.mx']
    await pool.query(
      `insert into users (email, role, kind, name, email_verified) select unnest($1::text[]), 'staff', 'manager', 'Gerente', true`,
      [emails],
    )
    await leave(pool, 10, 'managers')
    await untilSent(pool)
    const each = emails.map((email) => mail.state.to.filter((to) => to === email).length)
    const { rows } = await pool.query<{ n: string; tries: string }>(
      `select count(*) as n, coalesce(sum(source_retry_count), 0) as tries from pgboss.job where name = 'dead-letters'`,
    )
    const { n, tries } = rows[0]!
    return {
      fault: 'letters, one bad mailbox',
      done: "10 letters to four managers, the third one's mailbox answers 550",
      expected: '10 copies each for the others, none tried again, 10 shown to the office',
      measured: `${each.join(', ')} copies; ${n} given up after ${tries} more tries`,
      ok: each.join() === '10,10,0,10' && Number(n) === 10 && Number(tries) === 0,
    }
  })

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, transaction } from '../../src/platform/database/client.ts'
import type { EmailJob } from '../../src/platform/jobs/emails.ts'
import { enqueue, startJobs, stopJobs } from '../../src/platform/jobs/jobs.ts'
import { freshDatabase, leave } from '../../test/kit/fresh-database.ts'
import { mailServer } from '../../test/kit/mail-server.ts'
import { insertHome, insertPerson } from '../../test/kit/people.ts'
import { startServer } from '../../test/kit/two-servers.ts'

// Processes start in each, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })
afterAll(() => vi.resetConfig())

let db: Db
beforeEach(async () => {
  db = await freshDatabase()
})
afterEach(() => leave(db))

async function worker(url: string) {
  const { browser, child } = await startServer(db, {
    ROLE: 'worker',
    SMTP_URL: url,
    MAIL_FROM: 'Carga <citas@carga.example>',
    LOG_LEVEL: 'silent',
  })
  onTestFinished(() => browser.stop())
  return { ...browser, child }
}

async function appointment() {
  const customer = await insertPerson(db, { emailVerified: true })
  const { projectId } = await insertHome(db, customer)
  const { rows } = await db.$client.query<{ id: string }>(
    `insert into appointments (folio, service, state, customer_id, project_id, starts_at, minutes, request_key, request_digest)
     values ('AV-2026-00001', 'videocall', 'requested', $1, $2, now() + interval '3 days', 60, uuidv7(), '') returning id`,
    [customer.id, projectId],
  )
  return rows[0]!.id
}

/** As many letters as that, as `enqueue` leaves them. */
const ask = (letter: EmailJob, count = 1) =>
  db.$client.query(
    `insert into pgboss.job (name, data, retry_limit, retry_delay, retry_backoff, retry_delay_max, dead_letter)
     select name, $1, retry_limit, retry_delay, retry_backoff, retry_delay_max, dead_letter
     from pgboss.queue, generate_series(1, $2), pg_notify('jobs', '') where name = 'letter'`,
    [JSON.stringify(letter), count],
  )

const untilDone = (timeout: number) =>
  expect
    .poll(
      async () =>
        (await db.$client.query(`select from pgboss.job where name = 'letter' and state < 'completed'`))
          .rowCount,
      { timeout, interval: 200 },
    )
    .toBe(0)

const copies = (received: readonly { source: string }[]) => {
  const counts = new Map<string, number>()
  for (const { source } of received) {
    const id = /^message-id:\s*(\S+)/im.exec(source)![1]!
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return [...counts.values()]
}

test('one of four managers has a mailbox that does not exist: the others get one copy each, and it is given up at once', async () => {
  const mail = await mailServer()
  for (const email of ['una@carga.mx', 'dos@carga.mx', 'nadie@carga.mx', 'cuatro@carga.mx'])
    await insertPerson(db, { kind: 'manager', email })
  const appointmentId = await appointment()
  await worker(mail.url)
  for (let n = 0; n < 3; n++) await ask({ letter: 'no_person', appointmentId, to: 'managers' })
  await untilDone(60_000)
  for (const email of ['una@carga.mx', 'dos@carga.mx', 'cuatro@carga.mx'])
    expect(mail.received.filter(({ to }) => to.includes(email)).length, email).toBe(3)
  const { rows } = await db.$client.query(
    `select data ->> 'letter' as letter, output ->> 'reader' as reader, source_retry_count as tries
     from pgboss.job where name = 'dead-letters'`,
  )
  const { rows: refused } = await db.$client.query(`select id from users where email = 'nadie@carga.mx'`)
  expect(rows).toEqual(Array(3).fill({ letter: 'no_person', reader: refused[0]!.id, tries: 0 }))
})

test('a restart with letters waiting sends none of them twice', async () => {
  const mail = await mailServer(() => sleep(300).then(() => null))
  const appointmentId = await appointment()
  const first = await worker(mail.url)
  await ask({ letter: 'booked', appointmentId, to: 'customer' }, 24)
  await expect.poll(() => mail.received.length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(5)
  await first.stop()
  expect(mail.received.length).toBeLessThan(24)
  await worker(mail.url)
  await untilDone(60_000)
  expect(copies(mail.received)).toEqual(Array(24).fill(1))
})

test('letters in hand at a kill are in hand again within a minute', async () => {
  const waits = Promise.withResolvers<void>()
  let tries = 0
  // The killed one's server never answered: nobody has its letters.
  const mail = await mailServer(() => (tries++ < 4 ? waits.promise.then(() => new Error('gone')) : null))
  onTestFinished(() => waits.resolve())
  const appointmentId = await appointment()
  const first = await worker(mail.url)
  await ask({ letter: 'booked', appointmentId, to: 'customer' }, 4)
  await expect.poll(() => tries, { timeout: 60_000 }).toBe(4)
  await first.kill()
  const from = performance.now()
  await worker(mail.url)
  await untilDone(90_000)
  expect(performance.now() - from).toBeLessThan(60_000)
  expect(tries).toBe(8)
})

test('a job whose process says nothing any more is given back; one whose process does stays where it is', {
  timeout: 120_000,
}, async () => {
  const mail = await mailServer()
  const appointmentId = await appointment()
  await worker(mail.url)
  await ask({ letter: 'booked', appointmentId, to: 'customer' }, 2)
  await untilDone(60_000)
  // Two more, as two processes that took them left them.
  await db.$client.query(
    `insert into pgboss.job (name, data, state, started_on, heartbeat_on, retry_limit, retry_delay, retry_backoff)
     select 'letter', $1, 'active', now(), now() + n * interval '1 hour', 24, 15, true from unnest('{-1,1}'::int[]) n`,
    [JSON.stringify({ letter: 'booked', appointmentId, to: 'customer' })],
  )
  await expect.poll(() => mail.received.length, { timeout: 80_000 }).toBe(3)
  await sleep(6_000)
  expect(mail.received.length).toBe(3)
})

test('a letter with a code inside, to a mailbox that does not exist: given up at once, and shown without its code', async () => {
  const mail = await mailServer()
  const { id: userId } = await insertPerson(db, { email: 'nadie@carga.mx' })
  await worker(mail.url)
  await db.$client.query(
    `insert into pgboss.job (name, data, retry_limit) values ('account-letter', $1, 8)`,
    [JSON.stringify({ letter: 'reset_password', email: 'nadie@carga.mx', code: 'secret' })],
  )
  const dead = () =>
    db.$client.query(
      `select data, source_name as queue, source_retry_count as tries from pgboss.job where name = 'dead-letters'`,
    )
  await expect
    .poll(async () => (await dead()).rows, { timeout: 60_000, interval: 200 })
    .toEqual([{ data: { letter: 'reset_password', userId }, queue: 'account-letter', tries: 0 }])
  expect((await db.$client.query(`select from pgboss.job where data::text like '%secret%'`)).rowCount).toBe(0)
})

test('an urgent e-mail is among the next that are sent, before 2,000 that wait', async () => {
  const taken = Promise.withResolvers<null>()
  const mail = await mailServer(() => taken.promise)
  const about = { appointmentId: await appointment(), to: 'customer' } as const
  await startJobs(db)
  onTestFinished(() => stopJobs())
  await transaction(db, (tx) => enqueue(tx, 'letter', { letter: 'booked', ...about }))
  await db.$client.query(`insert into pgboss.job (name, data, priority, retry_limit)
    select name, data, priority, retry_limit from pgboss.job, generate_series(1, 1999) where name = 'letter'`)
  await worker(mail.url)
  const atOnce = 8
  await expect.poll(() => mail.received.length, { timeout: 60_000, interval: 100 }).toBe(atOnce)
  const urgent = randomUUID()
  await transaction(db, (tx) => enqueue(tx, 'letter', { letter: 'no_person', ...about }, undefined, urgent))
  taken.resolve(null)
  const place = () => mail.received.findIndex(({ source }) => source.includes(urgent))
  await expect.poll(place, { timeout: 60_000, interval: 100 }).toBeGreaterThanOrEqual(0)
  expect(place()).toBeLessThan(2 * atOnce)
})

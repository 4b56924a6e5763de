import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { closeDatabase, openDatabase } from '../../src/platform/database/client.ts'
import { isWritable, startWriteProbe } from '../../src/platform/database/health.ts'
import { giveBackSilent } from '../../src/platform/jobs/hands.ts'
import { enqueue, startJobs, stopJobs } from '../../src/platform/jobs/jobs.ts'
import { names, type Round, rounds } from '../../src/platform/jobs/queues.ts'
import { askForRounds, correctLatches } from '../../src/platform/jobs/rounds.ts'
import { fixture, openBareEach } from '../kit/open.ts'

openBareEach()
afterEach(() => stopJobs())

const begin = () => startJobs(fixture.db)
const askForThem = () => askForRounds(fixture.db, enqueue)
const all = Object.keys(rounds).sort()
const ask = (statement: string) => fixture.db.execute<Record<string, never>>(sql.raw(statement))
const waiting = async () =>
  (await ask(`select name from pgboss.job where state = 'created' order by 1`)).rows.map(({ name }) => name)
const ended = () => ask('delete from pgboss.job')

test('asks for a round once, and again when its time has come or its clock was ahead', async () => {
  await begin()
  await askForThem()
  expect(await waiting()).toEqual(all)
  await Promise.all([askForThem(), askForThem()])
  expect(await waiting()).toEqual(all)
  await ended()
  await ask(`update rounds set asked_at = now() + interval '6 hours' where name in ('remind', 'forget-old')`)
  await ask(`update rounds set asked_at = now() - interval '5 minutes' where name = 'end-quotes'`)
  await Promise.all([askForThem(), askForThem()])
  expect(await waiting()).toEqual(expect.arrayContaining(['end-quotes', 'forget-old', 'remind']))
  expect(new Set(await waiting()).size).toBe((await waiting()).length)
})

test('asks for no second round while one waits', async () => {
  await begin()
  await askForThem()
  await ask(`update rounds set asked_at = '-infinity'`)
  await askForThem()
  expect(await waiting()).toEqual(all)
})

test('asks for a round that failed again in place of its next try, unless one is under way', async () => {
  await begin()
  await askForThem()
  await ask(`update pgboss.job set state = case name when 'remind' then 'active' else 'retry' end::pgboss.job_state,
    start_after = now() + interval '1 hour'`)
  for (let time = 0; time < 2; time++) {
    await ask(`update rounds set asked_at = '-infinity'`)
    await askForThem()
  }
  expect(await waiting()).toEqual(all)
  const { rows } = await ask(`select name from pgboss.job where state in ('retry', 'active')`)
  expect(rows).toEqual([{ name: 'remind' }])
})

test('looks for jobs in hand by their index, however many are done', async () => {
  await begin()
  await ask(`insert into pgboss.job (name, data, state, completed_on)
    select 'letter', '{}', 'completed', now() from generate_series(1, 20000)`)
  await ask('analyze pgboss.job')
  const plans: string[] = []
  const query = async (asked: string, values?: unknown[]) => {
    const { rows } = await fixture.db.$client.query(`explain ${asked}`, values)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    return { rowCount: 0 }
  }
  const explained = { $client: { query } } as never
  await correctLatches(explained)
  await giveBackSilent(explained, names)
  for (const plan of plans.slice(-2)) expect(plan).toContain('job_common_name_idx')
  expect(plans.join()).not.toContain('Seq Scan on job')
})

test('counts rounds from midnight in Mexico City', async () => {
  await begin()
  await askForThem()
  const slot = `date_bin('1 day', now(), timestamp '2000-01-01 04:11' at time zone 'America/Mexico_City')`
  for (const [seconds, expected] of [
    [1, []],
    [-1, ['forget-old']],
  ] as const) {
    await ended()
    await ask(`update rounds set asked_at = case name when 'forget-old'
      then ${slot} + interval '${seconds} seconds' else now() end`)
    await askForThem()
    expect((await waiting()).filter((name) => name === 'forget-old')).toEqual(expected)
  }
})

/** Leaves every moment of the queues as a clock does that was a day ahead. */
async function aheadByADay() {
  const later = `now() + interval '1 day'`
  await ask(`update pgboss.version set cron_on = ${later}, bam_on = ${later}, flow_on = ${later},
    reindex_on = ${later}, monitor_backoff_on = ${later}`)
  await ask(
    `update pgboss.queue set monitor_claim_on = ${later}, monitor_on = ${later}, maintain_on = ${later}`,
  )
  await ask(`insert into pgboss.job (data, name, state, retry_delay, created_on, started_on, heartbeat_on, start_after) values
    ('{}', 'letter', 'created', 0, ${later}, null, null, ${later} + interval '10 minutes'),
    ('{}', 'letter', 'retry', 15, now() - interval '1 hour', ${later}, null, ${later}),
    ('{}', 'letter', 'active', 0, now(), ${later}, ${later}, now())`)
}

test('corrects moments of the queues that a clock left in the future', async () => {
  await begin()
  await aheadByADay()
  await correctLatches(fixture.db)
  const { rows } =
    await ask(`select state::text, round(extract(epoch from start_after - now()) / 60)::int as minutes,
    case state when 'active' then greatest(started_on, heartbeat_on) else created_on end > now() as ahead
    from pgboss.job order by job.state`)
  expect(rows).toEqual([
    { state: 'created', minutes: 10, ahead: false },
    { state: 'retry', minutes: 0, ahead: false },
    { state: 'active', minutes: 0, ahead: false },
  ])
  const { rows: left } = await ask(`select greatest(cron_on, bam_on, flow_on, reindex_on, monitor_backoff_on,
    (select max(greatest(monitor_claim_on, monitor_on, maintain_on)) from pgboss.queue)) > now() as ahead from pgboss.version`)
  expect(left).toEqual([{ ahead: false }])
})

/** Workers whose handlers only count. */
async function work() {
  const counts = Object.fromEntries(names.map((name) => [name, 0]))
  const handlers = Object.fromEntries(names.map((name) => [name, async () => void counts[name]!++]))
  await startJobs(fixture.db, handlers as never)
  return (name: Round | 'letter') => counts[name]
}

test('runs rounds and jobs again while a worker runs, though the clock was a day ahead', async () => {
  await aheadByADay()
  const count = await work()
  await expect
    .poll(() => all.map((name) => count(name as Round)), { timeout: 20_000 })
    .toEqual(all.map(() => 1))
  await ask(`update rounds set asked_at = now() + interval '1 day', done_at = now() + interval '1 day'`)
  await ask(
    `update pgboss.job set heartbeat_on = now() - interval '1 minute' where name = 'letter' and state = 'active'`,
  )
  await expect.poll(() => count('remind'), { timeout: 20_000 }).toBe(2)
  await expect.poll(() => count('letter'), { timeout: 20_000 }).toBe(2)
  await expect
    .poll(async () => (await ask('select max(done_at) <= now() as past from rounds')).rows, {
      timeout: 20_000,
    })
    .toEqual([{ past: true }])
})

test('names late rounds at /readyz, which they do not make fail', async () => {
  await begin()
  await askForThem()
  const read = async () => JSON.parse((await fixture.under({ ROLE: 'web' }).visit('/readyz')).text)
  expect(await read()).toMatchObject({ ready: true, writable: true, rounds: 'running' })
  await ask(`update rounds set done_at = now() - interval '4 minutes' where name in ('remind', 'end-quotes')`)
  expect(await read()).toMatchObject({ ready: true, rounds: 'late: remind' })
})

test('writes on trial though requests hold every connection', async () => {
  const full = openDatabase({ ...fixture.db.$client.options, max: 1 })
  const held = await full.$client.connect()
  const stop = startWriteProbe(full, undefined, { everyMs: 10, againMs: 10, limitMs: 2_000 })
  await expect.poll(async () => (await ask('select at from write_probe')).rows.length).toBe(1)
  expect(isWritable(full)).toBe(true)
  stop()
  held.release()
  await closeDatabase(full)
})

test('notices that nothing can be written, and that it can again', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'carga-probe-'))
  const stop = startWriteProbe(fixture.db, folder, { everyMs: 10, againMs: 10, limitMs: 2_000 })
  const becomes = (writable: boolean) => expect.poll(() => isWritable(fixture.db)).toBe(writable)
  await ask(`create function refuse_write() returns trigger language plpgsql as
    $$begin raise exception 'could not extend file' using errcode = '53100'; end$$`)
  await ask('create trigger full_disk before insert on write_probe execute function refuse_write()')
  await becomes(false)
  await ask('drop trigger full_disk on write_probe')
  await becomes(true)
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'no folder')
  await becomes(false)
  rmSync(folder)
  await becomes(true)
  stop()
})

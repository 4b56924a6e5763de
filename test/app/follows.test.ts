import { readFileSync } from 'node:fs'
import { registered } from '../../src/app/follows.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { followed, happened } from '../../src/platform/follows.ts'
import { agree, begunSale } from '../kit/agencies.ts'
import { around, book, hour, slots } from '../kit/appointments.ts'
import {
  ally,
  analyst,
  db,
  fixture,
  newHome,
  newPerson,
  openOnce,
  post,
  rowWhere,
  runSql,
  technician,
} from '../kit/open.ts'
import { account, confirming, office, owing, prove, set } from '../kit/payments.ts'
import { press } from '../reports/phone.ts'

openOnce()

const watched = [
  'appointments',
  'commissions',
  'events',
  'payments',
  'quotes',
  'sheets',
  'tasks',
  'pgboss.job',
]

beforeAll(async () => {
  const fee = { amount: 500_00, keptOnLateCancel: true, keptOnNoShow: true, keptOnNotViable: true }
  await set(fixture, { spei: account, visitFee: fee })
  await agree(ally.agencyId!, { commissionKind: 'percent', commissionValue: 10_00 })
  await db.$client.query(`create table written (n bigserial, what text);
    create function note_written() returns trigger language plpgsql as
      $$ begin insert into public.written (what) values (concat_ws(' ', tg_table_name, to_jsonb(new) ->> 'name')); return null; end $$`)
  for (const table of watched)
    await db.$client.query(
      `create trigger written after insert or update on ${table} for each row execute function note_written()`,
    )
})

/** What a request writes, in order; the same twice in a row once. */
async function writtenBy(request: () => Promise<{ status: number }>, status: number) {
  await runSql`truncate written`
  expect((await request()).status).toBe(status)
  const { rows } = await runSql<{ what: string }>`select what from written order by n`
  return rows.map(({ what }) => what).filter((what, at, all) => what !== all[at - 1])
}

async function begunInstallation() {
  const { work } = await begunSale(ally.agencyId!)
  return { work, submit: () => press(technician, work, 'submit', around(work, 3 * hour)) }
}

test('a booking writes the appointment, the fee and then the e-mails, each with its history', async () => {
  const customer = await newPerson()
  await newHome(customer)
  const [start] = await slots(customer, 2)
  expect(await writtenBy(() => book(customer, start!, { fee: '50000' }), 303)).toEqual([
    'appointments',
    'events book',
    'payments',
    'events demand',
    'job_common letter',
  ])
})

test('a confirmed payment writes the ledger and its history, the e-mail, and that the installation is ready', async () => {
  const { customer, demand, projectId } = await owing()
  await prove(customer, projectId, { trackingKey: 'MBAN01001' })
  const form = confirming({ ...demand, version: demand.version + 1 }, '5000', { sure: '500000' })
  expect(await writtenBy(() => post(office(projectId), form, analyst), 303)).toEqual([
    'payments',
    'events pay',
    'job_common letter',
    'events ready',
  ])
})

test('a finished installation writes its end, its record and what the agency earned', async () => {
  const { submit } = await begunInstallation()
  expect(await writtenBy(submit, 200)).toEqual([
    'appointments',
    'events finish',
    'sheets',
    'events submit',
    'commissions',
    'events earn',
  ])
})

test('a follow that refuses undoes the change: the installation goes on, and nothing of its end is written', async () => {
  const { submit, work } = await begunInstallation()
  await db.$client.query(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger refuse before insert on commissions for each row execute function refuse()`)
  expect(await writtenBy(submit, 500)).toEqual([])
  expect(await rowWhere(appointments, { id: work.id })).toMatchObject({
    state: 'in_progress',
    finishedAt: null,
  })
  await db.$client.query('drop trigger refuse on commissions')
  expect((await submit()).status).toBe(200)
})

const changed = followed<{ seen: string[] }, null>('changed')

test('runs what follows in the order of its list, and returns what it added', async () => {
  changed.follows = ['first', 'second'].map(
    (name) =>
      async (_, { seen }) =>
        void seen.push(name),
  )
  expect(await happened(null, changed, { seen: [] })).toEqual({ seen: ['first', 'second'] })
})

test('a follow that refuses ends the change, and nothing after it runs', async () => {
  const seen: string[] = []
  changed.follows = [() => Promise.reject(new Error('no')), async () => void seen.push('second')]
  await expect(happened(null, changed, { seen })).rejects.toThrow('no')
  expect(seen).toEqual([])
})

test('refuses a change that nothing follows', async () => {
  await expect(happened(null, followed('forgotten'), {})).rejects.toThrow('Nothing follows "forgotten"')
})

test('the architecture’s page lists what follows from what', () => {
  const [, list = ''] = readFileSync('docs/architecture.md', 'utf8').split('## What follows from what\n')
  const lines = registered.map(
    ({ follows, when }) => `- ${when}: ${follows.map((one) => `\`${one}\``).join(', ')}`,
  )
  expect(
    list
      .split('\n## ')[0]!
      .split('\n')
      .filter((line) => line.startsWith('- ')),
  ).toEqual(lines)
})

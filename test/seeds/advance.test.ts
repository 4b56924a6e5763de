import { eq, inArray } from 'drizzle-orm'
import { advanceDay } from '../../seeds/advance.ts'
import { activeStates } from '../../src/appointments/rules/appointment.ts'
import { endMissedCalls } from '../../src/calls/outcomes.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { cfeCases } from '../../src/platform/database/schema/cfe.ts'
import { payments, quotes } from '../../src/platform/database/schema/payments.ts'
import { events } from '../../src/platform/database/schema/projects.ts'
import { startJobs, stopJobs } from '../../src/platform/jobs/jobs.ts'
import { rounds } from '../../src/platform/jobs/queues.ts'
import { askForRounds } from '../../src/platform/jobs/rounds.ts'
import { digestOf } from '../../src/quotes/benefit.ts'
import { openQuoteStates } from '../../src/quotes/rules/quote.ts'
import { addDays } from '../../src/shared/calendar.ts'
import { openFixture } from '../kit/fixture.ts'
import { demoDatabase } from '../kit/fresh-database.ts'
import { rowsIn } from '../kit/reading.ts'
import { anyDay } from './moments.ts'

const db = await demoDatabase(new Date(anyDay))
await startJobs(db)
afterAll(async () => {
  await stopJobs()
  await db.$client.end()
})

const aDay = 86_400_000
type Row = { id: string; state: string }

const rowsOf = async () => ({
  appointments: await db.select().from(appointments),
  quotes: await db.select().from(quotes),
  payments: await db.select().from(payments),
  cases: await db.select().from(cfeCases),
})

/** The moments of a row, moved by so many days. */
const moved = <Of extends object>(row: Of, days: number) =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => value instanceof Date && name !== 'customerCameAt')
      .map(([name, value]) => [name, (value as Date).getTime() + days * aDay]),
  )

test('moves what is open one day back, also twice, and leaves what is signed, paid or closed', async () => {
  await askForRounds(db, async () => undefined)
  const before = await rowsOf()
  expect(await advanceDay(db)).toMatch(/^10 citas, \d+ cotizaciones, \d+ pagos y 5 trámites$/)
  await advanceDay(db)
  const { rows } = await db.$client.query(`select name from rounds where asked_at = '-infinity'`)
  expect(rows).toHaveLength(Object.keys(rounds).length)
  const after = await rowsOf()
  const open: { [Table in keyof typeof before]: (row: Row) => boolean } = {
    appointments: ({ state }) => activeStates.some((one) => one === state),
    quotes: ({ state }) => ['draft', ...openQuoteStates, 'changes_requested'].includes(state),
    payments: ({ state }) => ['pending', 'in_review'].includes(state),
    cases: ({ state }) => state !== 'closed',
  }
  for (const table of ['appointments', 'quotes', 'payments', 'cases'] as const) {
    const now = new Map<string, object>(after[table].map((row) => [row.id, row]))
    expect(before[table].filter(open[table]).length, table).toBeGreaterThan(0)
    for (const row of before[table])
      if (row.state !== 'accepted')
        expect(moved(now.get(row.id)!, 0), table).toEqual(moved(row, open[table](row) ? -2 : 0))
  }
})

test('an accepted quote keeps what was signed, and ends with its unpaid deposit', async () => {
  const accepted = async () => rowsIn({ db }, quotes, { state: 'accepted' })
  const before = await accepted()
  await advanceDay(db)
  const now = new Map((await accepted()).map((row) => [row.id, row]))
  const days = before.map((row) => {
    const { validUntil, ...signed } = now.get(row.id)!
    expect(signed).toEqual({ ...row, validUntil: undefined, updatedAt: signed.updatedAt })
    return (validUntil!.getTime() - row.validUntil!.getTime()) / aDay
  })
  expect(new Set(days)).toEqual(new Set([0, -1]))
})

test('a call that passed unattended is ended by its round', async () => {
  expect(await endMissedCalls(db, new Date())).toBe(2)
  const [call] = await db
    .select()
    .from(appointments)
    .where(eq(appointments.closingReason, 'analista_no_disponible'))
  expect(call).toMatchObject({ service: 'videocall' })
})

test('a sent quote keeps a digest of its own terms, and the history moves with its row', async () => {
  const sent = await db.select().from(quotes).where(inArray(quotes.state, openQuoteStates))
  expect(sent.length).toBeGreaterThan(0)
  const validUntil = new Map(sent.map(({ id, content }) => [id, content.validUntil]))
  const trail = () => db.select().from(events).where(eq(events.entityId, sent[0]!.id)).orderBy(events.at)
  const past = await trail()
  await advanceDay(db)
  for (const { address, addressee, content, digest, folio, id, revision } of await db
    .select()
    .from(quotes)
    .where(inArray(quotes.state, openQuoteStates))) {
    expect(content.validUntil).toBe(addDays(validUntil.get(id)!, -1))
    expect(digestOf({ folio, revision, addressee: addressee!, address, content })).toBe(digest)
  }
  expect((await trail()).map(({ at }) => at.getTime())).toEqual(past.map(({ at }) => at.getTime() - aDay))
})

test('what was sent and what happened stay frozen afterwards', async () => {
  for (const table of ['quotes', 'events'])
    expect(
      (
        await db.$client.query(
          `select tgenabled as on from pg_trigger where tgrelid = $1::regclass and tgname = $1 || '_frozen'`,
          [table],
        )
      ).rows,
    ).toEqual([{ on: 'O' }])
})

test('the sign-in page offers it in a demo of this machine, and answers 404 anywhere else', async () => {
  const fixture = await openFixture()
  const local = { DEMO: 'true', BASE_URL: 'http://localhost:3000', HOST: '127.0.0.1' }
  const tried = [
    [local, 303],
    [{ ...local, HOST: '0.0.0.0' }, 404],
    [{ ...local, BASE_URL: 'http://carga.test' }, 404],
    [{ ...local, DEMO: 'false' }, 404],
  ] as const
  for (const [environment, status] of tried) {
    const browser = fixture.under(environment)
    const { text } = await browser.visit('/signin')
    expect(text.includes('Avanzar un día')).toBe(status === 303)
    expect((await browser.post('/signin', { intent: 'advance-day' })).status).toBe(status)
  }
  await fixture.close()
})

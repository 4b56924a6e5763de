import { eq } from 'drizzle-orm'
import type pg from 'pg'
import { MAX_NAMES, openDatabase } from '../../../src/platform/database/client.ts'
import { users } from '../../../src/platform/database/schema/accounts.ts'
import { everyModule } from '../../kit/fixture.ts'
import { demoDatabase } from '../../kit/fresh-database.ts'
import { db, fixture, openBare, rowWhere } from '../../kit/open.ts'
import type { Visitor } from '../../kit/visitor.ts'

type Wire = {
  parse: (query: { name?: string; text: string }) => void
  bind: (query: { statement?: string; values?: unknown[] }) => void
  query: (text: string) => void
}
/** What went over the wire since it was emptied. */
const sent = { unnamed: [] as string[], ran: new Map<string, number>(), trips: 0 }
const texts = new Map<string, string>()

openBare(everyModule, demoDatabase)
beforeAll(() => db.$client.on('acquire', listen))

/** What the job library and the watch over free times ask by themselves, whatever pages are asked for. */
const isRound = (text: string) => /pgboss\.(version|bam|queue)\b|as mark from roster_version/.test(text)

const known = new WeakSet<pg.PoolClient>()

/** Notes what a connection is sent: what it parses, runs by name, and runs as plain text. */
function listen(client: pg.PoolClient) {
  if (known.has(client)) return
  known.add(client)
  const wire = (client as unknown as { connection: Wire }).connection
  const { bind, parse, query } = wire
  let leaving = false
  wire.parse = (asked) => {
    if (asked.name) texts.set(asked.name, asked.text)
    else if (!isRound(asked.text)) sent.unnamed.push(asked.text)
    parse.call(wire, asked)
  }
  wire.bind = (asked) => {
    const run = `${texts.get(asked.statement ?? '') ?? asked.statement} ${JSON.stringify(asked.values)}`
    sent.ran.set(run, (sent.ran.get(run) ?? 0) + 1)
    if (!leaving) {
      leaving = true
      sent.trips++
      process.nextTick(() => {
        leaving = false
      })
    }
    bind.call(wire, asked)
  }
  wire.query = (text) => {
    if (!/^(begin|commit|rollback)/.test(text) && !isRound(text)) sent.unnamed.push(text)
    query.call(wire, text)
  }
}

/**
 * How often a page may wait for the database at most: what it asks at the same moment is one round trip. The sixth is
 * that of a report beside a home's other facts (/technics-visit).
 */
const fewTrips = 6

const customers = ['cliente', 'cliente3', 'cliente5']
const starts = [...customers, 'gerente', 'analista', 'tecnico', 'gestor', 'aliado'].map(
  (name) => [`${name}@demo.mx`, customers.includes(name) ? '/' : '/admin'] as const,
)

test.each(starts)(
  'every page of %s names its statements, runs none twice and sends them together',
  async (email, start) => {
    const visitor = await fixture.secondBrowser((await rowWhere(users, { email })) as never)
    // What the process keeps, as the staffing, is read by the first page.
    await fixture.visit(start, visitor)
    const found: Record<string, string[]> = {}
    let pages = 0
    for await (const path of crawl(visitor, start)) {
      pages++
      const wrong = [
        ...sent.unnamed.map((one) => `unnamed: ${one}`),
        ...[...sent.ran.keys()].filter((run) => /limit \$\d/.test(run)).map((run) => `unknown limit: ${run}`),
        ...(sent.trips > fewTrips ? [`${sent.trips} round trips`] : []),
        ...[...sent.ran].filter(([, times]) => times > 1).map(([run, times]) => `${times} times: ${run}`),
      ]
      if (wrong.length > 0) found[path] = wrong
    }
    expect(found).toEqual({})
    expect(pages).toBeGreaterThan(2)
  },
)

test('a connection plans a statement once for all values', async () => {
  const db = openDatabase({ ...fixture.db.$client.options, max: 1 })
  const asked = [1, 2, 3].map((n) => db.$client.query('select $1::int + 1 as n', [n]))
  expect((await Promise.all(asked)).map(({ rows }) => rows[0].n)).toEqual([2, 3, 4])
  await db.select({ id: users.id }).from(users).where(eq(users.email, 'a@b.mx'))
  await db.select({ id: users.id }).from(users).where(eq(users.email, 'c@d.mx'))
  // Several statements have no plan in common, and come as they are.
  await db.$client.query('select 1; select 2')
  const { rows } = await db.$client.query(
    'select statement, generic_plans::int as plans, custom_plans::int as others from pg_prepared_statements order by name',
  )
  expect(rows).toEqual([
    { statement: 'select $1::int + 1 as n', plans: 3, others: 0 },
    { statement: expect.stringContaining('from "users"'), plans: 2, others: 0 },
  ])
  await db.$client.end()
})

test('a connection keeps a limited number of plans', async () => {
  const db = openDatabase({ ...fixture.db.$client.options, max: 1 })
  for (let n = 0; n < MAX_NAMES + 20; n++) await db.$client.query(`select $1::int + ${n}`, [n])
  const { rows } = await db.$client.query('select count(*)::int as count from pg_prepared_statements')
  expect(rows).toEqual([{ count: MAX_NAMES }])
  await db.$client.end()
})

/** Visits a page, and notes what only this visit sends; again where a busy machine answered in pieces, and what follows left in pieces too. */
async function visitAlone(path: string, visitor: Visitor) {
  for (let tries = 1; ; tries++) {
    sent.unnamed.length = 0
    sent.ran.clear()
    sent.trips = 0
    const answer = await fixture.visit(path, visitor)
    if (sent.trips <= fewTrips || tries === 10) return answer
  }
}

/** Every kind of page that links lead to, once. */
async function* crawl(visitor: Visitor, start: string) {
  const seen = new Set<string>()
  const queue = [start]
  for (const path of queue) {
    const kind = path
      .replace(/\?.*/, '')
      .replaceAll(/[\da-f]{8}-[\da-f-]{27}|(?<=catalogo\/)[A-Z]+-[\w-]+/g, '{id}')
    if (seen.has(kind)) continue
    seen.add(kind)
    const { status, text } = await visitAlone(path, visitor)
    if (status !== 200) continue
    queue.push(...linksIn(text))
    yield kind
  }
}

const linksIn = (page: string) =>
  [...page.matchAll(/href="(\/[^"#]*)"/g)]
    .map(([, path]) => path!.replaceAll('&amp;', '&'))
    .filter(
      (path) => !/\.\w+$|^\/(api|files|documents|papers|calendar|session|account|signout|assets)/.test(path),
    )

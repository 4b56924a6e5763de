import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/platform/database/client.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { listen, listenOn } from '../../src/platform/live/announcements.ts'
import { everyModule } from '../kit/fixture.ts'
import { demoDatabase } from '../kit/fresh-database.ts'
import { db, fixture, inParallel, openBare, rowWhere, runSql } from '../kit/open.ts'

openBare(everyModule, demoDatabase)

/** Runs with one connection of the pool left: what needs two at once waits for ever, and answers 503. */
async function withOneConnection<Result>(run: () => Promise<Result>): Promise<Result> {
  const pool = db.$client
  const held = await inParallel(pool.options.max - 1 - 1, () => pool.connect())
  try {
    return await run()
  } finally {
    for (const client of held) client.release()
  }
}

const pages: [email: string, paths: string[]][] = [
  [
    'gerente@demo.mx',
    ['/admin', '/admin/assignations', '/admin/clients', '/admin/users', '/admin/appointments-pending'],
  ],
  ['analista@demo.mx', ['/admin', '/admin/clients', '/admin/cotizations']],
  ['aliado@demo.mx', ['/admin', '/admin/appointments-pending']],
  ['cliente5@demo.mx', ['/', '/payments']],
]

test('pages asked for at once, some of which also write, share one connection', async () => {
  const visitors = await Promise.all(
    pages.map(async ([email, paths]) => {
      return { paths, visitor: await fixture.secondBrowser((await rowWhere(users, { email })) as never) }
    }),
  )
  for (let round = 0; round < 3; round++) {
    // Lists work out the stages of changed projects first, in a transaction.
    await runSql`insert into stage_checks (customer_id) select customer_id from projects`
    const answers = await withOneConnection(() =>
      Promise.all(
        visitors.flatMap(({ paths, visitor }) =>
          paths.map(async (path) => [path, (await fixture.visit(path, visitor)).status]),
        ),
      ),
    )
    expect(answers).toEqual(pages.flatMap(([, paths]) => paths.map((path) => [path, 200])))
  }
})

test('all listeners of a process share one connection, and hear again after it was lost', async () => {
  const db = openDatabase(fixture.db.$client.options, 2)
  const heard: Record<string, string[]> = { one: [], other: [] }
  const connected = vi.fn()
  const listenAs = (name: string, channels: string[]) =>
    listenOn(db, channels, {
      connected,
      heard: (channel, payload) => heard[name]!.push(`${channel} ${payload}`),
    })
  const notify = (text: string) =>
    db.execute(sql`select pg_notify('here', ${text}), pg_notify('there', ${text})`)
  const stops = [listenAs('one', ['here', 'there']), listenAs('other', ['there'])]
  await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(2))
  stops.push(listenAs('one', ['late']))
  await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(3))
  await notify('a')
  await vi.waitFor(() => expect(heard).toEqual({ one: ['here a', 'there a'], other: ['there a'] }))
  expect(db.$client.totalCount).toBe(2)

  await db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %late%'`)
  await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(6), { timeout: 5_000 })
  await stops[0]!()
  await notify('b')
  await vi.waitFor(() => expect(heard.other).toEqual(['there a', 'there b']))
  expect(heard.one).toEqual(['here a', 'there a'])
  await Promise.all(stops.slice(1).map((stop) => stop()))
  await db.$client.end()
})

test('a listener that ends before its connection is there holds nothing up', async () => {
  const db = openDatabase(fixture.db.$client.options, 2)
  const heard: unknown[] = []
  await listen(db, (people) => heard.push(people))()
  await db.$client.end()
  expect(heard).toEqual([])
  expect(db.$client.totalCount).toBe(0)
})

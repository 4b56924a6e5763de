import { setTimeout as sleep } from 'node:timers/promises'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { isDone, unexplained } from '../../test/appointments/history/answers.ts'
import { bookBy, customersOf, startsOn, teamOf } from '../../test/appointments/history/town.ts'
import { openProxy } from '../../test/deploy/proxy.ts'
import { freshDatabase } from '../../test/kit/fresh-database.ts'
import { insertHome, insertPerson, type Person } from '../../test/kit/people.ts'
import { startServer } from '../../test/kit/two-servers.ts'
import { browserOf } from '../../test/kit/visitor.ts'
import { openPooler } from './transaction-pooler.ts'

const db = await freshDatabase()
const town = {
  db,
  person: (input?: Parameters<typeof insertPerson>[1]) => insertPerson(db, input),
  home: (...given: [Person, Parameters<typeof insertHome>[2]?, string?]) => insertHome(db, ...given),
}
const { host = '', user = '', database = '' } = db.$client.options
const pooler = await openPooler({ host, user, database }, 12)
/** As docs/scale.md describes it: everything through the pooler, but what needs a connection of its own. */
const environment = {
  DATABASE_URL: pooler.url,
  DATABASE_POOLING: 'transaction',
  DATABASE_DIRECT_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
  DRAIN_DELAY_MS: '300',
}
const start = (more: Record<string, string> = {}) => startServer(db, { ...environment, ...more })
const portOf = ({ browser }: Awaited<ReturnType<typeof start>>) => new URL(browser.origin).port

let webs: Awaited<ReturnType<typeof start>>[]
let proxy: Awaited<ReturnType<typeof openProxy>>
beforeAll(async () => {
  webs = await Promise.all([start(), start()])
  proxy = await openProxy(
    webs.map(({ browser }) => browser.origin),
    50,
  )
})
afterAll(async () => {
  proxy?.close()
  await Promise.all(webs.map(({ browser }) => browser.stop()))
  pooler.close()
  await db.$client.end()
})

test('two web processes are restarted under load, one after the other, behind a pooler: no request fails, none is done twice', {
  timeout: 240_000,
}, async () => {
  await teamOf(town, 'tecnician', 40)
  const customers = await customersOf(town, 40)
  const through = browserOf({ fetch: (request) => fetch(request, { redirect: 'manual' }) }, proxy.origin)
  const wanted = [...startsOn(0), ...startsOn(1), ...startsOn(2)]
  let rolling = true
  let booked = 0
  const failed: string[] = []
  const note = (answer: Parameters<typeof unexplained>[0]) => failed.push(...unexplained(answer))
  const book = async () => {
    for (let customer = customers.pop(); customer; customer = customers.pop()) {
      const at = wanted[customers.length % wanted.length]!
      const answer = await bookBy(through, customer, 'technical_visit', at)
      note(answer)
      if (isDone(answer)) booked++
      await sleep(250)
    }
  }
  const look = async () => {
    while (rolling) {
      note(await through.visit('/signin'))
      await sleep(30)
    }
  }
  const load = [book(), book(), book(), book(), look(), look(), look()]
  for (const [n, web] of webs.entries()) {
    await web.browser.stop()
    webs[n] = await start({ PORT: portOf(web) })
    // As deployments do: the next one goes when this one has been seen.
    await vi.waitFor(() => expect(proxy.allUp()).toBe(true), 20_000)
  }
  rolling = false
  await Promise.all(load)
  expect(failed).toEqual([])
  expect(booked).toBeGreaterThan(25)
  expect(await db.select().from(appointments)).toHaveLength(booked)
})

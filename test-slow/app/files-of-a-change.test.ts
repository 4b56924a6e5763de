import { Session } from 'node:inspector/promises'
import { handlers } from '../../src/app/handlers.ts'
import { book, slots, storeVisit } from '../../test/kit/appointments.ts'
import { openedJob } from '../../test/kit/delivered.ts'
import {
  ago,
  analyst,
  db,
  fixture,
  newHome,
  newPerson,
  openOnce,
  post,
  runSql,
  technician,
} from '../../test/kit/open.ts'
import { account, confirming, office, owing, prove, set } from '../../test/kit/payments.ts'
import { secret } from '../../test/kit/people.ts'
import { storeSent } from '../../test/kit/quotes.ts'
import { completeSheet } from '../../test/kit/reports.ts'
import { press } from '../../test/reports/phone.ts'

// The application of the sources, where each file is a module (`vitest.slow.ts`).
openOnce()

const session = new Session()
let work: ReturnType<typeof handlers>
beforeAll(async () => {
  await set(fixture, { spei: account })
  work = handlers({ db, drive: fixture.drive, env: fixture.env, secret })
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true })
})

type Job = { id: string; data: Parameters<typeof work.letter>[0] }

/** Runs the jobs of e-mails, and those that they enqueue. */
async function sendEmails() {
  const { rows } = await runSql<Job>`delete from pgboss.job where name = 'letter' returning id, data`
  for (const { data, id } of rows) await work.letter(openedJob(data), id)
  if (rows.length > 0) await sendEmails()
}

let key = 1000

/** Prepares a change; the result makes its requests. */
const changes = {
  async book() {
    const customer = await newPerson()
    await newHome(customer)
    const [start] = await slots(customer)
    return () => book(customer, start!)
  },
  async report() {
    const customer = await newPerson()
    const startedAt = ago(600_000)
    const begun = { state: 'in_progress', assigneeId: technician.id, startedAt } as const
    const visit = await storeVisit(fixture, customer, await newHome(customer), startedAt, begun)
    await completeSheet(visit)
    return () => press(technician, visit, 'submit', new Date())
  },
  async accept() {
    const customer = await newPerson()
    const { digest, id, version } = await storeSent({ customer, technician, maker: analyst })
    const quote = { quoteId: id, version: `${version}`, digest: digest!, seenTotal: '' }
    const choice = { option: 'essential', name: 'Camila Prueba', conditions: 'on' }
    return () => post('/quote', { intent: 'accept-quote', ...quote, ...choice }, customer)
  },
  async proof() {
    const { customer, demand, projectId } = await owing()
    const trackingKey = `MBAN0100${key++}`
    const form = confirming({ ...demand, version: demand.version + 1 }, '5000', { sure: '500000' })
    return async () => {
      await prove(customer, projectId, { trackingKey })
      return post(office(projectId), form, analyst)
    }
  },
}

/** The files of src in which a function ran. */
async function filesRunBy(request: () => Promise<{ status: number }>) {
  await runSql`delete from pgboss.job`
  await session.post('Profiler.takePreciseCoverage')
  const { status } = await request()
  await sendEmails()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  expect([200, 303]).toContain(status)
  const ran = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0))
  return new Set(ran.flatMap(({ url }) => /^(?!.*node_modules).*\/src\/(.+)/.exec(url)?.[1] ?? []))
}

const plumbing = /^(platform|app|kit|ui|shared|access)\//

test.each([
  ['book', 84, 40],
  ['report', 76, 44],
  ['accept', 88, 41],
  ['proof', 108, 48],
] as const)(
  '%s runs at most %i files from request to e-mail, %i of them of nouns',
  async (name, all, nouns) => {
    // Once before: the start of a module is not counted.
    await filesRunBy(await changes[name]())
    const files = [...(await filesRunBy(await changes[name]()))].sort()
    const own = files.filter((file) => !plumbing.test(file))
    expect(files.length, files.join(' ')).toBeLessThanOrEqual(all)
    expect(own.length, own.join(' ')).toBeLessThanOrEqual(nouns)
    console.log(`${name}: ${files.length} files, ${own.length} of nouns`)
  },
)

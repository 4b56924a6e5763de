import { defaultSettings } from '../src/domain/settings/settings-schema.ts'
import { addCustomers, addPast, addTechnicians, addVisits, allStarts, spread } from './crowd.ts'
import { connect, hundredth, pressFor } from './load.ts'
import { isFast, type Line, report, sized } from './report.ts'
import { openBare, openStack, type Stack } from './stack.ts'

const sizes = [
  { people: 1, p50: 10 },
  { people: sized(100, 3), p50: 25 },
  { people: sized(1000, 6), p50: 100 },
]
const visitsEach = sized(20, 3)
const seconds = 4
/** A big house: what the screens have to bear with the longest horizon and years of appointments. */
const house = {
  technicians: sized(200, 5),
  analysts: sized(40, 2),
  days: 60,
  visitsEach: sized(30, 3),
  appointments: sized(50_000, 100),
  p99: 100,
}
const screens = ['technics-visit', 'installation', 'videocall'].map((name) => `/agenda-${name}`)

async function ask(stack: Stack, path: string, cookie: string) {
  const client = connect(stack, 1)
  const { statuses, ...measured } = await pressFor(client, { path, cookie }, seconds)
  client.close()
  if (Object.keys(statuses).join() !== '200') throw new Error(`${path} answered ${JSON.stringify(statuses)}`)
  return measured
}

/** As many technicians as that, each with visits over the month. */
async function growing(stack: Stack, limit: number): Promise<Line[]> {
  const lines: Line[] = []
  const [customer] = await addCustomers(stack.pool, 1, 'coyoacan')
  let there = 0
  for (const { people, p50 } of sizes) {
    const added = await addTechnicians(stack.pool, people - there)
    there = people
    await addVisits(stack.pool, spread(added, visitsEach))
    for (const path of [`${screens[0]}.data`, screens[0]!]) {
      const measured = await ask(stack, path, customer!.cookie)
      lines.push({
        what: `${people} technicians, ${path.endsWith('.data') ? 'data' : 'document'}`,
        people,
        ...measured,
        ofLimit: hundredth(measured.p50 / limit),
        goal: `p50 <= ${p50} ms`,
        met: isFast(measured.p50 <= p50),
      })
    }
  }
  return lines
}

/** The three screens of the big house. */
async function inTheHouse(stack: Stack, limit: number): Promise<Line[]> {
  const { analysts, appointments, days, p99, technicians } = house
  const horizon = { horizonDays: days }
  await stack.pool.query(`insert into settings (key, value) values ('service', $1)`, [
    { services: { technical_visit: horizon, installation: horizon, videocall: horizon } },
  ])
  const people = await addTechnicians(stack.pool, technicians)
  await addTechnicians(stack.pool, analysts, 'analyst')
  const taken = spread(
    people,
    house.visitsEach,
    allStarts(new Date(), { ...defaultSettings.services.technical_visit, ...horizon }),
  )
  await addVisits(stack.pool, taken)
  await addPast(stack.pool, people, appointments - taken.length)
  const [customer] = await addCustomers(stack.pool, 1, 'coyoacan')
  await stack.pool.query(
    'update projects set quote_accepted_at = now(), deposit_paid_at = now() where customer_id = $1',
    [customer!.id],
  )
  const lines: Line[] = []
  for (const path of screens.flatMap((screen) => [`${screen}.data`, screen])) {
    const measured = await ask(stack, path, customer!.cookie)
    lines.push({
      what: `${appointments} appointments, ${path}`,
      people: technicians,
      ...measured,
      ofLimit: hundredth(measured.p99 / limit),
      goal: `p99 <= ${p99} ms with ${technicians} technicians and ${days} days`,
      met: isFast(measured.p99 <= p99),
    })
  }
  return lines
}

const bare = await openBare()
const lines: Line[] = []
try {
  const { p50, p99, perSecond } = await pressFor(connect(bare, 1), { path: '/healthz' }, 2, 1)
  lines.push({ what: 'limit: bare JSON route', people: 0, p50, p99, perSecond })
  for (const [measure, limit] of [
    [inTheHouse, p99],
    [growing, p50],
  ] as const) {
    const stack = await openStack()
    try {
      lines.push(...(await measure(stack, limit)))
    } finally {
      await stack.close()
    }
  }
} finally {
  await bare.close()
}
report(
  'slots-http',
  `Slots over HTTP: the booking screens, one request at a time; the limit is a bare JSON route of the same host`,
  lines,
)

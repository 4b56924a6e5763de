import { addCustomers, addTechnicians, addVisits, spread } from './crowd.ts'
import { connect, pressFor } from './load.ts'
import { type Line, report } from './report.ts'
import { openBare, openStack } from './stack.ts'

const sizes = [
  { people: 1, p50: 10 },
  { people: 100, p50: 25 },
  { people: 1000, p50: 100 },
]
const visitsEach = 20
const seconds = 4

const bare = await openBare()
const stack = await openStack()
const client = connect(stack, 1)
const lines: Line[] = []
try {
  const limit = await pressFor(connect(bare, 1), { path: '/healthz' }, 2, 1)
  lines.push({
    what: 'bare JSON route',
    people: 0,
    p50: limit.p50,
    p99: limit.p99,
    perSecond: limit.perSecond,
  })
  const [customer] = await addCustomers(stack.pool, 1, 'coyoacan')
  let there = 0
  for (const { people, p50 } of sizes) {
    const added = await addTechnicians(stack.pool, people - there)
    there = people
    await addVisits(stack.pool, spread(added, visitsEach))
    for (const [as, path] of [
      ['data', '/agenda-technics-visit.data'],
      ['document', '/agenda-technics-visit'],
    ] as const) {
      const { statuses, ...measured } = await pressFor(client, { path, cookie: customer!.cookie }, seconds)
      if (Object.keys(statuses).join() !== '200')
        throw new Error(`${path} answered ${JSON.stringify(statuses)}`)
      lines.push({
        what: `${people} technicians, ${as}`,
        people,
        ...measured,
        goal: `p50 <= ${p50} ms`,
        met: measured.p50 <= p50,
      })
    }
  }
} finally {
  client.close()
  await stack.close()
  await bare.close()
}
report(
  'slots-http',
  `Slots over HTTP: GET /agenda-technics-visit, one request at a time, ${visitsEach} appointments each over 30 days`,
  lines,
)

import { addCustomers, addStaff, addTechnicians, addVisits, openSessions, spread } from './crowd.ts'
import { firstLoad } from './first-load.ts'
import { connect, pressFor } from './load.ts'
import { isFast, type Line, report, sized } from './report.ts'
import { startTimes } from './restart.ts'
import { openBare, openStack } from './stack.ts'

const goals = { documents: 300, data: 1000, firstLoad: 170_000, secondStart: 3000, memory: 300 }
const connections = 8
const seconds = 5
const list = '/admin/appointments-pending'

const bare = await openBare()
const stack = await openStack()
const client = connect(stack, connections)
const lines: Line[] = []
try {
  lines.push({
    what: 'memory idle',
    MB: stack.memory(),
    goal: `<= ${goals.memory} MB`,
    met: isFast(stack.memory() <= goals.memory),
  })
  const { pool } = stack
  const technicians = await addTechnicians(pool, 10)
  await addVisits(pool, spread(technicians, 20))
  const [customer] = await addCustomers(pool, 1, 'coyoacan')
  const [manager, technician] = await openSessions(pool, [await addStaff(pool, 'manager'), technicians[0]!])

  const limit = await pressFor(connect(bare, connections), { path: '/healthz' }, 3, 1)
  lines.push({ what: 'bare JSON route', perSecond: limit.perSecond, p50: limit.p50, p99: limit.p99 })
  const pages = [
    { path: '/signin', cookie: undefined },
    { path: '/', cookie: customer!.cookie },
    { path: list, cookie: manager },
  ]
  for (const { path, cookie } of pages)
    for (const as of ['document', 'data'] as const) {
      const asked = as === 'document' ? path : path === '/' ? '/_.data' : `${path}.data`
      const { statuses, perSecond, p50, p99, cpuMs, bytes } = await pressFor(
        client,
        { path: asked, ...(cookie && { cookie }) },
        seconds,
      )
      if (Object.keys(statuses).join() !== '200')
        throw new Error(`${asked} answered ${JSON.stringify(statuses)}`)
      const goal = as === 'document' ? goals.documents : goals.data
      lines.push({
        what: `${path}, ${as}`,
        perSecond,
        p50,
        p99,
        cpuMs,
        bytes,
        ofLimit: Math.round((perSecond / limit.perSecond) * 1000) / 1000,
        ...(path === list && { goal: `>= ${goal} a second`, met: isFast(perSecond >= goal), fails: false }),
      })
    }
  lines.push({
    what: 'memory after load',
    MB: stack.memory(),
    goal: `<= ${goals.memory} MB`,
    met: isFast(stack.memory() <= goals.memory),
  })
  for (const [role, path, cookie] of [
    ['visitor', '/signin', undefined],
    ['customer', '/', customer!.cookie],
    ['customer, agenda', '/agenda-technics-visit', customer!.cookie],
    ['technician', list, technician],
    ['manager', '/admin', manager],
  ] as const) {
    const sizes = await firstLoad(client, path, cookie)
    lines.push({
      what: `first load, ${role}`,
      ...sizes,
      goal: `script + style <= ${goals.firstLoad / 1000} kB`,
      met: sizes.script + sizes.style <= goals.firstLoad,
    })
  }
} finally {
  client.close()
  await stack.close()
  await bare.close()
}
// A start is no shorter in a short run.
const [first, second] = (await sized(startTimes, async () => null)()) ?? []
if (second === undefined) lines.push({ what: 'starts: not measured here, use npm run bench' })
else {
  lines.push({ what: 'first start with the demo world', ms: first })
  lines.push({
    what: 'second start to first answer',
    ms: second,
    goal: `<= ${goals.secondStart} ms`,
    met: isFast(second <= goals.secondStart),
  })
}
report(
  'pages',
  `Pages: ${connections} connections; the list has 50 rows of 200; bytes are compressed, as served`,
  lines,
)

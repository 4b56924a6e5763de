import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { toDate } from '../src/domain/shared/calendar.ts'
import { addCustomers, addStaff, addTechnicians, allStarts, openSessions } from './crowd.ts'
import { openListeners } from './listeners.ts'
import { connect, hundredth } from './load.ts'
import { isFast, type Line, report, sized } from './report.ts'
import { openStack } from './stack.ts'

const goal = { streams: sized(1000, 20), ms: 2000 }
const changes = sized(20, 2)

const stack = await openStack()
const lines: Line[] = []
try {
  const second = await stack.addWeb()
  await addTechnicians(stack.pool, 20)
  // Half of them see everything and sit at either server; the others are customers, whom none of it concerns.
  const managers = await Promise.all(
    Array.from({ length: sized(10, 2) }, () => addStaff(stack.pool, 'manager')),
  )
  const desk = await openSessions(
    stack.pool,
    Array.from({ length: goal.streams }, (_, n) => managers[n % managers.length]!),
  )
  const others = (await addCustomers(stack.pool, sized(200, 5))).map(({ cookie }) => cookie)
  await wait(1000)
  const before = [stack.memory(), second.memory()]
  const half = goal.streams / 2
  const ears = [
    await openListeners(stack.origin, desk.slice(0, half)),
    await openListeners(second.origin, desk.slice(half)),
  ]
  const strangers = await openListeners(stack.origin, others)
  await wait(1000)
  const after = [stack.memory(), second.memory()]
  lines.push({
    what: `memory, ${half + others.length} and ${half} streams`,
    kilobytesEach: [half + others.length, half]
      .map((count, n) => hundredth(((after[n]! - before[n]!) * 1024) / count))
      .join(' / '),
    megabytes: after.join(' / '),
  })

  const customers = await addCustomers(stack.pool, changes, 'coyoacan')
  const starts = allStarts()
  const client = connect(stack, 1)
  const times: { answered: number; heard: number }[] = []
  let missed = 0
  const first = performance.now()
  for (const [n, { cookie }] of customers.entries()) {
    await wait(200)
    const moment = performance.now()
    const form = {
      startsAt: toDate(starts[(n * 31) % starts.length]!).toISOString(),
      requestKey: randomUUID(),
    }
    const { ms, status } = await client.ask({ path: '/agenda-technics-visit.data', cookie, form })
    if (status !== 202) throw new Error(`booking answered ${status}`)
    const last = await Promise.all(ears.map((one) => one.allHeardSince(moment)))
    if (last.includes(null)) missed++
    times.push({
      answered: ms,
      heard: Math.max(...last.map((at) => at ?? Number.POSITIVE_INFINITY)) - moment,
    })
  }
  client.close()
  const heard = times.map((one) => one.heard).toSorted((a, b) => a - b)
  lines.push({
    what: `${goal.streams} streams at two servers, ${changes} changes`,
    p50: hundredth(heard[heard.length >> 1]!),
    max: hundredth(heard.at(-1)!),
    answeredMax: hundredth(Math.max(...times.map(({ answered }) => answered))),
    ofLimit: hundredth(heard.at(-1)! / Math.max(...times.map(({ answered }) => answered))),
    goal: `the last one hears within ${goal.ms} ms of the form being sent`,
    met: missed === 0 && isFast(heard.at(-1)! <= goal.ms),
  })
  lines.push({
    what: `${others.length} streams of other customers`,
    answers: `${strangers.count(first)} heard anything`,
    goal: 'nobody hears what does not concern them',
    met: strangers.count(first) === 0,
  })
  for (const one of [...ears, strangers]) one.close()
} finally {
  await stack.close()
}
report(
  'live',
  `Live updates: ${goal.streams} open streams at two web processes; the limit is the change itself`,
  lines,
)

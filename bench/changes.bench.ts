import { randomUUID } from 'node:crypto'
import type { Actor } from '../src/domain/access/actor.ts'
import { toDate } from '../src/domain/shared/calendar.ts'
import { assign } from '../src/server/appointments/assign.ts'
import { bookAppointment } from '../src/server/appointments/book.ts'
import { cancel } from '../src/server/appointments/cancel.ts'
import { openDatabase } from '../src/server/platform/database/client.ts'
import { startJobs, stopJobs } from '../src/server/platform/jobs/jobs.ts'
import { bareInserts, brokenDays, doubles } from './booking-checks.ts'
import { addCustomers, addStaff, addTechnicians, allStarts } from './crowd.ts'
import { hundredth } from './load.ts'
import { isFast, type Line, report, sized } from './report.ts'
import { openStack } from './stack.ts'

const size = {
  technicians: sized(100, 10),
  warm: sized(400, 10),
  bookings: sized(2400, 60),
  assigned: sized(1200, 30),
  hands: 8,
  perSecond: 1000,
}

const actorOf = (id: string, kind: 'manager' | null) =>
  ({
    id,
    email: '',
    emailVerified: true,
    name: 'Persona',
    lastname: 'Prueba',
    role: kind ? 'staff' : 'customer',
    kind,
    agencyId: null,
    twoFactor: false,
  }) as Actor

/** So many hands, each taking the next piece of work as soon as one is done. */
async function measure<Item>(
  what: string,
  items: Item[],
  run: (item: Item) => Promise<unknown>,
): Promise<Line> {
  const left = [...items]
  const times: number[] = []
  const [started, computed] = [performance.now(), process.cpuUsage()]
  const hand = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) {
      const from = performance.now()
      await run(item)
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: size.hands }, hand))
  const perSecond = Math.round((items.length / (performance.now() - started)) * 1000)
  const { system, user } = process.cpuUsage(computed)
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => hundredth(sorted[Math.ceil(sorted.length * share) - 1]!)
  return {
    what,
    perSecond,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    cpuMs: hundredth((user + system) / 1000 / items.length),
  }
}

// The letters wait: whoever sends them is another process's work.
const stack = await openStack({}, { role: 'web' })
const db = openDatabase(stack.connection, size.hands + 2)
const lines: Line[] = []
try {
  await startJobs(db)
  const people = await addTechnicians(stack.pool, size.technicians)
  const manager = actorOf(await addStaff(stack.pool, 'manager'), 'manager')
  const starts = allStarts()
  const some = await addCustomers(stack.pool, size.assigned)
  const limit = await bareInserts(stack.pool, some, people, starts)
  lines.push({
    what: 'limit: guarded insert through pg',
    perSecond: limit.perSecond,
    p50: limit.p50,
    p99: limit.p99,
    max: limit.max,
  })
  const customers = await addCustomers(stack.pool, size.warm + size.bookings)
  await stack.pool.query('analyze')
  const made: { id: string; actor: Actor }[] = []
  const work = customers.map(({ id }, n) => ({
    actor: actorOf(id, null),
    start: starts[(n * 37) % starts.length]!,
  }))
  const book = async ({ actor, start }: (typeof work)[number]) => {
    const booking = { startsAt: toDate(start), requestKey: randomUUID(), notes: null }
    const { id } = await bookAppointment(db, actor, 'technical_visit', booking, {
      address: '127.0.0.1',
      now: new Date(),
    })
    made.push({ id, actor })
  }
  await measure('warm', work.slice(0, size.warm), book)
  const booked = await measure('book', work.slice(size.warm), book)
  const { rows } = await stack.pool.query<{ id: string; assignee_id: string }>(
    'select id, assignee_id from appointments where folio not like $1',
    ['B-%'],
  )
  const assigned = await measure('assign', rows.slice(0, size.assigned), (row) =>
    assign(
      db,
      manager,
      row.id,
      { assigneeId: row.assignee_id, overrideReason: null, version: 1 },
      new Date(),
    ),
  )
  const untouched = new Set(rows.slice(size.assigned).map(({ id }) => id))
  const cancelled = await measure(
    'cancel',
    made.filter(({ id }) => untouched.has(id)),
    ({ id, actor }) =>
      cancel(db, actor, id, { reason: 'cliente_no_disponible', note: null, version: 1 }, new Date()),
  )
  for (const line of [booked, assigned, cancelled])
    lines.push({
      ...line,
      ofLimit: hundredth(Number(line.perSecond) / limit.perSecond),
      goal: `>= ${size.perSecond} a second`,
      met: isFast(Number(line.perSecond) >= size.perSecond),
    })
  const [twice, broken] = [await doubles(stack.pool), await brokenDays(stack.pool)]
  lines.push({
    what: 'afterwards',
    answers: `${twice} double, ${broken} unreachable`,
    goal: 'nothing double, every itinerary reachable',
    met: twice === 0 && broken === 0,
  })
} finally {
  await stopJobs()
  // Changes gather for a moment before they are announced.
  await new Promise((resolve) => setTimeout(resolve, 100))
  await db.$client.end()
  await stack.close()
}
report(
  'changes',
  `The changes alone, without HTTP: ${size.hands} at a time, commits flushed to the disk`,
  lines,
)

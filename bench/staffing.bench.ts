import type { Actor } from '../src/domain/access/actor.ts'
import { localDate } from '../src/domain/shared/calendar.ts'
import { Refusal } from '../src/domain/shared/refusal.ts'
import { type Db, openDatabase, type Tx } from '../src/server/platform/database/client.ts'
import { startJobs, stopJobs } from '../src/server/platform/jobs/jobs.ts'
import { type Affected, changeStaffing } from '../src/server/users/change.ts'
import { addStaff, addTechnicians, addVisits, allStarts, spread } from './crowd.ts'
import { hundredth } from './load.ts'
import { isFast, type Line, report, sized } from './report.ts'
import { openStack } from './stack.ts'

const people = sized(1000, 20)
const visitsEach = 5

type Change = (tx: Tx) => Promise<unknown>
const run =
  (text: string, ...values: unknown[]): Change =>
  (tx) =>
    tx.$client.query(text, values)

/** One try: how long nobody could book, how long the manager waited, and what there was to settle. */
async function measure(db: Db, actor: Actor, change: Change, choices: Record<string, string>) {
  let held = 0
  const from = performance.now()
  const affected = await changeStaffing(db, actor, {
    now: new Date(),
    choices,
    keepReason: 'Acordado',
    change: (tx) => {
      held = performance.now()
      return change(tx)
    },
  }).then(
    () => [],
    (error) => {
      if (!(error instanceof Refusal)) throw error
      return (error.details as { affected: Affected[] }).affected
    },
  )
  const until = performance.now()
  return { affected, held: until - held, whole: until - from }
}

const ms = (value: number) => Math.round(value * 10) / 10

/** A change as a manager makes it: refused with the list, then sent again with a choice for each. */
async function inTwoSteps(
  db: Db,
  actor: Actor,
  what: string,
  change: Change,
  choose: (one: Affected) => string,
  most: number,
): Promise<Line[]> {
  const asked = await measure(db, actor, change, {})
  const choices = Object.fromEntries(asked.affected.map((one) => [one.id, choose(one)]))
  const done = await measure(db, actor, change, choices)
  const left = done.affected.length
  const goal = `bookings wait <= ${most} ms`
  return [
    { what: `${what}: the list`, settled: asked.affected.length, whole: ms(asked.whole) },
    {
      what,
      settled: asked.affected.length - left,
      held: ms(done.held),
      whole: ms(done.whole),
      ofLimit: hundredth(done.held / limit),
      goal,
      met: isFast(done.held <= most),
    },
  ]
}

const stack = await openStack()
const { host, user, database } = stack.pool.options
const db = openDatabase({ host, user, database } as { host: string; user: string; database: string })
const lines: Line[] = []
/** The same way with nothing to settle. */
let limit = 0
try {
  await startJobs(db)
  const ids = await addTechnicians(stack.pool, people)
  await addVisits(stack.pool, spread(ids, visitsEach))
  const manager = { id: await addStaff(stack.pool, 'manager'), role: 'staff', kind: 'manager' } as Actor
  const dates = [...new Set(allStarts().map(localDate))]
  const holiday = (date: string) =>
    run(
      `insert into settings (key, value) values ('service', $1) on conflict (key) do update set value = excluded.value`,
      { holidays: [date] },
    )
  await measure(db, manager, run('select 1'), {})
  const idle = await measure(db, manager, run(`update users set name = 'Otra' where id = $1`, ids[9]), {})
  limit = idle.held
  lines.push({
    what: 'limit: a name',
    settled: 0,
    held: ms(idle.held),
    whole: ms(idle.whole),
    goal: 'bookings wait <= 150 ms',
    met: isFast(idle.held <= 150),
  })
  const first = ({ able }: Affected) => able[0]?.id ?? 'release'
  const gone = (id: string) => run('update users set active = false where id = $1', id)
  lines.push(
    ...(await inTwoSteps(db, manager, 'one person deactivated, visits given', gone(ids[0]!), first, 250)),
  )
  lines.push(
    ...(await inTwoSteps(
      db,
      manager,
      'one person deactivated, visits released',
      gone(ids[1]!),
      () => 'release',
      250,
    )),
  )
  lines.push(
    ...(await inTwoSteps(db, manager, 'a holiday, all kept', holiday(dates[9]!), () => 'keep', 1000)),
  )
  lines.push(
    ...(await inTwoSteps(db, manager, 'a holiday, all released', holiday(dates[12]!), () => 'release', 1000)),
  )
  const hours = run(
    `insert into settings (key, value) values ('service', $1) on conflict (key) do update set value = excluded.value`,
    {
      hours: Array(7).fill({ from: 540, to: 1050 }),
    },
  )
  lines.push(
    ...(await inTwoSteps(db, manager, 'shorter opening hours, all released', hours, () => 'release', 2000)),
  )
} finally {
  await stopJobs()
  await db.$client.end()
  await stack.close()
}
report(
  'staffing',
  `Changes of the staffing: ${people} technicians, ${people * visitsEach} future visits`,
  lines,
)

import { randomUUID } from 'node:crypto'
import { localDate, toDate } from '../src/shared/calendar.ts'
import { brokenDays, doubles, untold } from './booking-checks.ts'
import { addCustomers, addStaff, addTechnicians, allStarts, type Customer, openSessions } from './crowd.ts'
import { openListeners } from './listeners.ts'
import { type Answer, type Ask, connect, type Figures, figuresOf, press } from './load.ts'
import { isFast, type Line, report, sized, told } from './report.ts'
import { openStack, type Stack } from './stack.ts'

const race = { rounds: sized(20, 2), accounts: sized(50, 6), free: 3, p95: 300, max: 1000 }
/** `screens` are open meanwhile: managers', which hear of everything, and as many of customers. */
const steady = {
  technicians: sized(100, 10),
  warm: sized(400, 10),
  bookings: sized(2400, 60),
  connections: 8,
  screens: sized(20, 2),
  perSecond: 400,
  p99: 60,
}
const screen = '/agenda-technics-visit'

/** A booking as the page sends it, with JavaScript (`.data`) or without. */
const booking = ({ cookie }: Customer, start: number, path = `${screen}.data`): Ask => ({
  path,
  cookie,
  form: { startsAt: toDate(start).toISOString(), requestKey: randomUUID() },
})

const shown = ({ max, p50, p95, p99, perSecond }: Figures) => ({ perSecond, p50, p95, p99, max })

/** 200 and 202 tell JavaScript, 303 everybody else, that it was booked. */
const isBooked = ({ status, headers }: Answer) =>
  status === 202 || (status === 303 && headers.location === '/technics-visit?agendada')

/** Every account asks at once for the same slot, which so many people can take; each round on a day of its own. */
async function races(stack: Stack, path: string, starts: readonly number[]): Promise<Line> {
  const client = connect(stack, race.accounts)
  const customers = await addCustomers(stack.pool, race.accounts * starts.length, 'coyoacan')
  const all: Answer[] = []
  const winners: number[] = []
  let elapsed = 0
  for (const [round, start] of starts.entries()) {
    const accounts = customers.slice(round * race.accounts, (round + 1) * race.accounts)
    const from = performance.now()
    const answers = await Promise.all(accounts.map((one) => client.ask(booking(one, start, path))))
    elapsed += performance.now() - from
    winners.push(answers.filter(isBooked).length)
    all.push(...answers)
  }
  client.close()
  const figures = figuresOf(all, elapsed)
  const exact = winners.every((won) => won === race.free)
  const refused = all.filter((one) => !isBooked(one)).every(({ status }) => status === 409)
  return {
    what: `race, ${path.endsWith('.data') ? 'data' : 'document'}`,
    ...shown(figures),
    answers: told(figures.statuses),
    winners: [...new Set(winners)].join('/'),
    goal: `${race.free} winners in each of ${starts.length} rounds, the others 409, p95 <= ${race.p95} ms, max < ${race.max} ms`,
    met: exact && refused && isFast(figures.p95 <= race.p95 && figures.max < race.max),
    fails: !exact || !refused,
  }
}

/** The screens that are open while others book. */
async function openScreens({ origin, pool }: Stack) {
  const { screens } = steady
  const managers = await Promise.all(Array.from({ length: screens }, () => addStaff(pool, 'manager')))
  const others = await addCustomers(pool, screens)
  const ears = [
    await openListeners(origin, await openSessions(pool, managers)),
    await openListeners(
      origin,
      others.map(({ cookie }) => cookie),
    ),
  ] as const
  return {
    heard: () => ears.map((one) => one.count(1)).join(' / '),
    close() {
      for (const one of ears) one.close()
    },
  }
}

/** Many customers, each books another slot; the calendar is walked so that neighbours do not follow each other. */
async function distinct(stack: Stack): Promise<Line> {
  const open = await openScreens(stack)
  const { bookings, connections, warm } = steady
  const client = connect(stack, connections)
  const starts = allStarts()
  const left = (await addCustomers(stack.pool, warm + bookings)).map((customer, n) =>
    booking(customer, starts[(n * 37) % starts.length]!),
  )
  await stack.pool.query('analyze')
  const early = left.splice(0, warm)
  await press(client, () => early.pop())
  const { all, ...measured } = await press(client, () => left.pop())
  client.close()
  const heard = open.heard()
  open.close()
  const isRight = all.filter(isBooked).length === bookings && heard === `${steady.screens} / 0`
  const { perSecond, p99, statuses } = measured
  return {
    what: `distinct slots, ${connections} connections`,
    ...shown(measured),
    answers: told(statuses),
    heard,
    goal: `>= ${steady.perSecond} a second, p99 <= ${steady.p99} ms, while ${steady.screens} managers' screens hear of each and as many customers' of none`,
    met: isRight && isFast(perSecond >= steady.perSecond && p99 <= steady.p99),
    fails: !isRight,
  }
}

/** One start a day, on as many days; of a day that has begun, some are over. */
const daily = (count: number, at: number) =>
  [...Map.groupBy(allStarts(), (start) => localDate(start)).values()]
    .filter((day) => day.length > at)
    .slice(0, count)
    .map((day) => day[at]!)

const stack = await openStack()
const lines: Line[] = []
try {
  await addTechnicians(stack.pool, race.free)
  lines.push(await races(stack, `${screen}.data`, daily(race.rounds, 0)))
  lines.push(await races(stack, screen, daily(race.rounds, 6)))
  await addTechnicians(stack.pool, steady.technicians - race.free)
  lines.push(await distinct(stack))
  const twice = await doubles(stack.pool)
  const broken = await brokenDays(stack.pool)
  const silent = await untold(stack.pool)
  lines.push({
    what: 'afterwards',
    answers: `${twice} double, ${broken} unreachable, ${silent} without event or letter`,
    goal: 'nothing double, every itinerary reachable, each with its event and its letter',
    met: twice === 0 && broken === 0 && silent === 0,
  })
} finally {
  await stack.close()
}
report('booking', 'Booking: the built application over HTTP, commits flushed to the disk', lines)

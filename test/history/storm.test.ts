import { setTimeout as wait } from 'node:timers/promises'
import { inArray } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { activeStates } from '../../src/domain/appointment.ts'
import { toMinutes } from '../../src/domain/calendar.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { services } from '../../src/domain/services.ts'
import { cancel } from '../../src/server/appointments/cancel.ts'
import { hold } from '../../src/server/appointments/changes.ts'
import { confirmProvisional } from '../../src/server/appointments/confirm.ts'
import { release } from '../../src/server/appointments/release.ts'
import { moveTo } from '../../src/server/appointments/reschedule.ts'
import { transaction } from '../../src/server/database/database.ts'
import { appointments } from '../../src/server/database/schema.ts'
import { startJobs, stopJobs } from '../../src/server/jobs/jobs.ts'
import { holdingStaffing } from '../../src/server/scheduling/choose.ts'
import { currentStaffing } from '../../src/server/scheduling/roster.ts'
import { around, hour, type Visit } from '../appointments/story.ts'
import { type Dice, dice } from '../dice.ts'
import type { Person } from '../people.ts'
import { rounds } from '../rounds.ts'
import type { Answer } from '../visitor.ts'
import { openWorld, type World } from '../world.ts'
import { isDone, unexplained } from './answers.ts'
import { whatIsWrong } from './check.ts'
import { bookBy, crewOf, customersOf, startsOn } from './town.ts'

const clients = 12
const actions = 25

let world: World
let customers: Person[]
let crew: Person[]
let managers: Person[]
beforeEach(async () => {
  world = await openWorld()
  customers = await customersOf(world, 24)
  crew = [...(await crewOf(world, 'tecnician', 4)), ...(await crewOf(world, 'analyst', 2))]
  managers = [await world.person({ kind: 'manager' }), await world.person({ kind: 'manager' })]
  await startJobs(world.db)
})
afterEach(async () => {
  await stopJobs()
  // Changes gather for a moment before they are announced.
  await wait(50)
  await world.close()
})

const starts = [0, 1].flatMap((nth) => startsOn(nth))

/** Any active appointment as it stands now; by the time it is acted upon it may be another. */
async function any(chance: Dice): Promise<Visit | undefined> {
  const rows = await world.db
    .select()
    .from(appointments)
    .where(inArray(appointments.state, [...activeStates]))
  return rows.length > 0 ? chance.oneOf(rows) : undefined
}

const refusedOr = (change: Promise<unknown>) =>
  change.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })

type Action = (chance: Dice) => Promise<Answer | unknown>

const bookAny: Action = (chance) =>
  bookBy(world, chance.oneOf(customers), chance.oneOf(services), chance.oneOf(starts))

const assignAny: Action = async (chance) => {
  const visit = await any(chance)
  if (!visit) return
  const form = {
    version: String(visit.version),
    assigneeId: chance.oneOf(crew).id,
    ...(chance.below(3) === 0 && { overrideReason: 'Lo pidió el cliente' }),
  }
  return world.post(`/admin/assignations/${visit.id}.data`, form, chance.oneOf(managers))
}

const releaseAny: Action = async (chance) => {
  const visit = await any(chance)
  const { actor } = chance.oneOf(managers)
  if (visit)
    await refusedOr(
      release(world.db, actor, visit.id, { reason: 'Cambio', version: visit.version }, new Date()),
    )
}

const cancelAny: Action = async (chance) => {
  const visit = await any(chance)
  if (!visit) return
  const owner = customers.find(({ id }) => id === visit.customerId)!
  const by = chance.oneOf([owner, chance.oneOf(managers)])
  const wish = { reason: 'cliente_no_disponible', note: null, version: visit.version } as const
  await refusedOr(cancel(world.db, by.actor, visit.id, wish, new Date()))
}

const moveAny: Action = async (chance) => {
  const visit = await any(chance)
  if (!visit) return
  const owner = customers.find(({ id }) => id === visit.customerId)!
  const { actor } = chance.oneOf([owner, chance.oneOf(managers)])
  const staffing = await currentStaffing(world.db)
  const to = {
    start: toMinutes(chance.oneOf(starts)),
    personId: chance.oneOf([visit.assigneeId ?? crew[0]!.id, chance.oneOf(crew).id]),
    staffing,
  }
  const change = transaction(
    world.db,
    async (tx) => moveTo(tx, actor, await hold(tx, actor, visit.id), to, new Date()),
    holdingStaffing,
  )
  await refusedOr(change)
}

const confirmAll: Action = (chance) =>
  confirmProvisional(world.db, around({ startsAt: chance.oneOf(starts) }, -hour))

const deck: Record<string, { action: Action; weight: number }> = {
  book: { action: bookAny, weight: 8 },
  assign: { action: assignAny, weight: 6 },
  release: { action: releaseAny, weight: 3 },
  cancel: { action: cancelAny, weight: 3 },
  move: { action: moveAny, weight: 4 },
  confirm: { action: confirmAll, weight: 1 },
}
const cards = Object.entries(deck).flatMap(([name, { weight }]) => Array<string>(weight).fill(name))

const isAnswer = (told: unknown): told is Answer =>
  typeof told === 'object' && told !== null && 'status' in told

/** One client after another thing, as chance has it; answers what was done and what no words explain. */
async function client(seed: number, done: Record<string, number>): Promise<string[]> {
  const chance = dice(seed)
  const wrong: string[] = []
  for (let n = 0; n < actions; n++) {
    const name = chance.oneOf(cards)
    const told = await deck[name]!.action(chance)
    if (!isAnswer(told)) continue
    wrong.push(...unexplained(told).map((what) => `${name}: ${what}`))
    if (isDone(told)) done[name] = (done[name] ?? 0) + 1
  }
  return wrong
}

test('a storm of everything at once leaves a history that adds up', {
  timeout: 60_000 * rounds(1),
}, async () => {
  for (let round = 1; round <= rounds(1); round++) {
    const done: Record<string, number> = {}
    const wrong = await Promise.all(Array.from({ length: clients }, (_, n) => client(round * 1000 + n, done)))
    expect(wrong.flat()).toEqual([])
    expect(await whatIsWrong(world.db)).toEqual([])
    expect(Math.min(...['book', 'assign'].map((name) => done[name] ?? 0))).toBeGreaterThan(10)
  }
})

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../src/domain/actor.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { cancel } from '../../src/server/appointments/cancel.ts'
import { changeTime } from '../../src/server/appointments/change-time.ts'
import { startJobs, stopJobs } from '../../src/server/jobs/jobs.ts'
import type { Person } from '../people.ts'
import { openWorld, type World } from '../world.ts'
import {
  around,
  book,
  customerWithVisit,
  eventsOf,
  hour,
  lettersOf,
  occupy,
  type People,
  slots,
  type Visit,
  visitOf,
} from './story.ts'

let world: World
let people: People
let customer: Person
let visit: Visit
let free: string[]
beforeEach(async () => {
  world = await openWorld()
  await startJobs(world.db)
  people = await world.people()
  // Whoever has booked sees no agenda any more.
  const scout = await world.person()
  await world.home(scout)
  free = await slots(world, scout, 1)
  ;({ customer, visit } = await customerWithVisit(world))
})
afterEach(async () => {
  await stopJobs()
  await world.close()
})

const actorOf = ({ id }: Person, kind: 'manager' | null = null) =>
  ({ id, role: kind ? 'staff' : 'customer', kind, emailVerified: true }) as unknown as Actor
const move = (startsAt: string, more: object = {}, by = actorOf(customer), now = new Date()) =>
  changeTime(world.db, by, visit.id, { startsAt: new Date(startsAt), version: visit.version, ...more }, now)
const refusedWith = (attempt: Promise<unknown>) =>
  attempt.then(
    () => expect.unreachable(),
    (error: unknown) => (error instanceof Refusal ? error : Promise.reject(error)),
  )

test('the person who is free then keeps it; it is counted, told and written down', async () => {
  const moved = await move(free[2]!)
  expect(moved).toMatchObject({
    state: 'requested',
    assigneeId: visit.assigneeId,
    confirmedAt: null,
    startsAt: new Date(free[2]!),
    version: visit.version + 1,
    sequence: 1,
    movedByCustomer: 1,
    movedByUs: 0,
  })
  expect(await lettersOf(world, visit)).toEqual(['booked to customer', 'changed to customer'])
  const [, event] = await eventsOf(world, visit.id)
  expect(event).toMatchObject({
    name: 'reschedule',
    actorId: customer.id,
    data: { startsAt: free[2], was: visit.startsAt.toISOString(), assigneeId: visit.assigneeId },
  })
})

test('the same form sent twice, or twice at once, is one change', async () => {
  const both = await Promise.all([move(free[2]!), move(free[2]!)])
  expect(both.map(({ movedByCustomer }) => movedByCustomer)).toEqual([1, 1])
  expect(await move(free[2]!)).toMatchObject({ version: visit.version + 1, movedByCustomer: 1 })
})

test('somebody else takes it, provisionally, where its confirmed person is busy then', async () => {
  const other = await world.person({ kind: 'tecnician', name: 'Otro' })
  await world.db.$client.query(
    `update appointments set state = 'assigned', confirmed_at = now() where id = $1`,
    [visit.id],
  )
  await occupy(world, { ...people.technician, id: visit.assigneeId! }, new Date(free[2]!))
  const moved = await move(free[2]!)
  expect(moved).toMatchObject({ state: 'requested', confirmedAt: null })
  expect(moved.assigneeId).not.toBe(visit.assigneeId)
  expect(other.id).toBeTruthy()
  expect(await lettersOf(world, visit)).toEqual([
    'booked to customer',
    'changed to customer',
    'no_person to person',
  ])
})

test('after the cut-off, after two moves, and to what is not offered: nothing changes', async () => {
  const late = around(visit, -23 * hour)
  expect((await refusedWith(move(free[2]!, {}, actorOf(customer), late))).code).toBe('failed-precondition')
  await world.db.$client.query('update appointments set moved_by_customer = 2 where id = $1', [visit.id])
  expect((await refusedWith(move(free[2]!))).description).toContain('Ya la cambiaste')
  await world.db.$client.query('update appointments set moved_by_customer = 0 where id = $1', [visit.id])
  const odd = around({ startsAt: new Date(free[2]!) }, 7 * 60_000).toISOString()
  expect((await refusedWith(move(odd))).code).toBe('out-of-range')
  expect((await refusedWith(move(free[2]!, { version: 9 }))).code).toBe('aborted')
  expect(await visitOf(world, customer)).toEqual(visit)
})

test('the manager sets soft rules aside in writing only, and is not held by the cut-off', async () => {
  const manager = actorOf(people.manager, 'manager')
  const odd = around({ startsAt: new Date(free[2]!) }, 10 * 60_000).toISOString()
  const late = around(visit, -23 * hour)
  const refusal = await refusedWith(move(odd, {}, manager, late))
  expect(refusal.description).toContain('No es una hora de la agenda')
  const moved = await move(odd, { overrideReason: 'Lo pidió por teléfono' }, manager, late)
  expect(moved).toMatchObject({ movedByUs: 1, movedByCustomer: 0, overrideReason: 'Lo pidió por teléfono' })
})

test('two want the same time at once, one of them moving there: one gets it', async () => {
  await world.db.$client.query(`update users set active = false where kind = 'tecnician' and id <> $1`, [
    visit.assigneeId,
  ])
  const rival = await world.person()
  await world.home(rival)
  const [moved, booked] = await Promise.allSettled([move(free[4]!), book(world, rival, free[4]!)])
  const won = [moved.status === 'fulfilled', booked.status === 'fulfilled' && booked.value.status === 303]
  expect(won.filter(Boolean)).toHaveLength(1)
})

test('a cancellation in time, then the same again; late only knowingly, and then the managers hear', async () => {
  const wish = { reason: 'cliente_no_disponible' as const, note: null, version: visit.version }
  const late = around(visit, -2 * hour)
  const refusal = await refusedWith(cancel(world.db, actorOf(customer), visit.id, wish, late))
  expect(refusal.code).toBe('failed-precondition')
  const first = await cancel(world.db, actorOf(customer), visit.id, { ...wish, late: true }, late)
  expect(first).toMatchObject({ state: 'cancelled', late: true, sequence: 1, closingReason: wish.reason })
  expect(await cancel(world.db, actorOf(customer), visit.id, { ...wish, late: true }, late)).toEqual(first)
  expect(await lettersOf(world, visit)).toEqual([
    'booked to customer',
    'cancelled to customer',
    'late_cancel to managers',
  ])
})

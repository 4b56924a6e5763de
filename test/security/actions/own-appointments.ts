import { and, eq, isNull, sql } from 'drizzle-orm'
import { shareVisit } from '../../../src/server/appointments/shared-visit.ts'
import {
  moveOffers,
  slotOffers,
  slotWishes,
} from '../../../src/server/platform/database/schema/appointments.ts'
import { addresses, projects } from '../../../src/server/platform/database/schema/projects.ts'
import { hour, minute, slots, storeVisit, type Visit } from '../../kit/appointments.ts'
import type { Home, Person } from '../../kit/people.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import type { Action } from './shape.ts'

/** At noon in Mexico City, twelve days ahead: the evenings are `visitOfToday`'s, and the technician is the same. */
const inTwelveDays = () => new Date(Math.floor(Date.now() / (24 * hour)) * 24 * hour + (12 * 24 + 18) * hour)

/** A visit of the customer's, some days ahead, in the place of whatever they had; nobody waits for an earlier one. */
async function ownVisit(
  world: World,
  { customer, technician }: Cast,
  startsAt?: Date,
  wish: Partial<Visit> = {},
) {
  await world.db.execute(sql`update appointments set state = 'cancelled'
    where customer_id = ${customer.id} and state in ('requested', 'assigned')`)
  await world.db.execute(sql`update slot_wishes set ended_at = now(), ended_because = 'withdrawn'
    where customer_id = ${customer.id} and ended_at is null`)
  const start = startsAt ?? inTwelveDays()
  return storeVisit(world, customer, await homeOf(world, customer), start, {
    assigneeId: technician.id,
    ...wish,
  })
}

/** Another home beside the first, and the switch between them. */
export const homes: readonly Action[] = [
  {
    name: 'other-home',
    attempt: async () => ({ path: '/address', form: { intent: 'other-home' } }),
    // The first one has taken their address away: it is the home that is given.
    may: { customer: 303, customer2: 303 },
  },
  {
    name: 'choose-home',
    async attempt(world, { customer, customer2 }) {
      await world.db
        .update(projects)
        .set({ closedAt: new Date() })
        .where(eq(projects.customerId, customer2.id))
      const [own] = await world.db
        .select()
        .from(projects)
        .where(and(eq(projects.customerId, customer.id), isNull(projects.closedAt)))
      return { path: '/address', form: { intent: 'choose-home', home: own!.id, back: '/quote' } }
    },
    hears: { customer2: 409 },
    may: { customer: 303 },
  },
]

export async function homeOf(world: World, customer: Person) {
  const [open] = await world.db
    .select({ projectId: projects.id, address: addresses })
    .from(projects)
    .innerJoin(addresses, eq(addresses.projectId, projects.id))
    .where(and(eq(projects.customerId, customer.id), isNull(projects.closedAt)))
  // A call opened a project without an address.
  if (!open)
    await world.db.update(projects).set({ closedAt: new Date() }).where(eq(projects.customerId, customer.id))
  return open ? ({ ...open, addressId: open.address.id } as unknown as Home) : world.home(customer)
}

async function offered(world: World, cast: Cast) {
  const { id, projectId, service, startsAt } = await ownVisit(world, cast)
  const [wish] = await world.db
    .insert(slotWishes)
    .values({ customerId: cast.customer.id, projectId, service, appointmentId: id, before: startsAt })
    .returning()
  const scout = await world.person()
  await world.home(scout)
  const [earlier = ''] = await slots(world, scout)
  const [offer] = await world.db
    .insert(slotOffers)
    .values({
      wishId: wish!.id,
      startsAt: new Date(earlier),
      expiresAt: new Date(Date.now() + hour),
    })
    .returning()
  return offer!
}

const page = '/technics-visit'

const cancelling = (intent: string, startsAt: () => Date): Action => ({
  name: intent,
  async attempt(world, cast) {
    const { id, version } = await ownVisit(world, cast, startsAt())
    await world.db.execute(
      sql`update appointments set created_at = now() - interval '2 days' where id = ${id}`,
    )
    const form = { intent, appointmentId: id, version: String(version), reason: 'cliente_no_disponible' }
    return { path: page, form }
  },
  // For anybody else the appointment does not exist.
  hears: { customer2: 404 },
  may: { customer: 303 },
})

const answering = (intent: string): Action => ({
  name: intent,
  async attempt(world, cast) {
    return { path: page, form: { intent, offerId: (await offered(world, cast)).id } }
  },
  hears: { customer2: 404 },
  may: { customer: 303 },
})

/** The manager says it for the customer who was phoned, at the page of the appointment. */
export const answeringByPhone = (intent: string): Action => ({
  name: intent,
  async attempt(world, cast) {
    const { id, offerId } = await offeredMove(world, cast)
    return { path: `/admin/assignations/${id}`, form: { intent, offerId } }
  },
  may: { manager: 303 },
})

/** Whoever was coming to the customer's visit can't, and another time was offered. */
const answeringMove = (intent: string): Action => ({
  name: intent,
  async attempt(world, cast) {
    const { offerId } = await offeredMove(world, cast)
    return { path: page, form: { intent, offerId } }
  },
  hears: { customer2: 404 },
  may: { customer: 303 },
})

async function offeredMove(world: World, cast: Cast) {
  const { id, startsAt } = await ownVisit(world, cast)
  await world.db.execute(
    sql`update appointments set state = 'requested', assignee_id = null, confirmed_at = null where id = ${id}`,
  )
  const person = await world.person({ kind: 'tecnician' })
  const [offer] = await world.db
    .insert(moveOffers)
    .values({
      appointmentId: id,
      absentId: cast.technician.id,
      assigneeId: person.id,
      madeBy: cast.manager.id,
      fromStartsAt: startsAt,
      toStartsAt: await freeStart(world),
      harm: 0,
      expiresAt: new Date(Date.now() + hour),
    })
    .returning()
  return { id, offerId: offer!.id }
}

async function freeStart(world: World) {
  const scout = await world.person()
  await world.home(scout)
  const [start = ''] = await slots(world, scout, 1)
  return new Date(start)
}

/** Another time for what is booked, on the booking screen. */
export const moving: Action = {
  name: 'move to another time',
  async attempt(world, cast) {
    const { id, version } = await ownVisit(world, cast)
    const scout = await world.person()
    await world.home(scout)
    const [startsAt = ''] = await slots(world, scout, 2)
    return { path: `/agenda-technics-visit?cambiar=${id}`, form: { startsAt, version: String(version) } }
  },
  hears: { customer2: 404 },
  may: { customer: 303 },
}

/** In Mexico City: a room closes with the day of its call, so nobody waits in one right after midnight. */
const elevenTomorrow = () => new Date(Math.floor(Date.now() / (24 * hour) + 1) * 24 * hour + 17 * hour)

/** A form of whoever waits in the room of a call, so many minutes after its start; each page of theirs takes it. */
const leftWaiting = (intent: string, after: number): Action => ({
  name: intent,
  async attempt(world, cast) {
    const start = elevenTomorrow()
    const { id } = await ownVisit(world, cast, start, {
      service: 'videocall',
      assigneeId: cast.analyst.id,
      minutes: 30,
      customerWaitingSince: start,
      customerCameAt: start,
    })
    world.at(new Date(start.getTime() + after * minute))
    return { path: page, form: { intent, appointmentId: id } }
  },
  hears: { customer2: 404 },
  may: { customer: 303 },
})

/** The forms of a customer's page of one service; the pages of the others take the same. */
export const ownPage: readonly Action[] = [
  cancelling('cancel', inTwelveDays),
  cancelling('cancel-late', () => new Date(Date.now() + 12 * hour)),
  {
    name: 'ask-earlier',
    async attempt(world, cast) {
      await ownVisit(world, cast)
      return { path: page, form: { intent: 'ask-earlier' } }
    },
    // Both have a visit; each waits for their own.
    may: { customer: 303, customer2: 303 },
  },
  {
    name: 'stop-waiting',
    async attempt(world, cast) {
      await offered(world, cast)
      return { path: page, form: { intent: 'stop-waiting' } }
    },
    may: { customer: 303, customer2: 303 },
  },
  answering('claim'),
  answering('decline'),
  answeringMove('accept-move'),
  answeringMove('decline-move'),
  {
    name: 'nobody-came',
    async attempt(world, cast) {
      const { id } = await ownVisit(world, cast, new Date(Date.now() - hour))
      return { path: page, form: { intent: 'nobody-came', appointmentId: id } }
    },
    hears: { customer2: 404 },
    may: { customer: 303 },
  },
  {
    name: 'share-visit',
    async attempt(world, cast) {
      const { id } = await ownVisit(world, cast)
      return { path: page, form: { intent: 'share-visit', appointmentId: id } }
    },
    hears: { customer2: 404 },
    may: { customer: 200 },
  },
  {
    name: 'stop-sharing',
    async attempt(world, cast) {
      const { id } = await ownVisit(world, cast)
      await shareVisit(world.db, cast.customer.actor, id, new Date())
      return { path: page, form: { intent: 'stop-sharing', appointmentId: id } }
    },
    hears: { customer2: 404 },
    may: { customer: 303 },
  },
  {
    name: 'answer-no-show',
    async attempt(world, cast) {
      const { id } = await ownVisit(world, cast, new Date(Date.now() - hour), {
        state: 'no_show',
        closingReason: 'cliente_no_disponible',
        finishedAt: new Date(),
      })
      return {
        path: page,
        form: { intent: 'answer-no-show', appointmentId: id, words: 'Sí estaba en mi casa.' },
      }
    },
    hears: { customer2: 404 },
    may: { customer: 303 },
  },
  leftWaiting('keep-waiting', 15),
  leftWaiting('ask-call-back', 0),
]

/** The pages of the other services take the same forms; whoever waits for nothing stops waiting for nothing. */
export const alike = (path: string): readonly Action[] => [
  {
    name: 'stop-waiting',
    attempt: async () => ({ path, form: { intent: 'stop-waiting' } }),
    may: { customer: 303, customer2: 303 },
  },
]

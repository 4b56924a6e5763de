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
import { insertIn } from '../../kit/reading.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import { type Action, byManager, customers, type Fields } from './shape.ts'

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
    may: customers(303),
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
  const visit = await ownVisit(world, cast)
  const { customerId, id: appointmentId, projectId, service, startsAt: before } = visit
  const wish = await insertIn(world, slotWishes, { customerId, projectId, service, appointmentId, before })
  const startsAt = await freeStart(world)
  const offer = await insertIn(world, slotOffers, {
    wishId: wish.id,
    startsAt,
    expiresAt: new Date(Date.now() + hour),
  })
  return offer.id
}

/** The first free start of the nth whole day that somebody new is offered. */
async function freeStart(world: World, nth = 0) {
  const scout = await world.person()
  await world.home(scout)
  const [start = ''] = await slots(world, scout, nth)
  return new Date(start)
}

/** A form of the page of one service, about what is made first; for anybody else the appointment does not exist. */
const ownForm = (
  intent: string,
  make: (world: World, cast: Cast) => Promise<Fields>,
  heard: 200 | 303 = 303,
): Action => ({
  name: intent,
  attempt: async (world, cast) => ({
    path: '/technics-visit',
    form: { intent, ...(await make(world, cast)) },
  }),
  hears: { customer2: 404 },
  may: { customer: heard },
})

/** A form about a visit of the customer's own. */
const aboutVisit = (
  intent: string,
  startsAt: () => Date = inTwelveDays,
  wish: Partial<Visit> = {},
  fields: Fields = {},
) =>
  ownForm(intent, async (world, cast) => {
    const { id } = await ownVisit(world, cast, startsAt(), wish)
    return { appointmentId: id, ...fields }
  })

const anHourAgo = () => new Date(Date.now() - hour)
const cancelling = (intent: string, startsAt: () => Date) =>
  aboutVisit(
    intent,
    startsAt,
    { createdAt: new Date(Date.now() - 48 * hour) },
    { version: '1', reason: 'cliente_no_disponible' },
  )

/** The manager says it for the customer who was phoned, at the page of the appointment. */
export const answeringByPhone = (intent: string) =>
  byManager(intent, async (world, cast) => {
    const { id, offerId } = await offeredMove(world, cast)
    return { path: `/admin/assignations/${id}`, form: { intent, offerId } }
  })

/** Whoever was coming to the customer's visit can't, and another time was offered. */
async function offeredMove(world: World, cast: Cast) {
  const { id, startsAt } = await ownVisit(world, cast)
  await world.db.execute(
    sql`update appointments set state = 'requested', assignee_id = null, confirmed_at = null where id = ${id}`,
  )
  const person = await world.person({ kind: 'tecnician' })
  const offer = await insertIn(world, moveOffers, {
    appointmentId: id,
    absentId: cast.technician.id,
    assigneeId: person.id,
    madeBy: cast.manager.id,
    fromStartsAt: startsAt,
    toStartsAt: await freeStart(world, 1),
    harm: 0,
    expiresAt: new Date(Date.now() + hour),
  })
  return { id, offerId: offer.id }
}
const answeringMove = (intent: string) =>
  ownForm(intent, async (world, cast) => ({ offerId: (await offeredMove(world, cast)).offerId }))

/** Another time for what is booked, on the booking screen. */
export const moving: Action = {
  name: 'move to another time',
  async attempt(world, cast) {
    const { id, version } = await ownVisit(world, cast)
    const startsAt = (await freeStart(world, 2)).toISOString()
    return { path: `/agenda-technics-visit?cambiar=${id}`, form: { startsAt, version: String(version) } }
  },
  hears: { customer2: 404 },
  may: { customer: 303 },
}

/** In Mexico City: a room closes with the day of its call, so nobody waits in one right after midnight. */
const elevenTomorrow = () => new Date(Math.floor(Date.now() / (24 * hour) + 1) * 24 * hour + 17 * hour)

/** A form of whoever waits in the room of a call, so many minutes after its start; each page of theirs takes it. */
const leftWaiting = (intent: string, after: number) =>
  ownForm(intent, async (world, cast) => {
    const start = elevenTomorrow()
    const { id } = await ownVisit(world, cast, start, {
      service: 'videocall',
      assigneeId: cast.analyst.id,
      minutes: 30,
      customerWaitingSince: start,
      customerCameAt: start,
    })
    world.at(new Date(start.getTime() + after * minute))
    return { appointmentId: id }
  })

/** The pages of the other services take the same forms; whoever waits for nothing stops waiting for nothing. */
export const alike = (path: string): readonly Action[] => [
  {
    name: 'stop-waiting',
    attempt: async () => ({ path, form: { intent: 'stop-waiting' } }),
    may: customers(303),
  },
]

/** The forms of a customer's page of one service; the pages of the others take the same. */
export const ownPage: readonly Action[] = [
  cancelling('cancel', inTwelveDays),
  cancelling('cancel-late', () => new Date(Date.now() + 12 * hour)),
  {
    name: 'ask-earlier',
    async attempt(world, cast) {
      await ownVisit(world, cast)
      return { path: '/technics-visit', form: { intent: 'ask-earlier' } }
    },
    // Both have a visit; each waits for their own.
    may: customers(303),
  },
  {
    name: 'stop-waiting',
    async attempt(world, cast) {
      await offered(world, cast)
      return { path: '/technics-visit', form: { intent: 'stop-waiting' } }
    },
    may: customers(303),
  },
  ownForm('claim', async (world, cast) => ({ offerId: await offered(world, cast) })),
  ownForm('decline', async (world, cast) => ({ offerId: await offered(world, cast) })),
  answeringMove('accept-move'),
  answeringMove('decline-move'),
  aboutVisit('nobody-came', anHourAgo),
  ownForm('share-visit', async (world, cast) => ({ appointmentId: (await ownVisit(world, cast)).id }), 200),
  ownForm('stop-sharing', async (world, cast) => {
    const { id } = await ownVisit(world, cast)
    await shareVisit(world.db, cast.customer.actor, id, new Date())
    return { appointmentId: id }
  }),
  aboutVisit(
    'answer-no-show',
    anHourAgo,
    { state: 'no_show', closingReason: 'cliente_no_disponible', finishedAt: new Date() },
    { words: 'Sí estaba en mi casa.' },
  ),
  leftWaiting('keep-waiting', 15),
  leftWaiting('ask-call-back', 0),
]

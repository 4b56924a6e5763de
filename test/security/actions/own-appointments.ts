import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { shareVisit } from '../../../src/appointments/shared-visit.ts'
import { moveOffers, slotOffers, slotWishes } from '../../../src/platform/database/schema/appointments.ts'
import { addresses, projects } from '../../../src/platform/database/schema/projects.ts'
import { hour, minute, slots, storeVisit, type Visit } from '../../kit/appointments.ts'
import { ago, db, fixture, fromNow, newHome, newPerson, rowsWhere, runSql } from '../../kit/open.ts'
import type { Home, Person } from '../../kit/people.ts'
import { insertIn } from '../../kit/reading.ts'
import { storeInstallation } from '../../reports/installed.ts'
import type { Everyone } from '../everyone.ts'
import { type Action, byManager, customers, type Fields, formAt, type Heards } from './shape.ts'

/** At noon in Mexico City, twelve days ahead: the evenings are `visitOfToday`'s, and the technician is the same. */
const inTwelveDays = () => new Date(Math.floor(Date.now() / (24 * hour)) * 24 * hour + (12 * 24 + 18) * hour)

/** A visit of the customer's, some days ahead, in the place of whatever they had; nobody waits for an earlier one. */
async function ownVisit({ customer, technician }: Everyone, startsAt?: Date, input: Partial<Visit> = {}) {
  await runSql`update appointments set state = 'cancelled'
    where customer_id = ${customer.id} and state in ('requested', 'assigned')`
  await runSql`update slot_wishes set ended_at = now(), ended_because = 'withdrawn'
    where customer_id = ${customer.id} and ended_at is null`
  const start = startsAt ?? inTwelveDays()
  return storeVisit(fixture, customer, await homeOf(customer), start, {
    assigneeId: technician.id,
    ...input,
  })
}

/** Another home beside the first, and the switch between them. */
export const homes: readonly Action[] = [
  {
    name: 'discard-home',
    attempt: async ({ customer }) => {
      await homeOf(customer)
      const empty = { customerId: customer.id, place: 4 }
      const [left] = (await rowsWhere(projects, empty)).filter(({ closedAt }) => !closedAt)
      const { id } = left ?? (await insertIn(fixture, projects, empty))
      return { path: '/address', form: { intent: 'discard-home', home: id } }
    },
    hears: { customer2: 409 },
    may: { customer: 303 },
  },
  formAt(
    'choose-home',
    '/address',
    async ({ customer, customer2 }) => {
      await closeProjects(customer2)
      const own = (await rowsWhere(projects, { customerId: customer.id })).find((one) => !one.closedAt)
      return { intent: 'choose-home', home: own!.id, back: '/quote' }
    },
    { hears: { customer2: 409 }, may: { customer: 303 } },
  ),
]

const closeProjects = ({ id }: Person) =>
  db.update(projects).set({ closedAt: new Date() }).where(eq(projects.customerId, id))

export async function homeOf(customer: Person) {
  const [open] = await db
    .select({ projectId: projects.id, address: addresses })
    .from(projects)
    .innerJoin(addresses, eq(addresses.projectId, projects.id))
    .where(and(eq(projects.customerId, customer.id), isNull(projects.closedAt)))
  // A call opened a project without an address.
  if (!open) await closeProjects(customer)
  return open ? ({ ...open, addressId: open.address.id } as unknown as Home) : newHome(customer)
}

async function offered(everyone: Everyone) {
  const { customerId, id: appointmentId, projectId, service, startsAt: before } = await ownVisit(everyone)
  const input = await insertIn(fixture, slotWishes, { customerId, projectId, service, appointmentId, before })
  const offer = await insertIn(fixture, slotOffers, {
    wishId: input.id,
    startsAt: await freeStart(),
    expiresAt: fromNow(hour),
  })
  return { offerId: offer.id }
}

/** The first free start of the nth whole day that somebody new is offered. */
async function freeStart(nth = 0) {
  const scout = await newPerson()
  await newHome(scout)
  const [start = ''] = await slots(scout, nth)
  return new Date(start)
}

/** A form of the page of one service, about what is made first; for anybody else the appointment does not exist. */
const ownForm = (
  intent: string,
  make: (everyone: Everyone) => Promise<Fields>,
  may: Heards = { customer: 303 },
) =>
  formAt(intent, '/technics-visit', async (...of) => ({ intent, ...(await make(...of)) }), {
    hears: { customer2: 404 },
    may,
  })

const ownAppointment = async (everyone: Everyone) => ({
  appointmentId: (await ownVisit(everyone)).id,
})

/** A form about a visit of the customer's own. */
const aboutVisit = (
  intent: string,
  startsAt: () => Date = inTwelveDays,
  input: Partial<Visit> = {},
  fields: Fields = {},
) =>
  ownForm(intent, async (everyone) => {
    const { id } = await ownVisit(everyone, startsAt(), input)
    return { appointmentId: id, ...fields }
  })

const anHourAgo = () => ago(hour)
const cancelling = (intent: string, startsAt: () => Date) =>
  aboutVisit(
    intent,
    startsAt,
    { createdAt: ago(48 * hour) },
    { version: '1', reason: 'cliente_no_disponible' },
  )

/** The manager says it for the customer who was phoned, at the page of the appointment. */
export const answeringByPhone = (intent: string) =>
  byManager(intent, async (everyone) => {
    const { appointmentId, offerId } = await offeredMove(everyone)
    return { path: `/admin/assignations/${appointmentId}`, form: { intent, offerId } }
  })

/** Whoever was coming to the customer's visit can't, and another time was offered. */
async function offeredMove(everyone: Everyone) {
  const { id, startsAt } = await ownVisit(everyone)
  await runSql`update appointments set state = 'requested', assignee_id = null, confirmed_at = null where id = ${id}`
  const offer = await insertIn(fixture, moveOffers, {
    appointmentId: id,
    absentId: everyone.technician.id,
    assigneeId: (await newPerson({ kind: 'tecnician' })).id,
    madeBy: everyone.manager.id,
    fromStartsAt: startsAt,
    toStartsAt: await freeStart(1),
    harm: 0,
    expiresAt: fromNow(hour),
  })
  return { appointmentId: id, offerId: offer.id }
}

/** Another time for what is booked, on the booking screen. */
export const moving: Action = {
  name: 'move to another time',
  async attempt(everyone) {
    const { id, version } = await ownVisit(everyone)
    const startsAt = (await freeStart(2)).toISOString()
    return { path: `/agenda-technics-visit?cambiar=${id}`, form: { startsAt, version: String(version) } }
  },
  hears: { customer2: 404 },
  may: { customer: 303 },
}

/** In Mexico City: a room closes with the day of its call, so nobody waits in one right after midnight. */
const elevenTomorrow = () => new Date(Math.floor(Date.now() / (24 * hour) + 1) * 24 * hour + 17 * hour)

/** A form of whoever waits in the room of a call, so many minutes after its start; each page of theirs takes it. */
const leftWaiting = (intent: string, after: number) =>
  ownForm(intent, async (everyone) => {
    const start = elevenTomorrow()
    const { id } = await ownVisit(everyone, start, {
      service: 'videocall',
      assigneeId: everyone.analyst.id,
      minutes: 30,
      customerWaitingSince: start,
      customerCameAt: start,
    })
    fixture.at(new Date(start.getTime() + after * minute))
    return { appointmentId: id }
  })

/** The pages of the other services take the same forms; whoever waits for nothing stops waiting for nothing. */
export const alike = (path: string): readonly Action[] => [
  formAt('stop-waiting', path, { intent: 'stop-waiting' }, { may: customers(303) }),
]

/** The forms of a customer's page of one service; the pages of the others take the same. */
export const ownPage: readonly Action[] = [
  cancelling('cancel', inTwelveDays),
  cancelling('cancel-late', () => fromNow(12 * hour)),
  // Both have a visit; each waits for their own.
  ownForm('ask-earlier', ownAppointment, customers(303)),
  ownForm('stop-waiting', offered, customers(303)),
  ownForm('claim', offered),
  ownForm('decline', offered),
  ownForm('accept-move', offeredMove),
  ownForm('decline-move', offeredMove),
  aboutVisit('nobody-came', anHourAgo),
  ownForm('share-visit', ownAppointment, { customer: 200 }),
  ownForm('stop-sharing', async (everyone) => {
    const { id } = await ownVisit(everyone)
    await shareVisit(db, everyone.customer.actor, id, new Date())
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

/** A form about an installation of the customer's under warranty, nothing reported of it. */
const aboutFault = (
  intent: string,
  description: Fields,
  answered: { may?: Heards; hears: Heards },
): Action => ({
  name: intent,
  async attempt({ customer, technician }) {
    const { visit } = await storeInstallation(customer, technician, {}, await homeOf(customer))
    await runSql`update faults set closed_at = now() where closed_at is null`
    const ids = { appointmentId: visit.id, faultId: randomUUID(), photoId: randomUUID() }
    return { path: '/installation', form: { intent, ...ids, ...description } }
  },
  ...answered,
})

/** What a customer sends about a fault. */
export const faultForms: readonly Action[] = [
  // For anybody else the installation does not exist.
  aboutFault(
    'report-fault',
    { description: 'Ya no carga desde ayer.' },
    { hears: { customer2: 404 }, may: { customer: 303 } },
  ),
  // Nothing is sent but words.
  aboutFault('add-fault-photo', {}, { hears: customers(400) }),
]

import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { endFeeOfCancelled } from '../../../src/server/appointments/cancel.ts'
import { slotWishes } from '../../../src/server/platform/database/schema/appointments.ts'
import { projects } from '../../../src/server/platform/database/schema/projects.ts'
import {
  assignVisit,
  book,
  bookVisit,
  customer,
  occupy,
  readAgain,
  slots,
  type Visit,
  visit,
  visitOf,
  visitsOf,
} from '../../kit/appointments.ts'
import { expectNotOnPage, expectScreen, openEach, pageText, people, sendJobs, world } from '../../kit/open.ts'
import { refundsOf, rowsOf, set } from '../../kit/payments.ts'
import {
  emailsAbout,
  expectAnswered,
  expectWords,
  lastEventOf,
  rowsIn,
  setIn,
  statusesOf,
} from '../../kit/reading.ts'

openEach(bookVisit)
sendJobs()

const page = () => `/admin/appointments-done/${visit.id}`
const offer = 'Puedes deshacerlo todavía'
const ofNow = () => `${visit.id}:${visit.version}`
const undo = (changes = ofNow(), by = people.manager) =>
  world.post('/admin/deshacer', { changes, back: '/admin/assignations' }, by)
/** What of a row an undone cancellation leaves as it was. */
const lasting = ({ sequence, updatedAt, version, ...row }: Visit) => row
const toast = () => pageText('/admin/assignations', people.manager)

const cancelByHouse = ({ id }: Visit, version: number) => {
  const form = { intent: 'cancel-by-house', version: String(version), reason: 'clima', note: 'Llueve' }
  return world.post(`/admin/assignations/${id}`, form, people.manager)
}
async function cancelled() {
  await expectAnswered(cancelByHouse(visit, visit.version), 303)
  await readAgain()
  expect(visit.state).toBe('cancelled')
}

test.each([
  ['confirmed', assignVisit],
  ['provisional', readAgain],
])('undoes the cancellation of a %s visit with its wish, and nobody is notified', async (_, prepare) => {
  await prepare()
  await expectAnswered(world.post('/technics-visit', { intent: 'ask-earlier' }, customer), 303)
  const [before, emails] = [visit, await emailsAbout(world, visit)]
  const wishes = async () =>
    (await rowsIn(world, slotWishes, { customerId: customer.id })).map(({ updatedAt, ...wish }) => wish)
  const wished = await wishes()
  await cancelled()
  expect(await wishes()).toMatchObject([{ endedBecause: 'appointment_over' }])
  expect((await emailsAbout(world, visit)).length).toBeGreaterThan(emails.length)
  await expectAnswered(undo(), 303)
  expect(await toast()).toContain('Lo deshicimos')
  await readAgain()
  expect(lasting(visit)).toEqual(lasting(before))
  expect(visit.sequence).toBeGreaterThan(before.sequence)
  expect(await emailsAbout(world, visit)).toEqual(emails)
  expect(await wishes()).toEqual(wished)
  const waiting = sql`select from pgboss.job where name in ('end-fee', 'offer-freed-slot') and state = 'created'`
  expect((await world.db.execute(waiting)).rows).toEqual([])
  expect(await lastEventOf(world, visit)).toMatchObject({
    name: 'undoCancel',
    actorId: people.manager.id,
    reason: 'Se deshizo el cambio',
  })
})

test('emails, the offer of the freed start and the end of the fee wait half a minute', async () => {
  await assignVisit()
  await cancelled()
  const { rows } = await world.db.execute(sql`select name from pgboss.job
    where start_after > now() + interval '20 seconds' and (data ->> 'letter' = 'cancelled' or name <> 'letter') order by name`)
  expect(rows.map(({ name }) => name)).toEqual(['end-fee', 'letter', 'letter', 'offer-freed-slot'])
})

test('the fee stays open while the cancellation can be undone, and ends afterwards', async () => {
  await set(world, {
    visitFee: { amount: 500_00, keptOnLateCancel: true, keptOnNoShow: true, keptOnNotViable: true },
  })
  const payer = await world.person()
  await world.home(payer)
  await expectAnswered(book(world, payer, (await slots(world, payer))[5]!, { fee: '50000' }), 303)
  const held = await visitOf(world, payer)
  const fees = () => rowsOf(world, held.projectId)
  const before = await fees()
  expect(before).toMatchObject([{ state: 'pending', feeOutcome: null }])
  await expectAnswered(cancelByHouse(held, held.version), 303)
  expect(await fees()).toEqual(before)
  await undo(`${held.id}:${held.version + 1}`)
  // The job may have begun before the change was undone.
  await endFeeOfCancelled(world.db, held.id, new Date())
  expect(await fees()).toEqual(before)
  await expectAnswered(cancelByHouse(held, held.version + 2), 303)
  for (let tries = 0; tries < 2; tries++) await endFeeOfCancelled(world.db, held.id, new Date())
  expect(await fees()).toMatchObject([{ state: 'cancelled' }])
  expect(await refundsOf(world, held.projectId)).toEqual([])
})

test.each<[string, string, () => Promise<unknown>]>([
  [
    'another visit took its place',
    'Otra cita tomó su lugar mientras tanto',
    () => occupy(world, people.technician, visit.startsAt),
  ],
  [
    'its customer booked another',
    'Su cliente ya tiene otra cita de ese servicio',
    async () => book(world, customer, (await slots(world, customer, 1))[4]!),
  ],
  [
    'its project was closed',
    'Su proyecto cambió mientras tanto',
    () => setIn(world, projects, visit.projectId, { closedAt: new Date() }),
  ],
  [
    'an email went out',
    'Los avisos ya salieron',
    () => world.db.execute(sql`update pgboss.job set start_after = now() - interval '1 second'`),
  ],
])('does not undo a cancellation once %s', async (_, words, happen) => {
  await assignVisit()
  await cancelled()
  await expectScreen(page(), people.manager, offer)
  await happen()
  const [before, emails] = [visit, await emailsAbout(world, visit)]
  await expectAnswered(undo(), 303)
  expectWords(await toast(), 'No se pudo deshacer', words)
  expect((await visitsOf(world, customer)).find(({ id }) => id === before.id)).toEqual(before)
  expect(await emailsAbout(world, before)).toEqual(emails)
  if (words === 'Los avisos ya salieron') await expectNotOnPage(page(), people.manager, offer)
})

test('the page offers it to the manager who cancelled, who undoes it once; not to a colleague', async () => {
  await assignVisit()
  await cancelled()
  const { text } = await world.visit(page(), people.manager)
  const changes = /action="\/admin\/deshacer".*?name="changes" value="([^"]+)"/s.exec(text)?.[1]
  expect(changes).toBe(ofNow())
  const colleague = await world.person({ kind: 'manager' })
  await expectNotOnPage(page(), colleague, offer)
  await undo(changes, colleague)
  const { version } = visit
  await readAgain()
  expect(visit.state).toBe('cancelled')
  expect(await statusesOf(undo(changes), undo(changes))).toEqual([303, 303])
  await readAgain()
  expect(visit).toMatchObject({ state: 'assigned', version: version + 1 })
})

test('undone while four customers book its time, no technician has two visits at once', async () => {
  await assignVisit()
  await cancelled()
  const shoppers = await Promise.all([1, 2, 3, 4].map(() => world.person()))
  for (const shopper of shoppers) await world.home(shopper)
  const start = visit.startsAt.toISOString()
  await Promise.all([undo(), ...shoppers.map((shopper) => book(world, shopper, start))])
  const { rows } = await world.db.execute(sql`select a.id from appointments a join appointments b
    on a.assignee_id = b.assignee_id and a.id < b.id and a.during && b.during
    and 'cancelled' not in (a.state, b.state)`)
  expect(rows).toEqual([])
})

test('a customer’s own cancellation is sent at once and cannot be undone', async () => {
  const form = { intent: 'cancel', appointmentId: visit.id, version: String(visit.version) }
  await world.post('/technics-visit', { ...form, reason: 'cliente_se_arrepiente', note: '' }, customer)
  await readAgain()
  expect(visit.state).toBe('cancelled')
  const { rows } =
    await world.db.execute(sql`select from pgboss.job where start_after > now() + interval '5 seconds'
    and data ->> 'letter' = 'cancelled'`)
  expect(rows).toEqual([])
  await undo()
  expect(await toast()).toContain('Los avisos ya salieron')
  await readAgain()
  expect(visit.state).toBe('cancelled')
})

import { eq, sql } from 'drizzle-orm'
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
  visitsOf,
} from '../../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import { refundsOf, rowsOf, set } from '../../kit/payments.ts'
import { emailsAbout, eventsOf, readable, rowsIn } from '../../kit/reading.ts'

openEach(bookVisit)
sendJobs()

const page = () => `/admin/appointments-done/${visit.id}`
const offer = 'Puedes deshacerlo todavía'
const ofNow = () => `${visit.id}:${visit.version}`
const undo = (changes = ofNow(), by = people.manager) =>
  world.post('/admin/deshacer', { changes, back: '/admin/assignations' }, by)
/** What of a row an undone cancellation leaves as it was. */
const lasting = ({ sequence, updatedAt, version, ...row }: Visit) => row
const seen = async () => readable(await world.visit('/admin/assignations', people.manager))

async function cancelled() {
  const form = { intent: 'cancel-by-house', version: String(visit.version), reason: 'clima', note: 'Llueve' }
  expect((await world.post(`/admin/assignations/${visit.id}`, form, people.manager)).status).toBe(303)
  await readAgain()
  expect(visit.state).toBe('cancelled')
}

async function refused(words: string, changes = ofNow()) {
  const [before, letters] = [visit, await emailsAbout(world, visit)]
  expect((await undo(changes)).status).toBe(303)
  const told = await seen()
  expect(told).toContain('No se pudo deshacer')
  expect(told).toContain(words)
  expect((await visitsOf(world, customer)).find(({ id }) => id === before.id)).toEqual(before)
  expect(await emailsAbout(world, before)).toEqual(letters)
}

test.each([
  ['confirmed', assignVisit],
  ['to be confirmed', readAgain],
])('one that was %s stands again as it was, with its wish, and nobody hears of it', async (_, prepare) => {
  await prepare()
  expect((await world.post('/technics-visit', { intent: 'ask-earlier' }, customer)).status).toBe(303)
  const [before, letters] = [visit, await emailsAbout(world, visit)]
  const wishes = async () =>
    (await rowsIn(world, slotWishes, { customerId: customer.id })).map(({ updatedAt, ...wish }) => wish)
  const wished = await wishes()
  await cancelled()
  expect((await wishes())[0]).toMatchObject({ endedBecause: 'appointment_over' })
  expect((await emailsAbout(world, visit)).length).toBeGreaterThan(letters.length)
  expect((await undo()).status).toBe(303)
  expect(await seen()).toContain('Lo deshicimos')
  await readAgain()
  expect(lasting(visit)).toEqual(lasting(before))
  expect(visit.sequence).toBeGreaterThan(before.sequence)
  expect(await emailsAbout(world, visit)).toEqual(letters)
  expect(await wishes()).toEqual(wished)
  const waiting = sql`select from pgboss.job where name in ('end-fee', 'offer-freed-slot') and state = 'created'`
  expect((await world.db.execute(waiting)).rows).toEqual([])
  expect((await eventsOf(world, visit.id, 'appointment')).at(-1)).toMatchObject({
    name: 'undoCancel',
    actorId: people.manager.id,
    reason: 'Se deshizo el cambio',
  })
})

test('it waits: letters, the offer of its time and the end of its fee start half a minute later', async () => {
  await assignVisit()
  await cancelled()
  const { rows } = await world.db.execute(sql`select name from pgboss.job
    where start_after > now() + interval '20 seconds' and (data ->> 'letter' = 'cancelled' or name <> 'letter') order by name`)
  expect(rows.map(({ name }) => name)).toEqual(['end-fee', 'letter', 'letter', 'offer-freed-slot'])
})

test('its fee is as it was until then, and ends once it can’t be undone', async () => {
  await set(world, {
    visitFee: { amount: 500_00, keptOnLateCancel: true, keptOnNoShow: true, keptOnNotViable: true },
  })
  const payer = await world.person()
  await world.home(payer)
  const start = (await slots(world, payer))[5]!
  expect((await book(world, payer, start, { fee: '50000' })).status).toBe(303)
  const [held] = await visitsOf(world, payer)
  const cancel = (version: number) =>
    world.post(
      `/admin/assignations/${held!.id}`,
      { intent: 'cancel-by-house', version: String(version), reason: 'clima' },
      people.manager,
    )
  const fees = () => rowsOf(world, held!.projectId)
  const before = await fees()
  expect(before).toMatchObject([{ state: 'pending', feeOutcome: null }])
  expect((await cancel(held!.version)).status).toBe(303)
  expect(await fees()).toEqual(before)
  await undo(`${held!.id}:${held!.version + 1}`)
  // A try of the job that began before it was dropped finds that the visit stands.
  await endFeeOfCancelled(world.db, held!.id, new Date())
  expect(await fees()).toEqual(before)
  expect((await cancel(held!.version + 2)).status).toBe(303)
  for (let tries = 0; tries < 2; tries++) await endFeeOfCancelled(world.db, held!.id, new Date())
  expect(await fees()).toMatchObject([{ state: 'cancelled' }])
  expect(await refundsOf(world, held!.projectId)).toEqual([])
})

test('refused where another visit took its place meanwhile', async () => {
  await assignVisit()
  await cancelled()
  await occupy(world, people.technician, visit.startsAt)
  await refused('Otra cita tomó su lugar mientras tanto')
})

test('refused where its customer booked another one meanwhile', async () => {
  await cancelled()
  const start = (await slots(world, customer, 1))[4]!
  expect((await book(world, customer, start)).status).toBe(303)
  const [before] = (await visitsOf(world, customer)).filter(({ id }) => id === visit.id)
  expect((await undo(`${visit.id}:${visit.version}`)).status).toBe(303)
  expect(await seen()).toContain('Su cliente ya tiene otra cita de ese servicio')
  expect((await visitsOf(world, customer)).find(({ id }) => id === visit.id)).toEqual(before)
})

test('refused where its project was closed meanwhile', async () => {
  await cancelled()
  await world.db.update(projects).set({ closedAt: new Date() }).where(eq(projects.id, visit.projectId))
  await refused('Su proyecto cambió mientras tanto')
})

test('refused once a letter went out, and then its page offers it no more', async () => {
  await cancelled()
  expect(readable(await world.visit(page(), people.manager))).toContain(offer)
  await world.db.execute(sql`update pgboss.job set start_after = now() - interval '1 second'`)
  await refused('Los avisos ya salieron')
  expect(readable(await world.visit(page(), people.manager))).not.toContain(offer)
})

test('by nobody else, and pressed twice it is undone once', async () => {
  await assignVisit()
  await cancelled()
  const colleague = await world.person({ kind: 'manager' })
  await undo(ofNow(), colleague)
  for (const by of [customer, people.technician, people.analyst])
    expect((await undo(ofNow(), by)).status).toBe(403)
  const changes = ofNow()
  await readAgain()
  expect(visit.state).toBe('cancelled')
  const answers = await Promise.all([undo(changes), undo(changes)])
  expect(answers.map(({ status }) => status)).toEqual([303, 303])
  await readAgain()
  expect(visit).toMatchObject({ state: 'assigned', version: Number(changes.split(':')[1]) + 1 })
})

test('undone while others book its time: nobody is ever in two places', async () => {
  await assignVisit()
  await cancelled()
  const shoppers = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const shopper = await world.person()
      await world.home(shopper)
      return shopper
    }),
  )
  const start = visit.startsAt.toISOString()
  await Promise.all([undo(), ...shoppers.map((shopper) => book(world, shopper, start))])
  const { rows } = await world.db.execute(sql`select a.id from appointments a join appointments b
    on a.assignee_id = b.assignee_id and a.id < b.id and a.during && b.during
    and 'cancelled' not in (a.state, b.state)`)
  expect(rows).toEqual([])
})

test('its own page offers it by a form that needs no script; not to a colleague', async () => {
  await cancelled()
  const shown = await world.visit(page(), people.manager)
  const changes = shown.text.match(/action="\/admin\/deshacer".*?name="changes" value="([^"]+)"/s)?.[1]
  expect(changes).toBe(ofNow())
  const colleague = await world.person({ kind: 'manager' })
  expect(readable(await world.visit(page(), colleague))).not.toContain(offer)
  await undo(changes)
  await readAgain()
  expect(visit.state).toBe('requested')
})

test('what its customer cancels is told at once, and nobody undoes it', async () => {
  const form = {
    intent: 'cancel',
    appointmentId: visit.id,
    version: String(visit.version),
    reason: 'cliente_se_arrepiente',
    note: '',
  }
  await world.post('/technics-visit', form, customer)
  await readAgain()
  expect(visit.state).toBe('cancelled')
  const { rows } =
    await world.db.execute(sql`select from pgboss.job where start_after > now() + interval '5 seconds'
    and data ->> 'letter' = 'cancelled'`)
  expect(rows).toEqual([])
  await refused('Los avisos ya salieron')
})

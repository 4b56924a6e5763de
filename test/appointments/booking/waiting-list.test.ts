import { eq, isNull } from 'drizzle-orm'
import { offerFreedSlot } from '../../../src/dispatch/waiting-list.ts'
import { appointments, slotOffers, slotWishes } from '../../../src/platform/database/schema/appointments.ts'
import {
  around,
  customerWithVisit,
  expectVisit,
  hour,
  slots,
  storeVisit,
  type Visit,
  visitOf,
} from '../../kit/appointments.ts'
import {
  ago,
  db,
  expectCount,
  expectNotOnPage,
  expectRowsIn,
  expectScreen,
  fixture,
  fromNow,
  newHome,
  newPerson,
  openEach,
  pageText,
  people,
  rowsWhere,
  runSql,
  sendJobs,
  storeRows,
  technician,
  technician2,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectAnswered, expectShown, expectTwice, statusesOf } from '../../kit/reading.ts'

openEach()
sendJobs()

const page = '/technics-visit'
const post = (form: Record<string, string>, as: Person) => fixture.post(page, form, as)
const ask = (as: Person) => post({ intent: 'ask-earlier' }, as)
const wishOf = async ({ id }: Person) => (await rowsWhere(slotWishes, { customerId: id })).at(-1)
const offersOf = async ({ id }: Person) => {
  const rows = await db
    .select({ offer: slotOffers })
    .from(slotOffers)
    .innerJoin(slotWishes, eq(slotWishes.id, slotOffers.wishId))
    .where(eq(slotWishes.customerId, id))
  return rows.map(({ offer }) => offer)
}
const claim = async (customer: Person, by = customer) =>
  post({ intent: 'claim', offerId: (await offersOf(customer))[0]!.id }, by)
const openUntil = (expiresAt: Date) => db.update(slotOffers).set({ expiresAt })
const jobs = async (name: string) => {
  const { rows } = await runSql<{
    data: { startsAt: string }
    start_after: string
  }>`select data, start_after from pgboss.job where name = ${name} order by created_on`
  return rows
}
async function atHome() {
  const customer = await newPerson()
  await newHome(customer)
  return customer
}
/** Customers who wait for an earlier visit, the first the longest; all have one on later days. */
async function waiting(count = 1): Promise<{ customer: Person; visit: Visit }[]> {
  const scout = await atHome()
  const later = [...(await slots(scout, 3)), ...(await slots(scout, 4))]
  const all = []
  for (let n = 0; n < count; n++) {
    const one = await customerWithVisit(later[n * 3])
    await expectAnswered(ask(one.customer), 303)
    all.push(one)
  }
  return all
}
/** A free start some days ahead. */
const freedStart = async (nth = 0) => (await slots(await atHome(), nth))[4]!
const noon = (startsAt: string) => {
  const day = new Date(Date.parse(startsAt) - 48 * hour)
  day.setUTCHours(18, 0, 0, 0)
  return day
}
const offer = (startsAt: string, now = noon(startsAt)) =>
  offerFreedSlot(db, { service: 'technical_visit', startsAt }, now)

/** A customer who waits, and the start that is offered to them for an hour. */
async function offered() {
  const [one] = await waiting()
  const startsAt = await freedStart()
  expect(await offer(startsAt)).toBe(1)
  await openUntil(fromNow(hour))
  return { ...one!, startsAt }
}

test('a customer waits once for an earlier visit and stops once', async () => {
  await expectAnswered(ask(people.customer), 409)
  const { customer } = await customerWithVisit()
  await expectScreen(page, customer, 'Avísame si se abre antes')
  expect(await statusesOf(ask(customer), ask(customer))).toEqual([303, 303])
  await expectCount(slotWishes, {}, 1)
  await expectScreen(page, customer, 'Te avisamos por correo si se abre')
  await expectTwice(() => post({ intent: 'stop-waiting' }, customer))
  expect(await wishOf(customer)).toMatchObject({ endedBecause: 'withdrawn' })
})

test('refuses to wait within the notice, and the page no longer offers it', async () => {
  const { customer, visit } = await customerWithVisit()
  const other = await customerWithVisit()
  await expectAnswered(ask(other.customer), 303)
  fixture.at(around(visit, -23 * hour))
  for (const one of [customer, other.customer]) {
    const text = await pageText(page, one)
    expect(text).toContain('Cancelar de todos modos')
    expect(text).not.toMatch(/Avísame si se abre|Ya no me avises|Te avisamos por correo si/)
  }
  expectShown(await ask(customer), 409, 'no puede abrirse un horario antes')
  expect(await wishOf(customer)).toBeUndefined()
})

test('a cancellation frees its start for the waiting list and ends its customer’s place', async () => {
  const { customer, visit } = await customerWithVisit()
  await ask(customer)
  const form = { intent: 'cancel', appointmentId: visit.id, version: '1', reason: 'duplicada' }
  await expectAnswered(post(form, customer), 303)
  expect((await jobs('offer-freed-slot')).map(({ data }) => data.startsAt)).toEqual([
    visit.startsAt.toISOString(),
  ])
  expect(await wishOf(customer)).toMatchObject({ endedBecause: 'appointment_over' })
})

test('offers a start to the first three by email, and to the next when the offers expire', async () => {
  const all = await waiting(4)
  const startsAt = await freedStart()
  const night = noon(startsAt)
  night.setUTCHours(5, 30)
  expect(await offer(startsAt, night)).toBe(0)
  const [morning] = await jobs('offer-freed-slot')
  expect(new Date(morning!.start_after).getUTCHours()).toBe(14)
  expect(await offer(startsAt)).toBe(3)
  expect(await offer(startsAt)).toBe(0)
  expect(await Promise.all(all.map(async ({ customer }) => (await offersOf(customer)).length))).toEqual([
    1, 1, 1, 0,
  ])
  const emails = (await jobs('letter')).filter(({ data }) => Object.values(data).includes('slot_offer'))
  expect(emails).toHaveLength(3)
  const next = (await jobs('offer-freed-slot')).at(-1)!
  const [{ expiresAt }] = (await offersOf(all[0]!.customer)) as [typeof slotOffers.$inferSelect]
  expect(new Date(next.start_after)).toEqual(expiresAt)
  expect(await offer(startsAt, expiresAt)).toBe(1)
  expect(await offersOf(all[3]!.customer)).toHaveLength(1)
})

test('offers no later start and none without an available technician', async () => {
  const [first] = await waiting()
  expect(await offer(around(first!.visit, 24 * hour).toISOString())).toBe(0)
  const startsAt = await freedStart()
  await db.$client.query(`update users set active = false where kind = 'tecnician'`)
  expect(await offer(startsAt)).toBe(0)
})

test('a braked customer claims no offer', async () => {
  const { customer, visit } = await offered()
  await db.$client.query(`update users set braked_until = now() + interval '1 day' where id = $1`, [
    customer.id,
  ])
  await expectAnswered(claim(customer), 409)
  await expectVisit({ version: visit.version }, customer)
})

test('claiming an offer moves the visit once and counts as nobody’s change', async () => {
  const { customer, visit, startsAt } = await offered()
  for (const one of [page, '/']) await expectScreen(one, customer, 'Se abrió un lugar antes')
  expect(await statusesOf(claim(customer), claim(customer))).toEqual([303, 303])
  await expectAnswered(claim(customer), 303)
  await expectVisit(
    {
      startsAt: new Date(startsAt),
      version: visit.version + 1,
      movedByCustomer: 0,
      movedByUs: 0,
    },
    customer,
  )
  expect(await wishOf(customer)).toMatchObject({ endedBecause: 'claimed' })
})

test('claiming with nothing booked books and answers in one transaction, once', async () => {
  const customer = await atHome()
  const startsAt = await freedStart()
  await expectAnswered(ask(customer), 303)
  await offer(startsAt)
  await openUntil(fromNow(hour))
  const run = (text: string) => db.$client.query(text)
  await run(`create function failing_answer() returns trigger language plpgsql as
    $$ begin raise exception 'the connection is lost here'; end $$;
    create trigger failing_answer before update on slot_wishes for each row execute function failing_answer()`)
  await expectAnswered(claim(customer), 500)
  await expectRowsIn(appointments, {}, [])
  await run('drop trigger failing_answer on slot_wishes; drop function failing_answer()')
  expect(await statusesOf(claim(customer), claim(customer))).toEqual([303, 303])
  await expectRowsIn(appointments, {}, [{ startsAt: new Date(startsAt) }])
  expect(await offersOf(customer)).toMatchObject([{ answer: 'claimed' }])
  expect(await wishOf(customer)).toMatchObject({ endedBecause: 'claimed' })
})

test('an offer of the time the customer moved to meanwhile is not shown and changes nothing', async () => {
  const { customer, visit, startsAt } = await offered()
  const form = { startsAt, version: String(visit.version) }
  await expectAnswered(fixture.post(`/agenda-technics-visit?cambiar=${visit.id}`, form, customer), 303)
  await expectNotOnPage(page, customer, 'Se abrió un lugar antes')
  expectShown(await claim(customer), 409, 'Tu cita ya es a esa hora')
  await expectVisit({ version: visit.version + 1, movedByCustomer: 1 }, customer)
  expect(await wishOf(customer)).toMatchObject({ endedAt: null })
})

test('refuses a malformed id and an expired or declined offer; the customer still waits', async () => {
  const { customer, visit } = await offered()
  await expectAnswered(post({ intent: 'claim', offerId: 'x' }, customer), 400)
  await openUntil(ago(1000))
  expectShown(await claim(customer), 409, 'Sigues en la lista')
  const [{ id: offerId }] = (await offersOf(customer)) as [typeof slotOffers.$inferSelect]
  await expectAnswered(post({ intent: 'decline', offerId }, customer), 303)
  await expectAnswered(claim(customer), 409)
  expect(await wishOf(customer)).toMatchObject({ endedAt: null })
  expect(await visitOf(customer)).toEqual(visit)
})

test('of twenty claims of one start at once one succeeds, and the other customers still wait', async () => {
  await db.$client.query('update users set active = false where id = $1', [technician2.id])
  const startsAt = new Date(await freedStart())
  const all: Person[] = []
  for (let n = 1; n <= 20; n++) {
    const customer = await newPerson()
    const home = await newHome(customer)
    const input = { state: 'requested', confirmedAt: null } as const
    const { id } = await storeVisit(fixture, customer, home, around({ startsAt }, n * 24 * hour), input)
    const [{ id: wishId }] = (await storeRows(slotWishes, {
      customerId: customer.id,
      projectId: home.projectId,
      service: 'technical_visit',
      appointmentId: id,
    })) as [typeof slotWishes.$inferSelect]
    await storeRows(slotOffers, { wishId, startsAt, expiresAt: fromNow(hour) })
    all.push(customer)
  }
  const answers = await Promise.all(all.map((customer) => claim(customer)))
  const refused = answers.filter(({ status }) => status !== 303)
  expect(refused).toHaveLength(19)
  for (const answer of refused) expectShown(answer, 409, 'Alguien más lo tomó; sigues en la lista')
  await expectCount(appointments, { startsAt, assigneeId: technician.id }, 1)
  expect(await db.select().from(slotWishes).where(isNull(slotWishes.endedAt))).toHaveLength(19)
})

test('a start that its customer left for a later one is offered to others only', async () => {
  const startsAt = await freedStart()
  const { customer, visit } = await customerWithVisit(startsAt)
  await expectAnswered(ask(customer), 303)
  const [other] = await waiting()
  const form = { startsAt: (await slots(await atHome(), 2))[0]!, version: String(visit.version) }
  await expectAnswered(fixture.post(`/agenda-technics-visit?cambiar=${visit.id}`, form, customer), 303)
  expect(await offer(startsAt)).toBe(1)
  expect(await offersOf(customer)).toEqual([])
  expect(await offersOf(other!.customer)).toHaveLength(1)
})

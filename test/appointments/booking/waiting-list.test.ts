import { and, eq, isNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  appointments,
  slotOffers,
  slotWishes,
} from '../../../src/server/platform/database/schema/appointments.ts'
import { offerFreedSlot } from '../../../src/server/scheduling/waiting-list.ts'
import {
  around,
  customerWithVisit,
  hour,
  occupy,
  slots,
  type Visit,
  visitOf,
} from '../../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { readable, rowsIn } from '../../kit/reading.ts'

openEach()
sendJobs()

const page = '/technics-visit'
const post = (form: Record<string, string>, as: Person) => world.post(page, form, as)
const ask = (as: Person) => post({ intent: 'ask-earlier' }, as)
const wishOf = async ({ id }: Person) => (await rowsIn(world, slotWishes, { customerId: id })).at(-1)
const offersOf = (customer: Person) =>
  world.db
    .select({ offer: slotOffers })
    .from(slotOffers)
    .innerJoin(slotWishes, eq(slotWishes.id, slotOffers.wishId))
    .where(eq(slotWishes.customerId, customer.id))
    .then((rows) => rows.map(({ offer }) => offer))
const jobs = async (name: string) => {
  const { rows } = await world.db.execute<{ data: { startsAt: string }; start_after: string }>(
    sql`select data, start_after from pgboss.job where name = ${name} order by created_on`,
  )
  return rows
}
/** So many customers who wait for an earlier visit, the first the longest; all have one on later days. */
async function waiting(count: number): Promise<{ customer: Person; visit: Visit }[]> {
  const scout = await world.person()
  await world.home(scout)
  const later = [...(await slots(world, scout, 3)), ...(await slots(world, scout, 4))]
  const all = []
  for (let n = 0; n < count; n++) {
    const one = await customerWithVisit(world, later[n * 3])
    expect((await ask(one.customer)).status).toBe(303)
    all.push(one)
  }
  return all
}
/** A start some days ahead that nobody holds. */
async function freedStart(nth = 0): Promise<string> {
  const scout = await world.person()
  await world.home(scout)
  return (await slots(world, scout, nth))[4]!
}
const noon = (startsAt: string) => {
  const day = new Date(Date.parse(startsAt) - 48 * hour)
  day.setUTCHours(18, 0, 0, 0)
  return day
}
const holdOut = (startsAt: string, now = noon(startsAt)) =>
  offerFreedSlot(world.db, { service: 'technical_visit', startsAt }, now)

test('asking twice is one wish; "Ya no me avises" ends it, also twice', async () => {
  const { customer } = await customerWithVisit(world)
  expect(readable(await world.visit(page, customer))).toContain('Avísame si se abre antes')
  const asked = await Promise.all([ask(customer), ask(customer)])
  expect(asked.map(({ status }) => status)).toEqual([303, 303])
  expect(await world.db.select().from(slotWishes)).toHaveLength(1)
  expect(readable(await world.visit(page, customer))).toContain('Te avisamos por correo si se abre')
  for (let n = 0; n < 2; n++) expect((await post({ intent: 'stop-waiting' }, customer)).status).toBe(303)
  expect(await wishOf(customer)).toMatchObject({ endedBecause: 'withdrawn' })
})

test('nothing opens within the notice: the way to ask is gone, and who asks hears why', async () => {
  const { customer, visit } = await customerWithVisit(world)
  const other = await customerWithVisit(world)
  expect((await ask(other.customer)).status).toBe(303)
  world.at(around(visit, -23 * hour))
  for (const one of [customer, other.customer]) {
    const text = readable(await world.visit(page, one))
    expect(text).toContain('Cancelar de todos modos')
    expect(text).not.toMatch(/Avísame si se abre|Ya no me avises|Te avisamos por correo si/)
  }
  const answer = await ask(customer)
  expect([answer.status, readable(answer)]).toEqual([
    409,
    expect.stringContaining('no puede abrirse un horario antes'),
  ])
  expect(await wishOf(customer)).toBeUndefined()
})

test('who has no address yet, and staff, wait for nothing', async () => {
  expect((await ask(people.customer)).status).toBe(409)
  for (const one of [people.manager, people.technician, people.ally])
    expect((await ask(one)).status).toBe(403)
  expect(await world.db.select().from(slotWishes)).toEqual([])
})

test('a cancellation and a move free a start; the job goes with them', async () => {
  const { customer, visit } = await customerWithVisit(world)
  await ask(customer)
  const form = { intent: 'cancel', appointmentId: visit.id, version: '1', reason: 'duplicada' }
  expect((await post(form, customer)).status).toBe(303)
  expect((await jobs('offer-freed-slot')).map(({ data }) => data.startsAt)).toEqual([
    visit.startsAt.toISOString(),
  ])
  expect(await wishOf(customer)).toMatchObject({ endedBecause: 'appointment_over' })
})

test('the first three hear of it, once, with a letter each; the next when these let it pass', async () => {
  const all = await waiting(4)
  const startsAt = await freedStart()
  expect(await holdOut(startsAt)).toBe(3)
  // While somebody thinks about it, nobody else is asked.
  expect(await holdOut(startsAt)).toBe(0)
  const counts = await Promise.all(all.map(async ({ customer }) => (await offersOf(customer)).length))
  expect(counts).toEqual([1, 1, 1, 0])
  const letters = (await jobs('letter')).filter(
    ({ data }) => (data as object as { letter: string }).letter === 'slot_offer',
  )
  expect(letters).toHaveLength(3)
  const next = (await jobs('offer-freed-slot')).at(-1)!
  const [offer] = await offersOf(all[0]!.customer)
  expect(new Date(next.start_after)).toEqual(offer!.expiresAt)
  expect(await holdOut(startsAt, offer!.expiresAt)).toBe(1)
  expect(await offersOf(all[3]!.customer)).toHaveLength(1)
})

test('at night nobody is written to: it is held out at eight', async () => {
  await waiting(1)
  const startsAt = await freedStart()
  const night = noon(startsAt)
  night.setUTCHours(5, 30)
  expect(await holdOut(startsAt, night)).toBe(0)
  const [job] = await jobs('offer-freed-slot')
  expect(new Date(job!.start_after).getUTCHours()).toBe(14)
  expect(await world.db.select().from(slotOffers)).toEqual([])
})

test('only what is earlier, and what somebody can reach', async () => {
  const [first] = await waiting(1)
  const later = around(first!.visit, 24 * hour).toISOString()
  expect(await holdOut(later)).toBe(0)
  const startsAt = await freedStart()
  await world.db.$client.query(`update users set active = false where kind = 'tecnician'`)
  expect(await holdOut(startsAt)).toBe(0)
})

test('"Quiero este horario" moves the visit, which is none of its customer’s moves; pressed twice it is one', async () => {
  const [first] = await waiting(1)
  const { customer, visit } = first!
  const startsAt = await freedStart()
  await holdOut(startsAt)
  const [offer] = await offersOf(customer)
  await world.db.update(slotOffers).set({ expiresAt: new Date(Date.now() + hour) })
  for (const one of [page, '/'])
    expect(readable(await world.visit(one, customer))).toContain('Se abrió un lugar antes')
  const form = { intent: 'claim', offerId: offer!.id }
  const answers = await Promise.all([post(form, customer), post(form, customer)])
  expect([...answers, await post(form, customer)].map(({ status }) => status)).toEqual([303, 303, 303])
  expect(await visitOf(world, customer)).toMatchObject({
    startsAt: new Date(startsAt),
    version: visit.version + 1,
    movedByCustomer: 0,
    movedByUs: 0,
  })
  expect(await wishOf(customer)).toMatchObject({ endedBecause: 'claimed' })
})

test('with nothing booked, "Quiero este horario" books and answers in one go: all of it or none, and twice is once', async () => {
  const customer = await world.person()
  await world.home(customer)
  const startsAt = await freedStart()
  expect((await ask(customer)).status).toBe(303)
  await holdOut(startsAt)
  const [offer] = await offersOf(customer)
  await world.db.update(slotOffers).set({ expiresAt: new Date(Date.now() + hour) })
  const form = { intent: 'claim', offerId: offer!.id }
  await world.db.$client.query(`create function failing_answer() returns trigger language plpgsql as
    $$ begin raise exception 'the connection is lost here'; end $$;
    create trigger failing_answer before update on slot_wishes for each row execute function failing_answer()`)
  expect((await post(form, customer)).status).toBe(500)
  expect(await world.db.select().from(appointments)).toEqual([])
  await world.db.$client.query('drop trigger failing_answer on slot_wishes; drop function failing_answer()')
  const answers = await Promise.all([post(form, customer), post(form, customer)])
  expect([...answers, await post(form, customer)].map(({ status }) => status)).toEqual([303, 303, 303])
  expect(await world.db.select().from(appointments)).toMatchObject([{ startsAt: new Date(startsAt) }])
  expect(await offersOf(customer)).toMatchObject([{ answer: 'claimed' }])
  expect(await wishOf(customer)).toMatchObject({ endedBecause: 'claimed' })
})

test('whoever moved to the very time held out, or before it, reads no more of it, and stays where they are', async () => {
  const [first] = await waiting(1)
  const { customer, visit } = first!
  const startsAt = await freedStart()
  await holdOut(startsAt)
  const [offer] = await offersOf(customer)
  const tomorrow = new Date(Date.now() + 24 * hour).toISOString().slice(0, 10)
  await world.db.update(slotOffers).set({ expiresAt: new Date(`${tomorrow}T19:17Z`) })
  const open = readable(await world.visit(page, customer))
  expect(open).toContain('hasta la 1:17 p. m. (')
  expect(open).not.toContain('m..')
  const form = { startsAt, version: String(visit.version) }
  expect((await world.post(`/agenda-technics-visit?cambiar=${visit.id}`, form, customer)).status).toBe(303)
  expect(readable(await world.visit(page, customer))).not.toContain('Se abrió un lugar antes')
  const answer = await post({ intent: 'claim', offerId: offer!.id }, customer)
  expect([answer.status, readable(answer)]).toEqual([
    409,
    expect.stringContaining('Tu cita ya es a esa hora'),
  ])
  expect(await visitOf(world, customer)).toMatchObject({ version: visit.version + 1, movedByCustomer: 1 })
  expect(await wishOf(customer)).toMatchObject({ endedAt: null })
})

test('a time held out in time is taken although its notice passed meanwhile', async () => {
  const customer = await world.person()
  await world.home(customer)
  const startsAt = await freedStart()
  await ask(customer)
  const start = Date.parse(startsAt)
  world.at(new Date(start - 24 * hour - 10 * 60_000))
  expect(await holdOut(startsAt, new Date())).toBe(1)
  const [offer] = await offersOf(customer)
  world.at(new Date(start - 24 * hour + 10 * 60_000))
  expect((await post({ intent: 'claim', offerId: offer!.id }, customer)).status).toBe(303)
})

test('nobody else answers it; too late and "No, gracias" are said, and the wish stays', async () => {
  const [first] = await waiting(1)
  const { customer, visit } = first!
  await holdOut(await freedStart())
  const [offer] = await offersOf(customer)
  const form = { intent: 'claim', offerId: offer!.id }
  expect((await post(form, people.customer)).status).toBe(404)
  expect((await post({ ...form, offerId: 'x' }, customer)).status).toBe(400)
  await world.db.update(slotOffers).set({ expiresAt: new Date(Date.now() - 1000) })
  const late = await post(form, customer)
  expect(late.status).toBe(409)
  expect(readable(late)).toContain('Sigues en la lista')
  expect((await post({ ...form, intent: 'decline' }, customer)).status).toBe(303)
  expect((await post(form, customer)).status).toBe(409)
  expect(await wishOf(customer)).toMatchObject({ endedAt: null })
  expect(await visitOf(world, customer)).toEqual(visit)
})

test('twenty want the same start at once: who comes first has it, the others hear so, nobody is in two places', async () => {
  const keeps = people.technician
  await world.db.$client.query(`update users set active = false where kind = 'tecnician' and id <> $1`, [
    keeps.id,
  ])
  const startsAt = await freedStart()
  const all: Person[] = []
  for (let n = 0; n < 20; n++) {
    const later = new Date(Date.parse(startsAt) + (n + 1) * 24 * hour)
    const customer = await world.person()
    const home = await world.home(customer)
    const [row] = await world.db
      .insert(appointments)
      .values({
        folio: `VT-ESPERA-${n}`,
        service: 'technical_visit',
        customerId: customer.id,
        minutes: 60,
        projectId: home.projectId,
        address: home.address,
        municipality: home.address.municipality,
        startsAt: later,
        requestKey: crypto.randomUUID(),
        requestDigest: 'none',
      })
      .returning()
    const [wish] = await world.db
      .insert(slotWishes)
      .values({
        customerId: customer.id,
        projectId: home.projectId,
        service: 'technical_visit',
        appointmentId: row!.id,
      })
      .returning()
    const expiresAt = new Date(Date.now() + hour)
    await world.db.insert(slotOffers).values({ wishId: wish!.id, startsAt: new Date(startsAt), expiresAt })
    all.push(customer)
  }
  const answers = await Promise.all(
    all.map(async (customer) =>
      post({ intent: 'claim', offerId: (await offersOf(customer))[0]!.id }, customer),
    ),
  )
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 303)) {
    expect(answer.status).toBe(409)
    expect(readable(answer)).toContain('Alguien más lo tomó; sigues en la lista')
  }
  const there = await world.db
    .select()
    .from(appointments)
    .where(and(eq(appointments.startsAt, new Date(startsAt)), eq(appointments.assigneeId, keeps.id)))
  expect(there).toHaveLength(1)
  const still = await world.db.select().from(slotWishes).where(isNull(slotWishes.endedAt))
  expect(still).toHaveLength(19)
})

test('a time that somebody booked meanwhile says so on the page', async () => {
  const [first] = await waiting(1)
  const startsAt = await freedStart()
  await holdOut(startsAt)
  await world.db.update(slotOffers).set({ expiresAt: new Date(Date.now() + hour) })
  for (const one of [people.technician, people.technician2]) await occupy(world, one, new Date(startsAt))
  expect(readable(await world.visit(page, first!.customer))).toContain('Alguien más lo tomó')
})

test('a start that its customer gave up for a later one is offered to others, not to them', async () => {
  const startsAt = await freedStart()
  const { customer, visit } = await customerWithVisit(world, startsAt)
  expect((await ask(customer)).status).toBe(303)
  const [other] = await waiting(1)
  const scout = await world.person()
  await world.home(scout)
  const [later] = await slots(world, scout, 2)
  const form = { startsAt: later!, version: String(visit.version) }
  expect((await world.post(`/agenda-technics-visit?cambiar=${visit.id}`, form, customer)).status).toBe(303)
  expect(await holdOut(startsAt)).toBe(1)
  expect(await offersOf(customer)).toEqual([])
  expect(await offersOf(other!.customer)).toHaveLength(1)
})

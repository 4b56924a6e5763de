import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { addDays, localDate, toMinutes } from '../../../src/domain/shared/calendar.ts'
import { dayPlans } from '../../../src/server/platform/database/schema/accounts.ts'
import { appointments, moveOffers } from '../../../src/server/platform/database/schema/appointments.ts'
import { startPlan } from '../../../src/server/scheduling/plans.ts'
import { book, slots, storeVisit, type Visit } from '../../kit/appointments.ts'
import { openBare, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { emailsAbout, eventsOf, expectWords, readable } from '../../kit/reading.ts'
import { now as stored } from '../../kit/users.ts'

openBare()
let manager: Person
let technicians: [Person, Person]
let date: string
let link: string
/** Two visits in the north and two in the south, given so that both people cross the city at noon. */
let visits: Visit[]

beforeAll(async () => {
  const people = await world.people()
  manager = people.manager
  technicians = [people.technician, people.technician2]
})

beforeEach(async () => {
  await world.db.execute(sql`truncate appointments, day_plans cascade`)
  const shopper = await world.person()
  await world.home(shopper)
  const [first = ''] = await slots(world, shopper)
  const nine = new Date(first)
  date = localDate(toMinutes(nine))
  link = `/admin/assignations/plan?dia=${date}`
  visits = []
  for (const [n, [municipality, hour, who]] of (
    [
      ['tlalpan', 0, 0],
      ['gustavo-a-madero', 0, 1],
      ['gustavo-a-madero', 4, 0],
      ['tlalpan', 4, 1],
    ] as const
  ).entries()) {
    const customer = await world.person({ name: `Clienta ${n}` })
    const home = await world.home(customer)
    visits.push(
      await storeVisit(world, customer, home, new Date(nine.getTime() + hour * 3_600_000), {
        municipality,
        state: 'requested',
        confirmedAt: null,
        assigneeId: technicians[who].id,
      }),
    )
  }
})

const planRow = async () => (await world.db.select().from(dayPlans))[0]
const holders = async () =>
  Object.fromEntries(
    (await world.db.select().from(appointments)).map(({ id, assigneeId }) => [id, assigneeId]),
  )
const calculate = () => world.post(link, { intent: 'calculate-plan' }, manager)
const apply = async (form: Record<string, string> = {}) =>
  world.post(link, { intent: 'apply-plan', planId: (await planRow())!.id, ...form }, manager)

async function calculated() {
  expect((await calculate()).status).toBe(303)
  await vi.waitFor(async () => expect((await planRow())?.state).toBe('ready'), {
    timeout: 15_000,
    interval: 50,
  })
}

test('calculated, shown, applied once; nobody gets a letter, and each change leaves its event', async () => {
  expect(readable(await world.visit(link, manager))).toContain('4 citas pueden cambiar de persona')
  await calculated()
  const page = readable(await world.visit(link, manager))
  expectWords(page, 'Óptimo', '2 citas cambian de persona', 'Pasa a', 'Antes con')
  expect(readable(await world.visit(`${link}&ver=antes`, manager))).not.toContain('Antes con')
  expect(page).toMatch(/\d+ (h|min) menos de traslado/)

  const answer = await apply()
  expect([answer.status, answer.location]).toEqual([303, link])
  const after = await holders()
  expect(after[visits[0]!.id]).toBe(after[visits[3]!.id])
  expect(after[visits[1]!.id]).toBe(after[visits[2]!.id])
  expect(await planRow()).toMatchObject({ state: 'applied' })
  const moved = visits.filter(({ id, assigneeId }) => after[id] !== assigneeId)
  expect(moved).toHaveLength(2)
  for (const visit of moved) {
    const [event, ...more] = await eventsOf(world, visit.id, 'appointment')
    expect(event).toMatchObject({
      name: 'optimise',
      fromState: 'requested',
      toState: 'requested',
      actorId: manager.id,
    })
    expect(event!.data).toMatchObject({ from: visit.assigneeId, assigneeId: after[visit.id] })
    expect(more).toEqual([])
    expect(await emailsAbout(world, visit)).toEqual([])
  }
  expect((await apply()).status).toBe(303)
  expect(await holders()).toEqual(after)
  expect(readable(await world.visit(link, manager))).toContain('Plan aplicado')
})

test('one press applies a plan and confirms what it proposes, with its letters; sent twice it is done once; it can be undone', async () => {
  await calculated()
  expectWords(
    readable(await world.visit(link, manager)),
    'Aplicar y confirmar 4 citas',
    '4 clientes reciben un correo',
    '2 técnicos',
    '30 segundos',
  )
  const form = { intent: 'confirm-plan' }
  const answer = await apply(form)
  expect([answer.status, answer.location]).toEqual([
    303,
    expect.stringContaining(`/admin/assignations?dia=${date}`),
  ])
  const after = await holders()
  expect(after[visits[0]!.id]).toBe(after[visits[3]!.id])
  for (const visit of visits) {
    expect(await stored(visit, world)).toMatchObject({ state: 'assigned', confirmedAt: expect.any(Date) })
    expect(await emailsAbout(world, visit)).toEqual(['assigned to customer', 'assigned to person'])
  }
  const versions = await Promise.all(visits.map(async (visit) => (await stored(visit, world)).version))
  expect((await apply(form)).status).toBe(303)
  expect(await Promise.all(visits.map(async (visit) => (await stored(visit, world)).version))).toEqual(
    versions,
  )
  expect(await emailsAbout(world, visits[0]!)).toHaveLength(2)
  const changes = visits.map(({ id }, n) => `${id}:${versions[n]}`).join()
  await world.post('/admin/deshacer', { changes, back: '/admin' }, manager)
  for (const visit of visits) {
    expect(await stored(visit, world)).toMatchObject({
      state: 'requested',
      confirmedAt: null,
      assigneeId: after[visit.id],
    })
    expect(await emailsAbout(world, visit)).toEqual([])
  }
})

describe('a plan that was applied is undone as a whole', () => {
  const undo = async (by = manager) => {
    const { id, version } = (await planRow())!
    return world.post('/admin/deshacer', { changes: `reparto:${id}:${version}`, back: link }, by)
  }
  const all = async () => {
    const rows = await world.db.select().from(appointments).orderBy(appointments.id)
    return rows.map(({ sequence, updatedAt, version, ...row }) => row)
  }
  const letters = async () => (await Promise.all(visits.map((visit) => emailsAbout(world, visit)))).flat()
  async function refused(words: string) {
    const [before, told] = [await all(), await letters()]
    expect((await undo()).status).toBe(303)
    expectWords(readable(await world.visit(link, manager)), 'No se pudo deshacer', words)
    expect([await all(), await letters(), (await planRow())?.state]).toEqual([before, told, 'applied'])
  }

  test.each(['confirm-plan', 'apply-plan'])(
    '%s: each has whom it had, and nobody hears of it',
    async (intent) => {
      await calculated()
      const before = await all()
      const answer = await apply({ intent })
      expect(await all()).not.toEqual(before)
      const { id, version } = (await planRow())!
      const changes = `reparto:${id}:${version}`
      const toast = await world.visit(answer.location!, manager)
      expect(toast.text).toContain(`name="changes" value="${changes}"`)
      expect(readable(await world.visit(link, manager))).toContain('Puedes deshacerlo todavía')
      const form = { changes, back: link }
      const answers = await Promise.all([1, 2].map(() => world.post('/admin/deshacer', form, manager)))
      expect(answers.map(({ status }) => status)).toEqual([303, 303])
      expectWords(readable(await world.visit(link, manager)), 'Lo deshicimos', 'Calcular')
      expect([await all(), await letters()]).toEqual([before, []])
      expect(await planRow()).toMatchObject({ state: 'ready', version: version + 1 })
      expect((await apply({ intent })).status).toBe(409)
      await world.post('/admin/deshacer', form, await world.person({ kind: 'manager' }))
      expect([await all(), (await planRow())?.version]).toEqual([before, version + 1])
    },
  )

  test('not once a letter of it went out', async () => {
    await calculated()
    await apply({ intent: 'confirm-plan' })
    await world.db.execute(sql`update pgboss.job set start_after = now() - interval '1 second'
      where data ->> 'appointmentId' = ${visits[3]!.id}`)
    await refused('Los avisos ya salieron')
    expect(readable(await world.visit(link, manager))).not.toContain('Puedes deshacerlo todavía')
  })

  test.each(['confirm-plan', 'apply-plan'])(
    '%s: not once one of its appointments changed',
    async (intent) => {
      await calculated()
      await apply({ intent })
      await world.db.execute(sql`update appointments set version = version + 1 where id = ${visits[2]!.id}`)
      await refused('Una de sus citas cambió después')
    },
  )

  test('not where somebody was booked meanwhile who leaves no time for the road', async () => {
    await calculated()
    const { from, id } = (await planRow())!.plan!.visits.find((visit) => visit.from !== visit.to)!
    await apply({ intent: 'confirm-plan' })
    const { startsAt } = visits.find((visit) => visit.id === id)!
    const taker = await world.person()
    const start = new Date(startsAt.getTime() - 3_600_000)
    await storeVisit(world, taker, await world.home(taker), start, { assigneeId: from! })
    await refused('Otra cita tomó un lugar mientras tanto')
  })

  test('by nobody else', async () => {
    await calculated()
    await apply({ intent: 'confirm-plan' })
    const before = await all()
    const colleague = await world.person({ kind: 'manager' })
    expect((await undo(colleague)).status).toBe(303)
    for (const person of technicians) expect((await undo(person)).status).toBe(403)
    expect(await all()).toEqual(before)
    expect(readable(await world.visit(link, colleague))).not.toContain('Puedes deshacerlo todavía')
  })
})

test('one whose customer is asked about another time is left out', async () => {
  const [asked] = visits
  const from = asked!.startsAt
  await world.db.update(appointments).set({ assigneeId: null }).where(eq(appointments.id, asked!.id))
  await world.db.insert(moveOffers).values({
    appointmentId: asked!.id,
    absentId: technicians[0].id,
    assigneeId: technicians[1].id,
    madeBy: manager.id,
    fromStartsAt: from,
    toStartsAt: new Date(from.getTime() + 7_200_000),
    harm: 120,
    expiresAt: new Date(Date.now() + 3_600_000),
  })
  await calculated()
  expect(Object.keys((await planRow())!.plan!.versions)).toHaveLength(3)
  await apply({ intent: 'confirm-plan' })
  expect(await stored(asked!, world)).toMatchObject({ state: 'requested', assigneeId: null })
})

test('a confirmed one keeps its person, whatever the others do', async () => {
  await world.db
    .update(appointments)
    .set({ state: 'assigned', confirmedAt: new Date() })
    .where(eq(appointments.id, visits[0]!.id))
  await calculated()
  await apply()
  expect((await holders())[visits[0]!.id]).toBe(technicians[0].id)
  expect((await holders())[visits[3]!.id]).toBe(technicians[0].id)
})

test('an appointment that changed meanwhile refuses the whole plan, in words', async () => {
  await calculated()
  await world.db.execute(sql`update appointments set version = version + 1 where id = ${visits[2]!.id}`)
  const before = await holders()
  const answer = await apply()
  expect(answer.status).toBe(409)
  expect(readable(answer)).toMatch(/Hubo un cambio .*Calcula de nuevo/)
  expect(await holders()).toEqual(before)
  expect((await planRow())?.state).toBe('ready')
})

test('a booking made meanwhile, that stands in the way, refuses the whole plan', async () => {
  await calculated()
  const plan = (await planRow())!.plan!
  const { id, to } = plan.visits.find((visit) => visit.from !== visit.to)!
  const inTheWay = visits.find((visit) => visit.id === id)!
  const customer = await world.person()
  // It ends as the visit begins: no overlap that the database would see, but no time for the road either.
  await storeVisit(
    world,
    customer,
    await world.home(customer),
    new Date(inTheWay.startsAt.getTime() - 3_600_000),
    {
      assigneeId: to!,
    },
  )
  const before = await holders()
  const answer = await apply()
  expect(answer.status).toBe(409)
  expect(await holders()).toEqual(before)
})

test('a plan applied while people book: nobody is ever in two places', async () => {
  await calculated()
  const shoppers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const shopper = await world.person()
      await world.home(shopper)
      return shopper
    }),
  )
  const free = (await slots(world, shoppers[0]!)).slice(0, 6)
  const answers = await Promise.all([
    apply(),
    ...shoppers.map((shopper, n) => book(world, shopper, free[n % free.length]!)),
  ])
  for (const { status } of answers) expect([303, 409]).toContain(status)
  const { rows } = await world.db.execute(sql`select a.id from appointments a join appointments b
    on a.assignee_id = b.assignee_id and a.id < b.id and a.during && b.during`)
  expect(rows).toEqual([])
})

test('two clicks are one calculation; nothing to plan, a day gone by and a made-up plan are refused', async () => {
  const both = await Promise.all([calculate(), calculate()])
  expect(both.map(({ status }) => status)).toEqual([303, 303])
  expect(await world.db.select().from(dayPlans)).toHaveLength(1)
  const empty = `/admin/assignations/plan?dia=${addDays(date, 200)}`
  expect((await world.post(empty, { intent: 'calculate-plan' }, manager)).status).toBe(409)
  expect(readable(await world.visit(empty, manager))).toContain('No hay citas por asignar')
  const past = await world.post(
    '/admin/assignations/plan?dia=2020-01-07',
    { intent: 'calculate-plan' },
    manager,
  )
  expect([past.status, readable(past)]).toEqual([
    409,
    expect.stringMatching(/No pudimos hacerlo .*Ese día ya pasó/),
  ])
  const form = { intent: 'apply-plan', planId: visits[0]!.id }
  expect((await world.post(link, form, manager)).status).toBe(404)
  expect((await world.post(link, { intent: 'apply-plan', planId: 'x' }, manager)).status).toBe(400)
  for (const person of technicians) expect((await world.post(link, form, person)).status).toBe(403)
})

test('a thread that dies is a plan that failed, and says so; a silent one too; then it can be begun again', async () => {
  const file = path.join(tmpdir(), `plan-${process.pid}.mjs`)
  writeFileSync(file, "throw new Error('a thread that dies')")
  await startPlan(world.db, manager.actor, { date, zones: [] }, new Date(), file)
  await vi.waitFor(async () => expect((await planRow())?.state).toBe('failed'), {
    timeout: 5_000,
    interval: 20,
  })
  expect(readable(await world.visit(link, manager))).toContain('El cálculo no terminó')
  expect((await apply()).status).toBe(409)

  await world.db.update(dayPlans).set({ state: 'running', beatAt: new Date(Date.now() - 60_000) })
  expect(readable(await world.visit(link, manager))).toContain('El cálculo no terminó')
  expect((await calculate()).status).toBe(303)
  expect(await world.db.select().from(dayPlans)).toHaveLength(2)
})

test('a calculation is stopped with the best plan so far', async () => {
  const progress = { phase: 'routes', seconds: 3, cost: 90, bound: null }
  const [running] = await world.db.insert(dayPlans).values({ date, madeBy: manager.id, progress }).returning()
  const page = await world.visit(link, manager)
  expect(readable(page)).toContain('Armando rutas')
  expect(page.text).toContain('http-equiv="refresh"')
  const stop = { intent: 'stop-plan', planId: running!.id }
  expect((await world.post(link, stop, manager)).status).toBe(409)
  const plan = {
    visits: [],
    people: [],
    travel: { before: 0, after: 0 },
    left: { before: 0, after: 0 },
    cost: 0,
    bound: 0,
    versions: {},
    stuck: [],
  }
  await world.db.update(dayPlans).set({ plan })
  expect((await world.post(link, stop, manager)).status).toBe(303)
  expect((await planRow())?.state).toBe('stopped')
  const late = await world.post(link, stop, manager)
  expect([late.status, readable(late)]).toEqual([409, expect.stringContaining('Ya no se está calculando')])
  expect(readable(await world.visit(link, manager))).toContain('El día ya está bien repartido')
})

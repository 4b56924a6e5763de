import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPlan } from '../../../src/dispatch/plans.ts'
import { dayPlans } from '../../../src/platform/database/schema/accounts.ts'
import { appointments, moveOffers } from '../../../src/platform/database/schema/appointments.ts'
import { addDays, localDate, toMinutes } from '../../../src/shared/calendar.ts'
import { around, book, hour, slots, storeVisit, type Visit, visitAtHome } from '../../kit/appointments.ts'
import {
  ago,
  db,
  eventsAbout,
  expectCount,
  expectEmails,
  fixture,
  fromNow,
  manager,
  markupOf,
  newHome,
  newPerson,
  openOnce,
  post,
  rowsWhere,
  runSql,
  sentAbout,
  setRow,
  storeRows,
  technician,
  technician2,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectAnswered, expectPage, expectWords, readable, statusesOf } from '../../kit/reading.ts'

openOnce()
let technicians: [Person, Person]
let date: string
let link: string
/** Two visits in the north and two in the south, assigned so that both people cross the city at noon. */
let visits: Visit[]

beforeEach(async () => {
  await db.$client.query('delete from move_offers; delete from appointments; delete from day_plans')
  technicians = [technician, technician2]
  const nine = new Date((await slots(await newShopper()))[0]!)
  date = localDate(toMinutes(nine))
  link = `/admin/assignations/plan?dia=${date}`
  visits = []
  for (const [municipality, after, who] of [
    ['tlalpan', 0, 0],
    ['gustavo-a-madero', 0, 1],
    ['gustavo-a-madero', 4, 0],
    ['tlalpan', 4, 1],
  ] as const) {
    const assigneeId = technicians[who].id
    const customer = await newPerson()
    const home = await newHome(customer)
    visits.push(
      await storeVisit(fixture, customer, home, around({ startsAt: nine }, after * hour), {
        municipality,
        state: 'requested',
        confirmedAt: null,
        assigneeId,
      }),
    )
  }
})

async function newShopper() {
  const shopper = await newPerson()
  await newHome(shopper)
  return shopper
}
const planRow = async () => (await rowsWhere(dayPlans))[0]!
/** All appointments, without what each change counts up. */
const rows = async () =>
  (await db.select().from(appointments).orderBy(appointments.id)).map(
    ({ sequence, updatedAt, version, ...row }) => row,
  )
const stored = async ({ id }: Visit) => (await rows()).find((row) => row.id === id)!
const holders = async () => new Map((await rows()).map(({ assigneeId, id }) => [id, assigneeId]))
const emails = async () => (await Promise.all(visits.map((visit) => sentAbout(visit)))).flat()
const see = async (path = link, by = manager) => readable(await fixture.visit(path, by))
const send = (form: Record<string, string>, by = manager, to = link) => post(to, form, by)
const calculate = () => send({ intent: 'calculate-plan' })
const apply = async (intent = 'apply-plan') => send({ intent, planId: (await planRow()).id })
const confirm = () => apply('confirm-plan')

async function calculated() {
  await expectAnswered(calculate(), 303)
  await expect.poll(async () => (await planRow()).state).not.toBe('running')
}

/** Appointments that change after a calculation. */
const changes = {
  'one of its appointments changed': () =>
    runSql`update appointments set version = version + 1 where id = ${visits[2]!.id}`,
  // It ends as the visit begins: no overlap that the database would see, but no time for the road either.
  async 'a booking leaves a person no time for the road'(of: 'from' | 'to') {
    const moved = (await planRow()).plan!.visits.find(({ from, to }) => from !== to)!
    const customer = await newPerson()
    const before = around(visits.find(({ id }) => id === moved.id)!, -hour)
    await visitAtHome(customer, before, { assigneeId: moved[of]! })
  },
}
const causes = Object.keys(changes) as (keyof typeof changes)[]

test('a manager applies a plan once: visits change hands without e-mails, each with its event', async () => {
  expect(await see()).toContain('4 citas pueden cambiar de persona')
  await calculated()
  const page = await see()
  expectWords(page, 'Óptimo', '2 citas cambian de persona', 'Pasa a', 'Antes con')
  expect(await see(`${link}&ver=antes`)).not.toContain('Antes con')
  expect(page).toMatch(/\d+ (h|min) menos de traslado/)

  await expectAnswered(apply(), 303, link)
  const after = await holders()
  const [first, second, third, fourth] = visits.map(({ id }) => after.get(id))
  expect([first, second]).toEqual([fourth, third])
  expect((await planRow()).state).toBe('applied')
  const moved = visits.filter(({ assigneeId, id }) => after.get(id) !== assigneeId)
  expect(moved).toHaveLength(2)
  for (const { assigneeId, id } of moved)
    expect(await eventsAbout(id, 'appointment')).toMatchObject([
      {
        name: 'optimise',
        fromState: 'requested',
        toState: 'requested',
        actorId: manager.id,
        data: { from: assigneeId, assigneeId: after.get(id) },
      },
    ])
  expect(await emails()).toEqual([])
  await expectAnswered(apply(), 303)
  expect(await holders()).toEqual(after)
  expect(await see()).toContain('Plan aplicado')
})

test('a manager applies a plan and confirms all visits with it, once, with their e-mails; single visits can be undone', async () => {
  await calculated()
  const words = ['Aplicar y confirmar 4 citas', '4 clientes reciben un correo', '2 técnicos', '30 segundos']
  expectWords(await see(), ...words)
  const board = `/admin/assignations?dia=${date}`
  await expectAnswered(confirm(), 303, board)
  const after = await rows()
  for (const row of after) expect(row).toMatchObject({ state: 'assigned', confirmedAt: expect.any(Date) })
  const versions = await rowsWhere(appointments)
  await expectAnswered(confirm(), 303)
  expect(await rowsWhere(appointments)).toEqual(versions)
  for (const visit of visits) await expectEmails(visit, ['assigned to customer', 'assigned to person'])
  const changes = versions.map(({ id, version }) => `${id}:${version}`).join()
  await post('/admin/deshacer', { changes, back: '/admin' }, manager)
  expect(await rows()).toEqual(after.map((row) => ({ ...row, state: 'requested', confirmedAt: null })))
  expect(await emails()).toEqual([])
})

test.each(causes)('a manager applies a plan not where %s', async (cause) => {
  await calculated()
  await changes[cause]('to')
  const before = await rows()
  expectPage(await apply(), 409, 'Calcula de nuevo')
  expect(await rows()).toEqual(before)
  expect((await planRow()).state).toBe('ready')
})

test('a manager applies a plan while customers book: no person is in two places', async () => {
  await calculated()
  const shoppers = await Promise.all(Array.from({ length: 6 }, newShopper))
  const free = await slots(shoppers[0]!)
  const bookings = shoppers.map((shopper, n) => book(shopper, free[n % free.length]!))
  for (const { status } of await Promise.all([apply(), ...bookings])) expect([303, 409]).toContain(status)
  const { rows } = await runSql`select a.id from appointments a join appointments b
      on a.assignee_id = b.assignee_id and a.id < b.id and a.during && b.during`
  expect(rows).toEqual([])
})

test('a manager applies a plan which leaves confirmed visits, and those whose customer is asked about another time', async () => {
  const [asked, , , confirmed] = visits as [Visit, Visit, Visit, Visit]
  const ofVisit = (id: string, set: Partial<Visit>) => setRow(appointments, id, set)
  await ofVisit(asked.id, { assigneeId: null })
  await ofVisit(confirmed.id, { state: 'assigned', confirmedAt: new Date() })
  await storeRows(moveOffers, {
    appointmentId: asked.id,
    absentId: technicians[0].id,
    assigneeId: technicians[1].id,
    madeBy: manager.id,
    fromStartsAt: asked.startsAt,
    toStartsAt: around(asked, 2 * hour),
    harm: 120,
    expiresAt: fromNow(hour),
  })
  await calculated()
  expect(Object.keys((await planRow()).plan!.versions)).toHaveLength(2)
  await confirm()
  expect(await stored(asked)).toMatchObject({ state: 'requested', assigneeId: null })
  expect((await stored(confirmed)).assigneeId).toBe(technicians[1].id)
})

const named = async () => {
  const { id, version } = await planRow()
  return { changes: `reparto:${id}:${version}`, back: link }
}
const undo = async (by = manager, form?: Record<string, string>) =>
  post('/admin/deshacer', form ?? (await named()), by)

test.each(['confirm-plan', 'apply-plan'])(
  'a manager undoes an applied plan as a whole after %s: all rows are as before, without e-mails',
  async (intent) => {
    await calculated()
    const before = await rows()
    const { location } = await apply(intent)
    expect(await rows()).not.toEqual(before)
    const form = await named()
    const { version } = await planRow()
    expect(await markupOf(location!, manager)).toContain(`name="changes" value="${form.changes}"`)
    expect(await see()).toContain('Puedes deshacerlo todavía')
    const again = () => undo(undefined, form)
    expect(await statusesOf(again(), again())).toEqual([303, 303])
    expectWords(await see(), 'Lo deshicimos', 'Calcular')
    expect([await rows(), await emails()]).toEqual([before, []])
    expect(await planRow()).toMatchObject({ state: 'ready', version: version + 1 })
    await expectAnswered(apply(intent), 409)
  },
)

test.each<[when: string, change: () => Promise<unknown>, words: string]>([
  [
    'one of its e-mails was sent',
    () =>
      runSql`update pgboss.job set start_after = now() - interval '1 second'
          where data ->> 'appointmentId' = ${visits[3]!.id}`,
    'Los avisos ya salieron',
  ],
  [causes[0]!, () => changes[causes[0]!]('from'), 'Una de sus citas cambió después'],
  [causes[1]!, () => changes[causes[1]!]('from'), 'Otra cita tomó un lugar mientras tanto'],
])('a manager undoes an applied plan as a whole not where %s', async (_, change, words) => {
  await calculated()
  await confirm()
  await change()
  const before = [await rows(), await emails()]
  await expectAnswered(undo(), 303)
  expectWords(await see(), 'No se pudo deshacer', words)
  expect([await rows(), await emails()]).toEqual(before)
  expect((await planRow()).state).toBe('applied')
})

test('a manager undoes an applied plan as a whole who applied it, no other', async () => {
  await calculated()
  await confirm()
  const before = await rows()
  const colleague = await newPerson({ kind: 'manager' })
  await expectAnswered(undo(colleague), 303)
  await expectAnswered(undo(technicians[0]), 403)
  expect(await rows()).toEqual(before)
  expect(await see(link, colleague)).not.toContain('Puedes deshacerlo todavía')
})

test('calculates once for two clicks; refuses an empty or past day, an unknown plan and technicians', async () => {
  expect((await Promise.all([calculate(), calculate()])).map(({ status }) => status)).toEqual([303, 303])
  await expectCount(dayPlans, {}, 1)
  const empty = `/admin/assignations/plan?dia=${addDays(date, 200)}`
  expectPage(await send({ intent: 'calculate-plan' }, undefined, empty), 409, 'No hay citas por asignar')
  const past = '/admin/assignations/plan?dia=2020-01-07'
  expectPage(await send({ intent: 'calculate-plan' }, undefined, past), 409, 'Ese día ya pasó')
  const form = { intent: 'apply-plan', planId: visits[0]!.id }
  await expectAnswered(send(form), 404)
  await expectAnswered(send({ ...form, planId: 'x' }), 400)
  await expectAnswered(send(form, technicians[0]), 403)
})

test('shows a calculation as failed when its thread dies or falls silent, and starts another', async () => {
  const file = path.join(tmpdir(), `plan-${process.pid}.mjs`)
  writeFileSync(file, "throw new Error('a thread that dies')")
  await startPlan(db, manager.actor, { date, zones: [] }, new Date(), file)
  await expect.poll(async () => (await planRow()).state).toBe('failed')
  expect(await see()).toContain('El cálculo no terminó')
  await expectAnswered(apply(), 409)

  await db.update(dayPlans).set({ state: 'running', beatAt: ago(60_000) })
  expect(await see()).toContain('El cálculo no terminó')
  await expectAnswered(calculate(), 303)
  await expectCount(dayPlans, {}, 2)
})

test('stops a running calculation with the best plan so far, once there is one', async () => {
  const progress = { phase: 'routes', seconds: 3, cost: 90, bound: null }
  const running = { date, madeBy: manager.id, progress }
  const [{ id: planId } = { id: '' }] = await storeRows(dayPlans, running)
  const page = await fixture.visit(link, manager)
  expect(readable(page)).toContain('Armando rutas')
  expect(page.text).toContain('http-equiv="refresh"')
  const stop = () => send({ intent: 'stop-plan', planId })
  await expectAnswered(stop(), 409)
  const none = { before: 0, after: 0 }
  const empty = { visits: [], people: [], versions: {}, stuck: [], cost: 0, bound: 0 }
  await db.update(dayPlans).set({ plan: { ...empty, travel: none, left: none } })
  await expectAnswered(stop(), 303)
  expect((await planRow()).state).toBe('stopped')
  expectPage(await stop(), 409, 'Ya no se está calculando')
  expect(await see()).toContain('El día ya está bien repartido')
})

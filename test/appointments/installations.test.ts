import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import { nothingBooked, slots, storeVisit, visitOf, visitsOf } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { emailsAbout, readable } from '../kit/reading.ts'
import { bookInstallation, installations, makeReady } from './booking/services.ts'

openEach()

/** A free start for whoever may book an installation. */
async function freeStart() {
  const { customer2 } = people
  const { projectId } = await world.home(customer2)
  await makeReady(world, projectId)
  return (await slots(world, customer2, 0, installations))[0]!
}

test('an installation that is ready is booked: four hours, its person provisional', async () => {
  const { customer } = people
  const { projectId } = await world.home(customer)
  await makeReady(world, projectId)
  expect(readable(await world.visit('/installation', customer))).toContain('Agendar instalación')
  const [start] = await slots(world, customer, 0, installations)
  const answer = await bookInstallation(world, customer, start!)
  expect([answer.status, answer.location]).toEqual([303, '/installation?agendada'])
  const installation = await visitOf(world, customer)
  expect(installation).toMatchObject({
    folio: expect.stringMatching(/^IN-\d{4}-\d{5}$/),
    service: 'installation',
    state: 'requested',
    confirmedAt: null,
    minutes: 240,
    interest: null,
    municipality: 'coyoacan',
  })
  expect(await emailsAbout(world, installation)).toEqual(['booked to customer'])
  const page = readable(await world.visit('/installation', customer))
  for (const words of [installation.folio, 'Llegamos entre', '4 h', 'Apartada']) expect(page).toContain(words)
  expect(page).not.toContain('Agendar instalación')
})

const accepted = { quoteAcceptedAt: new Date() }
const paid = { ...accepted, depositPaidAt: new Date() }

test.each([
  [
    'without a quote',
    {},
    'aceptar tu cotización; pagar tu anticipo.',
    'Primero va tu visita técnica. Después',
  ],
  ['unpaid', accepted, 'falta: pagar tu anticipo (te toca a ti).', 'Pagar mi anticipo'],
  [
    'without the permit of the condominium',
    { ...paid, permitNeeded: true },
    'falta: entregar el permiso de tu condominio (te toca a ti).',
    'Sube aquí el permiso',
  ],
])(
  '%s nothing can be booked, in words that say what is missing and whose turn it is',
  async (_what, facts, refusal, page) => {
    const start = await freeStart()
    const { customer } = people
    const { projectId } = await world.home(customer)
    await world.db
      .update(projects)
      .set({ updatedAt: new Date(), ...facts })
      .where(eq(projects.id, projectId))
    expect((await world.visit(installations.path, customer)).location).toBe('/installation')
    const shown = await world.visit('/installation', customer)
    expect(readable(shown)).toContain(page)
    expect(shown.text).not.toContain('href="/agenda-installation"')
    const answer = await bookInstallation(world, customer, start)
    expect([answer.status, readable(answer)]).toEqual([409, expect.stringContaining(refusal)])
    await nothingBooked(world)
  },
)

test('after the visit the quote is ours to make', async () => {
  const { customer, technician } = people
  const home = await world.home(customer)
  const done = { state: 'done' as const, outcome: 'completed' as const, assigneeId: technician.id }
  await storeVisit(world, customer, home, new Date(Date.now() - 3 * 86_400_000), done)
  const page = readable(await world.visit('/installation', customer))
  expect(page).toContain('Estamos preparando tu cotización.')
  const answer = await bookInstallation(world, customer, await freeStart())
  expect(readable(answer)).toContain('aceptar tu cotización (la preparamos nosotros)')
})

test('one that stops being ready while its form is open is not booked', async () => {
  const { customer } = people
  const { projectId } = await world.home(customer)
  await makeReady(world, projectId)
  const [start] = await slots(world, customer, 0, installations)
  await world.db.update(projects).set({ depositPaidAt: null }).where(eq(projects.id, projectId))
  const answer = await bookInstallation(world, customer, start!)
  expect([answer.status, readable(answer)]).toEqual([409, expect.stringContaining('pagar tu anticipo')])
  await nothingBooked(world)
})

test('booked while its deposit is taken back: one of the two, never an unready installation', async () => {
  for (let round = 0; round < 5; round++) {
    const customer = await world.person()
    const { projectId } = await world.home(customer)
    await makeReady(world, projectId)
    const [start] = await slots(world, customer, round, installations)
    const takeBack = world.db.$client.query(
      `update projects set deposit_paid_at = null where id = $1 and not exists (select 1 from appointments where project_id = $1)`,
      [projectId],
    )
    const [answer] = await Promise.all([bookInstallation(world, customer, start!), takeBack])
    expect([303, 409]).toContain(answer.status)
    expect(await visitsOf(world, customer)).toHaveLength(answer.status === 303 ? 1 : 0)
  }
})

test('one at a time, and none after it is done; one that could not be finished is booked again', async () => {
  const { customer, technician } = people
  const home = await world.home(customer)
  await makeReady(world, home.projectId)
  const [first, second] = [
    await slots(world, customer, 0, installations),
    await slots(world, customer, 1, installations),
  ]
  await bookInstallation(world, customer, first[0]!)
  const twice = await bookInstallation(world, customer, second[0]!)
  expect([twice.status, twice.location]).toEqual([303, '/installation'])
  const end = (outcome: string) =>
    world.db.$client.query(
      `update appointments set state = 'done', outcome = $1, assignee_id = $2, starts_at = starts_at - interval '30 days' where state = 'requested'`,
      [outcome, technician.id],
    )
  await end('partial')
  expect((await bookInstallation(world, customer, second[0]!)).status).toBe(303)
  await end('completed')
  const again = await bookInstallation(world, customer, first[0]!)
  expect([again.status, readable(again)]).toEqual([
    409,
    expect.stringContaining('Tu instalación ya está hecha'),
  ])
  expect((await world.visit(installations.path, customer)).location).toBe('/installation')
  expect(readable(await world.visit('/', customer))).toContain('Tu cargador está listo desde')
})

test('two a day is a person’s most, and the same form twice is one', async () => {
  const { customer, technician2 } = people
  await world.db.$client.query('delete from shifts where person_id = $1', [technician2.id])
  const { projectId } = await world.home(customer)
  await makeReady(world, projectId)
  const starts = await slots(world, customer, 0, installations)
  const form = { requestKey: randomUUID() }
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => bookInstallation(world, customer, starts[0]!, form)),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(303))
  expect(await visitsOf(world, customer)).toHaveLength(1)
  const other = await world.person()
  await makeReady(world, (await world.home(other)).projectId)
  const full = await bookInstallation(world, other, starts[1]!)
  expect([full.status, readable(full)]).toEqual([409, expect.stringContaining('se acaba de ocupar')])
})

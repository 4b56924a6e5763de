import { expect, test } from 'vitest'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import { slots, visitOf, visitsOf } from '../kit/appointments.ts'
import { expectLed, expectScreen, openOnce, pageText, world } from '../kit/open.ts'
import { emailsAbout, expectAnswered, expectShown, expectWords, setIn } from '../kit/reading.ts'
import { bookInstallation, installations, makeReady } from './booking/services.ts'

openOnce()

async function readyCustomer() {
  const customer = await world.person()
  const { projectId } = await world.home(customer)
  await makeReady(world, projectId)
  return { customer, projectId, starts: (nth = 0) => slots(world, customer, nth, installations) }
}

test('books an installation that is ready: four hours, with a provisional technician', async () => {
  const { customer, starts } = await readyCustomer()
  await expectScreen('/installation', customer, 'Agendar instalación')
  await expectAnswered(bookInstallation(world, customer, (await starts())[0]!), 303, '/installation?agendada')
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
  const page = await pageText('/installation', customer)
  expectWords(page, installation.folio, 'Llegamos entre', '4 h', 'Apartada')
  expect(page).not.toContain('Agendar instalación')
})

test.each([
  ['deposit', { depositPaidAt: null }, 'falta: pagar tu anticipo (te toca a ti).', 'Pagar mi anticipo'],
  [
    'permit of the condominium',
    { permitNeeded: true },
    'falta: entregar el permiso de tu condominio (te toca a ti).',
    'Sube aquí el permiso',
  ],
])(
  'refuses an installation that lost its %s while the form was open',
  async (_what, facts, refusal, words) => {
    const { customer, projectId, starts } = await readyCustomer()
    const [start] = await starts()
    await setIn(world, projects, projectId, facts)
    await expectLed(installations.path, customer, '/installation')
    const page = await world.visit('/installation', customer)
    expectShown(page, 200, words)
    expect(page.text).not.toContain('href="/agenda-installation"')
    expectShown(await bookInstallation(world, customer, start!), 409, refusal)
    expect(await visitsOf(world, customer)).toEqual([])
  },
)

test('a booking and the return of its deposit at once: one of the two', async () => {
  for (let round = 0; round < 5; round++) {
    const { customer, projectId, starts } = await readyCustomer()
    const [start] = await starts(round)
    const takeBack = world.db.$client.query(
      `update projects set deposit_paid_at = null where id = $1 and not exists (select 1 from appointments where project_id = $1)`,
      [projectId],
    )
    const [answer] = await Promise.all([bookInstallation(world, customer, start!), takeBack])
    expect([303, 409]).toContain(answer.status)
    expect(await visitsOf(world, customer)).toHaveLength(answer.status === 303 ? 1 : 0)
  }
})

test('books one at a time, again after a partial one, and none after a complete one', async () => {
  const { customer, starts } = await readyCustomer()
  const [first, second] = [(await starts(0))[0]!, (await starts(1))[0]!]
  await bookInstallation(world, customer, first)
  await expectAnswered(bookInstallation(world, customer, second), 303, '/installation')
  const end = (outcome: string) =>
    world.db.$client.query(
      `update appointments set state = 'done', outcome = $1, starts_at = starts_at - interval '30 days' where state = 'requested' and customer_id = $2`,
      [outcome, customer.id],
    )
  await end('partial')
  await expectAnswered(bookInstallation(world, customer, second), 303)
  await end('completed')
  expectShown(await bookInstallation(world, customer, first), 409, 'Tu instalación ya está hecha')
  await expectLed(installations.path, customer, '/installation')
  await expectScreen('/', customer, 'Tu cargador está listo desde')
})

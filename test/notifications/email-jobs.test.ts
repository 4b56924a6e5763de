import { expect, test } from 'vitest'
import type { AppointmentEmailJob } from '../../src/server/notifications/jobs.ts'
import { appointments } from '../../src/server/platform/database/schema/appointments.ts'
import { hour, storeVisit } from '../kit/appointments.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openOnce, people, world } from '../kit/open.ts'
import { setIn } from '../kit/reading.ts'

openOnce()

type KindTo<To> = Extract<AppointmentEmailJob, { to: To }>['letter']
async function booked(wish: Parameters<typeof storeVisit>[4] = {}, inHours = 48) {
  const customer = await world.person({ name: 'Ana' })
  const at = new Date(Date.now() + inHours * hour)
  const assigned = { assigneeId: people.technician.id, ...wish }
  return { customer, visit: await storeVisit(world, customer, await world.home(customer), at, assigned) }
}
const sent = (letter: KindTo<'customer'>, appointmentId: string) =>
  emailsOf(world.db, { letter, appointmentId, to: 'customer' })

test('sends a booking without its provisional person, and the same message again on a second try', async () => {
  const { customer, visit } = await booked({ state: 'requested', confirmedAt: null })
  const [email] = await sent('booked', visit.id)
  expect(email).toMatchObject({
    to: customer.email,
    subject: `Tu visita técnica quedó agendada (${visit.folio})`,
    text: expect.stringContaining('Calle Ejemplo 12'),
    messageId: expect.stringMatching(/^<job-1\.[0-9a-f-]{36}@carga\.example>$/),
  })
  expect(email!.text).not.toContain('Tomás')
  expect(await sent('booked', visit.id)).toEqual([email])
})

test('sends only what is true when the job runs', async () => {
  const { visit } = await booked({}, 72)
  const [assigned] = await sent('assigned', visit.id)
  expect(assigned!.subject).toContain('Ya sabemos quién te atiende')
  await setIn(world, appointments, visit, { state: 'en_route' })
  expect(await sent('assigned', visit.id)).toEqual([])
  expect((await sent('on_the_way', visit.id))[0]!.text).toContain('Técnico instalador: Tomás Prueba')
  expect(await sent('booked', (await booked({}, -1)).visit.id)).toEqual([])
  expect(await sent('booked', '01900000-0000-7000-8000-000000000009')).toEqual([])
})

test('sends a visit without a person to the customer and every active manager, each a message of its own', async () => {
  const second = await world.person({ kind: 'manager' })
  await world.person({ kind: 'manager', active: false })
  const { customer, visit } = await booked({ assigneeId: null, state: 'requested', confirmedAt: null })
  const job = { letter: 'no_person', appointmentId: visit.id, to: 'managers' } as const
  const emails = [...(await sent('no_person', visit.id)), ...(await emailsOf(world.db, job))]
  expect(emails.map(({ to }) => to)).toEqual([customer.email, people.manager.email, second.email])
  expect(new Set(emails.map(({ messageId }) => messageId)).size).toBe(3)
  await expect(emailsOf(world.db, { ...job, letter: 'booked' } as never)).rejects.toThrow(
    'no e-mail booked goes to managers',
  )
})

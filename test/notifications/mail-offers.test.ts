import { sql } from 'drizzle-orm'
import { timeOff } from '../../src/platform/database/schema/accounts.ts'
import {
  appointments,
  moveOffers,
  slotOffers,
  slotWishes,
} from '../../src/platform/database/schema/appointments.ts'
import type { AppointmentEmailJob, EmailJob } from '../../src/platform/jobs/emails.ts'
import { hour, minute, storeVisit, type Visit, visitAtHome } from '../kit/appointments.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  customer,
  db,
  fixture,
  fromNow,
  manager,
  newPerson,
  openEach,
  setRow,
  storeRows,
  technician,
  technician2,
} from '../kit/open.ts'
import type { Home } from '../kit/people.ts'
import { insertIn } from '../kit/reading.ts'

openEach()

/** A day some weeks away, at ten in Mexico City. */
const ten = new Date(
  `${fromNow(20 * 24 * hour)
    .toISOString()
    .slice(0, 10)}T16:00Z`,
)
const after = (by: number) => fromNow(by)
const emails = (job: EmailJob) => emailsOf(db, job)

let home: Home
let visit: Visit
beforeEach(async () => {
  home = await fixture.home(customer)
  visit = await storeVisit(fixture, customer, home, ten, { assigneeId: technician.id })
})

describe('the email about an open slot', () => {
  let offerId: string
  beforeEach(async () => {
    const input = { customerId: customer.id, projectId: home.projectId, appointmentId: visit.id }
    const kept = await insertIn(fixture, slotWishes, { ...input, service: 'technical_visit' })
    const times = { startsAt: new Date(ten.getTime() - 48 * hour), expiresAt: after(30 * minute) }
    offerId = (await insertIn(fixture, slotOffers, { wishId: kept.id, ...times })).id
  })
  const offered = () => emails({ letter: 'slot_offer', offerId, to: 'customer' })

  test('states the time, the deadline and the current appointment', async () => {
    const [email] = await offered()
    expect(email!.text).toMatch(/Hora: entre 10:00 y 10:30 a\. m\./)
    expect(email!.text).toMatch(
      /se lo queda quien lo elija primero[\s\S]*Tu cita actual: .*entre 10:00 y 10:30 a\. m\./,
    )
    expect(email!.text).toContain('Ver el horario: https://carga.example/technics-visit')
    const atOne = new Date(ten.getTime() + 3 * hour + 17 * minute)
    await db.update(slotOffers).set({ expiresAt: atOne })
    expect((await offered())[0]!.text).toContain('Tienes hasta la 1:17 p. m. También')
    expect(email!.calendar).toBeUndefined()
  })

  test.each([
    `update slot_offers set answer = 'gone'`,
    `update slot_offers set expires_at = now() - interval '1 second'`,
    `update slot_wishes set ended_at = now(), ended_because = 'withdrawn'`,
    `update slot_offers set starts_at = now() - interval '1 hour'`,
    `update appointments set starts_at = starts_at - interval '3 days'`,
    `update users set active = false where role = 'customer'`,
  ])('is not sent after %s', async (change) => {
    await db.execute(sql.raw(change))
    expect(await offered()).toEqual([])
  })
})

describe('the email about a new time because of an absence', () => {
  let offerId: string
  beforeEach(async () => {
    const offer = await insertIn(fixture, moveOffers, {
      appointmentId: visit.id,
      absentId: technician.id,
      assigneeId: technician2.id,
      harm: 60,
      fromStartsAt: ten,
      toStartsAt: new Date(ten.getTime() + hour),
      madeBy: manager.id,
      expiresAt: after(24 * hour),
    })
    offerId = offer.id
  })
  const offered = () => emails({ letter: 'move_offer', offerId, to: 'customer' })

  test('states the new and the current time, and no address', async () => {
    const { text } = (await offered())[0]!
    expect(text).toMatch(
      /Hora: entre 11:00 y 11:30 a\. m\.[\s\S]*Tu cita actual: .*entre 10:00 y 10:30 a\. m\./,
    )
    expect(text).toContain('Este cambio no cuenta entre los tuyos')
    expect(text).not.toContain('Calle Ejemplo')
  })

  test.each([
    `update move_offers set answer = 'withdrawn'`,
    `update appointments set starts_at = starts_at + interval '1 day'`,
    `update appointments set state = 'cancelled'`,
  ])('is not sent after %s', async (change) => {
    await db.execute(sql.raw(change))
    expect(await offered()).toEqual([])
  })
})

describe('the emails about time off', () => {
  const asked = async (from: string, to: string) => {
    const [row] = await storeRows(timeOff, {
      personId: technician.id,
      during: `[${from},${to})`,
      reason: 'Boda',
    })
    return row!.id
  }
  const set = (text: string) => db.execute(sql.raw(`update time_off set ${text}`))

  test('go to managers with days and reason, and once answered to the person', async () => {
    const timeOffId = await asked('2031-03-04T00:00-06:00', '2031-03-06T00:00-06:00')
    const ask = { letter: 'time_off_asked', timeOffId, to: 'managers' } as const
    const answer = { letter: 'time_off_answered', timeOffId, to: 'person' } as const
    const [toManager] = await emails(ask)
    expect(toManager!.to).toBe(manager.email)
    expect(toManager!.text).toMatch(
      /Desde: martes 4 de marzo de 2031\nHasta: miércoles 5 de marzo de 2031\nMotivo: Boda/,
    )
    expect(toManager!.text).toContain(`https://carga.example/admin/users/${technician.id}`)
    expect(await emails(answer)).toEqual([])
    await set(`refused_at = now(), refused_reason = 'Falta gente'`)
    expect(await emails(ask)).toEqual([])
    const [toPerson] = await emails(answer)
    expect(toPerson!.to).toBe(technician.email)
    expect(toPerson!.text).toContain('Motivo: Falta gente')
    await set(`refused_at = null, approved_at = now()`)
    expect((await emails(answer))[0]!.subject).toBe('Tu permiso quedó aprobado')
    await set('withdrawn_at = now()')
    expect(await emails(answer)).toEqual([])
  })

  test('state the hours of part of a day', async () => {
    const timeOffId = await asked('2031-03-04T09:00-06:00', '2031-03-04T13:00-06:00')
    const [email] = await emails({ letter: 'time_off_asked', timeOffId, to: 'managers' })
    expect(email!.text).toMatch(
      /Desde: martes 4 de marzo de 2031, 9:00 a\. m\.\nHasta: martes 4 de marzo de 2031, 1:00 p\. m\./,
    )
  })
})

type Letter = Extract<AppointmentEmailJob, { to: 'customer' }>['letter']
async function booked(input: Parameters<typeof storeVisit>[4] = {}, inHours = 48) {
  const customer = await newPerson({ name: 'Ana' })
  const at = fromNow(inHours * hour)
  return { customer, visit: await visitAtHome(customer, at, { assigneeId: technician.id, ...input }) }
}
const sent = (letter: Letter, appointmentId: string) => emails({ letter, appointmentId, to: 'customer' })

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
  await setRow(appointments, visit, { state: 'en_route' })
  expect(await sent('assigned', visit.id)).toEqual([])
  expect((await sent('on_the_way', visit.id))[0]!.text).toContain('Técnico instalador: Tomás Prueba')
  expect(await sent('booked', (await booked({}, -1)).visit.id)).toEqual([])
  expect(await sent('booked', '01900000-0000-7000-8000-000000000009')).toEqual([])
})

test('sends a visit without a person to the customer and every active manager, each a message of its own', async () => {
  const second = await newPerson({ kind: 'manager' })
  await newPerson({ kind: 'manager', active: false })
  const { customer, visit } = await booked({ assigneeId: null, state: 'requested', confirmedAt: null })
  const job = { letter: 'no_person', appointmentId: visit.id, to: 'managers' } as const
  const found = [...(await sent('no_person', visit.id)), ...(await emails(job))]
  expect(found.map(({ to }) => to)).toEqual([customer.email, manager.email, second.email])
  expect(new Set(found.map(({ messageId }) => messageId)).size).toBe(3)
  await expect(emails({ ...job, letter: 'booked' } as never)).rejects.toThrow(
    'no e-mail booked goes to managers',
  )
})

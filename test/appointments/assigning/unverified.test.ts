import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { letGoAt, mostOfANetwork } from '../../../src/domain/appointments/rules.ts'
import { cancel } from '../../../src/server/appointments/cancel.ts'
import { letUnverifiedGo } from '../../../src/server/appointments/unverified.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { appointments, unprovedBookings } from '../../../src/server/platform/database/schema/appointments.ts'
import { book, hour, slots, storeVisit, type Visit, visitsOf } from '../../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { emailsAbout, eventsOf, readable, rowIn } from '../../kit/reading.ts'

let customer: Person
openEach(async () => {
  customer = await world.person({ emailVerified: false })
})
sendJobs()

const prove = () => world.db.update(users).set({ emailVerified: true }).where(eq(users.id, customer.id))
const stateOf = async ({ id }: Visit) => (await rowIn(world, appointments, { id }))!.state
const before = ({ startsAt }: Visit, hours: number) => new Date(startsAt.getTime() - hours * hour)
const after = ({ createdAt }: Visit, hours: number) => new Date(createdAt.getTime() + hours * hour)

test('an unverified customer has one appointment over all services, and is told the way on', async () => {
  const home = await world.home(customer)
  const call = { service: 'videocall', assigneeId: people.technician.id } as const
  await storeVisit(world, customer, home, new Date(Date.now() + 20 * 24 * hour), call)
  const [first] = await slots(world, customer)
  // Before anything is filled in, and instead of the hours.
  const agenda = await world.visit('/agenda-technics-visit', customer)
  expect(readable(agenda)).toContain('Confirma tu correo para agendar otra cita')
  expect(agenda.text).toContain('Reenviar correo')
  expect(agenda.text).not.toContain('name="startsAt"')
  // A form that was open already keeps what was typed.
  const refused = await book(world, customer, first!, { notes: 'Tocar fuerte' })
  expect(refused.status).toBe(409)
  expect(readable(refused)).toContain('Mientras no confirmes tu correo puedes tener una sola cita.')
  for (const kept of ['Reenviar correo', 'Tocar fuerte']) expect(refused.text).toContain(kept)
  expect(await visitsOf(world, customer)).toHaveLength(1)
  await prove()
  expect((await book(world, customer, first!)).status).toBe(303)
})

test('the first one is booked like anybody’s; a second of the same service is led to it', async () => {
  await world.home(customer)
  const [first, , third] = await slots(world, customer)
  const answers = await Promise.all([book(world, customer, first!), book(world, customer, third!)])
  expect(answers.map(({ onward }) => onward).sort()).toEqual(['/technics-visit', '/technics-visit?agendada'])
  expect(await visitsOf(world, customer)).toHaveLength(1)
})

describe('rounds of booking and cancelling', () => {
  const words = 'Ya agendaste y cancelaste dos veces. Confirma tu correo para agendar otra vez.'
  const callOff = async (by: Person = customer) => {
    const held = (await visitsOf(world, customer)).find(({ state }) => state !== 'cancelled')!
    await cancel(
      world.db,
      by.actor,
      held.id,
      { version: held.version, reason: 'cliente_se_arrepiente', note: null },
      new Date(),
    )
  }
  const bookOne = async (nth = 0) => book(world, customer, (await slots(world, customer, nth))[nth]!)
  const round = async (nth = 0) => {
    expect((await bookOne(nth)).status).toBe(303)
    await callOff()
  }

  test('refuses an unverified customer a third booking after two that they cancelled, over all services', async () => {
    const home = await world.home(customer)
    await round()
    const call = { service: 'videocall', assigneeId: people.analyst.id } as const
    await storeVisit(world, customer, home, new Date(Date.now() + 20 * 24 * hour), call)
    await callOff()
    const refused = await bookOne()
    expect(refused.status).toBe(409)
    expect(readable(refused)).toContain(words)
    expect(refused.text).toContain('Enviar otra vez')
    await prove()
    expect((await bookOne()).status).toBe(303)
  })

  test('refuses two bookings at once after the second round', async () => {
    await world.home(customer)
    await round()
    await round(1)
    const answers = await Promise.all([bookOne(), bookOne(2)])
    expect(answers.map(({ status }) => status)).toEqual([409, 409])
  })

  test('does not count what the office cancelled, nor what it booked', async () => {
    const home = await world.home(customer)
    await round()
    expect((await bookOne(1)).status).toBe(303)
    await callOff(people.manager)
    const at = new Date(Date.now() + 20 * 24 * hour)
    const ofManager = { assigneeId: people.technician.id, bookedBy: people.manager.id }
    await storeVisit(world, customer, home, at, ofManager)
    await callOff()
    expect((await bookOne(2)).status).toBe(303)
  })
})

async function visit(wish: Partial<Visit> = {}, whose = customer) {
  const home = await world.home(whose)
  const at = new Date(Date.now() + 20 * 24 * hour)
  return storeVisit(world, whose, home, at, { assigneeId: people.technician.id, ...wish })
}

test.each<Partial<Visit>>([{ state: 'requested', confirmedAt: null }, { state: 'assigned' }])(
  '%o: let go four hours after it was booked, with a trace and a letter',
  async (wish) => {
    const kept = await visit(wish)
    expect(await letUnverifiedGo(world.db, after(kept, 3.9))).toBe(0)
    expect(await stateOf(kept)).toBe(kept.state)
    expect(await letUnverifiedGo(world.db, after(kept, 4.1))).toBe(1)
    expect(await stateOf(kept)).toBe('cancelled')
    const trail = {
      name: 'letGo',
      actorId: null,
      fromState: kept.state,
      toState: 'cancelled',
      reason: 'unverified_email',
    }
    expect((await eventsOf(world, kept.id, 'appointment')).at(-1)).toMatchObject(trail)
    expect((await emailsAbout(world, kept)).filter((letter) => letter.endsWith('customer'))).toEqual([
      'let_go to customer',
    ])
    expect(await letUnverifiedGo(world.db, after(kept, 5))).toBe(0)
    expect(readable(await world.visit('/technics-visit', customer))).toContain(
      'el correo no se confirmó a tiempo',
    )
  },
)

test('one that staff booked for a caller is kept until twelve hours before', async () => {
  const kept = await visit({ bookedBy: people.manager.id })
  expect(await letUnverifiedGo(world.db, after(kept, 100))).toBe(0)
  expect(await letUnverifiedGo(world.db, before(kept, 12.1))).toBe(0)
  expect(await letUnverifiedGo(world.db, before(kept, 12))).toBe(1)
})

test('whoever proves their mailbox keeps it, also at the last moment', async () => {
  const kept = await visit()
  await prove()
  expect(await letUnverifiedGo(world.db, before(kept, 2))).toBe(0)
  expect(await stateOf(kept)).toBe('assigned')
})

test('nobody is let go once somebody is on the way, nor after the start', async () => {
  const kept = await visit()
  expect(await letUnverifiedGo(world.db, before(kept, -1))).toBe(0)
  await world.db.update(appointments).set({ state: 'en_route' })
  expect(await letUnverifiedGo(world.db, before(kept, 1))).toBe(0)
})

test.each<[bookedAt: string, isForCaller: boolean, letGo: string]>([
  ['2026-11-20T10:00Z', false, '2026-11-20T14:00Z'],
  // Near its start there are fewer hours, and never less than two.
  ['2026-11-24T03:00Z', false, '2026-11-24T06:00Z'],
  ['2026-11-24T05:00Z', false, '2026-11-24T07:00Z'],
  ['2026-11-20T10:00Z', true, '2026-11-24T06:00Z'],
  ['2026-11-24T05:00Z', true, '2026-11-24T07:00Z'],
])(
  'for 24 November, 18:00, booked at %s (for a caller: %s): let go at %s',
  (bookedAt, isForCaller, letGo) => {
    const startsAt = new Date('2026-11-24T18:00Z')
    expect(letGoAt({ bookedAt: new Date(bookedAt), startsAt, isForCaller })).toEqual(new Date(letGo))
  },
)

describe('throw-away accounts of one network', () => {
  const squatter = async (address: string) => {
    const somebody = await world.person({ emailVerified: false })
    await world.home(somebody)
    return Object.assign(somebody, { address })
  }
  const wants = async (somebody: Person, nth: number) =>
    (await book(world, somebody, (await slots(world, somebody, nth % 4))[Math.floor(nth / 4)]!)).status

  test('hold so many slots and no more, from any of their addresses, until one proves its mailbox', async () => {
    const statuses = []
    for (let n = 0; n < mostOfANetwork; n++)
      statuses.push(await wants(await squatter(`2001:db8:7:${n}::${n}`), n))
    expect(statuses).toEqual(Array(mostOfANetwork).fill(303))
    const late = await squatter('2001:db8:7:ffff::1')
    const [start] = await slots(world, late, 5)
    const refused = await book(world, late, start!)
    expect(refused.status).toBe(429)
    expect(readable(refused)).toContain('Desde tu conexión ya hay varias citas de correos sin confirmar.')
    expect(refused.text).toContain('Enviar otra vez')
    // Neither another network nor somebody proved here is any the worse for it.
    expect((await book(world, await squatter('2001:db8:8::1'), start!)).status).toBe(303)
    await world.db.update(users).set({ emailVerified: true }).where(eq(users.id, late.id))
    expect((await book(world, late, (await slots(world, late, 5))[0]!)).status).toBe(303)
  })

  test('at once too', async () => {
    const all = await Promise.all(Array.from({ length: mostOfANetwork + 3 }, () => squatter('10.9.9.9')))
    const starts = await Promise.all(all.map((one, nth) => slots(world, one, nth % 4)))
    const answers = await Promise.all(
      all.map((one, nth) => book(world, one, starts[nth]![Math.floor(nth / 4) * 3]!)),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(mostOfANetwork)
  })

  test('what was let go counts no more, and from where it was booked is forgotten', async () => {
    for (let n = 0; n < mostOfANetwork; n++) await wants(await squatter('10.9.9.9'), n)
    const networks = () => world.db.select().from(unprovedBookings)
    expect(new Set((await networks()).map(({ network }) => network)).size).toBe(1)
    expect(JSON.stringify(await networks())).not.toContain('10.9.9.9')
    expect(await letUnverifiedGo(world.db, new Date(Date.now() + 4.1 * hour))).toBe(mostOfANetwork)
    expect(await networks()).toEqual([])
    expect(await wants(await squatter('10.9.9.9'), 0)).toBe(303)
  })
})

test('who books is told in time: before, at once, and by letter', async () => {
  await world.home(customer)
  const [start] = await slots(world, customer)
  expect(readable(await world.visit('/agenda-technics-visit', customer))).toContain(
    'Guardamos tu lugar 4 horas',
  )
  const booked = await book(world, customer, start!)
  expect(readable(await world.visit(booked.onward!, customer))).toContain(
    'Confirma tu correo antes de 4 horas para conservarla.',
  )
  expect(readable(await world.visit('/', customer))).toContain('la guardamos 4 horas')
})

test('home says so, and sends another letter', async () => {
  const answer = await world.visit('/', customer)
  expect(readable(answer)).toContain(`Abre el enlace que mandamos a ${customer.email}`)
  const again = await world.post('/recover-password?mode=verifyEmail', { intent: 'resend' }, customer)
  expect([again.status, again.location]).toEqual([303, '/'])
  const home = await world.visit('/', customer)
  expect(home.text).toContain('Te mandamos otro correo')
  await prove()
  expect(readable(await world.visit('/', customer))).not.toContain('Confirma tu correo')
})

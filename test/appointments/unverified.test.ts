import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { letGoAt } from '../../src/domain/unverified.ts'
import { letUnverifiedGo } from '../../src/server/appointments/unverified.ts'
import { users } from '../../src/server/database/account-schema.ts'
import { appointments } from '../../src/server/database/appointment-schema.ts'
import type { Person } from '../people.ts'
import { openEach, people, sendJobs, world } from './opening.ts'
import {
  book,
  eventsOf,
  hour,
  lettersOf,
  readable,
  slots,
  storeVisit,
  type Visit,
  visitsOf,
} from './story.ts'

let customer: Person
openEach(async () => {
  customer = await world.person({ emailVerified: false })
})
sendJobs()

const prove = () => world.db.update(users).set({ emailVerified: true }).where(eq(users.id, customer.id))
const stateOf = async ({ id }: Visit) =>
  (await world.db.select().from(appointments).where(eq(appointments.id, id)))[0]!.state
const before = ({ startsAt }: Visit, hours: number) => new Date(startsAt.getTime() - hours * hour)

test('an unverified customer has one appointment over all services, and is told the way on', async () => {
  const home = await world.home(customer)
  const call = { service: 'videocall', assigneeId: people.technician.id } as const
  await storeVisit(world, customer, home, new Date(Date.now() + 20 * 24 * hour), call)
  const [first] = await slots(world, customer)
  const refused = await book(world, customer, first!)
  expect(refused.status).toBe(409)
  expect(readable(refused)).toContain('Mientras no confirmes tu correo puedes tener una sola cita.')
  expect(refused.text).toContain('Enviar otra vez')
  expect(await visitsOf(world, customer)).toHaveLength(1)
  await prove()
  expect((await book(world, customer, first!)).status).toBe(303)
})

test('the first one is booked like anybody’s; a second of the same service has its own words', async () => {
  await world.home(customer)
  const [first, , third] = await slots(world, customer)
  const answers = await Promise.all([book(world, customer, first!), book(world, customer, third!)])
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
  expect(await visitsOf(world, customer)).toHaveLength(1)
})

async function visit(state: 'requested' | 'assigned' = 'assigned') {
  const home = await world.home(customer)
  const confirmedAt = state === 'assigned' ? new Date() : null
  const at = new Date(Date.now() + 48 * hour)
  return storeVisit(world, customer, home, at, { assigneeId: people.technician.id, state, confirmedAt })
}

test.each(['requested', 'assigned'] as const)(
  '%s: let go twelve hours before, with a trace and a letter',
  async (state) => {
    const kept = await visit(state)
    expect(await letUnverifiedGo(world.db, before(kept, 12.1))).toBe(0)
    expect(await stateOf(kept)).toBe(state)
    expect(await letUnverifiedGo(world.db, before(kept, 12))).toBe(1)
    expect(await stateOf(kept)).toBe('cancelled')
    const trail = {
      name: 'letGo',
      actorId: null,
      fromState: state,
      toState: 'cancelled',
      reason: 'unverified_email',
    }
    expect((await eventsOf(world, kept.id)).at(-1)).toMatchObject(trail)
    expect((await lettersOf(world, kept)).filter((letter) => letter.endsWith('customer'))).toEqual([
      'let_go to customer',
    ])
    expect(await letUnverifiedGo(world.db, before(kept, 11))).toBe(0)
    expect(readable(await world.visit('/technics-visit', customer))).toContain(
      'el correo no se confirmó a tiempo',
    )
  },
)

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

test('whoever books late has two hours to prove it', () => {
  const start = new Date('2026-11-24T18:00:00Z')
  expect(letGoAt(new Date('2026-11-20T10:00:00Z'), start)).toEqual(new Date('2026-11-24T06:00:00Z'))
  expect(letGoAt(new Date('2026-11-24T05:00:00Z'), start)).toEqual(new Date('2026-11-24T07:00:00Z'))
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

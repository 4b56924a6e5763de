import { and, eq, isNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { addresses } from '../../../src/server/platform/database/schema/projects.ts'
import { book, slots } from '../../kit/appointments.ts'
import { openOnce, world } from '../../kit/open.ts'
import { addressForm } from '../../kit/people.ts'
import { expectShown, rowIn } from '../../kit/reading.ts'

openOnce()

async function customerAtAgenda(at = 0) {
  const customer = await world.person()
  const { projectId } = await world.home(customer)
  const startsAt = (await slots(world, customer))[at]!
  return {
    book: () => book(world, customer, startsAt),
    send: (form: Record<string, string>) => world.post('/address', { version: '1', ...form }, customer),
    visit: async () => await rowIn(world, appointments, { projectId }),
    async address() {
      const present = and(eq(addresses.projectId, projectId), isNull(addresses.archivedAt))
      return (await world.db.select().from(addresses).where(present))[0]
    },
  }
}

test('a booking and the removal of its address at once: one of the two', async () => {
  for (let round = 0; round < 5; round++) {
    const one = await customerAtAgenda(round)
    const answers = await Promise.all([one.book(), one.send({ intent: 'archive' })])
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect((await one.visit()) === undefined).toBe((await one.address()) === undefined)
  }
})

test('a booking and a change of its address at once: the visit goes to the present address', async () => {
  const change = { ...addressForm, postalCode: '14000', municipality: '', visitSeen: '' }
  for (let round = 0; round < 5; round++) {
    const one = await customerAtAgenda(round)
    await Promise.all([one.book(), one.send(change)])
    const visit = await one.visit()
    if (visit) expect(visit.address?.postalCode).toBe((await one.address())?.postalCode)
  }
})

test('an address form opened before the booking asks whether the visit moves along', async () => {
  const one = await customerAtAgenda()
  await one.book()
  const answer = await one.send({ ...addressForm, street: 'Otra calle', visitSeen: '' })
  expectShown(answer, 409, 'Di si también va a esta dirección')
  expect((await one.address())?.street).toBe(addressForm.street)
})

test('the races above caused no deadlock', async () => {
  // Statistics are written at once only on request.
  await world.db.execute(sql`select pg_stat_force_next_flush()`)
  const { rows } = await world.db.execute(
    sql`select deadlocks::int from pg_stat_database where datname = current_database()`,
  )
  expect(rows).toEqual([{ deadlocks: 0 }])
})

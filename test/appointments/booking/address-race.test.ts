import { and, eq, isNull, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { addresses } from '../../../src/server/platform/database/schema/projects.ts'
import { book, slots } from '../../kit/appointments.ts'
import { openBare, world } from '../../kit/open.ts'
import { addressForm } from '../../kit/people.ts'
import { expectPage, rowIn } from '../../kit/reading.ts'

openBare()
beforeAll(async () => {
  await world.people()
})

const present = async (projectId: string) =>
  (
    await world.db
      .select()
      .from(addresses)
      .where(and(eq(addresses.projectId, projectId), isNull(addresses.archivedAt)))
  )[0]
const visit = async (projectId: string) => await rowIn(world, appointments, { projectId })

async function customerAtAgenda(at: number) {
  const customer = await world.person({})
  const home = await world.home(customer)
  const startsAt = (await slots(world, customer))[at] ?? ''
  return { customer, ...home, book: () => book(world, customer, startsAt) }
}

test('booking while the address is taken off: one of the two, never a visit nowhere', async () => {
  for (let round = 0; round < 5; round++) {
    const { customer, projectId, book: books } = await customerAtAgenda(round)
    const [booked, taken] = await Promise.all([
      books(),
      world.post('/address', { intent: 'archive', version: '1' }, customer),
    ])
    expect([booked.status, taken.status].filter((status) => status === 303)).toHaveLength(1)
    expect((await visit(projectId)) === undefined).toBe((await present(projectId)) === undefined)
  }
})

test('booking while the address changes: the visit is where the customer lives', async () => {
  for (let round = 0; round < 5; round++) {
    const { customer, projectId, book: books } = await customerAtAgenda(round)
    const change = { ...addressForm, postalCode: '14000', municipality: '', version: '1', visitSeen: '' }
    await Promise.all([books(), world.post('/address', change, customer)])
    const booked = await visit(projectId)
    if (booked) expect(booked.address?.postalCode).toBe((await present(projectId))?.postalCode)
  }
})

test('a form opened before the visit was booked asks before it moves the address away', async () => {
  const { customer, projectId, book: books } = await customerAtAgenda(0)
  await books()
  const answer = await world.post(
    '/address',
    { ...addressForm, street: 'Otra calle', version: '1', visitSeen: '' },
    customer,
  )
  expectPage(answer, 409, 'Di si también va a esta dirección')
  expect((await present(projectId))?.street).toBe(addressForm.street)
})

test('none of them waited for another that waited for it', async () => {
  // What a connection counts is written down at once only when it is asked to.
  await world.db.execute(sql`select pg_stat_force_next_flush()`)
  const { rows } = await world.db.execute(
    sql`select deadlocks::int from pg_stat_database where datname = current_database()`,
  )
  expect(rows).toEqual([{ deadlocks: 0 }])
})

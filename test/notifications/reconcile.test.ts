import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { emailsWithoutRows } from '../../src/server/notifications/reconcile.ts'
import { book, slots, visitOf } from '../kit/appointments.ts'
import { openOnce, people, world } from '../kit/open.ts'

openOnce()

async function* log(...lines: (object | string)[]) {
  for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line)
}

test('names e-mails about rows that are gone, with whom to call', async () => {
  await world.home(people.customer)
  await book(world, people.customer, (await slots(world, people.customer))[0]!)
  const { id } = await visitOf(world, people.customer)
  const [lost, quote, stranger, job] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const sent = {
    level: 30,
    time: 2_000,
    msg: 'e-mail sent',
    job,
    letter: 'booked',
    reader: people.customer.id,
  }
  const { found, looked } = await emailsWithoutRows(
    world.db,
    log(
      { ...sent, appointmentId: id },
      { ...sent, time: 3_000, appointmentId: lost },
      { ...sent, time: 1_000, reader: stranger, letter: 'quote_sent', quoteId: quote },
      { ...sent, msg: 'e-mail skipped: no recipient or outdated', appointmentId: lost },
      { ...sent, appointmentId: "'; drop table users" },
      'web-1  | {"msg":"e-mail sent"',
      'no JSON',
    ),
  )
  expect(looked).toBe(3)
  expect(found).toEqual([
    {
      at: new Date(1_000),
      job,
      letter: 'quote_sent',
      readerId: stranger,
      table: 'quotes',
      id: quote,
      who: null,
    },
    {
      at: new Date(3_000),
      job,
      letter: 'booked',
      readerId: people.customer.id,
      table: 'appointments',
      id: lost,
      who: expect.stringContaining(people.customer.email),
    },
  ])
})

import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { CLOSED_FOR_GOOD } from '../../src/domain/calls/protocol.ts'
import { notifyRoom } from '../../src/server/calls/participation.ts'
import { sessions, users } from '../../src/server/platform/database/schema/accounts.ts'
import { appointments, callMessages } from '../../src/server/platform/database/schema/appointments.ts'
import { minute } from '../kit/appointments.ts'
import { expectAnswered } from '../kit/reading.ts'
import {
  analyst,
  bothJoin,
  call,
  customer,
  here,
  newCall,
  open,
  openTown,
  people,
  sittings,
  stored,
  there,
  town,
} from './town.ts'

openTown()

const change = (set: Partial<typeof appointments.$inferInsert>) =>
  town.db.update(appointments).set(set).where(eq(appointments.id, call.id))
const leftBecause = async () => (await sittings()).map((one) => [one.side, one.leftBecause])

test('a participant whose session ends or who is deactivated is out of the room, no other', async () => {
  const { mine, theirs } = await bothJoin()
  await town.db.delete(sessions).where(eq(sessions.userId, customer.id))
  expect(await mine.ends()).toEqual(['signed_out', CLOSED_FOR_GOOD])
  await theirs.sees(({ peer }) => peer === null)
  expect(await leftBecause()).toEqual([
    ['customer', 'signed_out'],
    ['analyst', null],
  ])
  await town.db.update(users).set({ active: false }).where(eq(users.id, analyst.id))
  theirs.say({ type: 'chat', id: call.id, text: 'Sigo aquí' })
  expect(await theirs.ends()).toEqual(['signed_out', CLOSED_FOR_GOOD])
  expect(await town.db.select().from(callMessages)).toEqual([])
})

test('a room ends with its appointment', async () => {
  const { mine, theirs } = await bothJoin()
  const form = { move: 'callOff', reason: 'otro', note: 'Se cortó la luz en la casa' }
  await expectAnswered(there.post(`/admin/appointments-pending/${call.id}`, form, analyst), 303)
  for (const page of [mine, theirs]) expect(await page.ends()).toEqual(['over', CLOSED_FOR_GOOD])
  expect(await leftBecause()).toEqual([
    ['customer', 'ended'],
    ['analyst', 'ended'],
  ])
  expect(await stored()).toMatchObject({ state: 'cancelled', customerWaitingSince: null })
})

test.each([
  ['moved to another day', { startsAt: new Date(Date.now() + 24 * 60 * minute) }, 'early'],
  ['of yesterday', { startsAt: new Date(Date.now() - 24 * 60 * minute) }, 'over'],
] as const)('a call that is %s ends for a waiting customer', async (_what, set, because) => {
  const page = await open(here, customer)
  await page.joins()
  await change(set)
  page.say({ type: 'ping', at: 1 })
  expect(await page.ends()).toEqual([because, CLOSED_FOR_GOOD])
  expect(page.of('pong')).toEqual([])
  expect(await leftBecause()).toEqual([['customer', 'ended']])
  expect(await stored()).toMatchObject({ customerWaitingSince: null })
})

test('an analyst whose call was reassigned is out of the room, and the customer waits for the new one', async () => {
  const { mine, theirs } = await bothJoin()
  await change({ assigneeId: people.analyst.id })
  theirs.say({ type: 'ping', at: 1 })
  expect(await theirs.ends()).toEqual(['not_yours', CLOSED_FOR_GOOD])
  expect(await mine.sees(({ peer }) => peer === null)).toMatchObject({ peerName: 'Andrés Prueba' })
  const other = await open(there, people.analyst)
  const sitting = await other.joins()
  await mine.sees(({ peer, waitingSince }) => peer?.sitting === sitting && waitingSince === null)
  expect(await leftBecause()).toEqual([
    ['customer', null],
    ['analyst', 'taken_over'],
    ['analyst', null],
  ])
})

test('a customer sees whether the analyst is in another call', async () => {
  await change({ minutes: 5 })
  const page = await open(here, customer)
  await page.sees(({ analyst }) => analyst === 'away')
  const other = await newCall({ assigneeId: analyst.id, startsAt: new Date(Date.now() + 6 * minute) })
  const busy = await open(there, analyst, undefined, other.call.id)
  await busy.joins()
  await notifyRoom(town.db, call.id)
  await page.sees(({ analyst }) => analyst === 'busy')
})

import { expect, test } from 'vitest'
import { callEntry } from '../../src/server/calls/queries.ts'
import { minute } from '../appointments/story.ts'
import { analyst, bothJoin, call, customer, newCall, openTown, people, town } from './town.ts'

openTown()

const entryOf = (who: { actor: typeof customer.actor }, id = call.id, now = new Date()) =>
  callEntry(town.db, who.actor, id, now)

test('both sides go in, each to the other, while the room is open; nobody else ever', async () => {
  const shared = {
    appointmentId: call.id,
    folio: call.folio,
    startsAt: call.startsAt,
    minutes: 30,
    resumes: false,
  }
  const opensAt = new Date(call.startsAt.getTime() - 15 * minute)
  expect(await entryOf(customer)).toMatchObject({
    ...shared,
    side: 'customer',
    peerName: 'Andrés Arce',
    topic: 'Sobre autos eléctricos',
  })
  expect(await entryOf(analyst)).toMatchObject({
    ...shared,
    side: 'analyst',
    peerName: 'Camila Cruz',
    opensAt: new Date(Math.floor(opensAt.getTime() / minute) * minute),
  })
  for (const other of [
    people.customer,
    people.analyst,
    people.manager,
    people.technician,
    people.gester,
    people.ally,
  ])
    expect(await entryOf(other)).toBeNull()
  expect(await entryOf(customer, call.id, new Date(opensAt.getTime() - minute))).toBeNull()
  const done = await newCall({ state: 'done' })
  expect(await entryOf(done.customer, done.call.id)).toBeNull()
  const unconfirmed = await newCall({ state: 'requested', confirmedAt: null })
  expect(await entryOf(unconfirmed.customer, unconfirmed.call.id)).toMatchObject({ peerName: 'Tu analista' })
  expect(await entryOf(unconfirmed.analyst, unconfirmed.call.id)).toBeNull()
})

test('whose connection is lost resumes, and the other side does not', async () => {
  const { mine, theirs } = await bothJoin()
  expect(await entryOf(customer)).toMatchObject({ resumes: false })
  await mine.breaks()
  await theirs.sees(({ peer }) => peer?.lost === true)
  expect([await entryOf(customer), await entryOf(analyst)]).toMatchObject([
    { resumes: true },
    { resumes: false },
  ])
})

import { describe, expect, test } from 'vitest'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { currentStaffing } from '../../../src/server/scheduling/roster.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import { emailsAbout, eventsOf, rowsIn } from '../../kit/reading.ts'
import { at, changes, dayAround, now, provisional, tries, visitFor, workday } from '../../kit/users.ts'

openEach()
sendJobs()

const day = workday()

describe('a change that touches appointments', () => {
  test('is refused with the list, and nothing of it stays', async () => {
    const { manager, technician, technician2 } = people
    const visit = await visitFor(world, technician, at(day, '10:00'))
    const before = await currentStaffing(world.db)
    const { refused, affected, errors } = await tries(world, manager.actor, changes.deactivate(technician))
    expect(refused).toMatchObject({ code: 'failed-precondition', title: 'Hay citas por resolver' })
    expect(errors).toEqual({})
    expect(affected).toEqual([
      {
        id: visit.id,
        folio: visit.folio,
        service: 'technical_visit',
        startsAt: visit.startsAt,
        customer: 'Camila Prueba',
        assignee: 'Tomás Prueba',
        version: 1,
        reasons: ['Ya no podrá atenderla'],
        able: [{ id: technician2.id, name: 'Teresa Prueba' }],
        canKeep: false,
      },
    ])
    expect(await now(visit, world)).toMatchObject({ assigneeId: technician.id, version: 1 })
    expect(await currentStaffing(world.db)).toBe(before)
    const [row] = await rowsIn(world, users, { id: technician.id })
    expect(row!.active).toBe(true)
  })

  test('given to somebody: row, event, letter; both technicians know at once', async () => {
    const { manager, technician, technician2 } = people
    const visit = await visitFor(world, technician, at(day, '10:00'))
    const choices = { [visit.id]: technician2.id }
    const { refused } = await tries(world, manager.actor, changes.deactivate(technician), { choices })
    expect(refused).toBeNull()
    expect(await now(visit, world)).toMatchObject({
      state: 'assigned',
      assigneeId: technician2.id,
      version: 2,
    })
    const [event] = await eventsOf(world, visit.id, 'appointment')
    expect(event).toMatchObject({ name: 'reassign', actorId: manager.id, fromState: 'assigned' })
    expect(event!.data).toEqual({ from: technician.id, assigneeId: technician2.id, because: ['inactive'] })
    expect(await emailsAbout(world, visit)).toEqual([
      'assigned to customer',
      'assigned to person',
      'no_person to person',
    ])
  })

  test('released: nobody’s again, with the reason; the customer hears that somebody is looked for', async () => {
    const { manager, technician } = people
    const visit = await visitFor(world, technician, at(day, '10:00'))
    const choices = { [visit.id]: 'release' }
    await tries(world, manager.actor, changes.off(technician, ...dayAround(visit.startsAt)), { choices })
    expect(await now(visit, world)).toMatchObject({
      state: 'requested',
      assigneeId: null,
      confirmedAt: null,
      version: 2,
    })
    const [event] = await eventsOf(world, visit.id, 'appointment')
    expect(event).toMatchObject({
      name: 'release',
      fromState: 'assigned',
      toState: 'requested',
      reason: 'Tiene permiso o vacaciones',
      data: { from: technician.id },
    })
    expect(await emailsAbout(world, visit)).toEqual(['no_person to customer', 'no_person to person'])
  })

  test('a provisional one released goes to the best other person without a word, or to nobody for now', async () => {
    const { manager, technician, technician2 } = people
    const first = await visitFor(world, technician, at(day, '10:00'), provisional)
    const choices = { [first.id]: 'release' }
    await tries(world, manager.actor, changes.deactivate(technician), { choices })
    expect(await now(first, world)).toMatchObject({
      ...provisional,
      assigneeId: technician2.id,
      version: 2,
    })
    await tries(world, manager.actor, changes.deactivate(technician2), { choices })
    expect(await now(first, world)).toMatchObject({ ...provisional, assigneeId: null, version: 3 })
    expect((await eventsOf(world, first.id, 'appointment')).map(({ name }) => name)).toEqual(
      Array(2).fill('replace_provisional'),
    )
    expect(await emailsAbout(world, first)).toEqual([])
  })

  test('a provisional one given is confirmed', async () => {
    const { manager, technician, technician2 } = people
    const visit = await visitFor(world, technician, at(day, '10:00'), provisional)
    const choices = { [visit.id]: technician2.id }
    await tries(world, manager.actor, changes.deactivate(technician), { choices })
    const after = await now(visit, world)
    expect(after).toMatchObject({ state: 'assigned', assigneeId: technician2.id })
    expect(after.confirmedAt).not.toBeNull()
    expect((await eventsOf(world, visit.id, 'appointment')).map(({ name }) => name)).toEqual(['assign'])
  })

  test('only a manager makes one', async () => {
    const { analyst, customer, technician, gester, ally } = people
    for (const { actor } of [analyst, customer, technician, gester, ally])
      expect((await tries(world, actor, changes.deactivate(technician))).refused?.code).toBe(
        'permission-denied',
      )
  })
})

describe('choices that do not fit', () => {
  test('two given to one person at the same time are refused, and neither is written', async () => {
    const { manager, technician, technician2 } = people
    const third = await world.person({ kind: 'tecnician', name: 'Tadeo' })
    const one = await visitFor(world, technician, at(day, '10:00'))
    const other = await visitFor(world, third, at(day, '10:30'))
    const both = async (tx: Parameters<ReturnType<typeof changes.deactivate>>[0]) => {
      await changes.deactivate(technician)(tx)
      await changes.deactivate(third)(tx)
    }
    const choices = { [one.id]: technician2.id, [other.id]: technician2.id }
    const { affected, errors } = await tries(world, manager.actor, both, { choices })
    expect(affected).toHaveLength(2)
    expect(errors).toEqual({ [`choice.${other.id}`]: 'No puede: Ya tiene otra cita a esa hora.' })
    expect((await now(one, world)).assigneeId).toBe(technician.id)
  })

  test('two people may exchange what they leave', async () => {
    const { manager, technician, technician2 } = people
    const one = await visitFor(world, technician, at(day, '10:00'))
    const other = await visitFor(world, technician2, at(day, '15:00'))
    const halves = async (tx: Parameters<ReturnType<typeof changes.deactivate>>[0]) => {
      await changes.off(technician, at(day, '09:00'), at(day, '14:00'))(tx)
      await changes.off(technician2, at(day, '14:00'), at(day, '19:00'))(tx)
    }
    const choices = { [one.id]: technician2.id, [other.id]: technician.id }
    expect((await tries(world, manager.actor, halves, { choices })).refused).toBeNull()
    expect((await now(one, world)).assigneeId).toBe(technician2.id)
    expect((await now(other, world)).assigneeId).toBe(technician.id)
  })

  test('whoever can’t take it, is a stranger or no performer is refused', async () => {
    const { manager, technician, technician2, analyst, customer } = people
    const visit = await visitFor(world, technician, at(day, '10:00'))
    await visitFor(world, technician2, at(day, '10:30'))
    for (const { id } of [technician, technician2, analyst, customer, { id: 'nadie' }]) {
      const choices = { [visit.id]: id }
      const outcome = await tries(world, manager.actor, changes.deactivate(technician), { choices })
      expect(outcome.errors[`choice.${visit.id}`]).toMatch(/^No puede: /)
    }
    expect((await now(visit, world)).assigneeId).toBe(technician.id)
  })

  test('one that moved while the manager decided is asked again; one more, too', async () => {
    const { manager, technician, technician2 } = people
    const visit = await visitFor(world, technician, at(day, '10:00'))
    const decided = { choices: { [visit.id]: technician2.id }, seen: { [visit.id]: 1 } }
    await world.db.$client.query(
      `update appointments set version = 2, starts_at = starts_at + interval '1 hour'`,
    )
    const moved = await tries(world, manager.actor, changes.deactivate(technician), decided)
    expect(moved.errors[`choice.${visit.id}`]).toContain('cambió mientras decidías')
    expect(moved.affected.map(({ version }) => version)).toEqual([2])
    const more = await visitFor(world, technician, at(day, '15:00'))
    const fresh = { choices: decided.choices, seen: { [visit.id]: 2 } }
    const again = await tries(world, manager.actor, changes.deactivate(technician), fresh)
    expect(again.errors).toEqual({ [`choice.${more.id}`]: 'Elige qué hacer con esta cita.' })
    expect(again.affected.map(({ id }) => id)).toEqual([visit.id, more.id])
    const whole = { choices: { ...decided.choices, [more.id]: 'release' } }
    expect((await tries(world, manager.actor, changes.deactivate(technician), whole)).refused).toBeNull()
  })

  test('what the change does not touch is left alone, whatever was chosen for it', async () => {
    const { manager, technician, technician2 } = people
    const mine = await visitFor(world, technician2, at(day, '10:00'))
    const choices = { [mine.id]: 'release' }
    expect(
      (await tries(world, manager.actor, changes.deactivate(technician), { choices })).refused,
    ).toBeNull()
    expect(await now(mine, world)).toMatchObject({ assigneeId: technician2.id, version: 1 })
  })
})

describe('a holiday', () => {
  const holiday = changes.settings({ holidays: [day] })

  test('nobody else can that day: it is kept with a written reason, or released', async () => {
    const { manager, technician, technician2 } = people
    const kept = await visitFor(world, technician, at(day, '10:00'))
    const gone = await visitFor(world, technician2, at(day, '12:00'))
    const { affected } = await tries(world, manager.actor, holiday)
    expect(affected.map(({ able, canKeep }) => [able, canKeep])).toEqual(Array(2).fill([[], true]))
    const choices = { [kept.id]: 'keep', [gone.id]: 'release' }
    const bare = await tries(world, manager.actor, holiday, { choices })
    expect(bare.errors).toEqual({ keepReason: 'Escribe por qué la conserva de todos modos.' })
    const keepReason = 'Acordó trabajar ese festivo'
    expect((await tries(world, manager.actor, holiday, { choices, keepReason })).refused).toBeNull()
    expect(await now(kept, world)).toMatchObject({
      state: 'assigned',
      assigneeId: technician.id,
      overrideReason: keepReason,
    })
    const [event] = await eventsOf(world, kept.id, 'appointment')
    expect(event).toMatchObject({ name: 'reassign', reason: keepReason, data: { overridden: ['holiday'] } })
    expect(await emailsAbout(world, kept)).toEqual([])
    expect(await now(gone, world)).toMatchObject({ state: 'requested', assigneeId: null })
  })

  test('a provisional one that is kept is confirmed by it, and its customer hears who comes', async () => {
    const { manager, technician } = people
    const visit = await visitFor(world, technician, at(day, '10:00'), provisional)
    const decided = { choices: { [visit.id]: 'keep' }, keepReason: 'Acordado' }
    await tries(world, manager.actor, holiday, decided)
    expect(await now(visit, world)).toMatchObject({ state: 'assigned', assigneeId: technician.id })
    expect(await emailsAbout(world, visit)).toEqual(['assigned to customer', 'assigned to person'])
  })

  test('what holds for everybody can’t be kept', async () => {
    const { manager, technician } = people
    const visit = await visitFor(world, technician, at(day, '10:00'))
    const decided = { choices: { [visit.id]: 'keep' }, keepReason: 'Aunque sea' }
    const { errors } = await tries(world, manager.actor, changes.deactivate(technician), decided)
    expect(errors[`choice.${visit.id}`]).toBe('No la puede conservar: Ya no podrá atenderla.')
  })
})

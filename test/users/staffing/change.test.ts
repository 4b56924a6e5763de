import { sql } from 'drizzle-orm'
import type { Tx } from '../../../src/platform/database/client.ts'
import { personZones } from '../../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { currentStaffing } from '../../../src/scheduling/roster.ts'
import type { Decisions } from '../../../src/users/rules/staffing-change.ts'
import {
  ago,
  analyst,
  customer,
  db,
  eventsAbout,
  expectEmails,
  expectRow,
  expectTrail,
  fixture,
  manager,
  newPerson,
  openEach,
  sendJobs,
  technician,
  technician2,
} from '../../kit/open.ts'
import {
  at,
  changes,
  dayAround,
  now,
  provisional,
  tries,
  userOf,
  visitFor,
  workday,
} from '../../kit/users.ts'

openEach()
sendJobs()

const day = workday()
const visitAt = (time: string, person = technician, input = {}) => visitFor(person, at(day, time), input)
const change = (change: (tx: Tx) => Promise<unknown>, decisions: Partial<Decisions> = {}) =>
  tries(manager.actor, change, decisions)
/** Deactivates the technician, with these choices. */
const deactivate = (choices: Record<string, string> = {}, person = technician) =>
  change(changes.deactivate(person), { choices })

// That only the manager may: test/security/actions/people.ts.
test('a change that affects appointments is refused with their list, and nothing of it stays', async () => {
  const { folio, id, startsAt, ...visit } = await visitAt('10:00')
  const before = await currentStaffing(db)
  const { refused, affected, errors } = await deactivate()
  expect(refused).toMatchObject({ code: 'failed-precondition', title: 'Hay citas por resolver' })
  expect(errors).toEqual({})
  expect(affected).toEqual([
    {
      id,
      folio,
      service: 'technical_visit',
      startsAt,
      customer: 'Camila Prueba',
      assignee: 'Tomás Prueba',
      version: 1,
      reasons: ['Ya no podrá atenderla'],
      able: [{ id: technician2.id, name: 'Teresa Prueba' }],
      canKeep: false,
    },
  ])
  expect(await now({ id }, fixture)).toEqual({ folio, id, startsAt, ...visit })
  expect(await currentStaffing(db)).toBe(before)
  expect((await userOf(technician)).active).toBe(true)
})

test('an affected appointment given to another technician is stored, recorded and e-mailed to both and the customer; a provisional one is confirmed', async () => {
  const visit = await visitAt('10:00')
  const held = await visitAt('15:00', technician, provisional)
  expect((await deactivate({ [visit.id]: technician2.id, [held.id]: technician2.id })).refused).toBeNull()
  const given = { state: 'assigned', assigneeId: technician2.id, version: 2 }
  await expectRow(appointments, { id: visit.id }, given)
  const data = { from: technician.id, assigneeId: technician2.id, because: ['inactive'] }
  const event = { name: 'reassign', actorId: manager.id, fromState: 'assigned', data }
  expect(await eventsAbout(visit.id, 'appointment')).toMatchObject([event])
  await expectEmails(visit, ['assigned to customer', 'assigned to person', 'no_person to person'])
  await expectRow(appointments, { id: held.id }, { ...given, confirmedAt: expect.any(Date) })
  await expectTrail(held.id, ['assign'], 'appointment')
})

test('an affected appointment released is unassigned, with the reason and an e-mail to the customer', async () => {
  const visit = await visitAt('10:00')
  await change(changes.off(technician, ...dayAround(visit.startsAt)), { choices: { [visit.id]: 'release' } })
  await expectRow(appointments, { id: visit.id }, { ...provisional, assigneeId: null, version: 2 })
  expect(await eventsAbout(visit.id, 'appointment')).toMatchObject([
    {
      name: 'release',
      fromState: 'assigned',
      toState: 'requested',
      reason: 'Tiene permiso o vacaciones',
      data: { from: technician.id },
    },
  ])
  await expectEmails(visit, ['no_person to customer', 'no_person to person'])
})

test('a provisional appointment released goes to the best other technician, or stays unassigned, without an e-mail', async () => {
  const visit = await visitAt('10:00', technician, provisional)
  const choices = { [visit.id]: 'release' }
  await deactivate(choices)
  await expectRow(appointments, { id: visit.id }, { ...provisional, assigneeId: technician2.id, version: 2 })
  await deactivate(choices, technician2)
  await expectRow(appointments, { id: visit.id }, { ...provisional, assigneeId: null, version: 3 })
  await expectTrail(visit.id, Array(2).fill('replace_provisional'), 'appointment')
  await expectEmails(visit, [])
})

test('two choices for one person at the same time are refused, and neither is written', async () => {
  const third = await newPerson({ kind: 'tecnician' })
  const one = await visitAt('10:00')
  const other = await visitAt('10:30', third)
  const both = async (tx: Tx) => {
    for (const person of [technician, third]) await changes.deactivate(person)(tx)
  }
  const choices = { [one.id]: technician2.id, [other.id]: technician2.id }
  const { affected, errors } = await change(both, { choices })
  expect(affected).toHaveLength(2)
  expect(errors).toEqual({ [`choice.${other.id}`]: 'No puede: Ya tiene otra cita a esa hora.' })
  expect((await now(one, fixture)).assigneeId).toBe(technician.id)
})

test('two people may exchange what they leave', async () => {
  const one = await visitAt('10:00')
  const other = await visitAt('15:00', technician2)
  const halves = async (tx: Tx) => {
    await changes.off(technician, at(day, '09:00'), at(day, '14:00'))(tx)
    await changes.off(technician2, at(day, '14:00'), at(day, '19:00'))(tx)
  }
  const choices = { [one.id]: technician2.id, [other.id]: technician.id }
  expect((await change(halves, { choices })).refused).toBeNull()
  expect((await now(one, fixture)).assigneeId).toBe(technician2.id)
  expect((await now(other, fixture)).assigneeId).toBe(technician.id)
})

test('a choice of a busy, unknown or unfit person is refused, and to keep what allows no exception', async () => {
  const visit = await visitAt('10:00')
  await visitAt('10:30', technician2)
  const field = `choice.${visit.id}`
  for (const { id } of [technician, technician2, analyst, customer, { id: 'nadie' }])
    expect((await deactivate({ [visit.id]: id })).errors[field]).toMatch(/^No puede: /)
  const kept = await deactivate({ [visit.id]: 'keep' })
  expect(kept.errors[field]).toBe('No la puede conservar: Ya no podrá atenderla.')
  expect((await now(visit, fixture)).assigneeId).toBe(technician.id)
})

test('appointments moved or added during the decision are asked about again', async () => {
  const visit = await visitAt('10:00')
  const decide = (choices: Record<string, string>, seen?: number) =>
    change(changes.deactivate(technician), { choices, ...(seen && { seen: { [visit.id]: seen } }) })
  const choices = { [visit.id]: technician2.id }
  await db.$client.query(`update appointments set version = 2, starts_at = starts_at + interval '1 hour'`)
  const moved = await decide(choices, 1)
  expect(moved.errors[`choice.${visit.id}`]).toContain('cambió mientras decidías')
  expect(moved.affected).toMatchObject([{ version: 2 }])
  const more = await visitAt('15:00')
  const again = await decide(choices, 2)
  expect(again.errors).toEqual({ [`choice.${more.id}`]: 'Elige qué hacer con esta cita.' })
  expect(again.affected).toMatchObject([{ id: visit.id }, { id: more.id }])
  expect((await decide({ ...choices, [more.id]: 'release' })).refused).toBeNull()
})

const holiday = changes.settings({ holidays: [day] })

test('a holiday lets appointments be kept with a written reason, or released; a provisional one kept is confirmed', async () => {
  const kept = await visitAt('10:00')
  const held = await visitAt('15:00', technician, provisional)
  const gone = await visitAt('12:00', technician2)
  const { affected } = await change(holiday)
  expect(affected.map(({ able, canKeep }) => [able, canKeep])).toEqual(Array(3).fill([[], true]))
  const choices = { [kept.id]: 'keep', [held.id]: 'keep', [gone.id]: 'release' }
  const without = await change(holiday, { choices })
  expect(without.errors).toEqual({ keepReason: 'Escribe por qué la conserva de todos modos.' })
  const reason = 'Acordó trabajar ese festivo'
  expect((await change(holiday, { choices, keepReason: reason })).refused).toBeNull()
  const still = { state: 'assigned', assigneeId: technician.id }
  await expectRow(appointments, { id: kept.id }, { ...still, overrideReason: reason })
  const event = { name: 'reassign', reason, data: { overridden: ['holiday'] } }
  expect(await eventsAbout(kept.id, 'appointment')).toMatchObject([event])
  await expectEmails(kept, [])
  await expectRow(appointments, { id: held.id }, still)
  await expectEmails(held, ['assigned to customer', 'assigned to person'])
  await expectRow(appointments, { id: gone.id }, { state: 'requested', assigneeId: null })
})

type Change = () => (tx: Tx) => Promise<unknown>
const own = () => technician.id
const write = (statement: () => ReturnType<typeof sql>) => () => (tx: Tx) => tx.execute(statement())
const setOwn = (set: string) => write(() => sql`update users set ${sql.raw(set)} where id = ${own()}`)
const addZones =
  (...zones: ('toluca' | 'coyoacan')[]): Change =>
  () =>
  (tx) =>
    tx.insert(personZones).values(zones.map((municipality) => ({ personId: own(), municipality })))
const noShifts = write(() => sql`delete from shifts where person_id = ${own()}`)

test.each<[string, Change, string, boolean]>([
  ['role', setOwn(`role = 'customer', kind = null`), 'No realiza este servicio', false],
  ['kind to analyst', setOwn(`kind = 'analyst'`), 'No realiza este servicio', false],
  ['shifts', noShifts, 'Queda fuera de su turno', true],
  ['zones', addZones('toluca'), 'No atiende esta zona', true],
  [
    'opening hours',
    () => changes.settings({ hours: Array(7).fill({ from: 540, to: 600 }) }),
    'Queda fuera del horario de servicio',
    true,
  ],
  ['a holiday', () => changes.settings({ holidays: [day] }), 'Es día festivo', true],
])('a change of %s affects an appointment', async (_name, made, words, canKeep) => {
  const visit = await visitFor(technician, at(day, '10:00'))
  const { affected } = await change(made())
  expect(affected).toMatchObject([{ id: visit.id, reasons: [words], canKeep }])
})

test.each<[string, Change]>([
  ['a name', setOwn(`name = 'Otro'`)],
  [
    'longer visits and fewer a day',
    () =>
      changes.settings({ services: { technical_visit: { minutes: 240, dailyMax: 1 } }, bufferMinutes: 60 }),
  ],
  ['a holiday on another day', () => changes.settings({ holidays: [workday(1)] })],
  ['time off at another hour', () => changes.off(technician, at(day, '13:00'), at(day, '18:00'))],
  ['more zones', addZones('toluca', 'coyoacan')],
  ['travel', write(() => sql`insert into travel_minutes values ('coyoacan', 'coyoacan', 600)`)],
])('%s affects no appointment', async (_name, made) => {
  await visitFor(technician, at(day, '10:00'))
  await visitFor(technician, at(day, '11:30'))
  expect((await change(made())).refused).toBeNull()
})

test('offers a video call to another analyst, whatever the zones', async () => {
  const other = await newPerson({ kind: 'analyst', name: 'Amalia', zones: ['toluca'] })
  const call = { service: 'videocall', minutes: 30, municipality: null, address: null } as const
  const visit = await visitFor(analyst, at(day, '10:00'), call)
  const { affected } = await deactivate({}, analyst)
  expect(affected).toMatchObject([{ id: visit.id, able: [{ id: other.id, name: 'Amalia Prueba' }] }])
})

test('does not ask again about a reason that was there before', async () => {
  const technician = await newPerson({ kind: 'tecnician', zones: ['toluca'] })
  await visitFor(technician, at(day, '10:00'), { overrideReason: 'Vive cerca' })
  const zones = sql`update person_zones set municipality = 'lerma' where person_id = ${technician.id}`
  expect((await change((tx) => tx.execute(zones))).refused).toBeNull()
})

test('leaves appointments that are cancelled, unassigned, past or of another alone, whatever the choice', async () => {
  const other = await visitAt('10:00', technician2)
  await visitAt('10:00', technician, { state: 'cancelled' })
  await visitFor(null, at(day, '10:00'))
  await visitFor(technician, ago(48 * 3_600_000))
  await begun(30 * 60, 'in_progress')
  expect((await deactivate({ [other.id]: 'release' })).refused).toBeNull()
  await expectRow(appointments, { id: other.id }, { assigneeId: technician2.id, version: 1 })
})

const begun = (minutesAgo: number, state: 'en_route' | 'in_progress' | 'paused') =>
  visitFor(technician, ago(minutesAgo * 60_000), { state })

test.each(['en_route', 'in_progress', 'paused'] as const)(
  'a technician whose visit is %s now is not deactivated',
  async (state) => {
    const { folio } = await begun(30, state)
    const { refused, affected } = await deactivate()
    expect(refused?.description).toBe(
      `Tomás Prueba está en la cita ${folio} en este momento. Haz el cambio cuando la termine.`,
    )
    expect(affected).toEqual([])
    expect((await change(noShifts())).refused).toBeNull()
  },
)

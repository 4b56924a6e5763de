import { isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { around, assign, customer, minute, move, readAgain, visit, visitOf } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { send } from '../kit/photos.ts'
import { emailsAbout, eventsOf, readable } from '../kit/reading.ts'
import { beThere, completeSheet, fillIn, sheetOf } from '../kit/reports.ts'
import { jpeg } from '../platform/storage/samples.ts'
import { answer, press } from './phone.ts'

openEach(beThere)

const at = (minutes: number) => around(visit, minutes * minute)
const submit = (minutes = 9, by = people.technician) => press(world, by, visit, 'submit', at(minutes))
const pending = () => world.db.select().from(tasks).where(isNull(tasks.doneAt))
const claims = async () => (await pending()).filter(({ reason }) => reason === 'claim')
const decide = (taskId: string, form: Record<string, string>, by = people.manager) =>
  world.post('/admin', { taskId, ...form }, by)
/** What is answered after a signature lets it fall. */
const beforeSigning = () => new Date(Date.now() - 60 * minute)
const reopen = { intent: 'reopen-claim' }

/** The office cancels while the technician, without a network, hands the whole report in. */
async function cancelledMeanwhile() {
  await fillIn()
  world.at(at(15))
  await move(world, people.manager, visit, 'callOff', { reason: 'cliente_no_disponible' })
  world.at(at(40))
}

test('what was handed in of a visit cancelled meanwhile is kept, and the manager is asked', async () => {
  await cancelledMeanwhile()
  const late = { name: 'panelBrand', value: 'Schneider', base: 1, at: beforeSigning() }
  expect((await answer(world, people.technician, visit, late)).json.saved).toEqual({ panelBrand: 2 })
  const photo = { capturedAt: at(8), bytes: await jpeg({ width: 1800, height: 1300 }) }
  expect((await send(world, people.technician, visit, photo)).status).toBe(200)
  for (let times = 0; times < 2; times++)
    expect(await submit()).toEqual({ status: 200, json: { state: 'cancelled' } })
  expect(await visitOf(world, customer)).toMatchObject({ state: 'cancelled' })
  expect(await sheetOf(visit)).toMatchObject({ state: 'draft', claimedAt: at(9), claimAnsweredAt: null })
  const [task, ...more] = await claims()
  expect([more, task?.subject, task?.urgent]).toEqual([
    [],
    expect.stringMatching(/^Tomás hizo VT-\d{4}-\d+ y la firmó a las? \d{1,2}:\d\d .+: ¿reabrir\?$/),
    true,
  ])
  for (const [by, words] of [
    [people.manager, 'Reabrir la cita'],
    [people.analyst, 'Decide la gerencia.'],
  ] as const)
    expect(readable(await world.visit('/admin', by))).toContain(words)
  const screen = await world.visit(`/admin/appointments-done/${visit.id}`, people.technician)
  expect(readable(screen)).toMatch(/La gerencia decide si la cita se reabre\. Llamar a la oficina/)
})

test('reopened, the visit is what was handed in, told in its history, and its people hear of it', async () => {
  await cancelledMeanwhile()
  await submit()
  const [task] = await claims()
  expect((await decide(task!.id, reopen, people.analyst)).status).toBe(403)
  expect((await decide(task!.id, { intent: 'close-task', result: 'Ya se vio' })).status).toBe(409)
  const taps = await Promise.all([decide(task!.id, reopen), decide(task!.id, reopen)])
  expect(taps.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'done',
    outcome: 'completed',
    finishedAt: at(9),
    assigneeId: people.technician.id,
    closingReason: null,
    startsAt: visit.startsAt,
  })
  expect(await sheetOf(visit)).toMatchObject({ state: 'submitted', submittedBy: people.technician.id })
  expect((await eventsOf(world, visit.id, 'appointment')).at(-1)).toMatchObject({
    name: 'reopen',
    toState: 'done',
  })
  expect(await claims()).toEqual([])
  const letters = await emailsAbout(world, visit)
  expect(letters).toEqual(expect.arrayContaining(['finished to customer', 'claim_reopened to person']))
  // The phone asks again: it is the same sending.
  expect((await submit()).json).toEqual({ state: 'done' })
})

test('declined, it stays as it was, and its technician hears why', async () => {
  await cancelledMeanwhile()
  await submit()
  const [task] = await claims()
  const decline = { intent: 'decline-claim', words: 'corto' }
  const short = await decide(task!.id, decline)
  expect([short.status, readable(short)]).toEqual([400, expect.stringContaining('al menos 10 caracteres')])
  const words = 'El cliente ya había reservado con otra persona.'
  expect((await decide(task!.id, { ...decline, words })).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({ state: 'cancelled' })
  expect(await sheetOf(visit)).toMatchObject({ state: 'draft', claimRefusal: words })
  expect((await decide(task!.id, reopen)).status).toBe(409)
  expect((await emailsAbout(world, visit)).at(-1)).toBe('claim_declined to person')
  const screen = await world.visit(`/admin/appointments-done/${visit.id}`, people.technician)
  expect(readable(screen)).toContain(words)
  expect((await submit()).json).toEqual({ state: 'cancelled' })
  expect(await claims()).toEqual([])
})

test('given to somebody else before the start was heard of: it is kept as well, and goes back when it is reopened', async () => {
  await move(world, people.technician, visit, 'undoStart')
  await move(world, people.manager, visit, 'undoSetOut')
  await readAgain()
  world.at(at(15))
  await assign(world, people.manager, visit, people.technician2)
  await completeSheet(world, { ...visit, assigneeId: people.technician.id })
  world.at(at(40))
  expect((await press(world, people.technician, visit, 'start', at(1))).status).toBe(404)
  const typed = { name: 'panelBrand', value: 'Schneider', base: 1, at: beforeSigning() }
  expect((await answer(world, people.technician, visit, typed)).status).toBe(200)
  expect((await submit(9)).json).toEqual({ state: 'assigned' })
  expect((await world.visit(`/admin/appointments-pending/${visit.id}`, people.technician)).status).toBe(404)
  const [task] = await claims()
  expect((await decide(task!.id, reopen)).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'done',
    assigneeId: people.technician.id,
    startsAt: visit.startsAt,
  })
})

test('once somebody else has begun, or of a visit that was never theirs, nothing is kept', async () => {
  await fillIn()
  expect((await submit(9, people.technician2)).status).toBe(404)
  await move(world, people.technician, visit, 'callOff', { reason: 'clima' })
  world.at(at(40))
  expect((await submit(41 - 10)).status).toBe(409)
  expect(await claims()).toEqual([])
})

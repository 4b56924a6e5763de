import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { keptFromEarlier } from '../../src/domain/reports/proposals.ts'
import type { Answers } from '../../src/domain/reports/report.ts'
import { sheetAnswers, sheets } from '../../src/server/platform/database/schema/appointments.ts'
import { events } from '../../src/server/platform/database/schema/projects.ts'
import { saveAnswers } from '../../src/server/reports/answers.ts'
import { givenForVisit, prefilledFor } from '../../src/server/reports/prefilled.ts'
import { sheetFor } from '../../src/server/reports/queries.ts'
import { approveSheet } from '../../src/server/reports/review.ts'
import { around, customer, hour, minute, move, storeVisit, visit } from '../kit/appointments.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Home } from '../kit/people.ts'
import { readable } from '../kit/reading.ts'
import { answersOf, beThere, fillIn, sheetOf } from '../kit/reports.ts'
import { storeInstallation } from './installed.ts'
import { answer, press } from './phone.ts'

openEach(beThere)
sendJobs()

const typed = (minutes: number) => around(visit, minutes * minute)
const corrections = () =>
  world.db
    .select()
    .from(events)
    .where(and(eq(events.entity, 'sheet'), eq(events.name, 'correct')))
const correct = (name: string, value: unknown, base: number) =>
  saveAnswers(world.db, people.manager.actor, visit.id, [{ name, value, base, at: new Date() }], new Date())

test('answers are kept as they are, each with its revision and both its times', async () => {
  const { technician } = people
  const sent = { name: 'conductor', value: '8', at: typed(4) }
  const first = await answer(world, technician, visit, sent, { name: 'mainBreaker', value: '100 A' })
  expect(first).toEqual({
    status: 200,
    json: { saved: { conductor: 1, mainBreaker: 1 }, conflicts: [], refused: [] },
  })
  expect(await answersOf(visit)).toMatchObject({
    conductor: { value: '8', changedAt: typed(4), arrivedAt: typed(10), changedBy: technician.id },
    mainBreaker: { value: 100 },
  })
  // The answer was lost on its way.
  expect((await answer(world, technician, visit, sent)).json.saved).toEqual({ conductor: 1 })
  expect(await corrections()).toEqual([])
})

test('what can’t be an answer is said beside its question, and the others are kept', async () => {
  const { json } = await answer(
    world,
    people.technician,
    visit,
    { name: 'mainBreaker', value: 4000 },
    { name: 'nothing', value: 1 },
    { name: 'groundOk', value: false },
  )
  expect(json.refused.map(({ name }: { name: string }) => name)).toEqual(['mainBreaker', 'nothing'])
  expect(json.saved).toEqual({ groundOk: 1 })
  for (const body of [{}, { name: 'groundOk', value: true, base: -1 }])
    expect((await answer(world, people.technician, visit, body as never)).status).toBe(400)
})

test('what the office changed meanwhile is answered, not overwritten; only that', async () => {
  const { technician } = people
  await answer(
    world,
    technician,
    visit,
    { name: 'panelBrand', value: 'Siemens' },
    { name: 'sparePoles', value: 2 },
  )
  await correct('panelBrand', 'Square D', 1)
  const { json } = await answer(
    world,
    technician,
    visit,
    { name: 'panelBrand', value: 'Bticino', base: 1 },
    { name: 'sparePoles', value: 3, base: 1 },
  )
  expect(json).toEqual({
    saved: { sparePoles: 2 },
    refused: [],
    conflicts: [
      {
        name: 'panelBrand',
        value: 'Square D',
        revision: 2,
        by: expect.stringContaining('Prueba'),
        own: false,
        at: typed(10).toISOString(),
      },
    ],
  })
  expect((await answersOf(visit)).panelBrand).toMatchObject({ value: 'Square D', revision: 2 })
  // Settled as theirs: made on what stands now.
  const settled = await answer(world, technician, visit, { name: 'panelBrand', value: 'Bticino', base: 2 })
  expect(settled.json.saved).toEqual({ panelBrand: 3 })
})

test('whoever answers goes on over their own answer, of which the phone has not heard; not over a later one', async () => {
  const { technician } = people
  const say = (value: string, at: Date) => answer(world, technician, visit, { name: 'panelBrand', value, at })
  await say('Siemens', typed(2))
  expect((await say('Bticino', typed(3))).json.saved).toEqual({ panelBrand: 2 })
  // Told as theirs: it was typed before, on another phone.
  expect((await say('Square D', typed(1))).json.conflicts).toMatchObject([{ own: true }])
  expect((await answersOf(visit)).panelBrand!.value).toBe('Bticino')
})

test('two who answer the same at once: one is kept, the other hears of it', async () => {
  const { manager, analyst } = people
  const say = (by: typeof manager, value: string) =>
    saveAnswers(
      world.db,
      by.actor,
      visit.id,
      [{ name: 'panelBrand', value, base: 0, at: new Date() }],
      new Date(),
    )
  const answers = await Promise.all([say(manager, 'Siemens'), say(analyst, 'Bticino')])
  expect(answers.map(({ conflicts }) => conflicts.length).toSorted()).toEqual([0, 1])
  expect(await corrections()).toHaveLength(1)
})

test('each correction is told with what it was; who somebody is stays out of what is never erased', async () => {
  await correct('panelBrand', 'Square D', 0)
  await correct('customerName', 'Luz María', 0)
  expect((await corrections()).map(({ data }) => data)).toEqual([
    { name: 'panelBrand', from: null, to: 'Square D' },
    { name: 'customerName' },
  ])
})

test('a phone whose clock is ahead has not answered in the future', async () => {
  await answer(world, people.technician, visit, { name: 'groundOk', value: true, at: typed(600) })
  expect((await answersOf(visit)).groundOk!.changedAt).toEqual(typed(10))
})

describe('who answers', () => {
  const some = { name: 'groundOk', value: true }

  test('nobody’s but the technician’s own; for others it does not exist', async () => {
    const { technician2 } = people
    expect((await answer(world, technician2, visit, some)).status).toBe(404)
    for (const { actor } of [customer, people.gester, people.ally])
      await expect(
        saveAnswers(world.db, actor, visit.id, [{ ...some, base: 0, at: new Date() }], new Date()),
      ).rejects.toMatchObject({ code: /not-found|permission-denied/ })
    expect(await answersOf(visit)).toEqual({})
  })

  test('not once it is sent', async () => {
    const { technician } = people
    await fillIn()
    await press(world, technician, visit, 'submit', typed(9))
    expect((await sheetOf(visit))!.state).toBe('submitted')
    expect(await answer(world, technician, visit, some)).toMatchObject({
      status: 409,
      json: { description: expect.stringContaining('«Por revisar»') },
    })
  })

  test('nor when the visit ended otherwise', async () => {
    await move(world, people.technician, visit, 'finish', { outcome: 'partial', reason: 'sin_acceso' })
    expect(await answer(world, people.technician, visit, some)).toMatchObject({
      status: 409,
      json: { description: expect.stringContaining('«Realizada»') },
    })
  })
})

test('what is known of the home needs no answer; who may do what with it', async () => {
  const { analyst, technician, technician2, ally, gester } = people
  const sheet = (by: typeof analyst) => sheetFor(world.db, by.actor, visit.id)
  expect(await sheet(technician)).toMatchObject({
    kind: 'visit',
    state: 'draft',
    mayWrite: true,
    mayCorrect: false,
    mayReview: false,
    answers: { dwelling: { value: 'house', revision: 0 }, customerName: { revision: 0 } },
    folio: visit.folio,
    personId: technician.id,
    visit: null,
    scope: null,
    redo: [],
    files: [],
  })
  expect(await sheet(analyst)).toMatchObject({ mayWrite: false, mayCorrect: true, mayReview: false })
  for (const other of [technician2, ally, gester, customer]) expect(await sheet(other)).toBeNull()
  const { missing, progress } = (await sheet(technician))!
  expect([progress > 0 && progress < 50, missing.some(({ name }) => name === 'dwelling')]).toEqual([
    true,
    false,
  ])
})

test('whoever installs reads the approved visit, and begins with what it found', async () => {
  const { analyst, technician2 } = people
  const read = (id: string) => sheetFor(world.db, technician2.actor, id)
  await fillIn()
  await press(world, people.technician, visit, 'submit', typed(9))
  const later = { projectId: visit.projectId, address: visit.address } as unknown as Home
  const installation = await storeVisit(world, customer, later, typed(2 * 24 * 60), {
    service: 'installation',
    minutes: 240,
    assigneeId: technician2.id,
  })
  expect(await read(visit.id)).toBeNull()
  expect((await read(installation.id))!.visit).toBeNull()
  await approveSheet(
    world.db,
    analyst.actor,
    visit.id,
    { version: (await sheetOf(visit))!.version },
    new Date(),
  )
  expect(await read(visit.id)).toMatchObject({ state: 'approved', mayWrite: false, mayCorrect: false })
  const sheet = (await read(installation.id))!
  expect(sheet.visit).toMatchObject({ folio: visit.folio, answers: { meterNumber: '12AB34' } })
  expect(sheet.visit!.files).toHaveLength(14)
  expect(sheet.answers).toMatchObject({
    agreedConductor: { value: '8' },
    agreedBreaker: { value: 40 },
    agreedGround: { value: '10' },
    agreedConduit: { value: '16' },
    agreedSupply: { value: 'two' },
    agreedHouse: { value: 'two' },
    chargerBrand: { value: 'Wallbox', revision: 0 },
  })
  expect(sheet.scope).toBeNull()
  // What was agreed is not what was installed: somebody has to say so.
  const names = sheet.missing.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['conductor', 'breaker', 'groundGauge', 'conduitSize']))
})

test('in a returned record a serial of another charger keeps nothing else from being kept', async () => {
  const { technician } = people
  const first = await storeInstallation(world, await world.person(), technician)
  const second = await returned()
  const { chargerSerial } = (await sheetOf(first.visit))!
  const { json } = await answer(
    world,
    technician,
    second.visit,
    { name: 'metres', value: 31, base: 1 },
    { name: 'chargerSerial', value: chargerSerial, base: 1 },
  )
  expect(json.saved).toEqual({ metres: 2, chargerSerial: 2 })
  world.at(typed(12))
  const sent = await press(world, technician, second.visit, 'submit', typed(11))
  expect([sent.status, sent.json.code]).toEqual([409, 'already-exists'])
  expect((await sheetOf(second.visit))!.state).toBe('returned')
})

test('a returned record that lacks nothing any more is sent from whatever section is open', async () => {
  const { visit } = await returned()
  const path = `/admin/appointments-done/${visit.id}?seccion=antes`
  const ready = readable(await world.visit(path, people.technician))
  expect(ready).toContain('Listo para enviar')
  expect(ready).toContain('Enviar registro otra vez')
  await answer(world, people.technician, visit, { name: 'chargerSerial', value: null, base: 1 })
  const open = readable(await world.visit(path, people.technician))
  expect([open.includes('Por corregir'), open.includes('Enviar registro otra vez')]).toEqual([true, false])
})

const returned = async () =>
  storeInstallation(world, await world.person(), people.technician, {
    state: 'returned',
    returnReason: 'La serie no es ésa.',
    reviewedAt: new Date(),
    reviewedBy: people.analyst.id,
  })

const next = (days: number, changes: object = {}) => ({
  projectId: visit.projectId,
  address: { ...visit.address!, ...changes },
  startsAt: around(visit, days * 24 * hour),
})
const found: Answers = {
  meterNumber: '77XY10',
  panelBrand: 'Bticino',
  mainBreaker: 70,
  voltsL1N: 126,
  groundOk: true,
}
const write = () =>
  answer(world, people.technician, visit, ...Object.entries(found).map(([name, value]) => ({ name, value })))
const end = () =>
  move(world, people.technician, visit, 'finish', { outcome: 'partial', reason: 'sin_acceso' })

test('the second visit begins with what the first one found of the house, and measures anew', async () => {
  await write()
  await end()
  const second = next(2)
  const known = await prefilledFor(world.db, second, 'visit')
  expect(known).toMatchObject({ meterNumber: '77XY10', panelBrand: 'Bticino', mainBreaker: 70 })
  for (const name of ['voltsL1N', 'groundOk', 'feasibility']) expect(known).not.toHaveProperty(name)
  // It is not what the customer gave, and not of another home, nor of another kind of work.
  const home = { projectId: visit.projectId, address: visit.address } as unknown as Home
  const { id } = await storeVisit(world, customer, home, second.startsAt, {
    assigneeId: people.technician2.id,
  })
  expect(await givenForVisit(world.db, id)).not.toHaveProperty('meterNumber')
  expect(await prefilledFor(world.db, next(3, { street: 'Otra calle' }), 'visit')).not.toHaveProperty(
    'meterNumber',
  )
  expect(await prefilledFor(world.db, second, 'installation')).not.toHaveProperty('breaker')
})

test('a third visit knows what each one before found, the newest of what two found', async () => {
  await write()
  await end()
  const home = { projectId: visit.projectId, address: visit.address } as unknown as Home
  const second = await storeVisit(world, customer, home, next(2).startsAt, { state: 'done' })
  await world.db.insert(sheets).values({ appointmentId: second.id, kind: 'visit' })
  await world.db.insert(sheetAnswers).values({
    appointmentId: second.id,
    name: 'panelBrand',
    value: 'Square D',
    changedAt: second.startsAt,
    changedBy: people.technician.id,
  })
  expect(await prefilledFor(world.db, next(4), 'visit')).toMatchObject({
    meterNumber: '77XY10',
    panelBrand: 'Square D',
  })
})

test('an earlier visit learns nothing of a later one', async () => {
  await write()
  await end()
  expect(await prefilledFor(world.db, next(-2), 'visit')).not.toHaveProperty('meterNumber')
})

const kept = (changes: Answers, given: Answers = {}) =>
  keptFromEarlier('visit', { ...completeAnswers.visit, ...changes }, given)

test('what works change is asked anew', () => {
  expect(kept({})).toMatchObject({ supply: 'two', mainBreaker: 100, contractedKilowatts: 22 })
  for (const works of [{ feasibility: 'with_works' }, { feasibility: 'not_viable' }, { loadIncrease: true }])
    for (const name of ['supply', 'mainBreaker', 'contractedKilowatts', 'sparePoles'])
      expect(kept(works)).not.toHaveProperty(name)
})

test('what its customer gave since goes before, and another charger has another plate', () => {
  expect(kept({}, { chargerBrand: 'Wallbox' })).toMatchObject({ chargerAmps: 32, chargerSupply: 'two' })
  const other = kept({}, { chargerKilowatts: 11, vehicle: 'MG 4' })
  for (const name of ['chargerAmps', 'chargerSupply', 'chargerKilowatts', 'vehicle'])
    expect(other).not.toHaveProperty(name)
})

test('the second half of an installation begins with what the first one put in, never its metres or tests', () => {
  const record = keptFromEarlier('installation', completeAnswers.installation, { chargerBrand: 'Otra' })
  expect(record).toEqual({
    conductor: '8',
    breaker: 40,
    groundGauge: '10',
    conduitSize: '16',
    chargerBrand: 'Wallbox',
    chargerModel: 'Pulsar',
    chargerSerial: 'WB-000123',
  })
})

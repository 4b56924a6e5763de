import { sheetAnswers, sheets } from '../../src/platform/database/schema/appointments.ts'
import { events } from '../../src/platform/database/schema/projects.ts'
import { saveAnswers } from '../../src/reports/answers.ts'
import { givenForVisit, prefilledFor } from '../../src/reports/prefilled.ts'
import { sheetFor } from '../../src/reports/queries.ts'
import { approveSheet } from '../../src/reports/review.ts'
import { keptFromEarlier } from '../../src/reports/rules/proposals.ts'
import type { Answers } from '../../src/reports/rules/report.ts'
import { around, customer, hour, minute, move, storeVisit, visit } from '../kit/appointments.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import {
  ally,
  analyst,
  db,
  expectNotOnPage,
  expectScreen,
  fixture,
  gester,
  manager,
  openEach,
  type people,
  rowsWhere,
  sendJobs,
  storeRows,
  technician,
  technician2,
} from '../kit/open.ts'
import type { Home, Person } from '../kit/people.ts'
import { expectAnswered } from '../kit/reading.ts'
import { answersOf, beThere, fillIn, sheetOf } from '../kit/reports.ts'
import { storeInstallation } from './installed.ts'
import { answer, answerOwn, press } from './phone.ts'

openEach(beThere)
sendJobs()

const typed = (minutes: number) => around(visit, minutes * minute)
const corrections = () => rowsWhere(events, { entity: 'sheet', name: 'correct' })
const save = ({ actor }: Pick<Person, 'actor'>, name: string, value: unknown, base = 0) =>
  saveAnswers(db, actor, visit.id, [{ name, value, base, at: new Date() }], new Date())
const correct = (name: string, value: unknown, base: number) => save(manager, name, value, base)
/** Where the visit was. */
const home = () => ({ projectId: visit.projectId, address: visit.address }) as unknown as Home

test('stores each answer with its revision, when it was typed and when it arrived', async () => {
  const sent = { name: 'conductor', value: '8', at: typed(4) }
  expect(await answerOwn(sent, { name: 'mainBreaker', value: '100 A' })).toEqual({
    status: 200,
    json: { saved: { conductor: 1, mainBreaker: 1 }, conflicts: [], refused: [] },
  })
  expect(await answersOf(visit)).toMatchObject({
    conductor: { value: '8', changedAt: typed(4), arrivedAt: typed(10), changedBy: technician.id },
    mainBreaker: { value: 100 },
  })
  // The answer was lost on its way.
  expect((await answerOwn(sent)).json.saved).toEqual({ conductor: 1 })
  expect(await corrections()).toEqual([])
})

test('refuses invalid answers by name and stores the others', async () => {
  const { json } = await answerOwn(
    { name: 'mainBreaker', value: 4000 },
    { name: 'nothing', value: 1 },
    { name: 'groundOk', value: false },
  )
  expect(json.refused.map(({ name }: { name: string }) => name)).toEqual(['mainBreaker', 'nothing'])
  expect(json.saved).toEqual({ groundOk: 1 })
  for (const body of [{}, { name: 'groundOk', value: true, base: -1 }])
    await expectAnswered(answerOwn(body as never), 400)
})

test('reports a conflict for the answer that the office changed meanwhile, and stores the others', async () => {
  await answerOwn({ name: 'panelBrand', value: 'Siemens' }, { name: 'sparePoles', value: 2 })
  await correct('panelBrand', 'Square D', 1)
  const { json } = await answerOwn(
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
  const settled = await answerOwn({ name: 'panelBrand', value: 'Bticino', base: 2 })
  expect(settled.json.saved).toEqual({ panelBrand: 3 })
})

test('overwrites the technician’s own earlier answer, and reports a conflict with a later one', async () => {
  const say = (value: string, at: Date) => answerOwn({ name: 'panelBrand', value, at })
  await say('Siemens', typed(2))
  expect((await say('Bticino', typed(3))).json.saved).toEqual({ panelBrand: 2 })
  // Told as theirs: it was typed before, on another phone.
  expect((await say('Square D', typed(1))).json.conflicts).toMatchObject([{ own: true }])
  expect((await answersOf(visit)).panelBrand!.value).toBe('Bticino')
})

test('stores one of two answers sent at once and reports a conflict to the other', async () => {
  const answers = await Promise.all([
    save(manager, 'panelBrand', 'Siemens'),
    save(analyst, 'panelBrand', 'Bticino'),
  ])
  expect(answers.map(({ conflicts }) => conflicts.length).toSorted()).toEqual([0, 1])
  expect(await corrections()).toHaveLength(1)
})

test('records an office correction with its old value, and a name without values', async () => {
  await correct('panelBrand', 'Square D', 0)
  await correct('customerName', 'Luz María', 0)
  expect((await corrections()).map(({ data }) => data)).toEqual([
    { name: 'panelBrand', from: null, to: 'Square D' },
    { name: 'customerName' },
  ])
})

test('stores no time of an answer in the future', async () => {
  await answerOwn({ name: 'groundOk', value: true, at: typed(600) })
  expect((await answersOf(visit)).groundOk!.changedAt).toEqual(typed(10))
})

test('begins a report with what is known of the home, and shows each role what it may do', async () => {
  const sheet = (by: typeof people.analyst) => sheetFor(db, by.actor, visit.id)
  expect(await sheet(technician)).toMatchObject({
    state: 'draft',
    mayWrite: true,
    mayCorrect: false,
    mayReview: false,
    answers: {
      dwelling: { value: 'house', revision: 0 },
      customerName: { revision: 0 },
      asksHouse: { value: true },
      asksPhases: { value: true },
    },
  })
  expect(await sheet(analyst)).toMatchObject({ mayWrite: false, mayCorrect: true, mayReview: false })
  for (const other of [technician2, ally, gester, customer]) expect(await sheet(other)).toBeNull()
  const { missing, progress } = (await sheet(technician))!
  expect(missing.map(({ name }) => name)).not.toContain('dwelling')
  expect(progress > 0 && progress < 50).toBe(true)
})

test('shows the installer the approved visit and what was agreed', async () => {
  const read = (id: string) => sheetFor(db, technician2.actor, id)
  await fillIn()
  await press(technician, visit, 'submit', typed(9))
  const input = { service: 'installation', assigneeId: technician2.id } as const
  const installation = await storeVisit(fixture, customer, home(), typed(2 * 24 * 60), input)
  expect(await read(visit.id)).toBeNull()
  expect((await read(installation.id))!.visit).toBeNull()
  await approveSheet(db, analyst.actor, visit.id, (await sheetOf(visit))!, new Date())
  expect(await read(visit.id)).toMatchObject({ state: 'approved', mayWrite: false, mayCorrect: false })
  const sheet = (await read(installation.id))!
  expect(sheet.visit).toMatchObject({ folio: visit.folio, answers: { meterNumber: '12AB34' } })
  expect(sheet.visit!.files).toHaveLength(15)
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
  // What was agreed is not what was installed: someone has to say so.
  expect(sheet.missing.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['conductor', 'breaker', 'groundGauge', 'conduitSize']),
  )
})

test('offers to submit a complete returned record from any section', async () => {
  const { visit } = await storeInstallation(await fixture.person(), technician, {
    state: 'returned',
    returnReason: 'La serie no es ésa.',
    reviewedAt: new Date(),
    reviewedBy: analyst.id,
  })
  const path = `/admin/appointments-done/${visit.id}?seccion=antes`
  await expectScreen(path, technician, 'Listo para enviar', 'Enviar registro otra vez')
  await answer(technician, visit, { name: 'chargerSerial', value: null, base: 1 })
  await expectScreen(path, technician, 'Por corregir', 'La serie no es ésa.')
  await expectNotOnPage(path, technician, 'Enviar registro otra vez')
  await db.update(sheets).set({ redo: { metres: 1 } })
  await expectScreen(path, technician, 'Por corregir: Metros reales de cable')
  await expectNotOnPage(path, technician, 'La serie no es ésa.')
  for (const section of ['', '?seccion=canalizacion'])
    await expectScreen(path.replace('?seccion=antes', section), technician, 'La serie no es ésa.')
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
const write = () => answerOwn(...Object.entries(found).map(([name, value]) => ({ name, value })))
const end = () => move(technician, visit, 'finish', { outcome: 'partial', reason: 'sin_acceso' })

test('begins a second visit with the first one’s findings, without its measurements', async () => {
  await write()
  await end()
  const second = next(2)
  const known = await prefilledFor(db, second, 'visit')
  expect(known).toMatchObject({ meterNumber: '77XY10', panelBrand: 'Bticino', mainBreaker: 70 })
  for (const name of ['voltsL1N', 'groundOk', 'feasibility']) expect(known).not.toHaveProperty(name)
  // It is not what the customer gave, and not of another home, nor of another kind of work.
  const { id } = await storeVisit(fixture, customer, home(), second.startsAt, {
    assigneeId: technician2.id,
  })
  expect(await givenForVisit(db, id)).not.toHaveProperty('meterNumber')
  expect(await prefilledFor(db, next(3, { street: 'Otra calle' }), 'visit')).not.toHaveProperty('meterNumber')
  expect(await prefilledFor(db, second, 'installation')).not.toHaveProperty('breaker')
})

test('begins a third visit with the newest findings of both before', async () => {
  await write()
  await end()
  const second = await storeVisit(fixture, customer, home(), next(2).startsAt, { state: 'done' })
  await storeRows(sheets, { appointmentId: second.id, kind: 'visit' })
  await storeRows(sheetAnswers, {
    appointmentId: second.id,
    name: 'panelBrand',
    value: 'Square D',
    changedAt: second.startsAt,
    changedBy: technician.id,
  })
  expect(await prefilledFor(db, next(4), 'visit')).toMatchObject({
    meterNumber: '77XY10',
    panelBrand: 'Square D',
  })
})

test('begins an earlier visit without findings of a later one', async () => {
  await write()
  await end()
  expect(await prefilledFor(db, next(-2), 'visit')).not.toHaveProperty('meterNumber')
})

const kept = (changes: Answers, given: Answers = {}) =>
  keptFromEarlier('visit', { ...completeAnswers.visit, ...changes }, given)

test('asks anew what works change', () => {
  expect(kept({})).toMatchObject({ supply: 'two', mainBreaker: 100, contractedKilowatts: 22 })
  for (const works of [{ feasibility: 'with_works' }, { feasibility: 'not_viable' }, { loadIncrease: true }])
    for (const name of ['supply', 'mainBreaker', 'contractedKilowatts', 'sparePoles'])
      expect(kept(works)).not.toHaveProperty(name)
})

test('prefers what the customer gave since, and keeps no plate of another charger', () => {
  expect(kept({}, { chargerBrand: 'Wallbox' })).toMatchObject({ chargerAmps: 32, chargerSupply: 'two' })
  const other = kept({}, { chargerKilowatts: 11, vehicle: 'MG 4' })
  for (const name of ['chargerAmps', 'chargerSupply', 'chargerKilowatts', 'vehicle'])
    expect(other).not.toHaveProperty(name)
})

test('begins the second part of an installation with its materials, without metres or tests', () => {
  expect(keptFromEarlier('installation', completeAnswers.installation, { chargerBrand: 'Otra' })).toEqual({
    conductor: '8',
    breaker: 40,
    groundGauge: '10',
    conduitSize: '16',
    chargerBrand: 'Wallbox',
    chargerModel: 'Pulsar',
    chargerSerial: 'WB-000123',
  })
})

import { eq } from 'drizzle-orm'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { appointments, files, sheetAnswers, sheets } from '../../src/platform/database/schema/appointments.ts'
import { events, projects } from '../../src/platform/database/schema/projects.ts'
import { saveAnswers } from '../../src/reports/answers.ts'
import { sheetFor } from '../../src/reports/queries.ts'
import { approveSheet, returnSheet } from '../../src/reports/review.ts'
import { around, customer, minute, visit } from '../kit/appointments.ts'
import {
  analyst,
  db,
  fixture,
  manager,
  openEach,
  rowsWhere,
  sendJobs,
  sentAbout,
  setRow,
  storeRows,
  technician,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectAnswered, expectOneDone, expectRefusal } from '../kit/reading.ts'
import { beThere, fileRow, fillIn, sheetOf } from '../kit/reports.ts'
import { answerOwn, expectRefused, missingOf, press } from './phone.ts'

const at = (minutes: number) => around(visit, minutes * minute)
const send = (minutes: number) => press(technician, visit, 'submit', at(minutes))

openEach(beThere, fillIn, () => send(9))
sendJobs()
let version = 0
beforeEach(async () => {
  version = (await sheetOf(visit))!.version
})

const reason = 'La foto del medidor no se lee.'
const approve = (by: Person, seen = version) =>
  approveSheet(db, by.actor, visit.id, { version: seen }, new Date())
const giveBack = (by: Person, redo: string[] = ['meter', 'meterNumber'], seen = version) =>
  returnSheet(db, by.actor, visit.id, { reason, redo, version: seen }, new Date())
const trail = async () => (await rowsWhere(events, { entity: 'sheet' })).map(({ name }) => name)

test('a manager approves a report, which nobody can correct afterwards', async () => {
  await approve(manager)
  expect(await sheetOf(visit)).toMatchObject({
    state: 'approved',
    reviewedBy: manager.id,
    reviewedAt: at(10),
  })
  expect(await sheetFor(db, analyst.actor, visit.id)).toMatchObject({
    state: 'approved',
    mayReview: false,
    mayCorrect: false,
    reviewedBy: expect.any(String),
  })
})

test('an approval and a return at once: one is done, the other refused', async () => {
  const both = await Promise.allSettled([approve(manager), giveBack(analyst)])
  expectOneDone(both)
  expect(await trail()).toHaveLength(2)
})

test('refuses to approve a report that changed meanwhile', async () => {
  const change = { name: 'panelBrand', value: 'Siemens', base: 1, at: new Date() }
  await saveAnswers(db, manager.actor, visit.id, [change], new Date())
  await expectRefusal(approve(analyst), 'aborted')
  await approve(analyst, version + 1)
})

describe('a returned report', () => {
  beforeEach(() => giveBack(analyst))

  test('is its technician’s again, who reads why and what to redo', async () => {
    expect(await sentAbout(visit)).toContain('sheet_returned to person')
    expect(await sheetFor(db, technician.actor, visit.id)).toMatchObject({
      state: 'returned',
      mayWrite: true,
      returnReason: reason,
      redo: ['meter', 'meterNumber'],
      redone: [],
      missing: [{ name: 'meter', section: 'medidor' }, { name: 'meterNumber' }],
    })
    expect(await sheetFor(db, customer.actor, visit.id)).toMatchObject({ mayWrite: false })
  })

  test('is submitted again once everything is redone, also by the same answer', async () => {
    const early = await send(11)
    expect([early.status, early.json.details.missing]).toEqual([
      409,
      [expect.objectContaining({ name: 'meter' }), expect.objectContaining({ name: 'meterNumber' })],
    ])
    fixture.at(at(20))
    // It was right; saying so again is enough.
    await answerOwn({ name: 'meterNumber', value: '12AB34', base: 1 })
    await db.update(files).set({ replacedAt: new Date() }).where(eq(files.slot, 'meter'))
    await storeRows(files, fileRow(visit.id, 'meter', technician.id))
    expect(await sheetFor(db, technician.actor, visit.id)).toMatchObject({
      redo: [],
      redone: ['meter', 'meterNumber'],
      missing: [],
      progress: 100,
    })
    await expectAnswered(send(19), 200)
    expect(await sheetOf(visit)).toMatchObject({
      state: 'submitted',
      capturedAt: at(19),
      submittedAt: at(20),
    })
    expect(await trail()).toEqual(['submit', 'return', 'submit'])
    expect(await sentAbout(visit, 'finished')).toHaveLength(1)
  })
})

test('refuses to approve a report without a required answer', async () => {
  const change = { name: 'panelBrand', value: null, base: 1, at: new Date() }
  await saveAnswers(db, manager.actor, visit.id, [change], new Date())
  await expectRefusal(
    approve(manager, version + 1),
    'failed-precondition',
    'Antes de aprobarlo, corrige «Marca del tablero»: Falta responder.',
  )
})

test('approves a returned report once its technician has left', async () => {
  await giveBack(manager)
  await expectRefusal(
    approve(manager, version + 1),
    'failed-precondition',
    'Espera a que su técnico lo complete.',
  )
  await setRow(users, technician, { active: false })
  await approve(manager, version + 1)
  expect((await sheetOf(visit))!.state).toBe('approved')
})

test('refuses to return a report whose technician has left', async () => {
  await setRow(users, technician, { active: false })
  await expectRefusal(giveBack(manager), 'failed-precondition', 'Corrige tú el reporte')
})

test('submits a returned report where another answer made a requested one needless', async () => {
  const works = [
    { name: 'feasibility', value: 'with_works', base: 1, at: at(9) },
    { name: 'feasibilityReason', value: 'Hay que cambiar el tablero.', base: 1, at: at(9) },
  ]
  await saveAnswers(db, analyst.actor, visit.id, works, new Date())
  await giveBack(analyst, ['feasibilityReason', 'fault_1'], (await sheetOf(visit))!.version)
  expect(await missingOf(visit)).toEqual(['feasibilityReason'])
  await answerOwn({ name: 'feasibility', value: 'viable', base: 2 })
  expect(await missingOf(visit)).toEqual([])
  fixture.at(at(12))
  await expectAnswered(send(11), 200)
})

test('refuses to submit again at an earlier time, and accepts the first request again', async () => {
  await giveBack(analyst, [])
  await expectAnswered(send(9), 200)
  await expectRefused(send(8), /^La cita cambió a/)
  expect((await sheetOf(visit))!.state).toBe('returned')
})

test('takes later facts of the home into a draft only', async () => {
  const read = async () => (await sheetFor(db, analyst.actor, visit.id))!.answers
  await db.delete(sheetAnswers).where(eq(sheetAnswers.name, 'chargerBrand'))
  await setRow(projects, visit.projectId, {
    charger: { origin: 'own', brand: 'Zaptec', kilowatts: 7 } as never,
  })
  expect((await read()).chargerBrand).toBeUndefined()
  await db.delete(sheets).where(eq(sheets.appointmentId, visit.id))
  await setRow(appointments, visit, { state: 'in_progress' })
  expect((await read()).chargerBrand).toEqual({ value: 'Zaptec', revision: 0 })
})

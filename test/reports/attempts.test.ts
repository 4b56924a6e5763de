import { eq } from 'drizzle-orm'
import { transaction } from '../../src/platform/database/client.ts'
import { sheetAnswerHistory, sheets } from '../../src/platform/database/schema/appointments.ts'
import { saveAnswers } from '../../src/reports/answers.ts'
import { takeSlot } from '../../src/reports/photo-slots.ts'
import { approveSheet, returnSheet } from '../../src/reports/review.ts'
import { minute, type Visit } from '../kit/appointments.ts'
import {
  analyst,
  customer,
  db,
  expectScreen,
  fixture,
  manager,
  openEach,
  rowsWhere,
  rowWhere,
  sendJobs,
  technician,
} from '../kit/open.ts'

import type { Person } from '../kit/people.ts'
import { expectAnswered, expectRefusal } from '../kit/reading.ts'
import { fileRow } from '../kit/reports.ts'
import { storeInstallation } from './installed.ts'
import { textOf } from './pdf-text.ts'
import { answer, expectRefused, missingOf, press } from './phone.ts'

openEach()
sendJobs()

let installation: Visit
const stored = async () => (await rowWhere(sheets, { appointmentId: installation.id }))!
const history = (name: string) => rowsWhere(sheetAnswerHistory, { appointmentId: installation.id, name })
const ago = (minutes: number) => new Date(Date.now() - minutes * minute)
const measure = (...values: [value: unknown, at: Date][]) =>
  answer(
    technician,
    installation,
    ...values.map(([value, at]) => ({ name: 'insulation', value, base: 1, at })),
  )
const correct = (name: string, value: unknown, { actor }: Person = analyst) =>
  saveAnswers(db, actor, installation.id, [{ name, value, base: 1, at: new Date() }], new Date())
const submit = () => press(technician, installation, 'submit', new Date())
const approve = async ({ actor }: Person) =>
  approveSheet(db, actor, installation.id, await stored(), new Date())
const giveBack = async (...redo: string[]) =>
  returnSheet(
    db,
    manager.actor,
    installation.id,
    { ...(await stored()), reason: 'Otra vez.', redo },
    new Date(),
  )
const sign = async (...more: string[]) => {
  for (const slot of ['signature_technician', 'signature_customer', ...more])
    await transaction(db, (tx) => takeSlot(tx, fileRow(installation.id, slot, technician.id), new Date()))
}
const missing = () => missingOf(installation)

beforeEach(async () => {
  const returned = { state: 'returned', returnReason: 'Repite la prueba.', capturedAt: ago(60) } as const
  const { visit } = await storeInstallation(customer, technician, returned, undefined, {
    agreedConductor: '8',
  })
  installation = visit
})

test('every value of a measurement stays, once, and is read by its reviewer and in the hand-over', async () => {
  const made = [
    [0.1, ago(30)],
    [200.5, ago(20)],
  ] as [unknown, Date][]
  await expectAnswered(measure(...made), 200)
  // Its phone did not hear the answer.
  expect((await measure(...made)).json).toMatchObject({ conflicts: [], refused: [] })
  expect((await history('insulation')).map(({ value }) => value)).toEqual([200, 0.1, 200.5])
  await sign()
  await expectAnswered(submit(), 200)
  const tried = '1.ª: 200 MΩ, pasa ('
  const failed = '2.ª: 0.1 MΩ, no pasa ('
  const page = `/admin/appointments-done/${installation.id}`
  await expectScreen(page, analyst, 'Aislamiento. ', tried, failed, '3.ª: 200.5 MΩ, pasa (')
  await approve(analyst)
  const paper = await fixture.open(`/handover/${installation.id}.pdf`, customer)
  // With some hours a line ends within the unit.
  const text = (await textOf(Buffer.from(await paper.arrayBuffer()))).replaceAll('M- Ω', 'MΩ')
  expect(text).toContain('2.ª: 0.1 MΩ, no pasa')
})

test('a photo of the instrument from before the last test is remarked', async () => {
  await measure([0.1, new Date()], [150, new Date()])
  await sign()
  await submit()
  const remark = 'La foto de «Aislamiento» es de antes de su última prueba.'
  await expectScreen(`/admin/appointments-done/${installation.id}`, analyst, remark)
})

test('a signature that fell stays fallen after the office changes the answer back', async () => {
  const change = { name: 'chargerModel', value: 'Otro', base: 1, at: new Date() }
  await answer(technician, installation, change)
  const signatures = ['signature_technician', 'signature_customer']
  expect(await missing()).toEqual(signatures)
  const back = { name: 'chargerModel', value: 'Pulsar', base: 2, at: new Date() }
  await saveAnswers(db, analyst.actor, installation.id, [back], new Date())
  expect(await missing()).toEqual(signatures)
})

test('who corrected a record does not approve it alone, and the correction stands above every approval', async () => {
  await submit()
  await correct('chargerModel', 'Commander')
  await expectRefusal(approve(analyst), 'failed-precondition', 'Tú lo corregiste')
  const page = `/admin/appointments-done/${installation.id}`
  const line = 'lo corrigió después de enviado. Modelo: de Pulsar a Commander'
  await expectScreen(page, analyst, line, 'que lo apruebe otra persona de la oficina')
  await giveBack()
  await submit()
  await expectScreen(page, analyst, `${line}, y su técnico lo envió otra vez.`)
  await approve(analyst)
})

test('what is confirmed or measured again as it was keeps the signatures', async () => {
  await submit()
  await correct('chargerModel', 'Commander')
  await giveBack('chargerModel', 'insulation')
  await answer(technician, installation, { name: 'chargerModel', value: 'Commander', base: 2 })
  await measure([200, new Date()])
  expect(await missing()).toEqual([])
  expect((await history('insulation')).map(({ value }) => value)).toEqual([200, 200])
  await expectAnswered(submit(), 200)
})

test('a load test takes no more minutes than have passed', async () => {
  await answer(technician, installation, {
    name: 'loadTestMinutes',
    value: 239,
    base: 1,
    at: ago(50),
  })
  await sign()
  await expectRefused(
    press(technician, installation, 'submit', ago(65)),
    /Son más minutos de los que han pasado/,
  )
})

test('the history of answers is append-only', async () => {
  const change = db.delete(sheetAnswerHistory).where(eq(sheetAnswerHistory.appointmentId, installation.id))
  await expect(change.then(() => null)).rejects.toThrow()
  expect(await history('customerName')).toMatchObject([{ value: null }])
})

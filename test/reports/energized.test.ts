import { and, eq } from 'drizzle-orm'
import { recordPayment } from '../../src/payments/record-payment.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { files, sheetAnswers, sheets } from '../../src/platform/database/schema/appointments.ts'
import { tasks } from '../../src/platform/database/schema/projects.ts'
import { saveAnswers } from '../../src/reports/answers.ts'
import { takeSlot } from '../../src/reports/photo-slots.ts'
import { approveSheet } from '../../src/reports/review.ts'
import type { Answers } from '../../src/reports/rules/report.ts'
import { around, hour, minute, move, storeVisit, type Visit, visitsOf } from '../kit/appointments.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  analyst,
  customer,
  db,
  expectNotOnPage,
  expectScreen,
  fixture,
  fromNow,
  manager,
  openEach,
  rowWhere,
  sendJobs,
  sentAbout,
  storeRows,
  technician,
} from '../kit/open.ts'
import { acceptQuote, demandOf, rowsOf, wordsOf } from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import {
  expectAnswered,
  expectRefusal,
  expectShown,
  expectWords,
  readable,
  sentTogether,
} from '../kit/reading.ts'
import { answersOf, completeSheet, fileRow, writeSheet } from '../kit/reports.ts'
import { answer, expectRefused, missingOf, press } from './phone.ts'

openEach()
sendJobs()

let home: Home
let installation: Visit
const at = (minutes: number) => around(installation, minutes * minute)
const risks = ['powerCut', 'lockedOut', 'protectiveEquipment', 'extinguisher', 'adultPresent']

beforeEach(async () => {
  home = await fixture.home(customer)
  await acceptQuote(customer, home)
  const now = new Date()
  const paymentId = (await demandOf(home.projectId))!.id
  const paid = { projectId: home.projectId, paymentId, amount: 5_000_00, actorId: null, paidAt: now }
  await transaction(db, (tx) => recordPayment(tx, { ...paid, method: 'cash' }, now))
  const [visit] = (await visitsOf(customer)).filter(({ state }) => state === 'done')
  await writeSheet(
    fixture,
    { ...visit!, assigneeId: technician.id, state: 'approved' },
    completeAnswers.visit,
  )
  installation = await storeVisit(fixture, customer, home, fromNow(hour), {
    service: 'installation',
    minutes: 240,
    assigneeId: technician.id,
  })
  await begin()
})

async function begin() {
  fixture.at(at(0))
  const ticked = Object.fromEntries(risks.map((risk) => [risk, 'on']))
  await expectAnswered(move(technician, installation, 'start', ticked), 303)
}

const fill = (changes: Answers = {}) => completeSheet(installation, changes)
const send = () => {
  fixture.at(at(180))
  return press(technician, installation, 'submit', at(180))
}
const stored = async () => (await rowWhere(sheets, { appointmentId: installation.id }))!
const approve = async () => approveSheet(db, analyst.actor, installation.id, await stored(), new Date())
const change = (set: Partial<typeof sheets.$inferInsert>) =>
  db.update(sheets).set(set).where(eq(sheets.appointmentId, installation.id))
const owed = async () => wordsOf(await rowsOf(home.projectId))
const handover = () => fixture.open(`/handover/${installation.id}.pdf`, customer)
const stateNow = async () => (await visitsOf(customer)).find(({ id }) => id === installation.id)!.state

test('an installation that fails its tests is not completed, billed or guaranteed, only left as unsafe', async () => {
  await fill({ gfciOk: false, insulation: 0.1 })
  await expectRefused(send(), /^No puede quedar energizado\. .*«Quedó incompleta»\.$/)
  const completed = { outcome: 'completed', closingNote: '' }
  expectShown(await move(technician, installation, 'finish', completed), 409, 'No puede quedar energizado')
  expect(await stateNow()).toBe('in_progress')
  expect(await sentAbout(installation)).not.toContain('finished to customer')
  await expectAnswered(handover(), 404)
  await expectScreen(
    `/admin/appointments-pending/${installation.id}`,
    technician,
    'No puede quedar energizado.',
  )
  await leave()
  expect(await stateNow()).toBe('done')
  expect(await owed()).toEqual(['deposit paid 5000'])
  expect(await sentAbout(installation)).toContain('left_unsafe to customer')
  expect(await sentAbout(installation)).not.toContain('half_done to customer')
  const task = await nextStep()
  expect(task.urgent).toBe(true)
  expectWords(task.subject, 'que no use el cargador', 'No pasó: Aislamiento, Diferencial (GFCI).')
  await expectScreen('/installation', customer, unsafe)
})

const unsafe = 'No uses tu cargador todavía'
const leave = async () => {
  const form = { outcome: 'partial', reason: 'instalacion_insegura', closingNote: 'Vuelvo mañana.' }
  await expectAnswered(move(technician, installation, 'finish', form), 303)
}
const nextStep = async () =>
  (await rowWhere(tasks, { appointmentId: installation.id })) ?? expect.fail('no task')

test('an installation stays unsafe after another visit that tested nothing', async () => {
  await fill({ insulation: 0.1 })
  await leave()
  installation = await storeVisit(fixture, customer, home, fromNow(30 * hour), {
    service: 'installation',
    minutes: 240,
    assigneeId: technician.id,
  })
  await begin()
  await leave()
  expect(await sentAbout(installation)).toContain('left_unsafe to customer')
  await expectScreen('/installation', customer, unsafe)
})

test('an installation that is left for another reason warns of nothing', async () => {
  await fill()
  await leave()
  expect(await sentAbout(installation)).toContain('half_done to customer')
  expect(await sentAbout(installation)).not.toContain('left_unsafe to customer')
  const { subject, urgent } = await nextStep()
  expect([urgent, subject.includes('No pasó')]).toEqual([false, false])
  await expectNotOnPage('/installation', customer, unsafe)
})

test('sends email, document, warranty and balance only after the approval', async () => {
  await fill()
  await expectAnswered(send(), 200)
  expect(await stored()).toMatchObject({ state: 'submitted', warrantyUntil: null })
  expect(await sentAbout(installation)).not.toContain('finished to customer')
  expect(await owed()).toEqual(['deposit paid 5000'])
  await expectAnswered(handover(), 404)
  await expectScreen('/', customer, 'Revisamos tu instalación')
  await expectScreen('/installation', customer, 'Todavía revisamos el registro de tu técnico')

  await approve()
  const { warrantyUntil } = await stored()
  expect(warrantyUntil).toMatch(/^\d{4}-\d\d-\d\d$/)
  const finished = { letter: 'finished', appointmentId: installation.id, to: 'customer' } as const
  const [email] = await emailsOf(db, finished)
  expectWords(email!.text, 'Tu cargador ya funciona', 'Garantía hasta', 'Finiquito: $5,000.00', 'Pagar: ')
  expect(await sentTogether(fixture)).toEqual([])
  expect(await owed()).toEqual(['deposit paid 5000', 'balance pending 5000'])
  const paper = await handover()
  expect(paper.status).toBe(200)
  await paper.arrayBuffer()
  await expectScreen('/', customer, 'paga tu finiquito')
})

const onlyAskedAgain = 'Lo que se midió solo lo corrige quien lo midió. Devuélvelo y pide la medición.'

test.each(['submitted', 'returned'] as const)(
  'refuses an office correction of a measurement in a record that is %s',
  async (state) => {
    await fill()
    await send()
    const reviewed = { reviewedAt: new Date(), reviewedBy: analyst.id, returnReason: 'Otra vez.' }
    if (state === 'returned') await change({ state, ...reviewed })
    for (const { actor } of [analyst, manager])
      for (const name of ['insulation', 'gfciOk', 'loadTestMinutes']) {
        const change = { name, value: 300, base: 1, at: new Date() }
        const saving = saveAnswers(db, actor, installation.id, [change], new Date())
        await expectRefusal(saving, 'failed-precondition', onlyAskedAgain)
      }
  },
)

test('does not approve a failed test that the office overwrote before it was refused that', async () => {
  await fill()
  await send()
  await db.update(sheetAnswers).set({ changedBy: analyst.id }).where(answerOf('insulation'))
  await expectRefusal(approve(), 'failed-precondition', `«Aislamiento». ${onlyAskedAgain}`)
  expect(await owed()).toEqual(['deposit paid 5000'])
})

test('a measurement beyond a limit is not approved', async () => {
  await fill()
  await send()
  await db.update(sheetAnswers).set({ value: 0.1 }).where(answerOf('insulation'))
  await expectRefusal(
    approve(),
    'failed-precondition',
    'No se aprueba. Aislamiento: No puede quedar energizado',
  )
  expect(await owed()).toEqual(['deposit paid 5000'])
})

test('a breaker above its conductor is approved by the visit’s terminals, also in a record sent before they were stored', async () => {
  await db.update(sheetAnswers).set({ value: true }).where(eq(sheetAnswers.name, 'terminals75'))
  await fill({ breaker: 50, deviationReason: 'No había de 40.' })
  await expectAnswered(send(), 200)
  await db.delete(sheetAnswers).where(answerOf('agreedTerminals75'))
  await approve()
})

const answerOf = (name: string) =>
  and(eq(sheetAnswers.appointmentId, installation.id), eq(sheetAnswers.name, name))

test('approving a record whose warranty began earlier sends no email and keeps that date', async () => {
  await fill()
  await send()
  await change({ warrantyUntil: '2027-01-31' })
  await approve()
  expect((await stored()).warrantyUntil).toBe('2027-01-31')
  expect(await sentAbout(installation)).not.toContain('finished to customer')
})

const other = { conductor: '10', breaker: 30, chargerSet: 24, metres: 38 }

test('a difference from the agreement needs a reason to be sent, and is shown to the reviewer above the approval', async () => {
  await fill(other)
  const early = await send()
  expect([early.status, early.json.details.missing]).toEqual([
    409,
    [expect.objectContaining({ name: 'deviationReason' })],
  ])
  await answer(technician, installation, {
    name: 'deviationReason',
    value: 'El cliente pidió otra ruta.',
    at: at(-70),
  })
  await expectAnswered(send(), 200)
  const page = readable(await fixture.visit(`/admin/appointments-done/${installation.id}`, analyst))
  expectWords(
    page,
    'Se acordó 8 AWG y se puso 10 AWG.',
    'Se acordó de 40 A y se puso de 30 A.',
    'Se acordaron 22.5 m y se pusieron 38 m.',
    'Por qué: El cliente pidió otra ruta.',
  )
  expect(page.indexOf('Revisa antes de aprobar')).toBeLessThan(page.indexOf('Aprobar Devolver'))
  await approve()
})

test('differences are found against the agreement at the time when the record was sent', async () => {
  await fill()
  await send()
  expect((await answersOf(installation)).agreedBreaker).toMatchObject({ value: 40 })
  const forged = { name: 'agreedBreaker', value: 20 }
  expect((await answer(technician, installation, forged)).status).not.toBe(200)
})

const missing = () => missingOf(installation)

test('signatures end when an answer changes after them, and the record needs new ones', async () => {
  await fill()
  expect(await missing()).toEqual([])
  fixture.at(at(170))
  await answer(technician, installation, {
    name: 'insulation',
    value: 150,
    base: 1,
    at: at(169),
  })
  expect(await missing()).toEqual(['signature_technician', 'signature_customer'])
  await expectRefused(send(), /Falta la firma\./)
  await expectScreen(
    `/admin/appointments-pending/${installation.id}?seccion=firmas`,
    technician,
    'Hay que firmar de nuevo',
    'Firmo que recibo mi cargador instalado y probado',
    'interruptor de 40 A',
  )
  for (const slot of ['signature_technician', 'signature_customer']) {
    const again = fileRow(installation.id, slot, technician.id)
    await transaction(db, (tx) =>
      takeSlot(tx, { ...again, capturedAt: at(171), arrivedAt: at(171) }, at(171)),
    )
  }
  expect(await missing()).toEqual([])
  await expectAnswered(send(), 200)
})

test('warns the technician of a photo of the start that was taken after the load test', async () => {
  const taken = (slot: string, minutes: number) => ({
    ...fileRow(installation.id, slot, technician.id),
    capturedAt: at(minutes),
  })
  await storeRows(files, [taken('before', 151), taken('load_test', 150)])
  const path = `/admin/appointments-pending/${installation.id}?seccion=antes`
  await expectScreen(path, technician, '«Antes de empezar» se guardó después de «Prueba de carga»')
})

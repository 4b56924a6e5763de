import { eq, isNull } from 'drizzle-orm'
import { files, sheets } from '../../src/platform/database/schema/appointments.ts'
import { addresses, events, tasks } from '../../src/platform/database/schema/projects.ts'
import { around, assign, expectVisit, minute, move, readAgain, visit } from '../kit/appointments.ts'
import {
  ago,
  ally,
  analyst,
  db,
  eventsAbout,
  expectEmails,
  expectScreen,
  expectTrail,
  fixture,
  gester,
  manager,
  openEach,
  rowsWhere,
  rowWhere,
  sentAbout,
  technician,
  technician2,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { send } from '../kit/photos.ts'
import { expectAnswered, expectShown, loaded, statusesOf } from '../kit/reading.ts'
import { answersOf, beThere, completeSheet, fillIn, sheetOf } from '../kit/reports.ts'
import { jpeg } from '../platform/storage/samples.ts'
import { answerOwn, press } from './phone.ts'

openEach(beThere)

const at = (minutes: number) => around(visit, minutes * minute)
const submit = (minutes = 9, by = technician) => press(by, visit, 'submit', at(minutes))
const sheetEvents = () => rowsWhere(events, { entity: 'sheet' })

test('submitting ends the visit at the time on the phone', async () => {
  await fillIn()
  expect(await submit()).toEqual({ status: 200, json: { state: 'done' } })
  await expectVisit({
    state: 'done',
    outcome: 'completed',
    finishedAt: at(9),
    closingNote: null,
  })
  expect(await sheetOf(visit)).toMatchObject({
    state: 'submitted',
    capturedAt: at(9),
    submittedAt: at(10),
    submittedBy: technician.id,
    warrantyUntil: null,
  })
  expect((await eventsAbout(visit.id, 'appointment')).at(-1)).toMatchObject({
    name: 'finish',
    data: { outcome: 'completed', pressedAt: at(9).toISOString() },
  })
  expect((await sentAbout(visit)).at(-1)).toBe('finished to customer')
})

test('refuses an incomplete report and names what is missing', async () => {
  await fillIn()
  await db.update(files).set({ replacedAt: new Date() }).where(eq(files.slot, 'meter'))
  await answerOwn({ name: 'groundOk', value: null, base: 1 })
  const { json, status } = await submit()
  expect([status, json.details.missing.map(({ name }: { name: string }) => name)]).toEqual([
    409,
    ['meter', 'groundOk'],
  ])
  expect(json.description).toBe(
    'Envía tu reporte de visita completo para terminar. Medidor de CFE: Falta la foto. Y 1 más.',
  )
  await expectVisit({ state: 'in_progress', version: visit.version })
  expect(await sheetEvents()).toEqual([])
  expectShown(await move(technician, visit, 'finish'), 409, 'Medidor de CFE: Falta la foto.')
})

test('refuses to submit the report of a visit that was not begun', async () => {
  await fillIn()
  await move(technician, visit, 'undoStart')
  await expectAnswered(submit(), 409)
  expect(await sheetOf(visit)).toBeUndefined()
})

test('submits once when sent several times at once and again later', async () => {
  await fillIn()
  const answers = await Promise.all([submit(), submit(), submit(8), move(technician, visit, 'finish')])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 303])
  await expectAnswered(submit(), 200)
  expect((await sheetEvents()).map(({ name }) => name)).toEqual(['submit'])
  await expectTrail(visit, ['book', 'assign', 'start', 'finish'], 'appointment')
  expect(await sentAbout(visit, 'finished')).toHaveLength(1)
})

test('stores what was known of the home when it is submitted', async () => {
  await fillIn()
  await db.$client.query(`delete from sheet_answers where name = 'dwelling'`)
  await submit()
  expect((await answersOf(visit)).dwelling).toMatchObject({ value: 'house', changedBy: technician.id })
  await db.update(addresses).set({ dwelling: 'apartment' }).where(isNull(addresses.archivedAt))
  expect((await answersOf(visit)).dwelling!.value).toBe('house')
})

const pending = () => db.select().from(tasks).where(isNull(tasks.doneAt))
const claims = async () => (await pending()).filter(({ reason }) => reason === 'claim')
const decide = async (form: Record<string, string>, by = manager) => {
  const claim = await rowWhere(tasks, { reason: 'claim' })
  return fixture.post('/admin', { taskId: claim!.id, ...form }, by)
}
/** What is answered after a signature lets it fall. */
const beforeSigning = () => ago(60 * minute)
const reopen = { intent: 'reopen-claim' }

/** The office cancels while the technician, without a network, hands the whole report in. */
async function cancelledMeanwhile() {
  await fillIn()
  fixture.at(at(15))
  await move(manager, visit, 'callOff', { reason: 'cliente_no_disponible' })
  fixture.at(at(40))
}

test('stores the report of a visit that was cancelled meanwhile, and asks the manager', async () => {
  await cancelledMeanwhile()
  const late = { name: 'panelBrand', value: 'Schneider', base: 1, at: beforeSigning() }
  expect((await answerOwn(late)).json.saved).toEqual({ panelBrand: 2 })
  const photo = { capturedAt: at(8), bytes: await jpeg({ width: 1800, height: 1300 }) }
  await expectAnswered(send(technician, visit, photo), 200)
  for (let times = 0; times < 2; times++)
    expect(await submit()).toEqual({ status: 200, json: { state: 'cancelled' } })
  await expectVisit({ state: 'cancelled' })
  expect(await sheetOf(visit)).toMatchObject({ state: 'draft', claimedAt: at(9), claimAnsweredAt: null })
  const [task, ...more] = await claims()
  expect([more, task?.subject, task?.urgent]).toEqual([
    [],
    expect.stringMatching(/^Tomás hizo VT-.+ y la firmó a .+: ¿reabrir\?$/),
    true,
  ])
})

test('a reopened visit is done as it was handed in, once, and its people are notified', async () => {
  await cancelledMeanwhile()
  await submit()
  await expectAnswered(decide(reopen, analyst), 403)
  await expectAnswered(decide({ intent: 'close-task', result: 'Ya se vio' }), 409)
  expect(await statusesOf(decide(reopen), decide(reopen))).toEqual([303, 409])
  await expectVisit({
    state: 'done',
    outcome: 'completed',
    finishedAt: at(9),
    assigneeId: technician.id,
    closingReason: null,
    startsAt: visit.startsAt,
  })
  expect(await sheetOf(visit)).toMatchObject({ state: 'submitted', submittedBy: technician.id })
  expect((await eventsAbout(visit, 'appointment')).at(-1)).toMatchObject({
    name: 'reopen',
    toState: 'done',
  })
  await expectEmails(visit, expect.arrayContaining(['finished to customer', 'claim_reopened to person']))
  // The phone asks again: it is the same sending.
  expect((await submit()).json).toEqual({ state: 'done' })
  expect(await claims()).toEqual([])
})

test('a declined claim leaves the visit cancelled, and its technician reads why', async () => {
  await cancelledMeanwhile()
  await submit()
  const decline = { intent: 'decline-claim', words: 'corto' }
  expectShown(await decide(decline), 400, 'al menos 10 caracteres')
  const words = 'El cliente ya había reservado con otra persona.'
  await expectAnswered(decide({ ...decline, words }), 303)
  await expectVisit({ state: 'cancelled' })
  expect(await sheetOf(visit)).toMatchObject({ state: 'draft', claimRefusal: words })
  await expectAnswered(decide(reopen), 409)
  expect((await sentAbout(visit)).at(-1)).toBe('claim_declined to person')
  await expectScreen(`/admin/appointments-done/${visit.id}`, technician, words)
  expect((await submit()).json).toEqual({ state: 'cancelled' })
  expect(await claims()).toEqual([])
})

test('stores the report of a visit given to another technician, who loses it when it is reopened', async () => {
  await move(technician, visit, 'undoStart')
  await move(manager, visit, 'undoSetOut')
  await readAgain()
  fixture.at(at(15))
  await assign(manager, visit, technician2)
  await completeSheet({ ...visit, assigneeId: technician.id })
  fixture.at(at(40))
  await expectAnswered(press(technician, visit, 'start', at(1)), 404)
  const typed = { name: 'panelBrand', value: 'Schneider', base: 1, at: beforeSigning() }
  await expectAnswered(answerOwn(typed), 200)
  expect((await submit(9)).json).toEqual({ state: 'assigned' })
  await expectAnswered(fixture.visit(`/admin/appointments-pending/${visit.id}`, technician), 404)
  await expectAnswered(decide(reopen), 303)
  await expectVisit({
    state: 'done',
    assigneeId: technician.id,
    startsAt: visit.startsAt,
  })
})

test('stores no report of a visit that the technician ended or that is another’s', async () => {
  await fillIn()
  await expectAnswered(submit(9, technician2), 404)
  await move(technician, visit, 'callOff', { reason: 'clima' })
  fixture.at(at(40))
  await expectAnswered(submit(41 - 10), 409)
  expect(await claims()).toEqual([])
})

const put = (state: 'approved' | 'returned') =>
  db
    .update(sheets)
    .set({
      state,
      reviewedAt: new Date(),
      reviewedBy: analyst.id,
      returnReason: 'No se lee el medidor.',
    })
    .where(eq(sheets.appointmentId, visit.id))

type Home = {
  work: { groups: { kind: string; count: { total: number }; lines: { facts: string }[] }[] } | null
  returned: { folio: string }[] | null
}
const listsOf = async (who: Person) => {
  const { returned, work } = loaded<Home>(await fixture.data('/admin', who), 'customers/screens/staff')
  const reports = work?.groups.find(({ kind }) => kind === 'report')
  return {
    toReview: work ? (reports?.lines.map(({ facts }) => facts.split(' · ').at(-1)) ?? []) : undefined,
    returned: returned?.map(({ folio }) => folio),
    figure: reports?.count.total,
  }
}

test('lists reports to review for the office, and returned ones for their technician', async () => {
  await completeSheet(visit)
  await submit()
  const { folio } = visit
  for (const one of [analyst, manager])
    expect(await listsOf(one)).toEqual({ toReview: [folio], returned: undefined, figure: 1 })
  expect(await listsOf(technician)).toEqual({ toReview: undefined, returned: [], figure: undefined })
  await put('returned')
  for (const one of [analyst, manager]) expect((await listsOf(one)).toReview).toEqual([])
  expect((await listsOf(technician)).returned).toEqual([folio])
  expect((await listsOf(technician2)).returned).toEqual([])
  for (const one of [gester, ally])
    expect(await listsOf(one)).toEqual({ toReview: undefined, returned: undefined, figure: undefined })
  await expectScreen('/admin', technician, 'Reportes por corregir', 'No se lee el medidor.')
})

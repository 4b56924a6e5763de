import { randomUUID } from 'node:crypto'
import { isNull } from 'drizzle-orm'
import { files } from '../../src/platform/database/schema/appointments.ts'
import { addresses, tasks } from '../../src/platform/database/schema/projects.ts'
import { toMinutes, wallMinute } from '../../src/shared/calendar.ts'
import { clockText } from '../../src/shared/format.ts'
import {
  agenda,
  around,
  assignVisit,
  book,
  bookVisit,
  customer,
  expectVisit,
  minute,
  move,
  slots,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import {
  analyst,
  customer2,
  db,
  expectEmails,
  expectLastEvent,
  expectNotOnPage,
  expectRowsIn,
  expectScreen,
  expectTrail,
  fixture,
  manager,
  markupOf,
  openEach,
  pageText,
  post,
  rowsWhere,
  rowWhere,
  sentAbout,
  setRow,
  technician,
  technician2,
} from '../kit/open.ts'
import { expectAnswered, expectLeadsTo, expectShown, expectWords, statusesOf } from '../kit/reading.ts'
import { jpeg } from '../platform/storage/samples.ts'
import { upload } from '../reports/upload.ts'

openEach(bookVisit, assignVisit)

const screen = () => `/admin/appointments-pending/${visit.id}`
const over = () => `/admin/appointments-done/${visit.id}`
/** Sets the clock by the start of the visit and presses a button. */
const press = (after: number, name: string, form = {}, by = technician) => {
  fixture.at(around(visit, after * minute))
  return move(by, visit, name, form)
}
/** Wall time by the start of the visit. */
const clock = (after: number) => clockText(wallMinute(toMinutes(around(visit, after * minute))))
const openTasks = () => db.select().from(tasks).where(isNull(tasks.doneAt))
const bookAgain = async () => (await book(customer, (await slots(customer, 1))[0]!)).status
const proposal = 'Horarios para proponerle'

test.each([
  ['partial', 'half_done'],
  ['not_possible', 'not_possible'],
])('a visit ends as %s with a reason and is booked again', async (outcome, email) => {
  await press(0, 'start')
  await expectLeadsTo(press(20, 'finish', { outcome, reason: 'sin_acceso' }), over())
  await expectVisit({
    state: 'done',
    outcome,
    closingReason: 'sin_acceso',
    closingNote: null,
  })
  const reason = 'No hubo acceso al lugar'
  await expectLastEvent(visit, { name: 'finish', reason })
  expect((await sentAbout(visit)).at(-1)).toBe(`${email} to customer`)
  const subject = expect.stringContaining(visit.folio)
  const task = { reason: email, appointmentId: visit.id, personId: customer.id, urgent: false, subject }
  expect(await openTasks()).toMatchObject([task])
  for (const by of [manager, analyst]) await expectScreen('/admin', by, visit.folio)
  const page = await pageText(over(), technician)
  expectWords(page, reason, proposal, 'Lo registró Tomás')
  expect(page).not.toContain('Cancelación tardía')
  expect(await bookAgain()).toBe(303)
  await expectRowsIn(tasks, {}, [
    { doneAt: expect.any(Date), result: expect.stringMatching(/^Se agendó VT-/) },
  ])
  await expectNotOnPage(over(), technician, proposal)
})

test('the technician calls off on the way: the customer is notified why, offered times and books again', async () => {
  expectShown(await press(-25, 'callOff', { reason: 'clima' }), 409, '«Asignada»')
  await press(-20, 'setOut')
  const form = { reason: 'clima', note: 'Llueve mucho.' }
  const calledOff = () => expectLeadsTo(press(-9, 'callOff', form), over())
  await Promise.all([calledOff(), calledOff()])
  await expectVisit({
    state: 'cancelled',
    closingReason: 'clima',
    closingNote: 'Llueve mucho.',
    sequence: visit.sequence + 1,
    movedByCustomer: 0,
    late: false,
  })
  await expectTrail(visit, ['book', 'assign', 'setOut', 'callOff'])
  await expectEmails(visit, ['called_off to customer'], 'called_off')
  expect(await openTasks()).toMatchObject([{ reason: 'called_off' }])
  expectShown(await fixture.visit(over(), technician), 200, proposal)
  expectShown(await fixture.visit('/technics-visit', customer), 200, 'Llueve mucho.', agenda)
  expect(await bookAgain()).toBe(303)
})

test('the manager calls off paused work, once; the technician is notified and gets back what was typed', async () => {
  await press(0, 'start')
  await press(5, 'pause')
  const callOff = (after: number, reason: string) => press(after, 'callOff', { reason }, manager)
  await expectAnswered(callOff(6, 'pago_pendiente'), 303)
  await expectEmails(visit, ['called_off to customer', 'called_off to person'], 'called_off')
  await expectLeadsTo(callOff(7, 'clima'), over())
  await expectVisit({ closingReason: 'pago_pendiente', pausedAt: null })
  const typed = 'Quedó listo el cableado hasta el patio.'
  expectShown(
    await press(20, 'finish', { outcome: 'completed', closingNote: typed }),
    409,
    '«Cancelada»',
    `Esto escribiste: «${typed}»`,
  )
})

/** Marks the customer absent with a photo. */
function absent(after: number, form: Record<string, string>, photo: Buffer) {
  fixture.at(around(visit, after * minute))
  const fields = { move: 'noShow', formKey: randomUUID(), ...form }
  return upload(screen(), fields, new Blob([new Uint8Array(photo)]), technician)
}

test('a customer is absent a quarter of an hour after the start, with the time of a call and a photo of the façade', async () => {
  const form = { called: 'yes', calledAt: clock(14) }
  const facade = await jpeg({ width: 900, height: 700 })
  await expectAnswered(absent(14, form, facade), 409)
  await press(14, 'start')
  expect(await pageText(screen(), technician)).toMatch(/A partir de .* puedes marcar que no se presentó/)
  const note = 'Nadie abre'
  const typed = `>${note}</textarea>`
  expectShown(await press(15, 'noShow', { ...form, note }), 400, 'Toma una foto de la fachada.', typed)
  expectShown(await absent(15, form, facade.subarray(0, 900)), 400, 'dañada o incompleta')
  expectShown(await absent(15, { note }, facade), 400, 'Ya está la de las')
  expectShown(
    await press(15, 'noShow', { ...form, calledAt: clock(30), note }),
    400,
    'Esa hora todavía no llega.',
    typed,
  )
  await expectVisit({ state: 'in_progress' })
  // The photo of a refused form is kept.
  for (let n = 0; n < 2; n++) await expectLeadsTo(press(15, 'noShow', form), over())
  await expectEmails(visit, ['no_show to customer'], 'no_show')
  expect(await openTasks()).toMatchObject([{ reason: 'no_show', appointmentId: visit.id }])
  const [photo] = await rowsWhere(files)
  expect(photo).toMatchObject({
    appointmentId: visit.id,
    slot: 'no_show_facade',
    uploadedBy: technician.id,
  })
  const address = `/files/${photo!.id}/list`
  await expectVisit({ state: 'no_show', closingReason: 'cliente_no_disponible' })
  await expectLastEvent(visit, {
    name: 'noShow',
    data: { calledAt: around(visit, 14 * minute).toISOString() },
  })
  const own = await fixture.visit('/technics-visit', customer)
  expectShown(own, 200, 'No te encontramos', 'Llegamos aquí el', 'Sí estaba', address)
  expect(own.text).not.toContain('No podías')
  await expectAnswered(fixture.visit(address, customer), 200)
  await expectAnswered(fixture.visit(address, customer2), 404)
  expect(await bookAgain()).toBe(303)
})

test('the technician takes a no-show back while its email waits; the photo says when and how far from home', async () => {
  const pin = { latitude: 19.4, longitude: -99.1 }
  await setRow(addresses, (await rowWhere(addresses, { projectId: visit.projectId }))!, pin)
  const takenAt = around(visit, 12 * minute).toISOString()
  const form = { called: 'yes', calledAt: clock(14), takenAt, place: '19.4009,-99.1' }
  const facade = await jpeg({ width: 900, height: 700 })
  expectShown(await absent(15, form, facade), 409, 'marca primero «Ya llegué: iniciar»')
  await press(15, 'start')
  await expectLeadsTo(press(15, 'noShow', form), over())
  expect(await rowsWhere(files)).toMatchObject([{ capturedAt: around(visit, 12 * minute) }])
  await expectLastEvent(visit, { name: 'noShow', data: { metres: 100 } })
  await expectScreen(over(), manager, 'A 100 m del domicilio', 'Le llamó')
  const { version } = await visitOf(customer)
  await expectScreen(over(), technician, 'Puedes deshacerlo todavía')
  const undo = (by = technician) =>
    post('/admin/deshacer', { changes: `${visit.id}:${version}`, back: screen() }, by)
  await expectAnswered(undo(technician2), 303)
  await expectVisit({ state: 'no_show' })
  await expectAnswered(undo(), 303)
  await expectVisit({ state: 'in_progress', closingReason: null, finishedAt: null })
  await expectEmails(visit, [], 'no_show')
  expect(await openTasks()).toEqual([])
})

test('the technician who can not arrive gives the visit back on the way: an urgent task, and the customer is notified', async () => {
  await press(-20, 'setOut')
  await expectScreen(screen(), technician, 'le dijimos entre', '¿Vas tarde?')
  expectShown(await press(-15, 'release'), 400, 'Cuenta por qué no puedes llegar.')
  const reason = 'Se ponchó una llanta.'
  await expectLeadsTo(press(-15, 'release', { reason }), '/admin')
  await expectVisit({ state: 'requested', assigneeId: null, setOutAt: null })
  await expectLastEvent(visit, { name: 'release', reason })
  await expectEmails(visit, ['no_person to customer', 'no_person to managers'], 'no_person')
  const subject = `Tomás no puede llegar a ${visit.folio}: ${reason}`
  expect(await openTasks()).toMatchObject([{ urgent: true, subject }])
})

test('the manager marks a customer absent days later, who contradicts once: an urgent task', async () => {
  const answer = (words: string) =>
    post('/technics-visit', { intent: 'answer-no-show', appointmentId: visit.id, words }, customer)
  await expectAnswered(answer('Sí estaba.'), 409)
  const form = { called: 'yes', calledAt: clock(20) }
  await expectAnswered(press(3 * 24 * 60, 'noShow', form, manager), 303)
  await expectVisit({ state: 'no_show' })
  expectShown(await answer(' '), 400, 'Cuéntanos qué pasó.')
  const words = 'No es mi fachada.'
  expect(await statusesOf(answer(words), answer(words))).toEqual([303, 303])
  const subject = `Dice que sí estaba en ${visit.folio}: «${words}»`
  await expectRowsIn(tasks, { reason: 'no_show_answer' }, [{ urgent: true, personId: customer.id, subject }])
  await expectScreen('/admin', analyst, 'Dice que sí estaba')
})

test('the technician takes back both steps within ten minutes, and no time of them stays', async () => {
  await press(-20, 'setOut')
  await press(-10, 'start')
  await expectLeadsTo(press(-1, 'undoStart'), screen())
  await expectVisit({
    state: 'en_route',
    startedAt: null,
    setOutAt: around(visit, -20 * minute),
  })
  await expectAnswered(press(-10, 'undoSetOut'), 303)
  await expectVisit({ state: 'assigned', setOutAt: null, assigneeId: technician.id })
  const steps = ['setOut', 'start', 'undoStart', 'undoSetOut']
  await expectTrail(visit, ['book', 'assign', ...steps])
  // The next start counts as setting out as well.
  await press(0, 'start')
  await press(1, 'undoStart')
  await expectVisit({ state: 'en_route', setOutAt: around(visit, 0) })
})

test('after ten minutes only the manager takes a step back', async () => {
  await press(-30, 'setOut')
  expectShown(
    await press(-19, 'undoSetOut'),
    409,
    'Pasaron más de 10 minutos. Pide a la gerencia que lo corrija.',
  )
  expect(await markupOf(screen(), manager)).toContain('value="undoSetOut"')
  await expectAnswered(press(-18, 'undoSetOut', {}, manager), 303)
  await expectVisit({ state: 'assigned', setOutAt: null })
})

test('pressed twice one step is taken back; the customer is notified of each way, and once that it is off', async () => {
  await press(-20, 'setOut')
  expect(await statusesOf(press(-19, 'undoSetOut'), press(-19, 'undoSetOut'))).toEqual([303, 409])
  await press(-10, 'setOut')
  await expectTrail(visit, ['book', 'assign', 'setOut', 'undoSetOut', 'setOut'])
  expect(await sentAbout(visit, 'on_the_way')).toHaveLength(2)
  await expectEmails(visit, ['way_undone to customer'], 'way_undone')
})

test('work is paused with a reason and resumed, each once', async () => {
  await press(0, 'start')
  const long = 'x'.repeat(301)
  expectShown(await press(5, 'pause', { reason: long }), 400, long)
  await expectLeadsTo(press(10, 'pause', { reason: 'Falta una pieza' }), screen())
  await expectVisit({ state: 'paused', pausedAt: around(visit, 10 * minute) })
  await expectScreen('/technics-visit', customer, 'En pausa')
  await expectLastEvent(visit, { name: 'pause', reason: 'Falta una pieza' })
  expectShown(await press(11, 'pause'), 409, '«En pausa»')
  expect(await markupOf(screen(), technician)).toContain('value="resume"')
  await expectAnswered(press(90, 'resume'), 303)
  await expectVisit({ state: 'in_progress', pausedAt: null })
  await expectAnswered(press(91, 'resume'), 409)
})

test('paused work is finished without being resumed', async () => {
  await press(0, 'start')
  await press(6, 'pause')
  const form = { outcome: 'partial', reason: 'falta_material', closingNote: '' }
  await expectLeadsTo(press(30, 'finish', form), over())
  await expectVisit({ state: 'done', outcome: 'partial', pausedAt: null })
})

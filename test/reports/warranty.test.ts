import { randomUUID } from 'node:crypto'
import { appointments, faults, files, sheets } from '../../src/platform/database/schema/appointments.ts'
import { tasks } from '../../src/platform/database/schema/projects.ts'
import { isUnderWarranty } from '../../src/reports/rules/warranty.ts'
import { addDays, localDate, toMinutes } from '../../src/shared/calendar.ts'
import { agenda, around, book, hour, minute, move, slots, storeVisit } from '../kit/appointments.ts'
import {
  ago,
  ally,
  analyst,
  customer,
  customer2,
  db,
  expectCount,
  expectRowsIn,
  expectScreen,
  fixture,
  gester,
  manager,
  openEach,
  rowsWhere,
  rowWhere,
  sentAbout,
  setRow,
  technician,
  technician2,
} from '../kit/open.ts'
import type { Home, Person } from '../kit/people.ts'
import { expectAnswered, expectShown, expectTwice, expectWords, readable } from '../kit/reading.ts'
import { completeSheet } from '../kit/reports.ts'
import { storeInstallation } from './installed.ts'
import { press } from './phone.ts'
import { photo, upload } from './upload.ts'

const page = '/installation'
const description = 'La luz roja parpadea y no carga desde ayer.'
let installed: Awaited<ReturnType<typeof storeInstallation>>['visit']
let home: Home

openEach()
beforeEach(async () => {
  home = await fixture.home(customer)
  installed = (await storeInstallation(customer, technician, {}, home)).visit
})

type Fields = Record<string, string>
const form = (more: Fields = {}): Fields => ({
  intent: 'report-fault',
  appointmentId: installed.id,
  description,
  faultId: randomUUID(),
  photoId: randomUUID(),
  ...more,
})
const report = (by: Person, fields = form(), picture: Blob | null = null) => upload(page, fields, picture, by)
const reported = () => rowsWhere(faults)
const shownPhotos = () => rowsWhere(files, { slot: 'fault_1' })

test('home shows the charger with its papers, no appointment before it, and the whole way behind', async () => {
  const monthAgo = ago(30 * 24 * hour)
  const finished = { state: 'done', outcome: 'completed', finishedAt: monthAgo } as const
  await storeVisit(fixture, customer, home, monthAgo, { assigneeId: technician.id, ...finished })
  const shown = await fixture.visit('/', customer)
  expectWords(
    readable(shown),
    'Tu cargador está listo desde',
    'Número de serie',
    'Instalado el',
    'Garantía hasta',
    'Documento de entrega',
    'Reportar una falla',
    'Pedir factura',
    'Otro cargador',
  )
  expect(readable(shown)).not.toMatch(/Tu visita técnica Realizada|Tu instalación Realizada|Ver más/)
  expect(readable(shown)).toContain('Paso 6 de 6 · Concluido')
})

test('a customer reports a fault with a photo, once: an urgent call, an email and an open report', async () => {
  const fields = form()
  const picture = await photo()
  await expectTwice(() => report(customer, fields, picture), 303, page)
  expectShown(await report(customer), 409, 'Ya tenemos un reporte tuyo abierto')
  expect(await reported()).toMatchObject([
    { id: fields.faultId, appointmentId: installed.id, description, visitId: null, closedAt: null },
  ])
  expect(await shownPhotos()).toMatchObject([{ faultId: fields.faultId, uploadedBy: customer.id }])
  await expectRowsIn(tasks, {}, [
    { urgent: true, phone: '5512345678', personId: customer.id, reason: 'fault' },
  ])
  expect(await sentAbout(installed)).toContain('fault_received to customer')
  await expectScreen(page, customer, description, 'Agendar visita')
  await expectScreen('/', customer, 'Recibimos tu reporte')
})

test('a report with an unreadable photo is stored without it, and the customer is notified', async () => {
  await expectAnswered(report(customer, form(), new Blob(['no es una foto'])), 303)
  expect(await reported()).toHaveLength(1)
  expect(await shownPhotos()).toEqual([])
  await expectScreen(page, customer, 'Tu foto no se guardó')
})

test('refuses a short description and keeps what was typed', async () => {
  expectShown(await report(customer, form({ description: 'No va' })), 400, 'al menos 10 caracteres', 'No va')
  expect(await reported()).toEqual([])
})

test('refuses a fifth photo of a fault', async () => {
  const fields = form()
  await report(customer, fields)
  const more = (n: number) =>
    photo(`#${n}${n}${n}`).then((picture) =>
      report(customer, { ...fields, intent: 'add-fault-photo', photoId: randomUUID() }, picture),
    )
  for (let n = 1; n <= 4; n++) await expectAnswered(more(n), 303)
  await expectAnswered(more(5), 409)
  await expectCount(files, { faultId: fields.faultId! }, 4)
})

test('shows a photo of a fault to its customer and the office only', async () => {
  await report(customer, form(), await photo())
  const [{ id } = { id: '' }] = await shownPhotos()
  const open = async (who: Person) => (await fixture.open(`/files/${id}/list`, who)).status
  for (const who of [customer, manager, analyst]) expect(await open(who)).toBe(200)
  for (const who of [customer2, technician2, ally, gester]) expect(await open(who)).toBe(404)
})

test('the last day of a warranty counts whole in Mexico City', () => {
  expect(isUnderWarranty('2027-11-21', new Date('2027-11-22T05:59:00Z'))).toBe(true)
  expect(isUnderWarranty('2027-11-21', new Date('2027-11-22T06:00:00Z'))).toBe(false)
  expect(isUnderWarranty(null, new Date())).toBe(false)
})

test('after the warranty there is help, and no report', async () => {
  const yesterday = addDays(localDate(toMinutes(new Date())), -1)
  await db.update(sheets).set({ warrantyUntil: yesterday })
  const shown = readable(await fixture.visit(page, customer))
  expect(shown).toContain('Tu garantía Terminó el')
  expect(shown).not.toContain('Reportar una falla')
  expectShown(await report(customer), 409, 'Tu garantía ya terminó')
  expect(await reported()).toEqual([])
})

test('the visit of a fault is booked at once, shows what it is for, and closes the fault by its report', async () => {
  await report(customer, form(), await photo())
  await expectScreen(agenda, customer, 'Es tu visita de garantía')
  await expectAnswered(book(customer, (await slots(customer))[0]!), 303)
  const visit = (await rowWhere(appointments, { service: 'technical_visit' }))!
  expect(await reported()).toMatchObject([{ visitId: visit.id }])
  const given = { state: 'assigned', assigneeId: technician2.id, confirmedAt: new Date() } as const
  await setRow(appointments, visit, given)
  const pending = '/admin/appointments-pending'
  for (const list of [pending, `/admin/assignations/${visit.id}`])
    await expectScreen(list, manager, 'Garantía')
  await expectScreen(`${pending}/${visit.id}`, technician2, description)
  const [{ id } = { id: '' }] = await shownPhotos()
  await expectAnswered(fixture.open(`/files/${id}/list`, technician2), 200)
  await expectScreen(page, customer, `${visit.folio} está agendada`)

  fixture.at(around(visit, 0))
  await expectAnswered(move(technician2, visit, 'start'), 303)
  await completeSheet({ ...visit, ...given })
  const end = around(visit, 30 * minute)
  fixture.at(end)
  await expectAnswered(press(technician2, visit, 'submit', end), 200)
  expect(await reported()).toMatchObject([{ closedAt: end }])
  await expectScreen(page, customer, 'Atendido', 'Reportar una falla')
})

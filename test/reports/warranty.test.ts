import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { isUnderWarranty } from '../../src/domain/reports/warranty.ts'
import { addDays, localDate, toMinutes } from '../../src/domain/shared/calendar.ts'
import {
  appointments,
  faults,
  files,
  sheets,
} from '../../src/server/platform/database/schema/appointments.ts'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { agenda, around, book, hour, minute, move, slots, storeVisit } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Home, Person } from '../kit/people.ts'
import { emailsAbout, expectWords, readable, rowsIn } from '../kit/reading.ts'
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
  home = await world.home(people.customer)
  installed = (await storeInstallation(world, people.customer, people.technician, {}, home)).visit
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
const report = (by: Person, fields = form(), picture: Blob | null = null) =>
  upload(world, page, fields, picture, by)
const reported = () => world.db.select().from(faults)
const shownPhotos = () => rowsIn(world, files, { slot: 'fault_1' })

test('home shows the charger with its papers, no appointment before it, and the whole way behind', async () => {
  const monthAgo = new Date(Date.now() - 30 * 24 * hour)
  const finished = { state: 'done', outcome: 'completed', finishedAt: monthAgo } as const
  await storeVisit(world, people.customer, home, monthAgo, { assigneeId: people.technician.id, ...finished })
  const shown = await world.visit('/', people.customer)
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
  expect(shown.text).not.toContain('w-1/2')
})

describe('reporting a fault', () => {
  test('is an urgent call, a letter and an open report, with its photo', async () => {
    const answer = await report(people.customer, form(), await photo())
    expect([answer.status, answer.location]).toEqual([303, page])
    const [fault] = await reported()
    expect(fault).toMatchObject({ appointmentId: installed.id, description, visitId: null, closedAt: null })
    expect(await shownPhotos()).toMatchObject([{ faultId: fault!.id, uploadedBy: people.customer.id }])
    expect(await world.db.select().from(tasks)).toMatchObject([
      { urgent: true, phone: '5512345678', personId: people.customer.id, reason: 'fault' },
    ])
    expect(await emailsAbout(world, installed)).toContain('fault_received to customer')
    const shown = readable(await world.visit(page, people.customer))
    expect(shown).toContain(description)
    expect(shown).toContain('Agendar visita')
    expect(readable(await world.visit('/', people.customer))).toContain('Recibimos tu reporte')
  })

  test('sent twice is one report and one photo', async () => {
    const [fields, picture] = [form(), await photo()]
    for (let time = 0; time < 2; time++)
      expect((await report(people.customer, fields, picture)).status).toBe(303)
    expect(await reported()).toHaveLength(1)
    expect(await shownPhotos()).toHaveLength(1)
    expect(await world.db.select().from(tasks)).toHaveLength(1)
  })

  test('one is open at a time', async () => {
    await report(people.customer)
    const second = await report(people.customer)
    expect([second.status, second.text.includes('Ya tenemos un reporte tuyo abierto')]).toEqual([409, true])
    expect(await reported()).toHaveLength(1)
  })

  test('a photo that can’t be read leaves the report, and is told', async () => {
    const answer = await report(people.customer, form(), new Blob(['no es una foto']))
    expect(answer.status).toBe(303)
    expect(await reported()).toHaveLength(1)
    expect(await shownPhotos()).toEqual([])
    expect(readable(await world.visit(page, people.customer))).toContain('Tu foto no se guardó')
  })

  test('says what is missing, and keeps what was written', async () => {
    const answer = await report(people.customer, form({ description: 'No va' }))
    expect([answer.status, answer.text.includes('al menos 10 caracteres')]).toEqual([400, true])
    expect(answer.text).toContain('No va')
    expect(await reported()).toEqual([])
  })

  test('four photos are the most', async () => {
    const fields = form()
    await report(people.customer, fields)
    const more = (n: number) =>
      photo(`#${n}${n}${n}`).then((picture) =>
        report(people.customer, { ...fields, intent: 'add-fault-photo', photoId: randomUUID() }, picture),
      )
    for (let n = 1; n <= 4; n++) expect((await more(n)).status).toBe(303)
    expect((await more(5)).status).toBe(409)
    expect(await rowsIn(world, files, { faultId: fields.faultId! })).toHaveLength(4)
  })
})

describe('whose it is', () => {
  test('another customer’s installation does not exist, and staff report none', async () => {
    expect((await report(people.customer2)).status).toBe(404)
    for (const who of [people.manager, people.technician, people.ally])
      expect((await report(who)).status).toBe(403)
    expect(await reported()).toEqual([])
  })

  test('a photo of a fault is not another customer’s, nor another technician’s', async () => {
    await report(people.customer, form(), await photo())
    const [{ id } = { id: '' }] = await shownPhotos()
    const open = async (who: Person) => (await world.open(`/files/${id}/list`, who)).status
    for (const who of [people.customer, people.manager, people.analyst]) expect(await open(who)).toBe(200)
    for (const who of [people.customer2, people.technician2, people.ally, people.gester])
      expect(await open(who)).toBe(404)
  })
})

test('the last day of a warranty counts whole in Mexico City', () => {
  expect(isUnderWarranty('2027-11-21', new Date('2027-11-22T05:59:00Z'))).toBe(true)
  expect(isUnderWarranty('2027-11-21', new Date('2027-11-22T06:00:00Z'))).toBe(false)
  expect(isUnderWarranty(null, new Date())).toBe(false)
})

test('after the warranty there is help, and no report', async () => {
  const yesterday = addDays(localDate(toMinutes(new Date())), -1)
  await world.db.update(sheets).set({ warrantyUntil: yesterday })
  const shown = readable(await world.visit(page, people.customer))
  expect(shown).toContain('Tu garantía Terminó el')
  expect(shown).not.toContain('Reportar una falla')
  const late = await report(people.customer)
  expect([late.status, late.text.includes('Tu garantía ya terminó')]).toEqual([409, true])
  expect(await reported()).toEqual([])
})

describe('the visit of a fault', () => {
  beforeEach(async () => {
    await report(people.customer, form(), await photo())
  })

  const bookIt = async () => {
    const [startsAt = ''] = await slots(world, people.customer)
    expect((await book(world, people.customer, startsAt)).status).toBe(303)
    const [visit] = await rowsIn(world, appointments, { service: 'technical_visit' })
    return visit!
  }

  test('is booked at once, and lists and its technician know what it is for', async () => {
    expect(readable(await world.visit(agenda, people.customer))).toContain('Es tu visita de garantía')
    const visit = await bookIt()
    expect(await reported()).toMatchObject([{ visitId: visit.id }])
    await world.db
      .update(appointments)
      .set({ state: 'assigned', assigneeId: people.technician2.id, confirmedAt: new Date() })
      .where(eq(appointments.id, visit.id))
    for (const list of ['/admin/appointments-pending', `/admin/assignations/${visit.id}`])
      expect(readable(await world.visit(list, people.manager))).toContain('Garantía')
    const screen = readable(await world.visit(`/admin/appointments-pending/${visit.id}`, people.technician2))
    expect(screen).toContain(description)
    const [{ id } = { id: '' }] = await shownPhotos()
    expect((await world.open(`/files/${id}/list`, people.technician2)).status).toBe(200)
    expect(readable(await world.visit(page, people.customer))).toContain(`${visit.folio} está agendada`)
  })

  test('closes the fault with its report', async () => {
    const visit = await bookIt()
    await world.db
      .update(appointments)
      .set({ state: 'assigned', assigneeId: people.technician2.id, confirmedAt: new Date() })
      .where(eq(appointments.id, visit.id))
    world.at(around(visit, 0))
    expect((await move(world, people.technician2, visit, 'start')).status).toBe(303)
    await completeSheet(world, { ...visit, assigneeId: people.technician2.id })
    world.at(around(visit, 30 * minute))
    const sent = await press(world, people.technician2, visit, 'submit', around(visit, 30 * minute))
    expect([sent.status, sent.json]).toMatchObject([200, {}])
    expect((await reported())[0]!.closedAt).toEqual(around(visit, 30 * minute))
    const shown = readable(await world.visit(page, people.customer))
    expect(shown).toContain('Atendido')
    expect(shown).toContain('Reportar una falla')
  })
})

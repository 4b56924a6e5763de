import { eq } from 'drizzle-orm'
import { sheetAnswers, sheets } from '../../src/platform/database/schema/appointments.ts'
import { events } from '../../src/platform/database/schema/projects.ts'
import { hour, storeVisit, type Visit } from '../kit/appointments.ts'
import {
  ago,
  ally,
  analyst,
  customer,
  customer2,
  db,
  expectCount,
  fixture,
  manager,
  markupOf,
  openEach,
  runSql,
  technician,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { boxIn, expectAnswered, expectShown, expectWords, readable } from '../kit/reading.ts'
import { answersOf, sheetOf } from '../kit/reports.ts'
import { storeSheet } from './installed.ts'

let visit: Visit
let page: string

openEach()
beforeEach(async () => {
  const started = ago(2 * hour)
  visit = await storeVisit(fixture, customer, await fixture.home(customer, {}, ally.agencyId!), started, {
    state: 'done',
    outcome: 'completed',
    assigneeId: technician.id,
    finishedAt: ago(hour),
  })
  page = `/admin/appointments-done/${visit.id}`
  const answers = { feasibility: 'not_viable', feasibilityReason: 'Falta tierra física.', needsPermit: true }
  await storeSheet('visit', visit, technician, {}, { ...answers, notes: 'Nota para la oficina' })
})

const sheet = async () => (await sheetOf(visit))!
const answer = async () => (await answersOf(visit)).mainBreaker
const reads = async (who: Person, path = page) => readable(await fixture.visit(path, who))
const posts = (who: Person, form: Record<string, string>, path = page) => fixture.post(path, form, who)

test('a report that was sent is shown with words, units, formulas, pictures and its author', async () => {
  for (const who of [analyst, manager, technician]) {
    expectWords(
      await reads(who),
      'Reporte de visita',
      'Por revisar',
      'Lo envió Tomás Prueba',
      'Bifásico 220 V',
      '22.5 m',
      'Aire acondicionado: 2 × 1,800 W',
      '8 AWG',
      '1.68 %',
      'Medidor de CFE',
      'Firma del técnico',
    )
  }
})

test('a report that was sent is approved, quoted where it is viable, and no longer listed as waiting', async () => {
  const waiting = '/admin/appointments-done?view=por-revisar'
  expect(await reads(analyst, waiting)).toContain(visit.folio)
  const pressed = { intent: 'approve-sheet', version: String((await sheet()).version), next: 'quote' }
  expect(await reads(analyst)).not.toContain('Aprobar y cotizar')
  await db.update(sheetAnswers).set({ value: 'viable' }).where(eq(sheetAnswers.name, 'feasibility'))
  const shown = await reads(analyst)
  // The decision stands after the evidence.
  expect(shown.indexOf('Aprobar y cotizar')).toBeGreaterThan(shown.indexOf('Nombre de quien te recibió'))
  await expectAnswered(posts(analyst, pressed), 303, `/admin/cotizations/add-quote/${visit.id}`)
  expect(await sheet()).toMatchObject({ state: 'approved', reviewedBy: analyst.id })
  expect(await reads(analyst, waiting)).not.toContain(visit.folio)
})

test('a report that was sent shows contradictions to its reviewers only', async () => {
  await runSql`update appointments set address = address || '{"dwelling": "apartment"}'`
  const words = 'El domicilio dice «Departamento» y el reporte, «Casa».'
  for (const who of [analyst, manager]) expect(await reads(who)).toContain(words)
  expect(await reads(technician)).not.toContain(words)
})

test('a report that was sent is returned with what is ticked, and its technician may write again', async () => {
  const { version } = await sheet()
  const form = { intent: 'return-sheet', version: String(version), reason: 'El medidor no se lee.' }
  expectShown(await posts(manager, { ...form, reason: '' }), 400, 'Escribe qué falta o qué está mal.')
  const boxes = { 'redo.meter': 'on', 'redo.meterNumber': 'on', 'redo.nada': 'on' }
  await expectAnswered(posts(manager, { ...form, ...boxes }), 303)
  expect(Object.keys((await sheet()).redo)).toEqual(['meter', 'meterNumber'])
  expect(await reads(manager)).toContain('Falta rehacer Medidor de CFE, Número de medidor')
  expect(await reads(technician)).toContain('El medidor no se lee.')
  expect(await markupOf(`${page}?seccion=medidor`, technician)).toContain('name="meterNumber"')
})

const correct = (who: Person, value: string, base = '1') =>
  posts(
    who,
    { intent: 'correct-answer', name: 'mainBreaker', base, mainBreaker: value },
    `${page}?corregir=mainBreaker`,
  )

test('an analyst corrects an answer in its place, with an event', async () => {
  const form = await fixture.visit(`${page}?corregir=mainBreaker`, analyst)
  expect(boxIn(form, 'mainBreaker', '100')).not.toBe('')
  await expectAnswered(correct(analyst, '125'), 303, `${page}#mainBreaker`)
  expect(await answer()).toMatchObject({
    value: 125,
    revision: 2,
    changedBy: analyst.id,
  })
  expect(await reads(manager)).toContain('Pastilla principal: de 100 A a 125 A')
  await expectCount(events, { name: 'correct' }, 1)
})

test('a correction of an answer changed meanwhile is refused, and accepted with the new revision', async () => {
  await correct(manager, '125')
  const overtaken = await correct(analyst, '150')
  expectShown(overtaken, 409, 'ahora dice «125 A»', 'value="150"')
  expect(boxIn(overtaken, 'base', '2')).not.toBe('')
  expect(await answer()).toMatchObject({ value: 125, revision: 2 })
  await expectAnswered(correct(analyst, '150', '2'), 303)
  expect(await answer()).toMatchObject({ value: 150, revision: 3 })
})

test('offers the office to ask for a measurement again instead of correcting it', async () => {
  const { status, text } = await fixture.visit(`${page}?corregir=voltsL1N`, analyst)
  expect(status).toBe(200)
  expect(boxIn({ text }, 'redo.voltsL1N')).toContain('checked=""')
  expect(text).toContain('aria-label="Pedir otra vez Voltaje L1 a neutro"')
  for (const none of ['name="voltsL1N"', 'aria-label="Corregir Voltaje L1 a neutro"'])
    expect(text).not.toContain(none)
})

const own = '/technics-visit'

test('the customer reads what was found, why not, what is needed and whom to talk to', async () => {
  const shown = await reads(customer, own)
  // No one reviewed it yet.
  expectWords(
    shown,
    'Por confirmar: hoy no se puede instalar tu cargador',
    'Falta tierra física.',
    'Hablar con un analista',
    'El permiso de tu condominio',
    'Fotos de tu casa',
    'Tu suministro de CFE Bifásico 220 V',
  )
  const data = JSON.stringify((await fixture.data(own, customer)).value)
  for (const text of [await markupOf(own, customer), data]) expect(text).not.toContain('Nota para la oficina')
  expect(shown).not.toContain('Firma del técnico')
})

test('the customer reads nothing of a draft, nor of another’s report', async () => {
  expect(await reads(customer2, own)).not.toContain('Fotos de tu casa')
  await db.update(sheets).set({ state: 'draft' })
  expect(await reads(customer, own)).not.toContain('Fotos de tu casa')
})

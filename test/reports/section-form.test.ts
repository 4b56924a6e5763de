import { files } from '../../src/platform/database/schema/appointments.ts'
import { riskNames } from '../../src/reports/rules/installation-record.ts'
import { around, minute, move, visit, visitAtHome } from '../kit/appointments.ts'
import {
  analyst,
  expectNotOnPage,
  expectScreen,
  fixture,
  markupOf,
  openEach,
  rowsWhere,
  technician,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { boxIn, expectAnswered, expectLeadsTo, expectShown, expectWords, readable } from '../kit/reading.ts'
import { answersOf, beThere } from '../kit/reports.ts'
import { answerOwn } from './phone.ts'
import { photo, upload } from './upload.ts'

openEach(beThere)

const screen = () => `/admin/appointments-pending/${visit.id}`
const send = (section: string, form: Record<string, string>, by: Person = technician) =>
  fixture.post(`${screen()}?seccion=${section}`, { intent: 'section', section, ...form }, by)
/** The fields of a form made before anyone answered. */
const fresh = (fields: Record<string, string>) => ({
  ...fields,
  ...Object.fromEntries(Object.keys(fields).map((name) => [`revision.${name.split('.')[0]}`, '0'])),
})
const values = async () =>
  Object.fromEntries(Object.entries(await answersOf(visit)).map(([name, { value }]) => [name, value]))

const route = {
  chargerDistance: '22,5',
  route: 'visible',
  'walls.wood': 'wood',
  'walls.block': 'block',
  obstacles: '',
}

test('links to the first incomplete section, which shows its questions with their ranges', async () => {
  expect(await markupOf(screen(), technician)).toMatch(/href="[^"]*\?seccion=lugar"[^>]*>Llenar reporte/)
  const section = await fixture.visit(`${screen()}?seccion=medidor`, technician)
  expectWords(readable(section), 'Medidor y acometida', '2 de 9', 'De 0 a 300 m.')
  expect(section.text).toContain('name="revision.poleDistance"')
})

test('shows the usual range of a measurement by the supply, and a warning beyond it', async () => {
  const panel = `${screen()}?seccion=tablero`
  await send('medidor', { ...fresh({ supply: 'two' }), next: 'tablero' })
  await expectScreen(panel, technician, 'Normal: 114 a 140 V')
  await expectNotOnPage(panel, technician, 'Revisa: 114 a 140 V')
  await send('tablero', { ...fresh({ voltsL1N: '90' }), next: 'cargas' })
  await expectScreen(panel, technician, 'Revisa: 114 a 140 V')
})

test('stores a section without JavaScript and leads to the next', async () => {
  await expectAnswered(
    send('ruta', { ...fresh(route), next: 'cargador' }),
    303,
    `${screen()}?seccion=cargador`,
  )
  // There is no such section.
  for (const next of ['', 'nada', '日本\r\nx: y'])
    await expectLeadsTo(send('ruta', { section: 'ruta', next }), `${screen()}?seccion=ruta`)
  expect(await values()).toMatchObject({ chargerDistance: 22.5, route: 'visible', walls: 'block,wood' })
  expect((await answersOf(visit)).chargerDistance).toMatchObject({ changedBy: technician.id })
  const page = await fixture.visit(`${screen()}?seccion=ruta`, technician)
  expect(boxIn(page, 'chargerDistance', '22.5')).not.toBe('')
  expect(boxIn(page, 'revision.chargerDistance', '1')).not.toBe('')
})

test('refuses an invalid answer as it was typed and stores the others', async () => {
  const refused = await send('ruta', { ...fresh({ ...route, chargerDistance: '400' }), next: 'cargador' })
  expectShown(refused, 400, 'Escribe un número de 0 a 300 m.')
  expect(boxIn(refused, 'chargerDistance', '400')).not.toBe('')
  expect(await values()).toMatchObject({ route: 'visible', walls: 'block,wood' })
  expect(await values()).not.toHaveProperty('chargerDistance')
})

test('shows the answer that the office stored meanwhile; saved again, the technician’s own replaces it', async () => {
  await send('ruta', { ...fresh(route), next: 'cargador' })
  fixture.at(around(visit, 12 * minute))
  await answerOwn({ name: 'chargerDistance', value: 22.5, base: 0 })
  const office = { ...fresh({ chargerDistance: '30' }), 'revision.chargerDistance': '1' }
  await expectAnswered(send('ruta', office, analyst), 303)
  const mine = { ...fresh({ chargerDistance: '25' }), 'revision.chargerDistance': '1' }
  const beaten = await send('ruta', mine)
  expect(beaten.status).toBe(409)
  expect(readable(beaten)).toMatch(/escribió «30 m» el .* Si guardas otra vez, queda lo tuyo\./)
  expect(boxIn(beaten, 'revision.chargerDistance', '2')).not.toBe('')
  expect(boxIn(beaten, 'chargerDistance', '25')).not.toBe('')
  await expectAnswered(send('ruta', { ...mine, 'revision.chargerDistance': '2' }), 303)
  expect(await values()).toMatchObject({ chargerDistance: 25 })
})

test('an answer that asks for more stays on its section', async () => {
  const work = { materials: 'Cable', hours: '4', feasibility: 'not_viable', notes: '' }
  const more = await send('trabajo', { ...fresh(work), next: 'firmas' })
  expect(more.location).toBe(`${screen()}?seccion=trabajo`)
  await expectScreen(more.location!, technician, 'Por qué, y qué lo cambiaría')
  const told = { ...fresh({ feasibilityReason: 'No hay dónde ponerlo.' }), next: 'firmas' }
  await expectLeadsTo(send('trabajo', told), `${screen()}?seccion=firmas`)
})

test('stores appliances by row without the empty ones, and none only by a box', async () => {
  const rowOf = (n: number, name: string, watts: string, quantity: string) => ({
    [`loads.${n}.name`]: name,
    [`loads.${n}.watts`]: watts,
    [`loads.${n}.quantity`]: quantity,
    [`loads.${n}.kind`]: watts && 'other',
    next: 'ruta',
  })
  const blank = { ...rowOf(1, '', '', ''), 'revision.loads': '0' }
  await send('cargas', blank)
  expect(await values()).not.toHaveProperty('loads')
  await send('cargas', { ...blank, loads: 'none' })
  expect((await values()).loads).toEqual([])
  const pump = { ...blank, ...rowOf(0, 'Bomba', '750', '1'), 'revision.loads': '1' }
  await expectAnswered(send('cargas', pump), 303)
  expect((await values()).loads).toEqual([{ kind: 'other', name: 'Bomba', watts: 750, quantity: 1 }])
  const oven = { ...pump, 'loads.1.name': 'Horno', 'loads.1.kind': 'other', 'revision.loads': '2' }
  expect(readable(await send('cargas', oven))).toContain('Watts de Horno')
})

test('stores proposals only by their box, and over no answer', async () => {
  const meter = { supply: 'two', meterNumber: 'A1', tariff: '', contractedKilowatts: '', meterAtLimit: 'no' }
  await send('medidor', { ...fresh(meter), next: 'tablero' })
  expect(await values()).toEqual({ supply: 'two', meterNumber: 'A1', meterAtLimit: false })
  const again = { ...fresh({ poleDistance: '8', tariff: '' }), confirm: 'on', next: 'tablero' }
  await expectLeadsTo(send('medidor', again), `${screen()}?seccion=tablero`)
  expect(await values()).toEqual({
    supply: 'two',
    meterNumber: 'A1',
    meterAtLimit: false,
    poleDistance: 8,
    tariff: '1',
    contractedKilowatts: 10,
  })
  expect((await answersOf(visit)).tariff).toMatchObject({ changedBy: technician.id })
})

test('stores a photo without JavaScript, and refuses none and an unreadable one', async () => {
  const place = `${screen()}?seccion=lugar`
  const sendPhoto = (slot: string, picture: Blob | null) =>
    upload(place, { intent: 'photo', slot, keptBecause: '' }, picture, technician)
  await expectAnswered(sendPhoto('facade', await photo()), 303, `${place}#facade`)
  expectShown(await sendPhoto('parking', null), 400, 'Elige una foto.')
  await expectAnswered(sendPhoto('parking', new Blob(['no es una foto'])), 400)
  const stored = [{ slot: 'facade', uploadedBy: technician.id, width: 1400 }]
  expect(await rowsWhere(files, { appointmentId: visit.id })).toMatchObject(stored)
})

test('refuses answers of a finished visit and shows what was typed', async () => {
  await move(technician, visit, 'finish', { outcome: 'partial', reason: 'clima' })
  expectShown(await send('medidor', fresh({ meterNumber: 'AB-123', poleDistance: '18' })), 409, 'AB-123')
  expect(await values()).toEqual({})
})

test('starts an installation below its checklist, and pauses it only for a reason', async () => {
  const owner = await fixture.person()
  const input = { service: 'installation', minutes: 240, assigneeId: technician.id } as const
  const start = around(visit, -5 * 60 * minute)
  const installation = await visitAtHome(owner, start, input)
  fixture.at(start)
  const before = await fixture.visit(`/admin/appointments-pending/${installation.id}`, technician)
  expect(readable(before)).toMatch(/Antes de empezar.*Tengo un extintor a la mano.*Iniciar/)
  expect(before.text).toMatch(/<button[^>]*form="empezar"/)
  const bare = await move(technician, installation, 'start')
  expect([bare.status, bare.text.match(/<p id="[^"]*-error"/g)?.length]).toEqual([409, 5])
  const ticks = Object.fromEntries(riskNames.map((name) => [name, 'on']))
  await move(technician, installation, 'start', ticks)
  expectShown(await move(technician, installation, 'pause'), 400, 'Di por qué haces la pausa.')
  await expectAnswered(move(technician, installation, 'pause', { reason: 'Falta una pieza' }), 303)
})

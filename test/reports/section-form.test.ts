import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { riskNames } from '../../src/domain/reports/installation-record.ts'
import { files, sheetAnswers } from '../../src/server/platform/database/schema/appointments.ts'
import { around, customer, minute, move, storeVisit, visit, visitOf } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { readable, rowsIn } from '../kit/reading.ts'
import { answersOf, beThere, fillIn, sheetOf } from '../kit/reports.ts'
import { answer } from './phone.ts'

openEach(beThere)

const screen = () => `/admin/appointments-pending/${visit.id}`
const over = () => `/admin/appointments-done/${visit.id}`
const send = (section: string, form: Record<string, string>, by: Person = people.technician) =>
  world.post(`${screen()}?seccion=${section}`, { intent: 'section', section, ...form }, by)
/** The fields of a form made before anybody answered. */
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

test('the screen leads to what is missing, and a section shows its questions with their ranges', async () => {
  const card = await world.visit(screen(), people.technician)
  expect(card.text).toMatch(/href="[^"]*\?seccion=lugar"[^>]*>Llenar reporte/)
  const section = await world.visit(`${screen()}?seccion=medidor`, people.technician)
  const page = readable(section)
  for (const words of ['Medidor y acometida', '2 de 9', 'De 0 a 300 m.', 'Monofásico 127 V', 'Recibo de CFE'])
    expect(page).toContain(words)
  expect(section.text).toContain('name="revision.poleDistance"')
})

test('a measurement says what it usually is, by the supply, and asks to look again beyond it', async () => {
  const shown = async (volts: string) => {
    await send('tablero', { ...fresh({ voltsL1N: volts }), next: 'cargas' })
    const page = readable(await world.visit(`${screen()}?seccion=tablero`, people.technician))
    await world.db.delete(sheetAnswers).where(eq(sheetAnswers.name, 'voltsL1N'))
    return ['Normal: 114 a 140 V', 'Revisa: 114 a 140 V'].filter((words) => page.includes(words))
  }
  expect(await shown('')).toEqual([])
  await send('medidor', { ...fresh({ supply: 'two' }), next: 'tablero' })
  expect(await shown('')).toEqual(['Normal: 114 a 140 V'])
  expect(await shown('126,4')).toEqual(['Normal: 114 a 140 V'])
  expect(await shown('90')).toEqual(['Normal: 114 a 140 V', 'Revisa: 114 a 140 V'])
})

test('a section without JavaScript is kept as it is sent, and leads to the next', async () => {
  const kept = await send('ruta', { ...fresh(route), next: 'cargador' })
  expect([kept.status, kept.location]).toEqual([303, `${screen()}?seccion=cargador`])
  // There is no such section.
  for (const next of ['', 'nada', '日本\r\nx: y'])
    expect((await send('ruta', { section: 'ruta', next })).location).toBe(`${screen()}?seccion=ruta`)
  expect(await values()).toMatchObject({ chargerDistance: 22.5, route: 'visible', walls: 'block,wood' })
  expect((await answersOf(visit)).chargerDistance).toMatchObject({ changedBy: people.technician.id })
  const { text } = await world.visit(`${screen()}?seccion=ruta`, people.technician)
  expect(text).toMatch(/name="chargerDistance"[^>]*value="22.5"/)
  expect(text).toMatch(/name="revision.chargerDistance" value="1"/)
})

test('what is no answer comes back with its message and as it was typed; the rest is kept', async () => {
  const refused = await send('ruta', { ...fresh({ ...route, chargerDistance: '400' }), next: 'cargador' })
  expect(refused.status).toBe(400)
  expect(readable(refused)).toContain('Escribe un número de 0 a 300 m.')
  expect(refused.text).toMatch(/name="chargerDistance"[^>]*value="400"/)
  expect(await values()).toMatchObject({ route: 'visible', walls: 'block,wood' })
  expect(await values()).not.toHaveProperty('chargerDistance')
})

test('what the office wrote meanwhile is said under its field; saved again, one’s own stays', async () => {
  await send('ruta', { ...fresh(route), next: 'cargador' })
  world.at(around(visit, 12 * minute))
  await answer(world, people.technician, visit, { name: 'chargerDistance', value: 22.5, base: 0 })
  const office = { ...fresh({ chargerDistance: '30' }), 'revision.chargerDistance': '1' }
  expect((await send('ruta', office, people.analyst)).status).toBe(303)
  const mine = { ...fresh({ chargerDistance: '25' }), 'revision.chargerDistance': '1' }
  const beaten = await send('ruta', mine)
  expect(beaten.status).toBe(409)
  expect(readable(beaten)).toMatch(/escribió «30 m» el .* Si guardas otra vez, queda lo tuyo\./)
  expect(beaten.text).toMatch(/name="revision.chargerDistance" value="2"/)
  expect(beaten.text).toMatch(/name="chargerDistance"[^>]*value="25"/)
  const again = { ...mine, 'revision.chargerDistance': '2' }
  expect((await send('ruta', again)).status).toBe(303)
  expect(await values()).toMatchObject({ chargerDistance: 25 })
})

test('an answer that asks for more stays on its section', async () => {
  const work = { materials: 'Cable', hours: '4', feasibility: 'not_viable', notes: '' }
  const more = await send('trabajo', { ...fresh(work), next: 'firmas' })
  expect(more.location).toBe(`${screen()}?seccion=trabajo`)
  expect(readable(await world.visit(more.location!, people.technician))).toContain(
    'Por qué, y qué lo cambiaría',
  )
  const told = { ...fresh({ feasibilityReason: 'No hay dónde ponerlo.' }), next: 'firmas' }
  expect((await send('trabajo', told)).location).toBe(`${screen()}?seccion=firmas`)
})

test('appliances are sent row by row; an empty one counts for nothing', async () => {
  const rows = {
    'loads.0.name': 'Bomba',
    'loads.0.watts': '750',
    'loads.0.quantity': '1',
    'loads.1.name': '',
    'loads.1.watts': '',
    'loads.1.quantity': '',
  }
  expect((await send('cargas', { ...rows, 'revision.loads': '0', next: 'ruta' })).status).toBe(303)
  expect((await values()).loads).toEqual([{ name: 'Bomba', watts: 750, quantity: 1 }])
  const wrong = { ...rows, 'loads.1.name': 'Horno', 'revision.loads': '1' }
  expect(readable(await send('cargas', wrong))).toContain('Watts de Horno')
})

test('there are no large appliances: a box says so, and blank rows alone say nothing', async () => {
  const blank = { 'loads.0.name': '', 'loads.0.watts': '', 'loads.0.quantity': '', 'revision.loads': '0' }
  await send('cargas', { ...blank, next: 'ruta' })
  expect(await values()).not.toHaveProperty('loads')
  await send('cargas', { ...blank, loads: 'none', next: 'ruta' })
  expect((await values()).loads).toEqual([])
})

test('what is proposed is no answer until its box is ticked, and then only where nothing else was said', async () => {
  const meter = { supply: 'two', meterNumber: 'A1', tariff: '', contractedKilowatts: '', meterAtLimit: 'no' }
  await send('medidor', { ...fresh(meter), next: 'tablero' })
  expect(await values()).toEqual({ supply: 'two', meterNumber: 'A1', meterAtLimit: false })
  const again = { ...fresh({ poleDistance: '8', tariff: '' }), confirm: 'on', next: 'tablero' }
  expect((await send('medidor', again)).location).toBe(`${screen()}?seccion=tablero`)
  expect(await values()).toEqual({
    supply: 'two',
    meterNumber: 'A1',
    meterAtLimit: false,
    poleDistance: 8,
    tariff: '1',
    contractedKilowatts: 10,
  })
  expect((await answersOf(visit)).tariff).toMatchObject({ changedBy: people.technician.id })
})

test('the calculation stands on the page, and what carries too little can’t be chosen', async () => {
  await fillIn()
  const section = await world.visit(`${screen()}?seccion=calculo`, people.technician)
  const page = readable(section)
  for (const words of ['Conductor propuesto', '8 AWG', '1.25 × 32 A = 40 A', 'NOM-001-SEDE'])
    expect(page).toContain(words)
  expect(section.text).toMatch(/<input[^>]*disabled=""[^>]*value="10"|<input[^>]*value="10"[^>]*disabled/)
  expect(section.text).not.toMatch(/<input[^>]*disabled=""[^>]*value="8"/)
  expect(page).toContain('Aguanta 30 A: no da para la pastilla de 40 A.')
})

test('sending it ends the visit; what lacks something says what', async () => {
  const early = await world.post(screen(), { intent: 'submit' }, people.technician)
  expect([early.status, readable(early).includes('Falta responder.')]).toEqual([409, true])
  await fillIn()
  const signed = { ...fresh({ customerName: 'Quien recibe' }), 'revision.customerName': '1', next: 'enviar' }
  const sent = await send('firmas', signed)
  expect([sent.status, sent.location]).toEqual([303, over()])
  expect(await visitOf(world, customer)).toMatchObject({ state: 'done', outcome: 'completed' })
  expect(await sheetOf(visit)).toMatchObject({ state: 'submitted' })
})

const photo = (slot: string, bytes: Uint8Array, by: Person = people.technician) => {
  const body = new FormData()
  for (const [name, value] of Object.entries({ intent: 'photo', slot, keptBecause: '' }))
    body.append(name, value)
  if (bytes.length > 0) body.append('photo', new File([new Uint8Array(bytes)], 'foto.jpg'))
  const headers = { origin: 'http://carga.test' }
  return world.send(`${screen()}?seccion=lugar`, by, { method: 'POST', body, headers })
}
const picture = () =>
  sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#7a8' } })
    .jpeg()
    .toBuffer()
const kept = () => rowsIn(world, files, { appointmentId: visit.id })

test('a photo of a page without JavaScript is kept in its slot', async () => {
  const sent = await photo('facade', await picture())
  expect([sent.status, sent.location]).toEqual([303, `${screen()}?seccion=lugar#facade`])
  expect(await kept()).toMatchObject([{ slot: 'facade', uploadedBy: people.technician.id, width: 1600 }])
  const none = await photo('parking', new Uint8Array())
  expect([none.status, readable(none).includes('Elige una foto.')]).toEqual([400, true])
  const text = await photo('parking', new TextEncoder().encode('no es una foto'))
  expect(text.status).toBe(400)
  expect(await kept()).toHaveLength(1)
})

test('only its technician writes: nobody else changes a thing', async () => {
  const { ally, customer2, gester, manager, technician2 } = people
  const form = fresh({ poleDistance: '18' })
  for (const stranger of [customer2, gester, ally, technician2]) {
    const { status } = await send('medidor', form, stranger)
    expect([302, 303, 403, 404], stranger.name ?? '').toContain(status)
    expect((await photo('facade', await picture(), stranger)).status).not.toBe(200)
  }
  expect((await world.post(screen(), { intent: 'submit' }, manager)).status).toBe(403)
  expect([await values(), await kept()]).toEqual([{}, []])
})

test('a visit that is over keeps what was typed in sight', async () => {
  await move(world, people.technician, visit, 'finish', { outcome: 'partial', reason: 'clima' })
  const late = await send('medidor', fresh({ meterNumber: 'AB-123', poleDistance: '18' }))
  expect([late.status, readable(late).includes('AB-123')]).toEqual([409, true])
  expect(await values()).toEqual({})
})

test('an installation begins below its checklist, and pauses for a reason only', async () => {
  const { technician } = people
  const owner = await world.person()
  const wish = { service: 'installation', minutes: 240, assigneeId: technician.id } as const
  const start = around(visit, -5 * 60 * minute)
  const installation = await storeVisit(world, owner, await world.home(owner), start, wish)
  world.at(start)
  const path = `/admin/appointments-pending/${installation.id}`
  const before = await world.visit(path, technician)
  expect(readable(before)).toMatch(/Antes de empezar.*Tengo un extintor a la mano.*Iniciar/)
  expect(before.text).toMatch(/<button[^>]*form="empezar"/)
  const bare = await move(world, technician, installation, 'start')
  expect([bare.status, bare.text.match(/<p id="[^"]*-error"/g)?.length]).toEqual([409, 5])
  const ticks = Object.fromEntries(riskNames.map((name) => [name, 'on']))
  await move(world, technician, installation, 'start', ticks)
  const silent = await move(world, technician, installation, 'pause')
  expect([silent.status, readable(silent)]).toEqual([
    400,
    expect.stringContaining('Di por qué haces la pausa.'),
  ])
  expect((await move(world, technician, installation, 'pause', { reason: 'Falta una pieza' })).status).toBe(
    303,
  )
})

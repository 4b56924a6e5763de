import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { appointments } from '../../src/server/platform/database/schema/appointments.ts'
import type { Visit } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { readable } from '../kit/reading.ts'
import { callAtEleven, clock, donePath, pendingPath, press, sat, wrote } from './desk.ts'

let call: Visit
let client: Person
openEach(async () => {
  ;({ call, client } = await callAtEleven({ notes: 'Vivo en un condominio\nTorre 2' }))
})

const said = { summary: 'Un resumen de verdad.', nextSteps: 'Unos pasos de verdad.' }

test('it tells who was there, when and how long, what they wrote and what came of it', async () => {
  const { analyst, manager } = people
  await sat(call, client, 'customer', -5, 10)
  await sat(call, analyst, 'analyst', -1, 24)
  await sat(call, client, 'customer', 12, 25)
  await wrote(call, client, 'customer', '¿Y si mi tablero es viejo?\n¿Se cambia?', 3)
  await wrote(call, analyst, 'analyst', 'Lo revisa el técnico.', 4)
  clock(call, 0)
  await press(analyst, call, 'start')
  await press(analyst, call, 'notes', { notes: 'Tablero viejo, ojo', version: '0' })
  clock(call, 24)
  await press(analyst, call, 'finish', said)
  for (const who of [analyst, manager]) {
    const page = readable(await world.visit(donePath(call), who))
    for (const words of [
      'Hablaron 23 min',
      '10:55 a. m. a 11:10 a. m. · 15 min',
      '10:59 a. m. a 11:24 a. m. · 25 min',
      'Camila Cruz · Cliente · 11:03 a. m.',
      '¿Y si mi tablero es viejo?',
      'Lo revisa el técnico.',
      'Sobre autos eléctricos',
      'Vivo en un condominio',
      'Tablero viejo, ojo',
      said.summary,
      said.nextSteps,
      'Se completó',
      'Lo registró Andrés Prueba',
    ])
      expect(page).toContain(words)
    expect(page).not.toContain('Horarios para proponerle')
  }
})

test('what the customer wrote keeps its lines', async () => {
  const { text } = await world.visit(pendingPath(call), people.analyst)
  expect(text).toContain('whitespace-pre-line">Vivo en un condominio\nTorre 2<')
})

test('a place whose connection was lost was left then', async () => {
  await sat(call, client, 'customer', 0, 20)
  await sat(call, people.analyst, 'analyst', 0, 20)
  await world.db.execute(
    `update call_sittings set lost_at = left_at - interval '2 minutes', left_because = 'lost' where side = 'analyst'`,
  )
  await world.db.update(appointments).set({ state: 'done' }).where(eq(appointments.id, call.id))
  expect(readable(await world.visit(donePath(call), people.analyst))).toContain('Hablaron 18 min')
})

test('a call that nobody came to says so, and proposes other times', async () => {
  clock(call, 20)
  await press(people.analyst, call, 'noShow', { called: 'yes', calledAt: '11:15' })
  const page = readable(await world.visit(donePath(call), people.analyst))
  for (const words of ['Nadie entró a la sala.', 'Nadie escribió en el chat.', 'Horarios para proponerle'])
    expect(page).toContain(words)
})

test('nobody else reads a word of it', async () => {
  await wrote(call, client, 'customer', 'Palabra del cliente', 3)
  clock(call, 0)
  await press(people.analyst, call, 'start')
  await press(people.analyst, call, 'finish', said)
  const { ally, gester, technician } = people
  for (const who of [ally, gester, technician]) {
    expect((await world.visit(donePath(call), who)).location).toBe('/admin')
    const page = await world.visit(`/admin/appointments-done/${call.id}`, who)
    expect(page.status).toBe(who === ally ? 200 : 404)
    for (const words of ['Palabra del cliente', said.summary, said.nextSteps])
      expect(page.text).not.toContain(words)
  }
})

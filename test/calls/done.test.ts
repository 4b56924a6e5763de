import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { callMessages } from '../../src/server/platform/database/schema/appointments.ts'
import { expectLed, pageText, people, world } from '../kit/open.ts'
import { expectWords } from '../kit/reading.ts'
import {
  after,
  call,
  change,
  client,
  clock,
  donePath,
  joins,
  leaves,
  openDesk,
  pendingPath,
  press,
} from './desk.ts'

openDesk()

const said = { summary: 'Un resumen de verdad.', nextSteps: 'Unos pasos de verdad.' }
const own = () => pageText(donePath(), people.analyst)
/** A line of the chat. */
const wrote = (authorId: string, text: string, minutes: number) =>
  world.db.insert(callMessages).values({
    id: randomUUID(),
    appointmentId: call.id,
    authorId,
    side: authorId === client.id ? 'customer' : 'analyst',
    text,
    at: after(minutes),
  })

test('shows analysts and managers who was there, how long, the chat and the outcome, and others nothing of it', async () => {
  const { ally, analyst, gester, manager, technician } = people
  await change({ notes: 'Vivo en un condominio\nTorre 2' })
  const { text } = await world.visit(pendingPath(), analyst)
  expect(text).toContain('whitespace-pre-line">Vivo en un condominio\nTorre 2<')
  for (const [who, from, to] of [
    [client, -5, 10],
    [analyst, -1, 24],
    [client, 12, 25],
  ] as const) {
    await joins(who, from)
    await leaves(who, to)
  }
  await wrote(client.id, '¿Y si mi tablero es viejo?\n¿Se cambia?', 3)
  await wrote(analyst.id, 'Lo revisa el técnico.', 4)
  clock(0)
  await press(analyst, 'start')
  await press(analyst, 'notes', { notes: 'Tablero viejo, ojo', version: '0' })
  clock(24)
  await press(analyst, 'finish', said)
  const secrets = ['¿Y si mi tablero es viejo?', 'Tablero viejo, ojo', said.summary, said.nextSteps]
  for (const who of [analyst, manager]) {
    const page = await pageText(donePath(), who)
    expectWords(page, 'Hablaron 23 min', ...secrets, 'Se completó', 'Lo registró Andrés Prueba')
    expectWords(page, '10:55 a. m. a 11:10 a. m. · 15 min', '10:59 a. m. a 11:24 a. m. · 25 min')
    expectWords(page, 'Camila Cruz · Cliente · 11:03 a. m.', 'Lo revisa el técnico.')
    expectWords(page, 'Sobre autos eléctricos', 'Vivo en un condominio')
    expect(page).not.toContain('Horarios para proponerle')
  }
  for (const who of [ally, gester, technician]) {
    await expectLed(donePath(), who, '/admin')
    const page = await world.visit(`/admin/appointments-done/${call.id}`, who)
    expect(page.status).toBe(who === ally ? 200 : 404)
    for (const words of secrets) expect(page.text).not.toContain(words)
  }
})

test('counts a lost connection as left when it was lost', async () => {
  for (const who of [client, people.analyst]) {
    await joins(who, 0)
    await leaves(who, 20)
  }
  await world.db.execute(
    `update call_sittings set lost_at = left_at - interval '2 minutes', left_because = 'lost' where side = 'analyst'`,
  )
  await change({ state: 'done' })
  expect(await own()).toContain('Hablaron 18 min')
})

test('shows that no one came to a no-show, and proposes other times', async () => {
  clock(20)
  await press(people.analyst, 'noShow', { called: 'yes', calledAt: '11:15' })
  expectWords(await own(), 'Nadie entró a la sala.', 'Nadie escribió en el chat.', 'Horarios para proponerle')
})

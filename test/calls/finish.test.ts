import { randomUUID } from 'node:crypto'
import { ownCallInput } from '../../src/calls/rules/schema.ts'
import { callMessages } from '../../src/platform/database/schema/appointments.ts'
import { tasks } from '../../src/platform/database/schema/projects.ts'
import { visitAtHome } from '../kit/appointments.ts'
import {
  ally,
  analyst,
  customer,
  db,
  eventsAbout,
  expectEmails,
  expectLed,
  expectScreen,
  fixture,
  gester,
  manager,
  markupOf,
  pageText,
  storeRows,
  technician,
} from '../kit/open.ts'
import { expectAnswered, expectLocation, expectPage, expectWords, readable } from '../kit/reading.ts'
import { dataPath } from '../kit/visitor.ts'
import {
  after,
  call,
  change,
  client,
  clock,
  donePath,
  joins,
  leaves,
  newAnalyst,
  now,
  openDesk,
  pendingPath,
  press,
  storedCall,
} from './desk.ts'

openDesk()

const said = {
  outcome: 'completed',
  summary: 'Revisamos la instalación.\n\nEl medidor queda afuera.',
  nextSteps: 'Agenda tu visita técnica.\nTrae tu recibo de CFE.',
}

async function start() {
  clock(0)
  await press(analyst, 'start')
  clock(20)
}
const finish = (form: Record<string, string> = said, by = analyst) => press(by, 'finish', form)

test('an analyst finishes a call with a summary and next steps, which are e-mailed to the customer', async () => {
  await start()
  const answer = await finish({ ...said, closingNote: 'De cuando iba a quedar a medias' })
  expect(answer).toMatchObject({ status: 303, location: donePath() })
  expect(await now()).toMatchObject({
    state: 'done',
    outcome: 'completed',
    closingReason: null,
    closingNote: null,
    finishedAt: expect.any(Date),
  })
  const { nextSteps, summary } = said
  expect(await storedCall()).toMatchObject({ summary, nextSteps })
  expect(await eventsAbout(call.id, 'appointment')).toMatchObject([
    { name: 'start', data: null },
    { name: 'finish', data: { outcome: 'completed', pressedAt: expect.any(String) } },
  ])
  await expectEmails(call, ['call_summary to customer'])
  const page = await pageText(donePath(), manager)
  expectWords(page, 'Revisamos la instalación.', 'Agenda tu visita técnica.', 'Se completó')
  // Sent again it is the same; with other words it is shown for comparison.
  expect(await finish()).toMatchObject({ status: 303, location: donePath() })
  const other = 'Ya no agendes tu visita.'
  expectPage(await finish({ ...said, nextSteps: other }), 409, other)
  expect(await eventsAbout(call.id, 'appointment')).toHaveLength(2)
  expect(await storedCall()).toMatchObject({ nextSteps })
})

test.each([
  ['a short summary', { summary: 'Todo bien' }, 'summary', 'Cuenta de qué hablaron'],
  ['no next steps', { nextSteps: ' \n ' }, 'nextSteps', 'Dile qué sigue'],
  ['too long a summary', { summary: 'x'.repeat(4001) }, 'summary', 'Usa como máximo 4000 caracteres.'],
  ['too long next steps', { nextSteps: 'x'.repeat(2001) }, 'nextSteps', 'Usa como máximo 2000 caracteres.'],
  ['no reason when partial', { outcome: 'partial' }, 'reason', 'Elige por qué no se completó.'],
  [
    'another reason without a note',
    { outcome: 'not_possible', reason: 'otro' },
    'closingNote',
    'Cuenta por qué',
  ],
])('refuses %s', (_, form, field, words) => {
  const { error } = ownCallInput.finish.safeParse({ ...said, ...form })
  expect(error!.issues).toMatchObject([{ path: [field], message: expect.stringContaining(words) }])
})

test('an invalid form is shown again with the error and what was typed', async () => {
  await start()
  const answer = await finish({ ...said, summary: '' })
  expectPage(answer, 400, 'Cuenta de qué hablaron', 'Trae tu recibo de CFE.')
  expect((await now()).state).toBe('in_progress')
  expect(await storedCall()).toBeUndefined()
})

test('an analyst finishes a call in part with a reason, and a summary if there is one', async () => {
  await start()
  const reason = 'cliente_no_disponible'
  const form = { outcome: 'partial', reason, summary: 'Se cortó la luz.', nextSteps: '' }
  expectLocation(await finish(form), donePath())
  const ended = { state: 'done', outcome: 'partial', closingReason: reason, closingNote: null }
  expect(await now()).toMatchObject(ended)
  expect(await storedCall()).toMatchObject({ summary: 'Se cortó la luz.', nextSteps: null })
  const page = await pageText(donePath(), analyst)
  expectWords(page, 'Quedó incompleta', 'El cliente no está disponible', 'Horarios para proponerle')
})

test('is not finished from the screen of visits', async () => {
  await start()
  const form = { move: 'finish', closingNote: 'Quedó todo bien.' }
  const path = dataPath(`/admin/appointments-pending/${call.id}`)
  expectPage(await fixture.post(path, form, analyst), 409, 'su propia pantalla')
  expect((await now()).state).toBe('in_progress')
  expect(await storedCall()).toBeUndefined()
})

test('shows an analyst what they typed when a manager has ended the call meanwhile', async () => {
  await start()
  const off = await press(manager, 'callOff', { reason: 'cliente_no_disponible' })
  expect(off.status).toBe(303)
  const late = await finish()
  expect(late.status).toBe(409)
  expectWords(readable(late), 'Esto escribiste', 'El medidor queda afuera.', 'Trae tu recibo de CFE.')
  expect(await storedCall()).toBeUndefined()
  await expectLed(pendingPath(), analyst, donePath())
})

const written = { summary: 'Un resumen de verdad.', nextSteps: 'Unos pasos de verdad.' }
/** A line of the chat. */
const wrote = (authorId: string, text: string, minutes: number) =>
  storeRows(callMessages, {
    id: randomUUID(),
    appointmentId: call.id,
    authorId,
    side: authorId === client.id ? 'customer' : 'analyst',
    text,
    at: after(minutes),
  })

test('shows analysts and managers who was there, how long, the chat and the outcome, and others nothing of it', async () => {
  await change({ notes: 'Vivo en un condominio\nTorre 2' })
  await expectScreen(pendingPath(), analyst, 'whitespace-pre-line">Vivo en un condominio\nTorre 2<')
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
  await press(analyst, 'finish', written)
  const secrets = ['¿Y si mi tablero es viejo?', 'Tablero viejo, ojo', ...Object.values(written)]
  for (const who of [analyst, manager]) {
    const page = await pageText(donePath(), who)
    expectWords(
      page,
      'Hablaron 23 min',
      ...secrets,
      'Se completó',
      'Lo registró Andrés Prueba',
      '10:55 a. m. a 11:10 a. m. · 15 min',
      'Camila Cruz · Cliente · 11:03 a. m.',
    )
    expect(page).not.toContain('Horarios para proponerle')
  }
  for (const who of [ally, gester, technician]) {
    const page = await fixture.visit(`/admin/appointments-done/${call.id}`, who)
    expect(page.status).toBe(who === ally ? 200 : 404)
    for (const words of secrets) expect(page.text).not.toContain(words)
  }
})

test('counts a lost connection as left when it was lost', async () => {
  for (const who of [client, analyst]) {
    await joins(who, 0)
    await leaves(who, 20)
  }
  await db.execute(
    `update call_sittings set lost_at = left_at - interval '2 minutes', left_because = 'lost' where side = 'analyst'`,
  )
  await change({ state: 'done' })
  await expectScreen(donePath(), analyst, 'Hablaron 18 min')
})

test('shows that no one came to a no-show, and proposes other times', async () => {
  clock(20)
  await press(analyst, 'noShow', { called: 'yes', calledAt: '11:15' })
  const words = ['Nadie entró a la sala.', 'Nadie escribió en el chat.', 'Horarios para proponerle']
  await expectScreen(donePath(), analyst, ...words)
})

const visitPath = (list: string, id = call.id) => `/admin/appointments-${list}/${id}`

test('redirects analysts and managers from the screens of visits to those of calls and back, and others away', async () => {
  for (const who of [analyst, manager]) {
    const words = [call.folio, 'Camila Cruz', 'Sobre autos eléctricos', 'Asesoría', '551 234 56 78']
    await expectScreen(pendingPath(), who, ...words)
    await expectLed(visitPath('pending'), who, pendingPath())
  }
  await expectAnswered(fixture.data(visitPath('pending'), ally), 200)
  for (const who of [ally, gester, technician]) await expectLed(pendingPath(), who, '/admin')
  await expectLed(pendingPath(), client, '/')
  await change({ state: 'done' })
  for (const path of [visitPath('done'), pendingPath()]) await expectLed(path, analyst, donePath())
  await expectAnswered(fixture.data(visitPath('done'), ally), 200)

  const assigned = { assigneeId: technician.id }
  const visit = await visitAtHome(customer, after(24 * 60), assigned)
  await expectLed(pendingPath(visit.id), analyst, visitPath('pending', visit.id))
  await change({ state: 'done' }, visit)
  await expectLed(donePath(visit.id), analyst, visitPath('done', visit.id))
})

test('lists, homes and tasks link analysts and managers to the call, and its ally to the visit', async () => {
  await storeRows(tasks, { subject: 'Llamar', reason: 'coverage', appointmentId: call.id })
  clock(-60)
  for (const path of ['/admin/appointments-pending', '/admin']) {
    await expectScreen(path, manager, `href="${pendingPath()}"`)
    const text = await markupOf(path, ally)
    expectWords(text, `href="${visitPath('pending')}"`)
    expect(text).not.toContain('-videocall/')
  }
  await change({ state: 'done' })
  await expectScreen('/admin/appointments-done', manager, `href="${donePath()}"`)
})

test('opens the room to its analyst only, from 15 minutes before', async () => {
  const visit = (who = analyst) => fixture.visit(pendingPath(), who)
  clock(-16)
  const early = await visit()
  expect(early.text).not.toContain('?llamada')
  expect(readable(early)).toMatch(/Abre el .*10:45 a\. m\./)
  clock(-15)
  expectWords((await visit()).text, '?llamada')
  for (const who of [manager, await newAnalyst()]) {
    const page = await visit(who)
    expect(page.text).not.toContain('?llamada')
    expectWords(readable(page), 'La atiende Andrés Prueba.')
  }
})

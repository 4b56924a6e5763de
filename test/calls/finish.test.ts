import { expect, test } from 'vitest'
import { ownCallInput } from '../../src/domain/calls/schema.ts'
import { expectLed, pageText, people, world } from '../kit/open.ts'
import {
  emailsAbout,
  eventsOf,
  expectAnswered,
  expectLocation,
  expectPage,
  expectWords,
  readable,
} from '../kit/reading.ts'
import { dataPath } from '../kit/visitor.ts'
import { call, clock, donePath, newAnalyst, now, openDesk, pendingPath, press, storedCall } from './desk.ts'

openDesk()

const said = {
  outcome: 'completed',
  summary: 'Revisamos la instalación.\n\nEl medidor queda afuera.',
  nextSteps: 'Agenda tu visita técnica.\nTrae tu recibo de CFE.',
}

async function start() {
  clock(0)
  await press(people.analyst, 'start')
  clock(20)
}
const finish = (form: Record<string, string> = said, by = people.analyst) => press(by, 'finish', form)

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
  expect(await eventsOf(world, call.id, 'appointment')).toMatchObject([
    { name: 'start', data: null },
    { name: 'finish', data: { outcome: 'completed', pressedAt: expect.any(String) } },
  ])
  expect(await emailsAbout(world, call)).toEqual(['call_summary to customer'])
  const page = await pageText(donePath(), people.manager)
  expectWords(page, 'Revisamos la instalación.', 'Agenda tu visita técnica.', 'Se completó')
  // Sent again it is the same; with other words it is shown for comparison.
  expect(await finish()).toMatchObject({ status: 303, location: donePath() })
  const other = 'Ya no agendes tu visita.'
  expectPage(await finish({ ...said, nextSteps: other }), 409, other)
  expect(await eventsOf(world, call.id, 'appointment')).toHaveLength(2)
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
  const page = await pageText(donePath(), people.analyst)
  expectWords(page, 'Quedó incompleta', 'El cliente no está disponible', 'Horarios para proponerle')
})

test('is not finished by another analyst, a manager, or from the screen of visits', async () => {
  await start()
  for (const by of [await newAnalyst(), people.manager]) await expectAnswered(finish(said, by), 403)
  const form = { move: 'finish', closingNote: 'Quedó todo bien.' }
  const path = dataPath(`/admin/appointments-pending/${call.id}`)
  expectPage(await world.post(path, form, people.analyst), 409, 'su propia pantalla')
  expect((await now()).state).toBe('in_progress')
  expect(await storedCall()).toBeUndefined()
})

test('shows an analyst what they typed when a manager has ended the call meanwhile', async () => {
  await start()
  const off = await press(people.manager, 'callOff', { reason: 'cliente_no_disponible' })
  expect(off.status).toBe(303)
  const late = await finish()
  expect(late.status).toBe(409)
  expectWords(readable(late), 'Esto escribiste', 'El medidor queda afuera.', 'Trae tu recibo de CFE.')
  expect(await storedCall()).toBeUndefined()
  await expectLed(pendingPath(), people.analyst, donePath())
})

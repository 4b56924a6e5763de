import { expect, test } from 'vitest'
import { type Visit, visitsOf } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { emailsAbout, eventsOf, readable } from '../kit/reading.ts'
import { dataPath } from '../kit/visitor.ts'
import { callAtEleven, clock, donePath, pendingPath, press, storedCall } from './desk.ts'

let call: Visit
let client: Person
openEach(async () => {
  ;({ call, client } = await callAtEleven())
  clock(call, 0)
  await press(people.analyst, call, 'start')
  clock(call, 20)
})

const said = {
  outcome: 'completed',
  summary: 'Revisamos la instalación.\n\nEl medidor queda afuera.',
  nextSteps: 'Agenda tu visita técnica.\nTrae tu recibo de CFE.',
}
const finish = (by: Person, form: Record<string, string> = said) => press(by, call, 'finish', form)
const now = async () => (await visitsOf(world, client))[0]!

test('it ends with a summary and next steps, in the lines they were written in', async () => {
  const answer = await finish(people.analyst, { ...said, closingNote: 'De cuando iba a quedar a medias' })
  expect([answer.status, answer.location]).toEqual([303, donePath(call)])
  expect(await now()).toMatchObject({
    state: 'done',
    outcome: 'completed',
    closingReason: null,
    closingNote: null,
    finishedAt: expect.any(Date),
  })
  expect(await storedCall(call)).toMatchObject({ summary: said.summary, nextSteps: said.nextSteps })
  expect((await eventsOf(world, call.id, 'appointment')).map(({ data, name }) => [name, data])).toEqual([
    ['start', null],
    ['finish', { outcome: 'completed', pressedAt: expect.any(String) }],
  ])
  expect(await emailsAbout(world, call)).toEqual(['call_summary to customer'])
  const page = readable(await world.visit(donePath(call), people.manager))
  for (const words of ['Revisamos la instalación.', 'Agenda tu visita técnica.', 'Se completó'])
    expect(page).toContain(words)
})

test.each([
  ['no summary', { ...said, summary: ' \n ' }, 'Cuenta de qué hablaron'],
  ['a short summary', { ...said, summary: 'Todo bien' }, 'Cuenta de qué hablaron'],
  ['no next steps', { ...said, nextSteps: '' }, 'Dile qué sigue'],
  ['too long a summary', { ...said, summary: 'x'.repeat(4001) }, 'Usa como máximo 4000 caracteres.'],
  ['too long next steps', { ...said, nextSteps: 'x'.repeat(2001) }, 'Usa como máximo 2000 caracteres.'],
  ['in part, without a reason', { ...said, outcome: 'partial' }, 'Elige por qué no se completó.'],
  ['for another reason, untold', { ...said, outcome: 'not_possible', reason: 'otro' }, 'Cuenta por qué'],
])('with %s it is refused under its field, and what was typed stays', async (_what, form, words) => {
  const answer = await finish(people.analyst, form)
  expect([answer.status, readable(answer).includes(words)]).toEqual([400, true])
  expect(answer.text).toContain('Trae tu recibo de CFE.'.slice(0, form.nextSteps === said.nextSteps ? 22 : 0))
  expect(await now()).toMatchObject({ state: 'in_progress' })
  expect(await storedCall(call)).toBeUndefined()
})

test('in part, or not at all, it needs a reason; a summary may go with it', async () => {
  const form = {
    outcome: 'partial',
    reason: 'cliente_no_disponible',
    summary: 'Se cortó la luz.',
    nextSteps: '',
  }
  expect((await finish(people.analyst, form)).location).toBe(donePath(call))
  expect(await now()).toMatchObject({
    state: 'done',
    outcome: 'partial',
    closingReason: 'cliente_no_disponible',
    closingNote: null,
  })
  expect(await storedCall(call)).toMatchObject({ summary: 'Se cortó la luz.', nextSteps: null })
  const page = readable(await world.visit(donePath(call), people.analyst))
  for (const words of ['Quedó incompleta', 'El cliente no está disponible', 'Horarios para proponerle'])
    expect(page).toContain(words)
})

test('nobody but whose call it is ends it', async () => {
  const analyst2 = await world.person({ kind: 'analyst' })
  for (const who of [analyst2, people.manager, people.technician, people.gester, people.ally, client])
    expect((await finish(who)).status).toBe(403)
  expect(await now()).toMatchObject({ state: 'in_progress' })
  expect(await storedCall(call)).toBeUndefined()
})

test('the screen of visits ends no call', async () => {
  const path = `/admin/appointments-pending/${call.id}`
  const form = { move: 'finish', closingNote: 'Quedó todo bien.' }
  const answer = await world.post(dataPath(path), form, people.analyst)
  expect([answer.status, answer.text.includes('su propia pantalla')]).toEqual([409, true])
  expect(await now()).toMatchObject({ state: 'in_progress' })
})

test('sent twice, it is ended once, and both lead to what came of it; with other words the second is read back', async () => {
  for (const answer of [await finish(people.analyst), await finish(people.analyst)])
    expect([answer.status, answer.location]).toEqual([303, donePath(call)])
  const other = await finish(people.analyst, { ...said, nextSteps: 'Ya no agendes tu visita.' })
  expect([other.status, readable(other).includes('Ya no agendes tu visita.')]).toEqual([409, true])
  expect((await finish(people.manager)).status).toBe(403)
  expect((await eventsOf(world, call.id, 'appointment')).map(({ name }) => name)).toEqual(['start', 'finish'])
  expect(await storedCall(call)).toMatchObject({ nextSteps: said.nextSteps })
})

test('ended by somebody else meanwhile, what was typed is read back', async () => {
  expect((await press(people.manager, call, 'callOff', { reason: 'cliente_no_disponible' })).status).toBe(303)
  const late = await finish(people.analyst)
  expect(late.status).toBe(409)
  for (const words of ['Esto escribiste', 'El medidor queda afuera.', 'Trae tu recibo de CFE.'])
    expect(readable(late)).toContain(words)
  expect(await storedCall(call)).toBeUndefined()
  expect((await world.visit(pendingPath(call), people.analyst)).location).toBe(donePath(call))
})

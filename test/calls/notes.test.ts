import { longestNotes } from '../../src/calls/rules/room.ts'
import { analyst, eventsAbout, fixture, manager } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import {
  expectAnswered,
  expectLocation,
  expectPage,
  expectStatuses,
  expectWords,
  readable,
} from '../kit/reading.ts'
import { dataPath } from '../kit/visitor.ts'
import { call, clock, donePath, newAnalyst, openDesk, pendingPath, press, storedCall } from './desk.ts'

let analyst2: Person
openDesk()
beforeEach(async () => {
  analyst2 = await newAnalyst()
  clock(5)
})

const note = (notes: string, version: number, by = analyst) =>
  press(by, 'notes', { notes, version: String(version) })

test('the analyst of a call and managers write notes, kept as typed; other analysts only read them', async () => {
  const typed = '  Casa con  dos pisos\r\n\r\n\r\n- medidor afuera\t(foto)  '
  await expectAnswered(note(typed, 0), 200)
  expect(await storedCall()).toMatchObject({ notes: typed.replaceAll('\r\n', '\n'), notesVersion: 1 })
  await expectAnswered(note('Otra cosa', 1, manager), 200)
  await expectAnswered(note('Intruso', 2, analyst2), 403)
  for (const who of [analyst, analyst2]) {
    const page = await fixture.visit(pendingPath(), who)
    expectWords(readable(page), 'Otra cosa')
    expect(/<textarea[^>]*name="notes"/.test(page.text)).toBe(who === analyst)
  }
  // Saving as one types is no event of the appointment.
  expect(await eventsAbout(call.id, 'appointment')).toEqual([])
})

test('the later of two writers is refused with both texts and the version to overwrite', async () => {
  await note('Lo de la gerencia', 0, manager)
  const beaten = await note('Lo del analista', 0)
  expectPage(beaten, 409, 'Alguien más escribió notas', 'Lo de la gerencia', 'Lo del analista')
  expectWords(beaten.text, 'name="version" value="1"')
  expect(await storedCall()).toMatchObject({ notes: 'Lo de la gerencia' })
  await expectAnswered(note('Lo de los dos', 1), 200)
  expect(await storedCall()).toMatchObject({ notes: 'Lo de los dos', notesVersion: 2 })
})

test('one of twenty writers at once is kept', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => note(`Nota ${n}`, 0, n % 2 ? analyst : manager)),
  )
  expectStatuses(answers, 200, ...Array(19).fill(409))
  const kept = answers.findIndex(({ status }) => status === 200)
  expect(await storedCall()).toMatchObject({ notes: `Nota ${kept}`, notesVersion: 1 })
})

test('the same notes sent again after a lost answer change nothing', async () => {
  await note('Una vez', 0)
  const form = { move: 'notes', notes: 'Una vez', version: '0' }
  expectPage(await fixture.post(dataPath(pendingPath()), form, analyst), 200, 'kept')
  expect(await storedCall()).toMatchObject({ notesVersion: 1 })
})

test('notes lose what the database refuses; too long ones are refused with what was typed', async () => {
  await note('a\0b\ud800c', 0)
  expect(await storedCall()).toMatchObject({ notes: 'ab\ufffdc' })
  await expectAnswered(note('🔌'.repeat(longestNotes), 1), 200)
  const more = 'x'.repeat(longestNotes + 1)
  expectPage(await note(more, 2), 400, `Usa como máximo ${longestNotes} caracteres.`, more)
})

test('notes sent while the call ends are kept, those of another analyst are not', async () => {
  const summary = 'Vimos todo lo que hacía falta.'
  await press(analyst, 'start')
  const finish = { outcome: 'completed', summary, nextSteps: 'Agenda tu visita.' }
  await expectAnswered(press(analyst, 'finish', finish), 303)
  expectLocation(await note('La última palabra', 0), donePath())
  await note('No es mía', 1, analyst2)
  expect(await storedCall()).toMatchObject({ notes: 'La última palabra', summary })
})

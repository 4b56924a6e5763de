import { expect, test } from 'vitest'
import { longestNotes } from '../../src/domain/calls/room.ts'
import type { Visit } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { eventsOf, readable } from '../kit/reading.ts'
import { dataPath } from '../kit/visitor.ts'
import { callAtEleven, clock, donePath, pendingPath, press, storedCall } from './desk.ts'

let call: Visit
let client: Person
let analyst2: Person
openEach(async () => {
  ;({ call, client } = await callAtEleven())
  analyst2 = await world.person({ kind: 'analyst', name: 'Ana' })
  clock(call, 5)
})

const note = (by: Person, notes: string, version: number) =>
  press(by, call, 'notes', { notes, version: String(version) })

test('whose call it is and managers write, letter by letter as they typed; other analysts read', async () => {
  const { analyst, manager } = people
  const typed = '  Casa con  dos pisos\r\n\r\n\r\n- medidor afuera\t(foto)  '
  expect((await note(analyst, typed, 0)).status).toBe(200)
  expect(await storedCall(call)).toMatchObject({ notes: typed.replaceAll('\r\n', '\n'), notesVersion: 1 })
  expect((await note(manager, 'Otra cosa', 1)).status).toBe(200)
  const [own, other] = [
    await world.visit(pendingPath(call), analyst),
    await world.visit(pendingPath(call), analyst2),
  ]
  expect(own.text).toMatch(/<textarea[^>]*name="notes"/)
  expect(other.text).not.toMatch(/<textarea[^>]*name="notes"/)
  for (const page of [own, other]) expect(readable(page)).toContain('Otra cosa')
  // A second of silence is no piece of the appointment's history.
  expect(await eventsOf(world, call.id, 'appointment')).toEqual([])
})

test('nobody else writes, and nobody else reads', async () => {
  await note(people.analyst, 'Secreto del equipo', 0)
  for (const who of [analyst2, people.technician, people.gester, people.ally, client])
    expect([403, 404]).toContain((await note(who, 'Intruso', 1)).status)
  expect(await storedCall(call)).toMatchObject({ notes: 'Secreto del equipo' })
  for (const path of ['/videocall', '/', '/account/data'])
    expect((await world.visit(path, client)).text).not.toContain('Secreto del equipo')
  const ally = await world.visit(`/admin/appointments-pending/${call.id}`, people.ally)
  expect([ally.status, ally.text.includes('Secreto del equipo')]).toEqual([200, false])
})

test('of two who write at once nobody’s words are lost: the later reads both, and may keep theirs', async () => {
  const { analyst, manager } = people
  await note(manager, 'Lo de la gerencia', 0)
  const beaten = await note(analyst, 'Lo del analista', 0)
  expect(beaten.status).toBe(409)
  for (const words of ['Alguien más escribió notas', 'Lo de la gerencia', 'Lo del analista'])
    expect(readable(beaten)).toContain(words)
  expect(beaten.text).toMatch(/name="version" value="1"/)
  expect(await storedCall(call)).toMatchObject({ notes: 'Lo de la gerencia' })
  expect((await note(analyst, 'Lo de los dos', 1)).status).toBe(200)
  expect(await storedCall(call)).toMatchObject({ notes: 'Lo de los dos', notesVersion: 2 })
})

test('twenty at once are twenty answers, and one of them stands', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => note(n % 2 ? people.analyst : people.manager, `Nota ${n}`, 0)),
  )
  const kept = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []))
  expect(kept).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
  expect(await storedCall(call)).toMatchObject({ notes: `Nota ${kept[0]}`, notesVersion: 1 })
})

test('the same notes again, after a lost answer, are the same notes', async () => {
  await note(people.analyst, 'Una vez', 0)
  const again = await world.post(
    dataPath(pendingPath(call)),
    { move: 'notes', notes: 'Una vez', version: '0' },
    people.analyst,
  )
  expect([again.status, again.text.includes('kept')]).toEqual([200, true])
  expect(await storedCall(call)).toMatchObject({ notesVersion: 1 })
})

test('what the database would refuse is taken out, and too much is refused with what was typed', async () => {
  await note(people.analyst, 'a\0b\ud800c', 0)
  expect(await storedCall(call)).toMatchObject({ notes: 'ab\ufffdc' })
  const most = await note(people.analyst, '🔌'.repeat(longestNotes), 1)
  expect(most.status).toBe(200)
  const more = await note(people.analyst, 'x'.repeat(longestNotes + 1), 2)
  expect([more.status, readable(more).includes(`Usa como máximo ${longestNotes} caracteres.`)]).toEqual([
    400,
    true,
  ])
  expect(more.text).toContain('x'.repeat(longestNotes + 1))
})

test('notes on their way while the call ends are kept; those of somebody else’s call are not', async () => {
  const { analyst } = people
  await press(analyst, call, 'start')
  const finish = {
    outcome: 'completed',
    summary: 'Vimos todo lo que hacía falta.',
    nextSteps: 'Agenda tu visita.',
  }
  expect((await press(analyst, call, 'finish', finish)).status).toBe(303)
  // The screen has gone on, its notes have not.
  expect((await note(analyst, 'La última palabra', 0)).location).toBe(donePath(call))
  await note(analyst2, 'No es mía', 1)
  expect(await storedCall(call)).toMatchObject({ notes: 'La última palabra', summary: finish.summary })
})

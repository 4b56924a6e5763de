import {
  begunWords,
  elapsed,
  initialsOf,
  startWords,
  waitWords,
} from '../../../src/calls/screens/room/call-words.ts'

/** Ten in the morning in Mexico City. */
const ten = new Date('2026-11-24T16:00:00Z')
const after = (minutes: number) => new Date(ten.getTime() + minutes * 60_000)

test.each([
  [0, '0:00'],
  [59_999, '0:59'],
  [3_725_000, '1:02:05'],
  [-5_000, '0:00'],
])('words %i ms as %s', (milliseconds, words) => {
  expect(elapsed(milliseconds)).toBe(words)
})

test.each([
  [-14.5, 'Empieza a las 10:00 a.\u00a0m., en 15\u00a0min'],
  [-0.1, 'Empieza a las 10:00 a.\u00a0m., en 1\u00a0min'],
  [0, 'Empieza ahora, a las 10:00 a.\u00a0m.'],
  [3.2, 'Debía empezar a las 10:00 a.\u00a0m., hace 3\u00a0min'],
])('words the start, %d minutes away, as: %s', (minutes, words) => {
  expect(startWords(ten, after(minutes))).toBe(words)
})

test('words since when a call is on', () => {
  expect(begunWords(ten, after(0.5))).toBe('La llamada empezó hace un momento')
  expect(begunWords(ten, after(13.9))).toBe('La llamada empezó hace 13\u00a0min')
})

test('words a wait in whole minutes', () => {
  expect(waitWords(ten, after(0.5))).toBe('Esperas desde hace un momento')
  expect(waitWords(ten, after(4.9))).toBe('Esperas desde hace 4\u00a0min')
  expect(waitWords(ten, after(65))).toBe('Esperas desde hace 1\u00a0h 5\u00a0min')
})

test('shortens a name to initials', () => {
  expect(initialsOf('Laura Medina Ríos')).toBe('LM')
  expect(initialsOf('ángel')).toBe('Á')
  expect(initialsOf('')).toBe('')
})

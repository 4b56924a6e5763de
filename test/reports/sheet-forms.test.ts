import { expect, test } from 'vitest'
import { movesAfter } from '../../src/web/offline/use-draft.ts'
import { loadsIn } from '../../src/web/reports/loads/typed-loads.ts'
import { isSectionChange } from '../../src/web/reports/section-change.ts'
import { stillMissing } from '../../src/web/reports/use-answers.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'

const change = (from: string, to: string, formMethod?: 'POST') =>
  isSectionChange({
    currentUrl: new URL(from, 'http://carga.test'),
    nextUrl: new URL(to, 'http://carga.test'),
    formMethod,
  } as never)

test('going to another section of the same sheet asks the server nothing; anything else does', () => {
  const here = '/admin/appointments-pending/1'
  expect(change(here, `${here}?seccion=ruta`)).toBe(true)
  expect(change(`${here}?seccion=lugar`, `${here}?seccion=ruta#route`)).toBe(true)
  expect(change(`${here}?seccion=lugar`, here)).toBe(true)
  // A refresh of the same screen.
  expect(change(`${here}?seccion=ruta`, `${here}?seccion=ruta`)).toBe(false)
  expect(change(`${here}?seccion=ruta`, `${here}?seccion=lugar`, 'POST')).toBe(false)
  expect(change(`${here}?seccion=ruta`, '/admin/appointments-pending/2?seccion=ruta')).toBe(false)
  expect(change('/admin/appointments-done?year=2025', '/admin/appointments-done?year=2026')).toBe(false)
})

test('the rows of appliances that a form sends, whatever their numbers', () => {
  const sent = { 'loads.3.name': 'Horno', 'loads.3.watts': '3000', 'loads.7.quantity': '2', 'loads.x': '1' }
  expect(loadsIn('loads', sent)).toEqual([
    { name: 'Horno', watts: '3000', quantity: '' },
    { name: '', watts: '', quantity: '2' },
  ])
})

test('what can be done next follows from the last step that waits in the phone', () => {
  expect(movesAfter(['setOut', 'start'], [])).toEqual(['setOut', 'start'])
  expect(movesAfter(['setOut', 'start'], [{ move: 'setOut' }, { move: 'start' }])).toContain('finish')
  expect(movesAfter(['finish'], [{ move: 'submit' }])).toEqual([])
})

test('what is typed and no answer yet keeps a sheet from being sent, and is no “Guardado”', () => {
  const typed = { loads: [{ name: 'Otro', watts: '', quantity: '1' }], poleDistance: '400' }
  const sheet = { kind: 'visit', redo: [] } as never
  expect(
    stillMissing(sheet, { answers: completeAnswers.visit, files: [], typed }).filter(
      ({ name }) => name in typed,
    ),
  ).toMatchObject([
    { name: 'poleDistance', message: 'Escribe un número de 0 a 300\u00a0m.' },
    { name: 'loads', message: 'Watts de Otro: de 1 a 50,000.' },
  ])
})

test('what was asked for again keeps a sheet from being sent, once', () => {
  const sheet = { kind: 'visit', redo: ['facade', 'conductor'] } as never
  const missing = stillMissing(sheet, {
    answers: { ...completeAnswers.visit, conductor: null },
    files: [],
    typed: {},
  })
  expect(missing.filter(({ name }) => name === 'conductor')).toHaveLength(1)
  expect(missing.filter(({ name }) => name === 'facade')).toHaveLength(1)
  expect(missing.at(-1)?.section).toBe('firmas')
})

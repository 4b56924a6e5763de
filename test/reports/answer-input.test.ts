import { expect, test } from 'vitest'
import { answerInWords } from '../../src/domain/reports/answer-words.ts'
import { judgeAnswer } from '../../src/domain/reports/answers.ts'
import { questionOf, sectionsOf } from '../../src/domain/reports/progress.ts'
import { sheetKinds } from '../../src/domain/reports/report.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'

const judge = (name: string, sent: unknown) => judgeAnswer(questionOf('visit', name)!, sent)

test.each(sheetKinds)('every answer of a whole %s sheet is kept as it is', (kind) => {
  for (const question of sectionsOf[kind].flatMap(({ questions }) => questions)) {
    const value = (completeAnswers[kind] as Record<string, unknown>)[question.name] ?? null
    expect([question.name, judgeAnswer(question, value)]).toEqual([question.name, { value }])
  }
})

test.each(sheetKinds)('nothing in a %s sheet takes strange things', (kind) => {
  for (const question of sectionsOf[kind].flatMap(({ questions }) => questions))
    for (const sent of [{}, [[]], Number.NaN, Number.POSITIVE_INFINITY, 'x'.repeat(9_000), [{ name: 7 }]]) {
      const judged = judgeAnswer(question, sent)
      expect('message' in judged || judged.value === null).toBe(true)
    }
})

test('a figure keeps its range, takes a comma and its unit', () => {
  expect(judge('chargerDistance', '22,5 m')).toEqual({ value: 22.5 })
  expect(judge('chargerDistance', '300')).toEqual({ value: 300 })
  expect(judge('chargerDistance', '300.1')).toEqual({ message: 'Escribe un número de 0 a 300\u00a0m.' })
  expect(judge('chargerDistance', '-1')).toEqual({ message: 'Escribe un número de 0 a 300\u00a0m.' })
  expect(judge('chargerDistance', '1.25')).toEqual({ message: 'Escríbelo sin centésimas.' })
  expect(judge('mainBreaker', '60.5')).toEqual({ message: 'Escríbelo sin decimales.' })
  expect(judge('mainBreaker', '')).toEqual({ value: null })
  expect(judge('chargerKilowatts', '22.1')).toEqual({ message: 'Escribe un número de 1.4 a 22\u00a0kW.' })
})

test('CFE service numbers have twelve digits, however they are typed', () => {
  expect(judge('cfeServiceNumber', '123 456 789-012')).toEqual({ value: '123456789012' })
  expect(judge('cfeServiceNumber', '123')).toEqual({ message: 'Escribe los 12 dígitos.' })
})

test('choices are those of the list', () => {
  expect(judge('route', 'visible')).toEqual({ value: 'visible' })
  expect(judge('route', 'toString')).toEqual({ message: 'Elige una opción.' })
  expect(judge('conductor', '14')).toEqual({ message: 'Elige una opción.' })
  expect(judge('groundOk', 'no')).toEqual({ value: false })
})

test('several walls are one answer, in the order of the list; one alone is what it always was', () => {
  expect(judge('walls', 'concrete,block')).toEqual({ value: 'block,concrete' })
  expect(judge('walls', 'block')).toEqual({ value: 'block' })
  expect(judge('walls', 'none')).toEqual({ value: 'none' })
  expect(judge('walls', 'none,wood'), 'a wall is not none').toEqual({ value: 'wood' })
  expect(judge('walls', '')).toEqual({ value: null })
  expect(judge('walls', 'block,toString')).toEqual({ message: 'Elige de la lista.' })
  const walls = questionOf('visit', 'walls')!
  expect(answerInWords(walls, 'block,concrete')).toBe('Block o tabique, Concreto')
  expect(answerInWords(walls, 'block')).toBe('Block o tabique')
})

test('appliances: empty rows are nothing, half ones say what is missing', () => {
  const pump = { name: ' Bomba ', watts: '750 W', quantity: '1' }
  expect(judge('loads', [pump, { name: '', watts: '', quantity: '' }])).toEqual({
    value: [{ name: 'Bomba', watts: 750, quantity: 1 }],
  })
  expect(judge('loads', [{ name: { toString: 1, valueOf: 1 } }, null, 7])).toEqual({ value: null })
  expect(judge('loads', [{ ...pump, name: '' }])).toEqual({ message: 'Escribe qué aparato es.' })
  expect(judge('loads', [{ ...pump, watts: '60000' }])).toEqual({ message: 'Watts de Bomba: de 1 a 50,000.' })
  expect(judge('loads', [{ ...pump, quantity: '' }])).toEqual({
    message: '¿Cuántos hay de Bomba? De 1 a 100.',
  })
})

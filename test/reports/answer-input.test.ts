import { isSectionChange } from '../../src/kit/section-change.ts'
import { movesAfter } from '../../src/offline/use-draft.ts'
import { answerInWords } from '../../src/reports/rules/answer-words.ts'
import { judgeAnswer } from '../../src/reports/rules/answers.ts'
import { circuitLines, loadLines } from '../../src/reports/rules/calculation.ts'
import { calculationOf } from '../../src/reports/rules/passport.ts'
import { questionOf, sectionsOf } from '../../src/reports/rules/progress.ts'
import { type Answers, sheetKinds } from '../../src/reports/rules/report.ts'
import { stillMissing } from '../../src/reports/screens/use-answers.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'

const judge = (name: string, sent: unknown) => judgeAnswer(questionOf('visit', name)!, sent)

test.each(sheetKinds)('stores every answer of a complete %s report unchanged', (kind) => {
  for (const question of sectionsOf[kind].flatMap(({ questions }) => questions)) {
    const value = (completeAnswers[kind] as Record<string, unknown>)[question.name] ?? null
    expect([question.name, judgeAnswer(question, value)]).toEqual([question.name, { value }])
  }
})

test.each(sheetKinds)('stores no malformed answer in a %s report', (kind) => {
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

test('ignores empty rows of appliances and names what is missing in incomplete ones', () => {
  const pump = { name: ' Bomba ', watts: '750 W', quantity: '1' }
  expect(judge('loads', [pump, { name: '', watts: '', quantity: '' }])).toEqual({
    value: [{ name: 'Bomba', watts: 750, quantity: 1 }],
  })
  expect(judge('loads', [{ name: { toString: 1, valueOf: 1 } }, null, 7])).toEqual({ value: null })
  const climate = { ...pump, kind: 'cooling' }
  expect(judge('loads', [climate])).toEqual({
    value: [{ name: 'Bomba', watts: 750, quantity: 1, kind: 'cooling' }],
  })
  for (const kind of ['', 'constructor'])
    expect(judge('loads', [{ ...pump, kind }])).toEqual({ message: '¿Bomba es clima o calefacción?' })
  expect(judge('loads', [{ ...pump, name: '' }])).toEqual({ message: 'Escribe qué aparato es.' })
  expect(judge('loads', [{ ...pump, watts: '60000' }])).toEqual({ message: 'Watts de Bomba: de 1 a 50,000.' })
  expect(judge('loads', [{ ...pump, quantity: '' }])).toEqual({
    message: '¿Cuántos hay de Bomba? De 1 a 100.',
  })
})

const change = (from: string, to: string, formMethod?: 'POST') =>
  isSectionChange({
    currentUrl: new URL(from, 'http://carga.test'),
    nextUrl: new URL(to, 'http://carga.test'),
    formMethod,
  } as never)

test('asks the server for every navigation except to another section of the same report', () => {
  const here = '/admin/appointments-pending/1'
  expect(change(here, `${here}?seccion=ruta`)).toBe(true)
  expect(change(`${here}?seccion=lugar`, `${here}?seccion=ruta#route`)).toBe(true)
  // A refresh of the same screen.
  expect(change(`${here}?seccion=ruta`, `${here}?seccion=ruta`)).toBe(false)
  expect(change(`${here}?seccion=ruta`, `${here}?seccion=lugar`, 'POST')).toBe(false)
  expect(change(`${here}?seccion=ruta`, '/admin/appointments-pending/2?seccion=ruta')).toBe(false)
})

test('offers the steps after the last one that waits on the phone', () => {
  expect(movesAfter(['setOut', 'start'], [])).toEqual(['setOut', 'start'])
  expect(movesAfter(['setOut', 'start'], [{ move: 'setOut' }, { move: 'start' }])).toContain('finish')
  expect(movesAfter(['finish'], [{ move: 'submit' }])).toEqual([])
})

test('counts an invalid typed answer as missing', () => {
  const typed = { loads: [{ name: 'Otro', watts: '', quantity: '1' }], poleDistance: '400' }
  const sheet = { kind: 'visit', redo: [] } as never
  const missing = stillMissing(sheet, { answers: completeAnswers.visit, files: [], typed })
  expect(missing.filter(({ name }) => name in typed)).toMatchObject([
    { name: 'poleDistance', message: 'Escribe un número de 0 a 300\u00a0m.' },
    { name: 'loads', message: 'Watts de Otro: de 1 a 50,000.' },
  ])
})

test('counts an answer that was asked again once as missing', () => {
  const sheet = { kind: 'visit', redo: ['facade', 'conductor'] } as never
  const answers = { ...completeAnswers.visit, conductor: null }
  const missing = stillMissing(sheet, { answers, files: [], typed: {} })
  const asked = missing.map(({ name }) => name).filter((name) => ['conductor', 'facade'].includes(name))
  expect(asked.toSorted()).toEqual(['conductor', 'facade'])
  expect(missing.at(-1)?.section).toBe('firmas')
})

const linesOf = (changes: Answers) => {
  const answers = { ...completeAnswers.visit, ...changes }
  const { circuit, demand } = calculationOf(answers)!
  return [...circuitLines(answers, circuit), ...loadLines(answers, demand!)]
}
const read = (changes: Answers) => linesOf(changes).map(({ term, value, formula }) => [term, value, formula])

test('shows each figure with its formula', () => {
  expect(read({})).toEqual([
    ['Corriente', '32\u00a0A', 'La que dice la placa del cargador'],
    ['Pastilla', '40\u00a0A', 'El primero que da 1.25 × 32\u00a0A = 40\u00a0A (240-6, 625-21)'],
    [
      'Conductor propuesto',
      '8\u00a0AWG',
      'El cobre más delgado que a 60\u00a0°C aguanta 40\u00a0A, con caída de 3\u00a0% o menos (310-15, 210-19)',
    ],
    [
      'Caída con 8\u00a0AWG',
      '1.68\u00a0%',
      '100 × 2 × 0.0225\u00a0km × 32\u00a0A × 2.56\u00a0Ω/km ÷ 220\u00a0V',
    ],
    [
      'Conductor de tierra',
      '10\u00a0AWG',
      'Para 40\u00a0A, y más grueso en la proporción en que la caída hizo crecer las fases (250-122)',
    ],
    [
      'Casa sin factores',
      '8.55\u00a0kVA',
      '33\u00a0VA × 100\u00a0m², 3,000\u00a0VA de cocina, 1,500\u00a0VA de lavado y sus aparatos (220-12, 220-52)',
    ],
    [
      'Demanda con el cargador',
      '20.62\u00a0kVA',
      '8\u00a0kVA al 100\u00a0% y el resto al 40\u00a0%, más 3.6\u00a0kVA de clima o calefacción y 8.8\u00a0kVA del cargador al 125\u00a0% (220-83)',
    ],
    [
      'La fase del cargador',
      '93.7\u00a0A',
      'La casa repartida en sus fases, 11.82\u00a0kVA ÷ 220\u00a0V = 53.7\u00a0A, más 1.25 × la corriente del cargador (220-83, 625-21)',
    ],
    [
      'Tu alimentador aguanta',
      '95\u00a0A',
      '2\u00a0AWG de cobre, menos que la pastilla de 100\u00a0A (310-15, 110-14(c))',
    ],
    [
      'Caída del alimentador',
      '0.63\u00a0%',
      '2\u00a0AWG, 12\u00a0m y 93.7\u00a0A; con la del circuito, 5\u00a0% como máximo (215-2(a))',
    ],
    ['Contratado con CFE', '22\u00a0kW', 'Lo que dice el recibo'],
  ])
})

test('without the plate’s amperes they follow from the power, over three phases by their root', () => {
  expect(read({ chargerAmps: null })[0]).toEqual(['Corriente', '31.82\u00a0A', '7,000\u00a0W ÷ 220\u00a0V'])
  const three = { supply: 'three', chargerSupply: 'three', chargerKilowatts: 22, chargerAmps: null }
  const [current, , , drop] = read(three)
  const phase = read(three).find(([term]) => term === 'La fase del cargador')
  expect(current).toEqual(['Corriente', '57.74\u00a0A', '22,000\u00a0W ÷ (√3 × 220\u00a0V)'])
  expect(drop?.[2]).toContain('100 × √3 ×')
  expect(phase?.[2]).toContain('÷ (√3 × 220\u00a0V)')
})

test('colours a drop by its limit, and names a current that no breaker carries', () => {
  const toneAt = (metres: number) => linesOf({ chargerDistance: metres })[3]?.tone
  expect([30, 45, 90].map(toneAt)).toEqual([undefined, 'wait', 'bad'])
  const [, breaker, conductor] = linesOf({ chargerKilowatts: 22, chargerAmps: null, conductor: null })
  expect([breaker?.value, conductor?.value]).toEqual(['Ninguno alcanza', 'Ninguno alcanza'])
})

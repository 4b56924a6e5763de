import { expect, test } from 'vitest'
import { calculationOf } from '../../src/domain/reports/progress.ts'
import type { Answers } from '../../src/domain/reports/report.ts'
import { circuitLines, loadLines } from '../../src/web/reports/calculation-card.tsx'
import { completeAnswers } from '../kit/complete-sheet.ts'

const linesOf = (changes: Answers) => {
  const answers = { ...completeAnswers.visit, ...changes }
  const { circuit, demand } = calculationOf(answers)!
  return [...circuitLines(answers, circuit), ...loadLines(answers, demand!)]
}
const read = (changes: Answers) => linesOf(changes).map(({ term, value, formula }) => [term, value, formula])

test('each figure says how it came about', () => {
  expect(read({})).toEqual([
    ['Corriente', '32 A', 'La que dice la placa del cargador'],
    ['Pastilla (interruptor termomagnético)', '40 A', 'El primero que da 1.25 × 32 A = 40 A (240-6, 625-21)'],
    [
      'Conductor propuesto',
      '8 AWG',
      'El cobre más delgado que a 60 °C aguanta 40 A, con caída de 3 % o menos (310-15, 210-19)',
    ],
    ['Caída con 8 AWG', '1.68 %', '100 × 2 × 0.0225 km × 32 A × 2.56 Ω/km ÷ 220 V'],
    [
      'Conductor de tierra',
      '10 AWG',
      'Para 40 A, y más grueso en la proporción en que la caída hizo crecer las fases (250-122)',
    ],
    [
      'Casa sin factores',
      '8.55 kVA',
      '33 VA × 100 m², 3,000 VA de cocina, 1,500 VA de lavado y sus aparatos (220-12, 220-52)',
    ],
    [
      'Demanda con el cargador',
      '20.62 kVA',
      '8 kVA al 100 % y el resto al 40 %, más 3.6 kVA de aire acondicionado y 8.8 kVA del cargador al 125 % (220-83)',
    ],
    ['Tu acometida da', '22 kVA', '100 A × 220 V'],
    ['Contratado con CFE', '22 kW', 'Lo que dice el recibo'],
  ])
})

test('without the plate’s amperes they follow from the power, over three phases by their root', () => {
  expect(read({ chargerAmps: null })[0]).toEqual(['Corriente', '31.82 A', '7,000 W ÷ 220 V'])
  const three = { supply: 'three', chargerSupply: 'three', chargerKilowatts: 22, chargerAmps: null }
  const [current, , , drop] = read(three)
  const main = read(three).find(([term]) => term === 'Tu acometida da')
  expect(current).toEqual(['Corriente', '57.74 A', '22,000 W ÷ (√3 × 220 V)'])
  expect(drop?.[2]).toContain('100 × √3 ×')
  expect(main?.[2]).toBe('100 A × 220 V × √3')
})

test('a drop is said in the colour of what it asks for, and what no breaker carries is said', () => {
  const toneAt = (metres: number) => linesOf({ chargerDistance: metres })[3]?.tone
  expect([30, 45, 90].map(toneAt)).toEqual([undefined, 'wait', 'bad'])
  const [, breaker, conductor] = linesOf({ chargerKilowatts: 22, chargerAmps: null, conductor: null })
  expect([breaker?.value, conductor?.value]).toEqual(['Ninguno alcanza', 'Ninguno alcanza'])
})

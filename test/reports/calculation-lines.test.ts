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
    ['Corriente', '32\u00a0A', 'La que dice la placa del cargador'],
    [
      'Pastilla (interruptor termomagnético)',
      '40\u00a0A',
      'El primero que da 1.25 × 32\u00a0A = 40\u00a0A (240-6, 625-21)',
    ],
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
      '8\u00a0kVA al 100\u00a0% y el resto al 40\u00a0%, más 3.6\u00a0kVA de aire acondicionado y 8.8\u00a0kVA del cargador al 125\u00a0% (220-83)',
    ],
    ['Tu acometida da', '22\u00a0kVA', '100\u00a0A × 220\u00a0V'],
    ['Contratado con CFE', '22\u00a0kW', 'Lo que dice el recibo'],
  ])
})

test('without the plate’s amperes they follow from the power, over three phases by their root', () => {
  expect(read({ chargerAmps: null })[0]).toEqual(['Corriente', '31.82\u00a0A', '7,000\u00a0W ÷ 220\u00a0V'])
  const three = { supply: 'three', chargerSupply: 'three', chargerKilowatts: 22, chargerAmps: null }
  const [current, , , drop] = read(three)
  const main = read(three).find(([term]) => term === 'Tu acometida da')
  expect(current).toEqual(['Corriente', '57.74\u00a0A', '22,000\u00a0W ÷ (√3 × 220\u00a0V)'])
  expect(drop?.[2]).toContain('100 × √3 ×')
  expect(main?.[2]).toBe('100\u00a0A × 220\u00a0V × √3')
})

test('a drop is said in the colour of what it asks for, and what no breaker carries is said', () => {
  const toneAt = (metres: number) => linesOf({ chargerDistance: metres })[3]?.tone
  expect([30, 45, 90].map(toneAt)).toEqual([undefined, 'wait', 'bad'])
  const [, breaker, conductor] = linesOf({ chargerKilowatts: 22, chargerAmps: null, conductor: null })
  expect([breaker?.value, conductor?.value]).toEqual(['Ninguno alcanza', 'Ninguno alcanza'])
})

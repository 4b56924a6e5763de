import { figure } from '../../domain/answer-words.ts'
import {
  type Calculation,
  conductors,
  type Demand,
  dropLimits,
  type Gauge,
  type Supply,
  voltsOf,
} from '../../domain/preliminary-calculation.ts'
import type { Answers } from '../../domain/sheet.ts'
import { gaugeLabels } from '../../domain/visit-report.ts'

/** A figure of the calculation, and how it came about. */
export type CalculationLine = { term: string; value: string; formula: string; tone?: 'wait' | 'bad' }

const isThree = (supply: unknown) => supply === 'three'
const voltsIn = (supply: unknown) => voltsOf[supply as Supply]

/** The circuit's figures in the order in which they follow from each other. */
export function circuitLines(answers: Answers, circuit: Calculation): CalculationLine[] {
  const { amps, breaker, conductor } = circuit
  const heat = answers.terminals75 === true ? 75 : 60
  return [
    { term: 'Corriente', value: `${figure(amps, 2)} A`, formula: currentFormula(answers) },
    {
      term: 'Interruptor',
      value: breaker === null ? 'Ninguno alcanza' : `${breaker} A`,
      formula: `El primero que da 1.25 × ${figure(amps, 2)} A = ${figure(1.25 * amps, 2)} A`,
      ...(breaker === null && { tone: 'bad' as const }),
    },
    {
      term: 'Conductor propuesto',
      value: conductor === null ? 'Ninguno alcanza' : (gaugeLabels[conductor] ?? conductor),
      formula: `El cobre más delgado que a ${heat} °C soporta ${breaker === null ? 'el interruptor' : `${breaker} A`}, con caída de ${dropLimits.warns} % o menos`,
      ...(conductor === null && { tone: 'bad' as const }),
    },
    ...dropLine(answers, circuit),
  ]
}

function currentFormula({ chargerAmps, chargerKilowatts, chargerSupply }: Answers): string {
  if (typeof chargerAmps === 'number') return 'La que dice la placa del cargador'
  const volts = `${voltsIn(chargerSupply)} V`
  return `${figure(Number(chargerKilowatts) * 1000, 0)} W ÷ ${isThree(chargerSupply) ? `(√3 × ${volts})` : volts}`
}

/** The drop over the conductor chosen; before one is, over the one proposed. */
function dropLine(answers: Answers, { amps, choices, conductor }: Calculation): CalculationLine[] {
  const gauge = (answers.conductor ?? conductor) as Gauge | null
  const choice = choices.find((one) => one.gauge === gauge)
  if (!choice) return []
  const { ohmsPerKm } = conductors.find((one) => one.gauge === choice.gauge)!
  const metres = Number(answers.chargerDistance)
  const factor = isThree(answers.chargerSupply) ? '√3' : '2'
  const tone = choice.drop > dropLimits.needsNote ? 'bad' : choice.drop > dropLimits.warns ? 'wait' : null
  return [
    {
      term: `Caída con ${gaugeLabels[choice.gauge]}`,
      value: `${figure(choice.drop, 2)} %`,
      formula: `100 × ${factor} × ${figure(metres / 1000, 4)} km × ${figure(amps, 2)} A × ${ohmsPerKm} Ω/km ÷ ${voltsIn(answers.chargerSupply)} V`,
      ...(tone && { tone }),
    },
  ]
}

/** What the house asks for, beside what its main breaker gives. */
export function demandLines({ mainBreaker, supply }: Answers, demand: Demand): CalculationLine[] {
  const phase = isThree(supply) ? ' × √3' : ''
  return [
    {
      term: 'Demanda con el cargador',
      value: `${figure(demand.needed, 2)} kVA`,
      formula: 'Casa: 8 kVA al 100 % y el resto al 40 %; cargador al 125 %',
      ...(demand.exceeds && { tone: 'bad' as const }),
    },
    {
      term: 'Da el interruptor principal',
      value: `${figure(demand.available, 2)} kVA`,
      formula: `${Number(mainBreaker)} A × ${voltsIn(supply)} V${phase}`,
    },
  ]
}

import {
  type Calculation,
  conductors,
  type Demand,
  demandRules,
  dropLimits,
  type Gauge,
  type Supply,
  voltsOf,
} from '../../domain/reports/circuit.ts'
import type { Answers } from '../../domain/reports/report.ts'
import { gaugeLabels } from '../../domain/reports/visit-report.ts'
import { figure } from '../../domain/shared/format.ts'

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
      formula: `El primero que da 1.25 × ${figure(amps, 2)} A = ${figure(1.25 * amps, 2)} A (240-6, 625-21)`,
      ...(breaker === null && { tone: 'bad' as const }),
    },
    {
      term: 'Conductor propuesto',
      value: conductor === null ? 'Ninguno alcanza' : (gaugeLabels[conductor] ?? conductor),
      formula: `El cobre más delgado que a ${heat} °C soporta ${breaker === null ? 'el interruptor' : `${breaker} A`}, con caída de ${dropLimits.warns} % o menos (310-15, 210-19)`,
      ...(conductor === null && { tone: 'bad' as const }),
    },
    ...chosenLines(answers, circuit),
  ]
}

function currentFormula({ chargerAmps, chargerKilowatts, chargerSupply }: Answers): string {
  if (typeof chargerAmps === 'number') return 'La que dice la placa del cargador'
  const volts = `${voltsIn(chargerSupply)} V`
  return `${figure(Number(chargerKilowatts) * 1000, 0)} W ÷ ${isThree(chargerSupply) ? `(√3 × ${volts})` : volts}`
}

/** The drop over the conductor chosen, and the ground beside it; before one is, of the one proposed. */
function chosenLines(
  answers: Answers,
  { amps, breaker, choices, conductor }: Calculation,
): CalculationLine[] {
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
    ...(choice.ground
      ? [
          {
            term: 'Conductor de tierra',
            value: gaugeLabels[choice.ground]!,
            formula: `Para ${breaker} A, y más grueso en la proporción en que la caída hizo crecer las fases (250-122)`,
          },
        ]
      : []),
  ]
}

/** What the house asks for, beside what its main breaker gives and what is contracted. */
export function demandLines({ area, mainBreaker, supply }: Answers, demand: Demand): CalculationLine[] {
  const phase = isThree(supply) ? ' × √3' : ''
  const { kitchen, laundry, vaPerSquareMetre } = demandRules
  const { contracted } = demand
  return [
    {
      term: 'Casa sin factores',
      value: `${figure(demand.connected, 2)} kVA`,
      formula: `${vaPerSquareMetre} VA × ${Number(area)} m², ${figure(kitchen, 0)} VA de cocina, ${figure(laundry, 0)} VA de lavado y sus aparatos (220-12, 220-52)`,
    },
    {
      term: 'Demanda con el cargador',
      value: `${figure(demand.needed, 2)} kVA`,
      formula: `8 kVA al 100 % y el resto al 40 %, más ${figure(demand.cooling, 2)} kVA de aire acondicionado y ${figure(demand.charging, 2)} kVA del cargador al 125 % (220-83)`,
      ...(demand.exceeds && { tone: 'bad' as const }),
    },
    {
      term: 'Da el interruptor principal',
      value: `${figure(demand.available, 2)} kVA`,
      formula: `${Number(mainBreaker)} A × ${voltsIn(supply)} V${phase}`,
    },
    ...(contracted === null
      ? []
      : [
          {
            term: 'Contratado con CFE',
            value: `${figure(contracted, 1)} kW`,
            formula: 'Lo que dice el recibo',
          },
        ]),
  ]
}

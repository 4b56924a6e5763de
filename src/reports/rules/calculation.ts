import { figure } from '../../shared/format.ts'
import { answerInWords } from './answer-words.ts'
import { type Calculation, conductors, type Gauge, type Supply, usualDrop, voltsOf } from './circuit.ts'
import { calculationOf, type Demand, dropsOf, installedDrop, loadRules } from './passport.ts'
import { questionOf } from './progress.ts'
import type { Answers } from './report.ts'
import { gaugeLabels } from './visit-report.ts'

export const calculationNotice =
  'Cálculo preliminar por la NOM-001-SEDE-2012, art. 210, 220-83, 310-15 y 625; confirmar con la norma vigente.'

/** The assumptions of the calculation, shown with it. */
export const calculationAssumptions =
  'Supone 30\u00a0°C de ambiente y hasta 3 conductores activos por tubería (310-15(b)), cobre THW en tubo de PVC y la longitud de ida. A 60\u00a0°C, salvo que las dos terminales digan 75\u00a0°C (110-14(c)).'

/** A figure of the calculation, and how it came about. */
export type CalculationLine = { term: string; value: string; formula: string; tone?: 'wait' | 'bad' }

const isThree = (supply: unknown) => supply === 'three'
const voltsIn = (supply: unknown) => voltsOf[supply as Supply]
const perPhase = (supply: unknown) => voltsIn(supply) * (isThree(supply) ? Math.sqrt(3) : 1)

/** The circuit's figures in the order in which they follow from each other. */
export function circuitLines(answers: Answers, circuit: Calculation): CalculationLine[] {
  const { amps, breaker, conductor } = circuit
  const heat = answers.terminals75 === true ? 75 : 60
  return [
    { term: 'Corriente', value: `${figure(amps, 2)}\u00a0A`, formula: currentFormula(answers) },
    {
      term: 'Pastilla',
      value: breaker === null ? 'Ninguno alcanza' : `${breaker}\u00a0A`,
      formula: `El primero que da 1.25 × ${figure(amps, 2)}\u00a0A = ${figure(1.25 * amps, 2)}\u00a0A (240-6, 625-21)`,
      ...(breaker === null && { tone: 'bad' as const }),
    },
    {
      term: 'Conductor propuesto',
      value: conductor === null ? 'Ninguno alcanza' : (gaugeLabels[conductor] ?? conductor),
      formula: `El cobre más delgado que a ${heat}\u00a0°C aguanta ${breaker === null ? 'la pastilla' : `${breaker}\u00a0A`}, con caída de ${usualDrop}\u00a0% o menos (310-15, 210-19)`,
      ...(conductor === null && { tone: 'bad' as const }),
    },
    ...chosenLines(answers, circuit),
  ]
}

function currentFormula({ chargerAmps, chargerKilowatts, chargerSupply }: Answers): string {
  if (typeof chargerAmps === 'number') return 'La que dice la placa del cargador'
  const volts = `${voltsIn(chargerSupply)}\u00a0V`
  return `${figure(Number(chargerKilowatts) * 1000, 0)}\u00a0W ÷ ${isThree(chargerSupply) ? `(√3 × ${volts})` : volts}`
}

/** The voltage drop of the chosen conductor, and its ground wire; before one is chosen, of the proposed one. */
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
  const isOver = dropsOf(answers).some((one) => one.gauge === gauge && !one.fits)
  const tone = isOver ? 'bad' : choice.drop > usualDrop ? 'wait' : null
  return [
    {
      term: `Caída con ${gaugeLabels[choice.gauge]}`,
      value: `${figure(choice.drop, 2)}\u00a0%`,
      formula: `100 × ${factor} × ${figure(metres / 1000, 4)}\u00a0km × ${figure(amps, 2)}\u00a0A × ${ohmsPerKm}\u00a0Ω/km ÷ ${voltsIn(answers.chargerSupply)}\u00a0V`,
      ...(tone && { tone }),
    },
    ...(choice.ground
      ? [
          {
            term: 'Conductor de tierra',
            value: gaugeLabels[choice.ground]!,
            formula: `Para ${breaker}\u00a0A, y más grueso en la proporción en que la caída hizo crecer las fases (250-122)`,
          },
        ]
      : []),
  ]
}

/** The load of the home on its most loaded phase, beside what its main breaker or feeder bears and what is contracted. */
export function loadLines(answers: Answers, demand: Demand): CalculationLine[] {
  const { area, feederGauge, feederMetres, mainBreaker, supply } = answers
  const { kitchen, laundry, vaPerSquareMetre } = loadRules
  const { amps, capacity, contracted, feederDrop, homeAmps, isFeederLeast } = demand
  const phase = isThree(supply) ? `(√3 × ${voltsIn(supply)}\u00a0V)` : `${voltsIn(supply)}\u00a0V`
  return [
    {
      term: 'Casa sin factores',
      value: `${figure(demand.connected, 2)}\u00a0kVA`,
      formula: `${vaPerSquareMetre}\u00a0VA × ${Number(area)}\u00a0m², ${figure(kitchen, 0)}\u00a0VA de cocina, ${figure(laundry, 0)}\u00a0VA de lavado y sus aparatos (220-12, 220-52)`,
    },
    {
      term: 'Demanda con el cargador',
      value: `${figure(demand.needed, 2)}\u00a0kVA`,
      formula: `8\u00a0kVA al 100\u00a0% y el resto al 40\u00a0%, más ${figure(demand.climate, 2)}\u00a0kVA de clima o calefacción y ${figure(demand.charging, 2)}\u00a0kVA del cargador al 125\u00a0% (220-83)`,
    },
    {
      term: 'La fase del cargador',
      value: `${figure(amps, 1)}\u00a0A`,
      formula: `La casa repartida en sus fases, ${figure((homeAmps * perPhase(supply)) / 1000, 2)}\u00a0kVA ÷ ${phase} = ${figure(homeAmps, 1)}\u00a0A, más 1.25 × la corriente del cargador (220-83, 625-21)`,
      ...(amps > capacity && { tone: 'bad' as const }),
    },
    {
      term: isFeederLeast ? 'Tu alimentador aguanta' : 'Tu pastilla principal es de',
      value: `${figure(capacity, 0)}\u00a0A`,
      formula: isFeederLeast
        ? `${feederGauge}\u00a0AWG de cobre, menos que la pastilla de ${Number(mainBreaker)}\u00a0A (310-15, 110-14(c))`
        : 'Los amperes grabados',
    },
    ...(feederDrop > 0
      ? [
          {
            term: 'Caída del alimentador',
            value: `${figure(feederDrop, 2)}\u00a0%`,
            formula: `${feederGauge}\u00a0AWG, ${figure(Number(feederMetres), 1)}\u00a0m y ${figure(amps, 1)}\u00a0A; con la del circuito, 5\u00a0% como máximo (215-2(a))`,
          },
        ]
      : []),
    ...(contracted === null
      ? []
      : [
          {
            term: 'Contratado con CFE',
            value: `${figure(contracted, 1)}\u00a0kW`,
            formula: 'Lo que dice el recibo',
          },
        ]),
  ]
}

const given = [
  'supply',
  'area',
  'loads',
  'chargerSupply',
  'chargerKilowatts',
  'chargerAmps',
  'chargerDistance',
  'conductor',
]

/**
 * The written calculation of a visit's report, row by row: what it follows from, and each figure with its formula and
 * articles. Empty where the report does not say enough.
 */
export function calculationRows(answers: Answers): { label: string; value: string }[] {
  const found = calculationOf(answers)
  if (!found) return []
  const lines = [
    ...circuitLines(answers, found.circuit),
    ...(found.demand ? loadLines(answers, found.demand) : []),
  ]
  return [
    ...given.flatMap((name) => {
      const question = questionOf('visit', name)
      const value = question && answerInWords(question, answers[name])
      return question && value ? [{ label: question.label, value }] : []
    }),
    ...lines.map(({ formula, term, value }) => ({ label: term, value: `${value}. ${formula}.` })),
  ]
}

/** What the record of an installation adds: the drop over its real metres, and the current that its home bears until CFE gives it more. */
export function installedRows(answers: Answers): { label: string; value: string }[] {
  const drop = installedDrop(answers)
  const { agreedLimit, chargerSet } = answers
  return [
    ...(drop === null
      ? []
      : [{ label: 'Caída con lo instalado', value: `${figure(drop, 2)}\u00a0%, con la del alimentador.` }]),
    ...(typeof agreedLimit === 'number'
      ? [
          {
            label: 'Límite hasta que CFE aumente la carga',
            value: `${agreedLimit}\u00a0A; quedó a ${Number(chargerSet)}\u00a0A.`,
          },
        ]
      : []),
  ]
}

/** What a report of calculation says of itself: only a verifier states that an installation complies. */
export const calculationBasis = [
  'Calculado conforme a la NOM-001-SEDE-2012, con lo que el técnico midió y vio en la visita. No es un dictamen: eso lo da una unidad de inspección.',
  calculationAssumptions,
]

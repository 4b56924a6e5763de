import {
  type CalculatedLoad,
  type Calculation,
  calculationAssumptions,
  calculationNotice,
  conductors,
  dropLimits,
  type Gauge,
  loadRules,
  type Supply,
  voltsOf,
} from '../../domain/reports/circuit.ts'
import { lacksPhases } from '../../domain/reports/limits.ts'
import { calculationOf, increaseReasons, missingIn } from '../../domain/reports/progress.ts'
import type { Answers } from '../../domain/reports/report.ts'
import { gaugeLabels } from '../../domain/reports/visit-report.ts'
import { figure } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { MissingList } from './missing-list.tsx'

/** What the calculation of the circuit, and that of the house, follow from. */
const wanted = {
  circuit: ['chargerDistance', 'chargerSupply', 'chargerKilowatts'],
  house: ['supply', 'area', 'contractedKilowatts', 'mainBreaker', 'loads'],
}

type CalculationCardProps = {
  answers: Answers
  /** The figures alone; how they came about opens below them. */
  isBrief?: boolean
}

/** The preliminary calculation as far as the answers say enough, each figure with how it came about. */
export function CalculationCard({ answers, isBrief = false }: CalculationCardProps) {
  const found = calculationOf(answers)
  const lines = found ? circuitLines(answers, found.circuit) : []
  // A second meter leaves the house's own contract as it is.
  const isApart = answers.meterChoice === 'second'
  const reasons = increaseReasons(answers)
  const house = found?.demand ? loadLines(answers, found.demand) : []
  const names = [...(found ? [] : wanted.circuit), ...(found?.demand || isApart ? [] : wanted.house)]
  const missing = missingIn('visit', answers, new Set()).filter(({ name }) => names.includes(name))
  return (
    <Card title="Lo que sale de las medidas">
      {missing.length > 0 && (
        <div>
          <p className="text-[0.9375rem] text-mute">Para calcularlo falta:</p>
          <MissingList missing={missing} />
        </div>
      )}
      {lines.length + house.length > 0 && (
        <dl
          className={classNames('grid gap-4 sm:grid-cols-2', isBrief && 'grid-cols-2 gap-y-2')}
          aria-live="polite"
        >
          {[...lines, ...house].map(({ formula, ...line }) => (
            <Figure key={line.term} {...line} {...(!isBrief && { formula })} />
          ))}
        </dl>
      )}
      {isBrief && lines.length > 0 && <Formulas lines={[...lines, ...house]} />}
      {found?.circuit.breaker === null && (
        <Alert tone="bad" title="Ninguna pastilla alcanza">
          Revisa la potencia y la alimentación del cargador: uno de 22&nbsp;kW suele ser trifásico.
        </Alert>
      )}
      {lacksPhases(answers) && (
        <Alert tone="bad" title="Esta casa no alimenta un cargador trifásico">
          Su suministro no es trifásico: cambia el cargador, pide suministro trifásico o un segundo medidor.
        </Alert>
      )}
      {reasons.length > 0 && (
        <Alert tone="wait" title="Hace falta aumentar la carga contratada">
          {reasons.join(' ')}
        </Alert>
      )}
      <p className="text-sm text-mute">
        {calculationNotice} {!isBrief && assumptions}
      </p>
    </Card>
  )
}

const inks = { wait: 'text-wait', bad: 'text-bad' }

const assumptions = `${calculationAssumptions} A 60\u00a0°C, salvo que las dos terminales digan 75\u00a0°C (110-14(c)).`

const Formulas = ({ lines }: { lines: readonly CalculationLine[] }) => (
  <details>
    <summary className="min-h-11 content-center font-semibold text-brand">Fórmulas y supuestos</summary>
    <dl className="grid gap-3 pt-2">
      {lines.map(({ term, formula }) => (
        <div key={term}>
          <dt className="text-sm text-mute">{term}</dt>
          <dd>{formula}</dd>
        </div>
      ))}
    </dl>
    <p className="pt-3 text-sm text-mute">{assumptions}</p>
  </details>
)

type FigureProps = Omit<CalculationLine, 'formula'> & Partial<Pick<CalculationLine, 'formula'>>

const Figure = ({ term, value, formula, tone }: FigureProps) => (
  <div className="grid content-start gap-0.5">
    <dt className="text-sm text-mute">{term}</dt>
    <dd className={classNames('text-xl/7 font-semibold', tone && inks[tone])}>{value}</dd>
    {formula && <dd className="text-sm text-mute">{formula}</dd>}
  </div>
)

/** A figure of the calculation, and how it came about. */
type CalculationLine = { term: string; value: string; formula: string; tone?: 'wait' | 'bad' }

const isThree = (supply: unknown) => supply === 'three'
const voltsIn = (supply: unknown) => voltsOf[supply as Supply]

/** The circuit's figures in the order in which they follow from each other. */
export function circuitLines(answers: Answers, circuit: Calculation): CalculationLine[] {
  const { amps, breaker, conductor } = circuit
  const heat = answers.terminals75 === true ? 75 : 60
  return [
    { term: 'Corriente', value: `${figure(amps, 2)}\u00a0A`, formula: currentFormula(answers) },
    {
      term: 'Pastilla (interruptor termomagnético)',
      value: breaker === null ? 'Ninguno alcanza' : `${breaker}\u00a0A`,
      formula: `El primero que da 1.25 × ${figure(amps, 2)}\u00a0A = ${figure(1.25 * amps, 2)}\u00a0A (240-6, 625-21)`,
      ...(breaker === null && { tone: 'bad' as const }),
    },
    {
      term: 'Conductor propuesto',
      value: conductor === null ? 'Ninguno alcanza' : (gaugeLabels[conductor] ?? conductor),
      formula: `El cobre más delgado que a ${heat}\u00a0°C aguanta ${breaker === null ? 'la pastilla' : `${breaker}\u00a0A`}, con caída de ${dropLimits.warns}\u00a0% o menos (310-15, 210-19)`,
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
  const tone = choice.drop > dropLimits.needsNote ? 'bad' : choice.drop > dropLimits.warns ? 'wait' : null
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

/** The load of the house, beside what its main breaker gives and what is contracted. */
export function loadLines({ area, mainBreaker, supply }: Answers, demand: CalculatedLoad): CalculationLine[] {
  const phase = isThree(supply) ? ' × √3' : ''
  const { kitchen, laundry, vaPerSquareMetre } = loadRules
  const { contracted } = demand
  return [
    {
      term: 'Casa sin factores',
      value: `${figure(demand.connected, 2)}\u00a0kVA`,
      formula: `${vaPerSquareMetre}\u00a0VA × ${Number(area)}\u00a0m², ${figure(kitchen, 0)}\u00a0VA de cocina, ${figure(laundry, 0)}\u00a0VA de lavado y sus aparatos (220-12, 220-52)`,
    },
    {
      term: 'Demanda con el cargador',
      value: `${figure(demand.needed, 2)}\u00a0kVA`,
      formula: `8\u00a0kVA al 100\u00a0% y el resto al 40\u00a0%, más ${figure(demand.cooling, 2)}\u00a0kVA de aire acondicionado y ${figure(demand.charging, 2)}\u00a0kVA del cargador al 125\u00a0% (220-83)`,
      ...(demand.exceeds && { tone: 'bad' as const }),
    },
    {
      term: 'Tu acometida da',
      value: `${figure(demand.available, 2)}\u00a0kVA`,
      formula: `${Number(mainBreaker)}\u00a0A × ${voltsIn(supply)}\u00a0V${phase}`,
    },
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

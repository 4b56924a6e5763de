import {
  type Calculation,
  calculationAssumptions,
  calculationNotice,
  conductors,
  type Gauge,
  type Supply,
  usualDrop,
  voltsOf,
} from '../../domain/reports/circuit.ts'
import { lacksPhases, obstacles } from '../../domain/reports/limits.ts'
import {
  calculationOf,
  chargerLimitOf,
  type Demand,
  dropsOf,
  increaseReasons,
  loadRules,
} from '../../domain/reports/passport.ts'
import { missingIn } from '../../domain/reports/progress.ts'
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

/** The preliminary calculation as far as the answers say enough: what comes of it, and the figures folded below. */
export function CalculationCard({ answers }: { answers: Answers }) {
  const found = calculationOf(answers)
  // A second meter leaves the house's own contract as it is.
  const isApart = answers.meterChoice === 'second'
  const demand = found?.demand ?? null
  const names = [...(found ? [] : wanted.circuit), ...(demand || isApart ? [] : wanted.house)]
  const missing = missingIn('visit', answers, new Set()).filter(({ name }) => names.includes(name))
  return (
    <Card title="Lo que sale de las medidas">
      {missing.length > 0 && (
        <div>
          <p className="text-[0.9375rem] text-mute">Para calcularlo falta:</p>
          <MissingList missing={missing} />
        </div>
      )}
      <div className="grid gap-3" aria-live="polite">
        {found && <Verdict answers={answers} circuit={found.circuit} isWhole={isApart || demand !== null} />}
        {demand && <Capacity demand={demand} />}
      </div>
      {found && (
        <Figures
          lines={[...circuitLines(answers, found.circuit), ...(demand ? loadLines(answers, demand) : [])]}
        />
      )}
      <p className="text-sm text-mute">{calculationNotice}</p>
    </Card>
  )
}

type VerdictProps = { answers: Answers; circuit: Calculation; isWhole: boolean }

/** Whether the house bears the charger, in one sentence. */
function Verdict({ answers, circuit: { breaker, conductor }, isWhole }: VerdictProps) {
  if (breaker === null)
    return (
      <Alert tone="bad" title="Ninguna pastilla alcanza">
        Revisa la potencia y la alimentación del cargador: uno de 22&nbsp;kW suele ser trifásico.
      </Alert>
    )
  if (lacksPhases(answers))
    return (
      <Alert tone="bad" title="Esta casa no alimenta un cargador trifásico">
        Su suministro no es trifásico: cambia el cargador, pide suministro trifásico o un segundo medidor.
      </Alert>
    )
  const against = obstacles(answers)
  if (against.length > 0)
    return <Alert tone="bad" title="Hacen falta adecuaciones">{`Antes: ${against.join('; ')}.`}</Alert>
  const reasons = increaseReasons(answers)
  const limit = chargerLimitOf(answers)
  if (reasons.length > 0)
    return (
      <Alert tone="wait" title="No cabe sin aumentar la carga">
        {reasons.join(' ')}
        {limit !== null && ` Mientras, la casa aguanta el cargador a ${limit}\u00a0A.`}
      </Alert>
    )
  const gauge = (answers.conductor ?? conductor) as Gauge | null
  const circuit = `${gauge ? gaugeLabels[gauge] : 'ningún calibre'}, pastilla de ${breaker}\u00a0A`
  if (gauge === null) return <Alert tone="bad" title={`No alcanza: ${circuit}`} />
  return (
    <Alert tone={isWhole ? 'ok' : 'info'} title={isWhole ? `Sí cabe: ${circuit}` : `Le toca ${circuit}`} />
  )
}

/** How much of what a phase of the house bears its own loads take, and the charger. */
function Capacity({ demand: { amps, capacity, homeAmps, isFeederLeast } }: { demand: Demand }) {
  const share = (part: number) => `${(100 * part) / Math.max(amps, capacity)}%`
  return (
    <figure className="grid gap-1">
      <div aria-hidden className="relative flex h-4 overflow-hidden rounded-full bg-edge">
        <span className="bg-mute" style={{ width: share(homeAmps) }} />
        <span className={amps > capacity ? 'bg-bad' : 'bg-brand'} style={{ width: share(amps - homeAmps) }} />
        {amps > capacity && (
          <span className="absolute inset-y-0 w-0.5 bg-ink" style={{ left: share(capacity) }} />
        )}
      </div>
      <figcaption className="text-[0.9375rem]">
        Casa {figure(homeAmps, 1)}&nbsp;A + cargador {figure(amps - homeAmps, 1)}&nbsp;A = {figure(amps, 1)}
        &nbsp;A, de {figure(capacity, 0)}&nbsp;A que aguanta{' '}
        {isFeederLeast ? 'tu alimentador' : 'tu pastilla principal'}.
      </figcaption>
    </figure>
  )
}

const inks = { wait: 'text-wait', bad: 'text-bad' }

const Figures = ({ lines }: { lines: readonly CalculationLine[] }) => (
  <details>
    <summary className="min-h-11 content-center font-semibold text-brand">
      Cifras, fórmulas y supuestos
    </summary>
    <dl className="grid gap-4 pt-2 sm:grid-cols-2">
      {lines.map(({ formula, term, tone, value }) => (
        <div key={term} className="grid content-start gap-0.5">
          <dt className="text-sm text-mute">{term}</dt>
          <dd className={classNames('text-xl/7 font-semibold', tone && inks[tone])}>{value}</dd>
          <dd className="text-sm text-mute">{formula}</dd>
        </div>
      ))}
    </dl>
    <p className="pt-3 text-sm text-mute">
      {calculationAssumptions} A 60&nbsp;°C, salvo que las dos terminales digan 75&nbsp;°C (110-14(c)).
    </p>
  </details>
)

/** A figure of the calculation, and how it came about. */
type CalculationLine = { term: string; value: string; formula: string; tone?: 'wait' | 'bad' }

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

/** The load of the house on its most loaded phase, beside what its main breaker or feeder bears and what is contracted. */
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

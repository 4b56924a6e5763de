import { figure } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import {
  type CalculationLine,
  calculationAssumptions,
  calculationNotice,
  circuitLines,
  loadLines,
} from '../rules/calculation.ts'
import type { Calculation, Gauge } from '../rules/circuit.ts'
import { lacksPhases, obstacles } from '../rules/limits.ts'
import { calculationOf, chargerLimitOf, type Demand, increaseReasons } from '../rules/passport.ts'
import { missingIn } from '../rules/progress.ts'
import type { Answers } from '../rules/report.ts'
import { gaugeLabels } from '../rules/visit-report.ts'
import { MissingList } from './missing-list.tsx'

/** What the calculation of the circuit, and that of the home, follow from. */
const wanted = {
  circuit: ['chargerDistance', 'chargerSupply', 'chargerKilowatts'],
  house: ['supply', 'area', 'contractedKilowatts', 'mainBreaker', 'loads'],
}

/** The preliminary calculation as far as the answers say enough: what comes of it, and the figures folded below. */
export function CalculationCard({ answers }: { answers: Answers }) {
  const found = calculationOf(answers)
  // A second meter leaves the home's own contract as it is.
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

/** Whether the home bears the charger, in one sentence. */
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

/** How much of what a phase of the home bears its own loads take, and the charger. */
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
    <p className="pt-3 text-sm text-mute">{calculationAssumptions}</p>
  </details>
)

import { calculationAssumptions, calculationNotice } from '../../domain/reports/circuit.ts'
import { lacksPhases } from '../../domain/reports/limits.ts'
import { calculationOf, increaseReasons, missingIn } from '../../domain/reports/progress.ts'
import type { Answers } from '../../domain/reports/report.ts'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { type CalculationLine, circuitLines, demandLines } from './calculation-lines.ts'
import { MissingList } from './missing-list.tsx'

/** What the calculation of the circuit, and that of the house, follow from. */
const wanted = {
  circuit: ['chargerDistance', 'chargerSupply', 'chargerKilowatts'],
  house: ['supply', 'area', 'contractedKilowatts', 'mainBreaker', 'loads'],
}

/** The preliminary calculation as far as the answers say enough, each figure with how it came about. */
export function CalculationCard({ answers }: { answers: Answers }) {
  const found = calculationOf(answers)
  const lines = found ? circuitLines(answers, found.circuit) : []
  // A second meter leaves the house's own contract as it is.
  const isApart = answers.meterChoice === 'second'
  const reasons = increaseReasons(answers)
  const house = found?.demand ? demandLines(answers, found.demand) : []
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
        <dl className="grid gap-4 sm:grid-cols-2" aria-live="polite">
          {[...lines, ...house].map((line) => (
            <Figure key={line.term} {...line} />
          ))}
        </dl>
      )}
      {found?.circuit.breaker === null && (
        <Alert tone="bad" title="Ningún interruptor alcanza">
          Revisa la potencia y la alimentación del cargador: uno de 22 kW suele ser trifásico.
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
        {calculationNotice} {calculationAssumptions} A 60 °C, salvo que las dos terminales digan 75 °C
        (110-14(c)).
      </p>
    </Card>
  )
}

const inks = { wait: 'text-wait', bad: 'text-bad' }

const Figure = ({ term, value, formula, tone }: CalculationLine) => (
  <div className="grid content-start gap-0.5">
    <dt className="text-sm text-mute">{term}</dt>
    <dd className={classNames('text-xl/7 font-semibold', tone && inks[tone])}>{value}</dd>
    <dd className="text-sm text-mute">{formula}</dd>
  </div>
)

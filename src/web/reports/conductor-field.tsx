import { type Calculation, conductors, dropLimits } from '../../domain/reports/circuit.ts'
import { gaugeLabels } from '../../domain/reports/visit-report.ts'
import { figure } from '../../domain/shared/format.ts'
import { Badge } from '../ui/badge.tsx'
import type { FieldProps } from '../ui/field-frame.tsx'
import { type CardOption, RadioCards } from '../ui/radio-cards.tsx'
import type { Hear } from './use-box.ts'

type ConductorFieldProps = FieldProps & { value: string | null; circuit: Calculation | null; hear: Hear }

/** The gauge of the cable; what does not carry the breaker can't be chosen, and says why. */
export function ConductorField({ circuit, hear, ...field }: ConductorFieldProps) {
  const options: CardOption[] = circuit
    ? circuit.choices.map((choice) => optionOf(choice, circuit))
    : conductors.map(({ gauge }) => ({ value: gauge, label: gaugeLabels[gauge] }))
  return <RadioCards {...field} options={options} onChoose={(gauge) => hear(gauge, true)} />
}

function optionOf(
  { ampacity, carries, drop, gauge }: Calculation['choices'][number],
  { breaker, conductor }: Calculation,
): CardOption {
  const note = carries
    ? `Soporta ${ampacity}\u00a0A. Caída de ${figure(drop, 2)}\u00a0%${drop > dropLimits.warns ? ', más de 3\u00a0%' : ''}.`
    : `Soporta ${ampacity}\u00a0A: no alcanza${breaker === null ? '' : ` para ${breaker}\u00a0A`}.`
  return {
    ...{ value: gauge, label: gaugeLabels[gauge], note, disabled: !carries },
    ...(gauge === conductor && { aside: <Badge tone="ok">Propuesto</Badge> }),
  }
}

import { outcomeLabels } from '../../domain/appointment.ts'
import { closingReasons } from '../../domain/reasons.ts'
import type { AppointmentDetail } from '../../server/appointments/detail.ts'
import { dateTime } from '../format.ts'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'

type EndingCardProps = { ending: NonNullable<AppointmentDetail['ending']>; note: string | null }

/** How an appointment ended, why, and who said so. */
export function EndingCard({ ending: { at, by, closingReason, late, outcome }, note }: EndingCardProps) {
  return (
    <Card title="Cómo terminó">
      <DefinitionList
        items={[
          { term: 'Resultado', value: outcome && outcomeLabels[outcome] },
          { term: 'Motivo', value: closingReason && closingReasons[closingReason] },
          { term: 'Cancelación tardía', value: late ? 'Sí, pasado el límite' : null },
          { term: 'Nota de cierre', value: note },
          { term: 'Lo registró', value: by ?? 'El sistema' },
          { term: 'Cuándo', value: at && dateTime(at) },
        ]}
      />
    </Card>
  )
}

import { closingReasons, outcomeLabels } from '../../domain/appointments/appointment.ts'
import { dateTime } from '../../domain/shared/format.ts'
import type { AppointmentDetail } from '../../server/appointments/project-appointments.ts'
import type { Facade } from '../../server/platform/storage/addresses.ts'
import { PhotoImage } from '../photos/photo-image.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'

type EndingCardProps = {
  ending: NonNullable<AppointmentDetail['ending']>
  note: string | null
  facade?: Facade | null
}

/** How an appointment ended, why, and who reported it. */
export function EndingCard({ ending, note, facade = null }: EndingCardProps) {
  const { at, by, closingReason, late, outcome } = ending
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
      {facade && <FacadePhoto facade={facade} />}
    </Card>
  )
}

const FacadePhoto = ({ facade: { id, width, height, capturedAt } }: { facade: Facade }) => (
  <figure className="mt-4 grid justify-items-start gap-1.5">
    <a href={`/files/${id}/full`} className="rounded-control">
      <PhotoImage
        src={`/files/${id}/list`}
        alt="Fachada, cuando no se presentó. Ver completa."
        width={width}
        height={height}
        className="max-h-60 w-auto rounded-control bg-hover"
      />
    </a>
    <figcaption className="text-sm text-mute">Fachada, {dateTime(capturedAt)}</figcaption>
  </figure>
)

import { dateTime } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { Timeline } from '../ui/timeline.tsx'

type DataReadsCardProps = { reads: readonly { id: number; at: Date; what: string; who: string }[] }

/** Who of the team read a customer's fiscal data and invoices, and when. */
export function DataReadsCard({ reads }: DataReadsCardProps) {
  return (
    <Card title="Quién leyó sus datos fiscales">
      {reads.length === 0 ? (
        <p className="text-mute">Nadie del equipo los ha leído.</p>
      ) : (
        <>
          <p className="text-[0.9375rem] text-mute">
            Las últimas 50 lecturas, las repetidas en diez minutos como una. La persona también las ve en «Mis
            datos», por puesto.
          </p>
          <Timeline
            items={reads.map(({ at, id, what, who }) => ({
              ...{ key: id, title: what, note: `${dateTime(at)} · ${who}` },
            }))}
          />
        </>
      )}
    </Card>
  )
}

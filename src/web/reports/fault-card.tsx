import { dateTime } from '../../domain/shared/format.ts'
import type { Fault } from '../../server/reports/faults.ts'
import { WarrantyBadge } from '../appointments/state-badge.tsx'
import { PhotoGrid } from '../photos/photo-grid.tsx'
import { Card } from '../ui/card.tsx'

/** What a customer reported of an installation, for whoever goes to look at it and for the office. */
export function FaultCard({ fault }: { fault: Fault }) {
  const { closedAt, createdAt, description, photos, visit } = fault
  return (
    <Card title="Falla reportada" aside={<WarrantyBadge />}>
      <p className="whitespace-pre-line wrap-anywhere">{description}</p>
      <p className="text-sm text-mute">
        La reportó el {dateTime(createdAt)}
        {closedAt ? ` Se atendió el ${dateTime(closedAt)}` : visit ? ` La atiende ${visit.folio}.` : ''}
      </p>
      {photos.length > 0 && <PhotoGrid kind="installation" files={photos} reader="office" />}
    </Card>
  )
}

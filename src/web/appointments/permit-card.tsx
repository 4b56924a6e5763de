import { dateTime } from '../../domain/shared/format.ts'
import type { PermitAfterVisit } from '../../server/projects/permit.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'

/** The condominium's permit that an installation needs, for the office. */
export const PermitCard = ({ document }: NonNullable<PermitAfterVisit>) => (
  <Card
    title="Permiso del condominio"
    aside={<Badge tone={document ? 'ok' : 'wait'}>{document ? 'Entregado' : 'Falta'}</Badge>}
  >
    {document ? (
      <>
        <p>Lo entregó el {dateTime(document.createdAt)}.</p>
        <DocumentLink document={document} />
      </>
    ) : (
      <p>Le toca al cliente: lo sube en su página de instalación.</p>
    )}
  </Card>
)

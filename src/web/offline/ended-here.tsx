import type { ReactNode } from 'react'
import { type Sheet, sheetLabels } from '../../domain/reports/report.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Draft } from './draft.ts'
import type { DraftMove } from './rows.ts'

const pending = '/admin/appointments-pending'

type EndedHereProps = {
  sheet: Sheet
  ended: Draft['ended']
  /** How much of it waits to be sent; null once all has arrived. */
  waits: string | null
}

const endTitles: Partial<Record<DraftMove['move'], string>> = {
  callOff: 'Listo, cancelaste la cita',
  noShow: 'Listo, anotaste que no se presentó',
}

/** An appointment that was ended here, by its sheet or otherwise, and that has not arrived yet: no action is left. */
export default function EndedHere({ sheet: { folio, kind }, ended, waits }: EndedHereProps): ReactNode {
  return (
    <>
      <PageHeader
        title={folio}
        subtitle={sheetLabels[kind]}
        back={{ to: pending, label: 'Próximas citas' }}
      />
      <Alert
        tone="ok"
        title={(ended && endTitles[ended.move]) ?? 'Listo, ya terminaste'}
        actions={
          <LinkButton variant="ghost" to={pending}>
            Ver mis citas
          </LinkButton>
        }
      >
        {/* Announced when it changes: it is sent by itself. */}
        <p role="status">
          {waits === null
            ? 'Ya le llegó a la oficina.'
            : `${waits}. Se envía solo cuando haya señal; deja la app abierta, en cualquier pantalla. En «Por enviar» ves cuándo llegó.`}
        </p>
      </Alert>
    </>
  )
}

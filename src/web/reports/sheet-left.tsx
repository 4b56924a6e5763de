import { type Sheet, sheetLabels } from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { waitingWords } from './saved-words.tsx'

const pending = '/admin/appointments-pending'

type SheetLeftProps = { sheet: Sheet; draft: Pick<Draft, 'waiting'> }

/** A sheet that was sent here and has not arrived yet: nothing is left to do with it. */
export const SheetLeft = ({ sheet: { folio, kind }, draft: { waiting } }: SheetLeftProps) => (
  <>
    <PageHeader title={folio} subtitle={sheetLabels[kind]} back={{ to: pending, label: 'Próximas citas' }} />
    <Alert
      tone="ok"
      title="Listo, ya terminaste"
      actions={
        <LinkButton variant="ghost" to={pending}>
          Ver mis citas
        </LinkButton>
      }
    >
      {/* Read out when it changes: it goes by itself. */}
      <p role="status">
        {waiting === 0
          ? 'Ya le llegó a la oficina.'
          : `${waitingWords(waiting)}. Se manda en cuanto haya conexión y Carga en Casa esté abierta, en cualquier pantalla. En la nube de arriba ves cuándo llegó.`}
      </p>
    </Alert>
  </>
)

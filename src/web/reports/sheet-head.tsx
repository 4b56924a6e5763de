import { FileText } from 'lucide-react'
import { slotFacts } from '../../domain/reports/photos.ts'
import { questionOf } from '../../domain/reports/progress.ts'
import { type SheetView, sheetLabels, sheetStateFacts } from '../../domain/reports/report.ts'
import { dateTime, longDate } from '../../domain/shared/format.ts'
import { Badge } from '../ui/badge.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'

/** Minutes between sending and arriving that are worth a word. */
const lateAfter = 10

/** How far a sheet is: who sent it when, who looked it over, what is asked for again. */
export function SheetHead({ sheet }: { sheet: SheetView }) {
  const { capturedAt, kind, redo, redone, reviewedAt, reviewedBy, state, submittedAt, submittedBy } = sheet
  const { label, tone } = sheetStateFacts[state]
  const isLate =
    capturedAt && submittedAt && submittedAt.getTime() - capturedAt.getTime() > lateAfter * 60_000
  const named = (names: readonly string[]) =>
    names.map((name) => questionOf(kind, name)?.label ?? slotFacts(kind, name)?.label ?? name).join(', ')
  return (
    <Card title={sheetLabels[kind]} aside={<Badge tone={tone}>{label}</Badge>}>
      <DefinitionList
        items={[
          { term: 'Lo envió', value: submittedBy },
          { term: 'Lo envió el', value: capturedAt && dateTime(capturedAt) },
          { term: 'Nos llegó el', value: isLate ? dateTime(submittedAt) : null },
          { term: 'Lo revisó', value: reviewedBy },
          { term: 'Lo revisó el', value: reviewedAt && dateTime(reviewedAt) },
          { term: 'Por qué se devolvió', value: sheet.returnReason },
          { term: 'Falta rehacer', value: named(redo) },
          { term: 'Ya se rehízo', value: named(redone) },
          { term: 'Garantía hasta', value: sheet.warrantyUntil && longDate(sheet.warrantyUntil) },
        ]}
      />
      {hasDocument(sheet) && (
        <a className={buttonClass('ghost')} href={`/handover/${sheet.appointmentId}.pdf`}>
          <FileText aria-hidden className="size-5" />
          Documento de entrega
        </a>
      )}
    </Card>
  )
}

const hasDocument = ({ kind, state }: SheetView) => kind === 'installation' && state === 'approved'

import { sectionsOf } from '../../domain/reports/progress.ts'
import { type Section, type Sheet, sheetLabels } from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'
import { Card } from '../ui/card.tsx'
import type { FormResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Progress } from '../ui/progress.tsx'
import { CalculationCard } from './calculation-card.tsx'
import { MissingList } from './missing-list.tsx'
import { ReturnNotice } from './return-notice.tsx'
import { SavedWords } from './saved-words.tsx'
import { SectionForm } from './section-form.tsx'
import { SectionList } from './section-list.tsx'
import { SectionPictures } from './section-pictures.tsx'
import { SheetBar } from './sheet-bar.tsx'
import { progressIn, stillMissing } from './still-missing.ts'
import { otherEndId, UnsafeAlert } from './unsafe-alert.tsx'
import { focusOn } from './use-hearing.ts'
import { useSectionFocus } from './use-section-focus.ts'

type SheetFormProps = {
  sheet: Sheet
  draft: Draft
  section: Section
  /** The screen of the appointment. */
  here: string
  /** Who fills it in. */
  author: string
  /** What a form of this screen heard. */
  result: FormResult | undefined
  /** Why it can't be sent yet, whatever its answers. */
  wait: string | null
}

const missingId = 'faltantes'

/** One step of a sheet, for one thumb. */
export function SheetForm({ sheet, draft, section, here, author, result, wait }: SheetFormProps) {
  useSectionFocus(section.id)
  const sections = sectionsOf[sheet.kind]
  const nth = sections.indexOf(section)
  const missing = stillMissing(sheet, draft)
  const send = () => (missing.length > 0 ? focusOn(missingId) : void draft.move({ move: 'submit' }))
  const isLast = nth === sections.length - 1
  const progress = progressIn(sheet, draft)
  return (
    <>
      <div className="grid max-w-2xl grid-cols-1 gap-4">
        <div className="grid gap-3">
          <PageHeader
            title={section.title}
            subtitle={`${sheetLabels[sheet.kind]}, ${nth + 1} de ${sections.length}`}
            back={{ to: here, label: sheet.folio }}
          />
          <Progress label={`Avance: ${sheetLabels[sheet.kind]}`} value={progress} />
          <div className="flex justify-between gap-4 text-sm text-mute">
            <span>{progress} %</span>
            <SavedWords draft={draft} />
          </div>
        </div>
        <ReturnNotice sheet={sheet} />
        {sheet.kind === 'visit' && section.id === 'calculo' && <CalculationCard answers={draft.answers} />}
        <SectionForm
          key={section.id}
          {...{ sheet, draft, section }}
          result={result?.values.section === section.id ? result : undefined}
          onSend={send}
        />
        <SectionPictures key={`${section.id} pictures`} {...{ sheet, draft, section, author, result }} />
        {(isLast || section.id === 'pruebas') && (
          <UnsafeAlert
            missing={missing}
            otherEnd={sheet.state === 'draft' ? `${here}#${otherEndId}` : null}
          />
        )}
        {isLast && missing.length > 0 && (
          <Card
            title={`Para enviarlo falta${missing.length === 1 ? '' : 'n'} ${missing.length}`}
            id={missingId}
          >
            <MissingList missing={missing} />
          </Card>
        )}
        <SectionList kind={sheet.kind} draft={draft} current={section.id} />
      </div>
      <SheetBar sheet={sheet} wait={wait} previous={sections[nth - 1]} next={sections[nth + 1]} />
    </>
  )
}

import { sectionsOf } from '../../domain/reports/progress.ts'
import { type Sheet, sheetLabels, sheetStateFacts } from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Progress } from '../ui/progress.tsx'
import { MissingList } from './missing-list.tsx'
import { ReturnNotice } from './return-notice.tsx'
import { SavedWords } from './saved-words.tsx'
import { missingWords } from './section-list.tsx'
import { sectionPath } from './sheet-path.ts'
import { progressIn, stillMissing } from './still-missing.ts'
import { otherEndId, UnsafeAlert } from './unsafe-alert.tsx'

const words = {
  visit: { begin: 'Llenar reporte', goOn: 'Seguir con el reporte' },
  installation: { begin: 'Llenar registro', goOn: 'Seguir con el registro' },
}

type SheetCardProps = {
  sheet: Sheet
  draft: Pick<Draft, 'answers' | 'files' | 'typed' | 'unkept' | 'waiting'>
  /** It is what its author does now: it stands first on a phone. */
  isNext: boolean
}

/** How far a sheet has come, what it still misses, and the way into it. */
export function SheetCard({ sheet, draft, isNext }: SheetCardProps) {
  const { kind, state } = sheet
  const missing = stillMissing(sheet, draft)
  const progress = progressIn(sheet, draft)
  const { label, tone } = sheetStateFacts[state]
  const next = missing[0]?.section ?? sectionsOf[kind].at(-1)!.id
  return (
    <Card
      title={sheetLabels[kind]}
      aside={<Badge tone={tone}>{label}</Badge>}
      className={isNext ? 'max-lg:order-first' : undefined}
    >
      <ReturnNotice sheet={sheet} />
      {sheet.mayWrite && (
        <UnsafeAlert missing={missing} otherEnd={state === 'draft' ? `#${otherEndId}` : null} />
      )}
      <div className="grid gap-2">
        <Progress label={`Avance: ${sheetLabels[kind]}`} value={progress} />
        <div className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm text-mute">
          <span>
            {missing.length === 0 ? 'Está completo' : `${progress} %. ${missingWords(missing.length)}.`}
          </span>
          {sheet.mayWrite && <SavedWords draft={draft} />}
        </div>
      </div>
      {sheet.mayWrite && (
        <>
          <LinkButton to={sectionPath(next)} variant={isNext ? 'primary' : 'ghost'}>
            {missing.length === 0
              ? 'Revisar y enviar'
              : isBegun(sheet, draft)
                ? words[kind].goOn
                : words[kind].begin}
          </LinkButton>
          {missing.length > 0 && (
            <Details summary="Qué falta">
              <MissingList missing={missing} />
            </Details>
          )}
        </>
      )}
    </Card>
  )
}

/** Whether anybody wrote in it: what is known without asking stands in it from the beginning. */
const isBegun = ({ answers }: Sheet, { files, waiting }: SheetCardProps['draft']) =>
  files.length > 0 || waiting > 0 || Object.values(answers).some(({ revision }) => revision > 0)

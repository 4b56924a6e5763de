import type { Answers, SheetView as View } from '../../domain/reports/report.ts'
import type { PastEvent } from '../../server/platform/database/queries.ts'
import type { Failure } from '../lib/submit.ts'
import { PhotoGrid } from '../photos/photo-grid.tsx'
import { AnswerSections } from './answer-sections.tsx'
import { CorrectAnswer, Correctable } from './correct-answer.tsx'
import { ReviewCard } from './review-card.tsx'
import { ScopeCard } from './scope-card.tsx'
import { SheetHead } from './sheet-head.tsx'
import { SheetHistory } from './sheet-history.tsx'
import { VisitReading } from './visit-reading.tsx'

type SheetViewProps = {
  sheet: View
  trail: readonly PastEvent[]
  /** The name of the answer being put right. */
  correcting: string | null
  result: Failure | undefined
}

/** How far a sheet is, and what the office may do with it as a whole. */
export function SheetReview({ sheet, trail, result }: Omit<SheetViewProps, 'correcting'>) {
  const heard = (intent: string) => (result?.values.intent === intent ? result : undefined)
  return (
    <>
      <SheetHead sheet={sheet} />
      {sheet.mayReview && <ReviewCard {...{ sheet, heard }} answers={answersOf(sheet)} />}
      <SheetHistory kind={sheet.kind} trail={trail} />
    </>
  )
}

/** What a sheet says and shows, as the office and its technician read it; the office puts single answers right. */
export function SheetReading({ sheet, correcting, result }: Omit<SheetViewProps, 'trail'>) {
  const { files, kind, mayCorrect, scope, visit } = sheet
  const answers = answersOf(sheet)
  const answered = result?.values.intent === 'correct-answer' ? result : undefined
  return (
    <>
      <section className="grid gap-4">
        <h2 className="text-lg font-semibold">Fotos y firmas</h2>
        <PhotoGrid kind={kind} files={files} reader="office" />
      </section>
      <section className="grid gap-4">
        <h2 className="text-lg font-semibold">Respuestas</h2>
        <AnswerSections
          kind={kind}
          answers={answers}
          beside={(question, shown) => {
            if (!mayCorrect) return shown
            if (question.name !== correcting) return <Correctable question={question}>{shown}</Correctable>
            return <CorrectAnswer {...{ question, sheet, answers }} result={answered} />
          }}
        />
      </section>
      {scope && <ScopeCard scope={scope} />}
      {visit && <VisitReading visit={visit} />}
    </>
  )
}

/** What stands, without its revisions. */
const answersOf = ({ answers }: View): Answers =>
  Object.fromEntries(Object.entries(answers).map(([name, { value }]) => [name, value]))

import { lazy, Suspense } from 'react'
import { deviations } from '../../domain/reports/limits.ts'
import { calculationOf, contradictions, isAsked, type Missing } from '../../domain/reports/progress.ts'
import type { Question, Section, Sheet } from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { Form, type FormResult } from '../ui/form.tsx'
import { QuestionField } from './question-field.tsx'
import { goOnByEnter, sectionFormId, useGoOn, useHearing } from './use-hearing.ts'

/** Seldom there; without it the answer waits, and the cloud above says why. */
const ConflictNotice = lazy(() => import('./conflict-notice.tsx').catch(() => ({ default: () => null })))

type SectionFormProps = {
  sheet: Sheet
  draft: Draft
  section: Section
  result: FormResult | undefined
  onSend: () => void
}

/** The questions of one section, each kept as soon as it is answered. */
export function SectionForm({ sheet, draft, section, result, onSend }: SectionFormProps) {
  const { problems, hear } = useHearing(draft, section)
  const goOn = useGoOn(problems, onSend)
  const { answers } = draft
  const circuit = calculationOf(answers)?.circuit ?? null
  const against = contradictions(sheet.kind, answers)
  const changed = sheet.kind === 'installation' ? deviations(answers) : []
  const questions = section.questions.filter((question) => isAsked(question, answers))
  const isList = questions.every(({ kind }) => kind === 'tick')
  return (
    <Form id={sectionFormId} result={result} onSubmit={goOn} onKeyDown={goOnByEnter}>
      <input type="hidden" name="intent" value="section" />
      <input type="hidden" name="section" value={section.id} />
      {questions.length > 0 && (
        <Card>
          <div className={classNames('grid grid-cols-1', isList ? 'gap-2' : 'gap-7')}>
            {questions.map((question) => (
              <Asked
                key={question.name}
                {...{ sheet, draft, question }}
                changed={changed.find((one) => one.name === question.name)?.message ?? null}
              >
                <QuestionField
                  {...{ question, circuit }}
                  value={answers[question.name]}
                  typed={draft.typed[question.name]}
                  error={
                    problems[question.name] ?? draft.refused[question.name] ?? messageIn(against, question)
                  }
                  optional={(question.optional?.(answers) ?? false) && !messageIn(against, question)}
                  hear={(typed, left) => hear(question, typed, left)}
                />
              </Asked>
            ))}
          </div>
        </Card>
      )}
    </Form>
  )
}

const messageIn = (against: readonly Omit<Missing, 'section'>[], { name }: Question) =>
  against.find((one) => one.name === name)?.message

type AskedProps = {
  sheet: Sheet
  draft: Draft
  question: Question
  /** How the answer differs from what was agreed. */
  changed: string | null
  children: React.ReactNode
}

/** A question with what is to be said about it, and the revision that its answer was made on. */
function Asked({ sheet, draft, question, changed, children }: AskedProps) {
  const { name } = question
  const conflict = draft.conflicts.find((one) => one.name === name)
  return (
    <div id={name} className="grid grid-cols-1 gap-3">
      <input type="hidden" name={`revision.${name}`} value={sheet.answers[name]?.revision ?? 0} />
      {sheet.redo.includes(name) && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Badge tone="wait">Te lo piden de nuevo</Badge>
          {draft.answers[name] != null && (
            <Button
              variant="ghost"
              className="noscript:hidden"
              onClick={() => draft.write(name, draft.answers[name] ?? null)}
            >
              Así está bien
            </Button>
          )}
        </div>
      )}
      {conflict && (
        <Suspense>
          <ConflictNotice {...{ conflict, question }} settle={draft.settle} />
        </Suspense>
      )}
      {children}
      <div role="status" className="contents">
        {changed && <p className="text-[0.9375rem] font-medium text-bad">{changed} Di por qué abajo.</p>}
      </div>
    </div>
  )
}

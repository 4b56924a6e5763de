import { Check, ChevronDown } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Optional } from '../../kit/form/field.tsx'
import { later } from '../../kit/later.tsx'
import type { Draft } from '../../offline/draft.ts'
import { lowerFirst } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { answerInWords } from '../rules/answer-words.ts'
import { deviations, usualOf } from '../rules/limits.ts'
import { calculationOf } from '../rules/passport.ts'
import { contradictions, isAnswered } from '../rules/progress.ts'
import { isProposable } from '../rules/proposals.ts'
import type { Answers, AnswerValue, Question, Section, Sheet, SheetKind } from '../rules/report.ts'
import type { OnAnswer } from './loads/typed-loads.ts'
import { QuestionField } from './question-field.tsx'
import { tooLongIn } from './use-answers.ts'

/** Rarely needed; without it the answer waits, and the cloud above says why. */
const ConflictNotice = lazy(() => import('./conflict-notice.tsx').catch(() => ({ default: () => null })))

const LoadTimer = later(() => import('./load-timer.tsx').then((part) => part.default))

type AskedProps = {
  sheet: Sheet
  draft: Draft
  question: Question
  /** What is proposed for it; undefined where nothing is, or it is answered. */
  proposal: AnswerValue | undefined
  /** It takes half of the width. */
  isNarrow: boolean
  problem: string | undefined
  hear: OnAnswer
}

/** A question with its notices, and the revision that its answer was made on. */
export function AskedQuestion({ sheet, draft, question, proposal, isNarrow, problem, hear }: AskedProps) {
  const { name } = question
  const { answers } = draft
  const value = answers[name]
  const conflict = draft.conflicts.find((one) => one.name === name)
  const isRedo = sheet.redo.includes(name)
  const against = contradictions(sheet.kind, answers).find((one) => one.name === name)?.message
  const tooLong = name === 'loadTestMinutes' ? tooLongIn(sheet, draft) : null
  const error = problem ?? draft.refused[name] ?? against ?? tooLong ?? undefined
  const isOptional = (question.optional?.(answers) ?? false) && !against
  const changed = sheet.kind === 'installation' ? deviations(answers).find((one) => one.name === name) : null
  return (
    <div id={name} className={classNames('grid grid-cols-1 content-start gap-3', !isNarrow && 'col-span-2')}>
      <input type="hidden" name={`revision.${name}`} value={sheet.answers[name]?.revision ?? 0} />
      {isRedo && <RedoNotice draft={draft} question={question} />}
      {conflict && (
        <Suspense>
          <ConflictNotice conflict={conflict} question={question} settle={draft.settle} />
        </Suspense>
      )}
      <ProposedQuestion
        question={question}
        value={value}
        proposal={proposal}
        isFoldable={
          !isRedo &&
          !error &&
          !isNarrow &&
          (isProposable(sheet.kind, name) ||
            isGiven(sheet, draft, name) ||
            (isOptional && !isAnswered(value)))
        }
        isOptional={isOptional}
        hasError={error !== undefined}
      >
        <QuestionField
          question={question}
          circuit={calculationOf(answers)?.circuit ?? null}
          usual={usualOf(name, answers)}
          value={value}
          typed={draft.typed[name]}
          error={error}
          optional={isOptional}
          isNarrow={isNarrow}
          hear={hear}
        />
      </ProposedQuestion>
      {name === 'loadTestMinutes' && <LoadTimer draft={draft} hear={hear} />}
      <div role="status" className="contents">
        {changed && (
          <p className="text-[0.9375rem] font-medium text-bad">{changed.message} Di por qué abajo.</p>
        )}
      </div>
    </div>
  )
}

/** Whether its answer is what its customer or an earlier visit gave, and nobody touched it. */
const isGiven = ({ answers }: Sheet, draft: Draft, name: string) =>
  answers[name]?.revision === 0 &&
  isAnswered(answers[name].value) &&
  answers[name].value === draft.answers[name]

const RedoNotice = ({ draft, question: { measured, name } }: { draft: Draft; question: Question }) => (
  <div className="flex flex-wrap items-center justify-between gap-3">
    <Badge tone="wait">Te lo piden de nuevo</Badge>
    {draft.answers[name] != null && (
      <Button
        variant="ghost"
        className="noscript:hidden"
        onClick={() => draft.write(name, draft.answers[name] ?? null)}
      >
        {measured ? 'Lo medí otra vez: da lo mismo' : 'Así está bien'}
      </Button>
    )}
  </div>
)

type ProposedQuestionProps = {
  question: Question
  value: AnswerValue | undefined
  proposal: AnswerValue | undefined
  /** It is known, usual or optional: it begins as one row. */
  isFoldable: boolean
  isOptional: boolean
  hasError: boolean
  children: ReactNode
}

/**
 * A question that is rarely answered by hand: one row in words, which opens to its field. What stands open when the
 * section opens stays open: nothing moves under a finger.
 */
function ProposedQuestion(asked: ProposedQuestionProps) {
  const { question, value, proposal, isFoldable, isOptional, hasError, children } = asked
  const isSettled = isAnswered(value)
  const [isFolded] = useState(isFoldable && question.kind !== 'tick')
  const row = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (hasError && row.current) row.current.open = true
  }, [hasError])
  if (!isFolded) return children
  const words = answerInWords(question, isSettled ? value : proposal)
  return (
    <details ref={row} className="group rounded-control border border-line">
      <summary className="flex min-h-12 items-center gap-2 px-3.5 py-1.5 select-none [&::-webkit-details-marker]:hidden">
        <span className="grid min-w-0 flex-1">
          <span className={words === null ? undefined : 'text-sm text-mute'}>
            {question.label}
            {isOptional && <Optional />}
          </span>
          {words !== null && (
            <span className="flex flex-wrap items-center justify-between gap-x-2">
              <span className="line-clamp-2 wrap-anywhere">{words}</span>
              {!isSettled && <Badge tone="wait">Propuesto</Badge>}
            </span>
          )}
        </span>
        {isSettled && <Check role="img" aria-label="Respondida" className="size-5 shrink-0 text-brand" />}
        <ChevronDown aria-hidden className="size-5 shrink-0 text-mute group-open:rotate-180" />
      </summary>
      <div className="border-t border-line p-3.5">{children}</div>
    </details>
  )
}

type ConfirmProposalsProps = {
  kind: SheetKind
  section: Section
  proposals: Answers
  write: Draft['write']
}

/** Makes the proposals of a section answers, by one tap that says what it confirms; without JavaScript by a tick. */
export function ConfirmProposals({ kind, section, proposals, write }: ConfirmProposalsProps) {
  const [isDone, setIsDone] = useState(false)
  const names = Object.keys(proposals)
  const isWork = kind === 'installation' && section.id === 'canalizacion'
  if (names.length === 0 && !isDone) return null
  const confirm = () => {
    for (const name of names) write(name, proposals[name] ?? null)
    setIsDone(true)
  }
  const words = isWork ? 'Lo instalé así' : 'Todo está así'
  return (
    <div className="grid gap-2">
      {/* Its row says what is proposed. What was installed is said once more. */}
      {isWork && names.length > 0 && <p className="text-mute">{confirmedWords(section, proposals)}</p>}
      <Button
        variant="ghost"
        data-confirm=""
        aria-disabled={names.length === 0}
        className="noscript:hidden"
        onClick={names.length === 0 ? undefined : confirm}
      >
        <Check aria-hidden className="size-5 text-brand" />
        {names.length === 0 ? 'Confirmado' : words}
      </Button>
      <label className="hidden min-h-12 items-center gap-3 noscript:flex">
        <input type="checkbox" name="confirm" className="size-6 accent-brand" />
        {words}
      </label>
    </div>
  )
}

function confirmedWords({ questions }: Section, proposals: Answers): string {
  const said = questions
    .filter(({ name }) => name in proposals)
    .map((question) => `${lowerFirst(question.label)}, ${answerInWords(question, proposals[question.name])}`)
  return `Confirmas: ${said.join('; ')}.`
}

import { Fragment, type ReactNode } from 'react'
import { answerInWords } from '../../domain/reports/answer-words.ts'
import { deviations, failedTests } from '../../domain/reports/limits.ts'
import { isAsked, sectionsOf } from '../../domain/reports/progress.ts'
import type { Answers, Question, SheetKind } from '../../domain/reports/report.ts'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { CalculationCard } from './calculation-card.tsx'

type AnswerSectionsProps = {
  kind: SheetKind
  answers: Answers
  /** What stands beside an answer, or in its place. */
  beside?: (question: Question, shown: ReactNode) => ReactNode
}

/** What a sheet says, section by section, in words and units; the calculation stands after what it follows from. */
export const AnswerSections = ({ kind, answers, beside = (_, shown) => shown }: AnswerSectionsProps) => {
  const findings = new Map(findingsIn(kind, answers).map(({ message, name }) => [name, message]))
  return (
    <div className="lg:columns-2 lg:gap-4 *:break-inside-avoid *:not-last:mb-4">
      {sectionsOf[kind].map(({ id, title, questions }) => {
        const asked = questions.filter((question) => isAsked(question, answers))
        if (asked.length === 0) return null
        return (
          <Fragment key={id}>
            {id === 'calculo' && <CalculationCard answers={answers} />}
            <Card title={title}>
              <DefinitionList
                className="sm:grid-cols-[minmax(0,9fr)_minmax(0,11fr)]!"
                items={asked.map((question) => ({
                  term: question.label,
                  value: beside(
                    question,
                    <Answer {...{ question, answers }} finding={findings.get(question.name)} />,
                  ),
                }))}
              />
            </Card>
          </Fragment>
        )
      })}
    </div>
  )
}

/** Answers outside their limits, or other than was agreed. */
const findingsIn = (kind: SheetKind, answers: Answers) =>
  kind === 'installation' ? [...failedTests(answers), ...deviations(answers)] : []

type AnswerProps = { question: Question; answers: Answers; finding: string | undefined }

function Answer({ question, answers, finding }: AnswerProps) {
  const words = answerInWords(question, answers[question.name])
  if (words === null) return <span className="text-mute">Sin respuesta</span>
  if (finding === undefined)
    return <span className="whitespace-pre-line">{words.replaceAll('; ', '\n')}</span>
  return (
    <span className="grid text-bad">
      <span className="font-semibold">{words}</span>
      <span className="text-sm">{finding}</span>
    </span>
  )
}

import { judgeAnswer } from '../../domain/reports/answers.ts'
import { isAsked } from '../../domain/reports/progress.ts'
import type { Question } from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'

/** The questions in whose boxes something stands that is no answer yet, each with why not. */
export const unfinishedIn = (
  questions: readonly Question[],
  { answers, typed }: Pick<Draft, 'answers' | 'typed'>,
): { name: string; message: string }[] =>
  questions.flatMap((question) => {
    const { name } = question
    if (!(name in typed) || !isAsked(question, answers)) return []
    const judged = judgeAnswer(question, typed[name])
    return 'message' in judged ? [{ name, message: judged.message }] : []
  })

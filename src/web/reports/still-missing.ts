import {
  askedAgain,
  type Missing,
  missingAs,
  missingIn,
  progressOf,
  sectionsOf,
  stillAsked,
} from '../../domain/reports/progress.ts'
import type { Sheet } from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'
import { takenIn } from './taken.ts'
import { unfinishedIn } from './unfinished.ts'

/** Everything that keeps a sheet from being sent: what is not there, and what was asked for again and not given anew. */
export function stillMissing(
  { kind, redo }: Sheet,
  draft: Pick<Draft, 'answers' | 'files' | 'typed'>,
): Missing[] {
  const missing = missingIn(kind, draft.answers, takenIn(draft))
  const isNew = ({ name }: { name: string }) => !missing.some((one) => one.name === name)
  const unfinished = unfinishedIn(
    sectionsOf[kind].flatMap(({ questions }) => questions),
    draft,
  ).filter(isNew)
  const again = stillAsked(kind, redo, draft.answers).filter((name) => isNew({ name }))
  return [
    ...missing,
    ...unfinished.map(({ message, name }) => missingAs(kind, name, message)),
    ...askedAgain(kind, again),
  ]
}

/** How much of a sheet is there, from 0 to 100; never all of it while something was asked for again. */
export function progressIn({ kind, redo }: Sheet, draft: Pick<Draft, 'answers' | 'files'>): number {
  const progress = progressOf(kind, draft.answers, takenIn(draft))
  return stillAsked(kind, redo, draft.answers).length > 0 ? Math.min(progress, 99) : progress
}

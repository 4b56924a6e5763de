import type { Sheet } from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'

/** A sheet as the server has it, for whoever only reads how far it has come. */
export const storedDraft = ({
  answers,
  files,
}: Sheet): Pick<Draft, 'answers' | 'files' | 'typed' | 'unkept' | 'waiting'> => ({
  answers: Object.fromEntries(Object.entries(answers).map(([name, { value }]) => [name, value])),
  files: files.map(stored),
  ...{ typed: {}, unkept: new Set<string>(), waiting: 0 },
})

const stored = (file: Sheet['files'][number]) => ({
  ...file,
  url: `/files/${file.id}/list`,
  fullUrl: `/files/${file.id}/full`,
  status: 'stored' as const,
  progress: 100,
  problem: null,
})

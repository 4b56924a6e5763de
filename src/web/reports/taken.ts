import type { Draft } from '../offline/draft.ts'

/** The slots that have a picture, here or at the server; a refused one counts for nothing. */
export const takenIn = ({ files }: Pick<Draft, 'files'>): ReadonlySet<string> =>
  new Set(files.filter(({ status }) => status !== 'refused').map(({ slot }) => slot))

import type { CaseKind, CaseState, CaseTurn } from './cfe-case.ts'

/** What narrows the list of cases with CFE, as its address holds it. */
export type CaseFilters = {
  /** The id of whoever handles it, or 'nadie'. */
  gester?: string
  kind?: CaseKind
  state?: CaseState
  turn?: CaseTurn
  /** Those that are over, instead of those that are open. */
  over?: '1'
  text?: string
}

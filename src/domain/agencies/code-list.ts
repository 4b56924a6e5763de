import type { CodeState } from './code.ts'

/** What narrows a list of codes, as its address holds it. */
export type CodeFilters = { text?: string; state?: CodeState }

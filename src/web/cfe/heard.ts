import type { Failure } from '../lib/submit.ts'

/** What came back of a form of a case, by its intent and, where several share it, by its move or paper. */
export type Heard = (intent: string, key?: string) => Failure | undefined

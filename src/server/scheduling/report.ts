import type { DayOutcome, DayQuestion } from '../../domain/scheduling/day-plan.ts'

/** What the thread is given. */
export type Task = { question: DayQuestion; seconds: number }

/** What it tells: how far it is, and a better plan each time there is one. */
export type Report = {
  progress: { phase: string; cost: number; bound: number | null; seconds: number } | null
  outcome: DayOutcome | null
  /** Appointments that nobody may take by the rules alone, which stay as they are. */
  stuck: string[]
  ended: boolean
}

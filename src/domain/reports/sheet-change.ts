import type { AnswerValue } from './sheet.ts'

/** The current answer: revision 0 without an author while it is prefilled, not answered. */
export type Standing = {
  value: AnswerValue
  revision: number
  changedBy: string | null
  changedAt: Date | null
}
/** A change of an answer: its base revision, time and author. */
export type Made = { value: AnswerValue; base: number; at: Date; by: string }

/** Answers that identify a person. The permanent history records that they changed, not their values. */
export const personalAnswers: readonly string[] = [
  'customerName',
  'cfeServiceNumber',
  'meterNumber',
  'vehicle',
]

/**
 * What becomes of a change: written, nothing where it says what stands already, else a conflict. Whoever answered last goes on
 * over their own answer, since their phone may not have heard yet that it arrived.
 */
export function outcomeOf(now: Standing, made: Made): 'write' | 'same' | 'conflict' {
  if (isSame(now.value, made.value)) return 'same'
  if (now.revision === made.base) return 'write'
  const isOwn = now.changedBy === made.by && now.changedAt !== null
  return isOwn && made.at >= now.changedAt! ? 'write' : 'conflict'
}

/** Whether two answers say the same, the order of an appliance's parts aside. */
export function isSame(one: AnswerValue, other: AnswerValue): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other
  return (
    one.length === other.length &&
    one.every(
      ({ name, quantity, watts }, n) =>
        other[n].name === name && other[n].watts === watts && other[n].quantity === quantity,
    )
  )
}

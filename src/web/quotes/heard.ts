import type { FormResult } from '../ui/form.tsx'

/** What came back of a form of this screen; undefined where nothing was sent. */
export type Answer = FormResult | object | null | undefined

/** What came back of a code that was given. */
export const codeAnswer = (answer: Answer): FormResult | undefined =>
  answer && 'values' in answer && answer.values.intent === 'redeem-code' ? answer : undefined

/** What came back, for the form that sent it: each quote on the screen has the same ones. */
export function heardBy(answer: Answer, intent: string, quoteId: string): FormResult | undefined {
  if (!answer || !('values' in answer)) return undefined
  const { values } = answer
  return values.intent === intent && values.quoteId === quoteId ? answer : undefined
}

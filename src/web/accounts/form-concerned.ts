import type { FormResult } from '../ui/form.tsx'

type Answered = FormResult | object | undefined

/** What came back, for the form that sent it: several forms stand on one screen, told apart by `intent`. */
export function concerning(answer: Answered, intent: string): FormResult | undefined {
  if (!answer || !('values' in answer)) return undefined
  return answer.values.intent === intent ? answer : undefined
}

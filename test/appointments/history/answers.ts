import type { Answer } from '../../kit/visitor.ts'

type Words = { title?: string; description?: string }
/** What came for a form that stays, or for a screen that is not the asker's any more. */
type Refused = {
  data?: { refusal?: Words | null; errors?: Record<string, string> }
  error?: { data?: Words }
}

/** Whether a form sent by the page's script was carried out. */
export const isDone = ({ status }: Answer) => status === 202 || status === 204 || status === 200

/** What a refusal tells people to read; the empty text when it tells nothing. */
export function wordsOf({ value }: Answer): string {
  const { data, error } = (value ?? {}) as Refused
  const { title, description } = data?.refusal ?? error?.data ?? {}
  return [title, description, ...Object.values(data?.errors ?? {})].filter(Boolean).join(' ')
}

/** What is wrong with an answer: anything but done, or refused in words. */
export function unexplained(answer: Answer): string[] {
  if (isDone(answer)) return []
  const isRefusal = answer.status >= 400 && answer.status < 500
  return isRefusal && wordsOf(answer).length > 20 ? [] : [`${answer.status} ${answer.text.slice(0, 300)}`]
}

import { useState } from 'react'
import { useLocation } from 'react-router'

/**
 * What the last form of this page was answered with, until another answer or another page, for what is shown once and is no
 * refusal. The router's own copy goes when the page reads itself anew, as a live update makes it; only for a form that came
 * back to be corrected does that wait.
 */
export function useLastActionData<Answer>(answer: Answer | undefined): Answer | undefined {
  const { key } = useLocation()
  const [kept, setKept] = useState({ key, answer })
  const isNew = answer !== undefined && answer !== kept.answer
  if (isNew || key !== kept.key) setKept({ key, answer })
  return answer ?? (key === kept.key ? kept.answer : undefined)
}

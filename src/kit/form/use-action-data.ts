import { useState } from 'react'
import { useLocation } from 'react-router'
import type { FormResult } from './form.tsx'

/**
 * The answer to the last form of this page, until another answer or another page, for what is shown once and is no
 * refusal. The router's own copy goes when the page revalidates, as a live update makes it; only for a form that
 * came back to be corrected does that wait.
 */
export function useLastActionData<Answer>(answer: Answer | undefined): Answer | undefined {
  const { key } = useLocation()
  const [kept, setKept] = useState({ key, answer })
  const isNew = answer !== undefined && answer !== kept.answer
  if (isNew || key !== kept.key) setKept({ key, answer })
  return answer ?? (key === kept.key ? kept.answer : undefined)
}

/**
 * For the key of a dialog with a form: it changes once the form was accepted, and the dialog closes. It stays as it
 * is when the form comes back with errors, and when the screen only revalidates because another user changed
 * something, which removes those errors.
 */
export function useFormAccepted(result: FormResult | undefined): string {
  const { key } = useLocation()
  const [kept, keep] = useState({ key, refusedAt: '' })
  if (result && kept.refusedAt !== key) keep({ ...kept, refusedAt: key })
  if (!result && kept.key !== key && kept.refusedAt !== key) keep({ key, refusedAt: '' })
  return kept.key
}

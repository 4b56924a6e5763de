import { useState } from 'react'
import { useLocation } from 'react-router'
import type { FormResult } from './form.tsx'

/**
 * For the key of a dialog with a form: it changes once the form was accepted, and the dialog closes. It stays as it is when the form comes back with errors, and
 * when the screen is only read again because somebody else changed something, which takes those errors away.
 */
export function useFormAccepted(result: FormResult | undefined): string {
  const { key } = useLocation()
  const [kept, keep] = useState({ key, refusedAt: '' })
  if (result && kept.refusedAt !== key) keep({ ...kept, refusedAt: key })
  if (!result && kept.key !== key && kept.refusedAt !== key) keep({ key, refusedAt: '' })
  return kept.key
}

import { Alert } from './alert.tsx'
import type { FormResult } from './form.tsx'

/** What a form heard that is not on the screen any more, since somebody else was faster; its words would stand nowhere. */
export function Unheard({ result }: { result: FormResult | undefined }) {
  if (!result) return null
  const { errors, refusal } = result
  return (
    <Alert tone="bad" title={refusal?.title ?? 'Revisa los datos'}>
      {refusal?.description ?? Object.values(errors)[0]}
    </Alert>
  )
}

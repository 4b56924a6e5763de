import type { ReactNode } from 'react'
import type { DraftMove } from '../offline/rows.ts'

/** What was typed with an end, or with time off, that the server refused, so that it is not lost. */
export const TypedNote = ({ form }: Pick<DraftMove, 'form'>): ReactNode => {
  const note = form?.closingNote || form?.note || (form?.dates && form.reason)
  return note ? <p className="text-[0.9375rem] wrap-anywhere">Escribiste: «{note}»</p> : null
}

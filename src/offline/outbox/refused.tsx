import { Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSite } from '../../kit/site.ts'
import { telLink } from '../../shared/format.ts'
import { buttonClass } from '../../ui/button.tsx'
import type { DraftMove } from './rows.ts'

/** The phone link to the office, for an assignee at the customer's door. */
export function CallOffice() {
  const support = useSite()?.support
  if (!support) return null
  return (
    <a className={buttonClass('ghost')} href={telLink(support.phone)}>
      <Phone aria-hidden className="size-5 text-brand" />
      Llamar a la oficina
    </a>
  )
}

/** What was typed with an end, or with time off, that the server refused, so that it is not lost. */
export const TypedNote = ({ form }: Pick<DraftMove, 'form'>): ReactNode => {
  const note = form?.closingNote || form?.note || (form?.dates && form.reason)
  return note ? <p className="text-[0.9375rem] wrap-anywhere">Escribiste: «{note}»</p> : null
}

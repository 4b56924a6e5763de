import { Phone } from 'lucide-react'
import { telLink } from '../../domain/shared/format.ts'
import { useSite } from '../lib/site.ts'
import { buttonClass } from '../ui/button.tsx'

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

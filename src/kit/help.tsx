import { MessageCircle, Phone } from 'lucide-react'
import { formatPhone, telLink, whatsappLink } from '../shared/format.ts'
import { buttonClass } from '../ui/button.tsx'
import { useSite } from './site.ts'

/** Half of the row each, and no number broken in two. */
const look = buttonClass('ghost', 'whitespace-nowrap sm:flex-1')

/** How to contact support, for a user who can't continue alone; `about` is the start of the message. */
export function Help({ about = 'Hola, necesito ayuda' }: { about?: string }) {
  const support = useSite()?.support
  if (!support) return null
  return (
    <section aria-label="Pedir ayuda" className="grid gap-3">
      <div className="grid gap-3 sm:flex sm:flex-wrap">
        <a className={look} href={whatsappLink(support.whatsapp, about)} rel="noreferrer">
          <MessageCircle aria-hidden className="size-5 shrink-0 text-brand" />
          Pedir ayuda
          <span className="sr-only">por WhatsApp</span>
        </a>
        <a className={look} href={telLink(support.phone)}>
          <Phone aria-hidden className="size-5 shrink-0 text-brand" />
          {formatPhone(support.phone)}
        </a>
      </div>
      <p className="text-sm text-mute wrap-anywhere">
        {support.hours.replace(/([ap]\.) m\./g, '$1\u00a0m.')}
      </p>
    </section>
  )
}

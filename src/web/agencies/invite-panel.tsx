import { MessageCircle } from 'lucide-react'
import { inviteMessage } from '../../domain/agencies/clients.ts'
import { whatsappLink } from '../../domain/shared/format.ts'
import { useSite } from '../lib/site.ts'
import { Alert } from '../ui/alert.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CopyButton } from '../ui/copy-button.tsx'

/** A link that was just made, and how it reaches the person; it is shown this once. */
export type Invited = { clientId: string; name: string; phone: string; address: string; letter: boolean }

/** The ways to deliver an invitation's link: WhatsApp, the clipboard, and the e-mail that was sent already. */
export function InvitePanel({ invited: { address, letter, name, phone } }: { invited: Invited }) {
  const brand = useSite()?.brand ?? ''
  return (
    <Card title={`El enlace de ${name}`}>
      <Alert tone="ok" title={letter ? 'También va por correo' : 'Envíaselo ahora'}>
        {letter
          ? 'Le escribimos con este mismo enlace. Si quieres, mándaselo además por WhatsApp.'
          : 'No lo volvemos a mostrar. Si se pierde, haz otro en su página.'}
      </Alert>
      <p className="rounded-card bg-hover p-4 font-mono text-[0.9375rem] break-all">{address}</p>
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
        <a
          className={buttonClass()}
          href={whatsappLink(phone, inviteMessage(brand, address))}
          target="_blank"
          rel="noreferrer"
        >
          <MessageCircle aria-hidden className="size-5 shrink-0" />
          Enviar por WhatsApp
        </a>
        <CopyButton text={address} label="Copiar enlace" />
      </div>
      <p className="text-sm text-mute">
        Sirve 90 días y es de una sola persona. Al crear su cuenta con él queda como cliente tuyo.
      </p>
    </Card>
  )
}

import { MessageCircle, Printer } from 'lucide-react'
import { type Qr, QrCode } from '../../kit/qr-code.tsx'
import { useSite } from '../../kit/site.ts'
import { whatsappLink, whatsappShare } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { inviteMessage } from '../rules/clients.ts'

/** A link that was just made, and how it reaches the person; it is shown this once. */
export type Invited = {
  clientId: string
  name: string
  phone: string
  address: string
  letter: boolean
  qr: Qr
}

/** The ways to deliver an invitation's link: WhatsApp, the clipboard, and the e-mail that was sent already. */
export function InvitePanel({ invited: { address, letter, name, phone, qr } }: { invited: Invited }) {
  const brand = useSite()?.brand ?? ''
  return (
    <Card title={`El enlace de ${name}`}>
      <Alert tone="ok" title={letter ? 'También va por correo' : 'Envíaselo ahora'}>
        {letter
          ? 'Le escribimos con este mismo enlace. Si quieres, mándaselo además por WhatsApp.'
          : 'No lo volvemos a mostrar. Si se pierde, haz otro en su página.'}
      </Alert>
      <div className="grid items-center gap-4 sm:grid-cols-[auto_minmax(0,1fr)]">
        <QrCode qr={qr} title={`Código QR del enlace de ${name}`} />
        <div className="grid gap-2">
          <p>Si {name} está contigo, que lo lea con la cámara de su teléfono.</p>
          <p className="rounded-card bg-hover p-4 font-mono text-[0.9375rem] break-all">{address}</p>
        </div>
      </div>
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

/** An ally's own link: that of the newest of their codes that can be used. */
export type OwnLink = { id: string; code: string; benefit: string; address: string; qr: Qr; message: string }

/** An ally's own link as a QR code for somebody who stands in front of them, and the ways to share it. */
export const OwnLinkPanel = ({ link: { address, benefit, code, id, message, qr } }: { link: OwnLink }) => (
  <div className="grid items-center gap-4 sm:grid-cols-[auto_minmax(0,1fr)]">
    <QrCode qr={qr} title={`Código QR de tu enlace con el código ${code}`} />
    <div className="grid gap-3">
      <p>
        Quien lo lea con su cámara llega con tu código <strong className="font-mono">{code}</strong> y queda
        como cliente tuyo{benefit === 'Sin beneficio' ? '' : ` (${benefit})`}.
      </p>
      <p className="rounded-control bg-hover px-3 py-2.5 text-[0.9375rem] break-all select-all">{address}</p>
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
        <a className={buttonClass('ghost')} href={whatsappShare(message)} target="_blank" rel="noreferrer">
          <MessageCircle aria-hidden className="size-5 shrink-0 text-brand" />
          Enviar por WhatsApp
        </a>
        <a className={buttonClass('ghost')} href={`/papers/code/${id}.pdf`} target="_blank" rel="noreferrer">
          <Printer aria-hidden className="size-5 shrink-0 text-brand" />
          Tarjeta (PDF)
        </a>
        <CopyButton text={address} label="Copiar enlace" />
      </div>
    </div>
  </div>
)

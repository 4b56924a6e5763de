import { MapPin, MessageCircle, Phone } from 'lucide-react'
import { addressLine } from '../../../projects/rules/address.ts'
import { formatPhone, telLink, whatsappLink } from '../../../shared/format.ts'
import { buttonClass } from '../../../ui/button.tsx'
import type { OwnStop } from '../../lists.ts'

type Reached = Pick<OwnStop, 'address' | 'customer' | 'folio' | 'phone' | 'pin'>
type AtTheDoorProps = { address: NonNullable<OwnStop['address']> }

/** What one taps on the way to a stop: the phone, a chat, and the map by the app of one's choice. */
export function StopReach({ stop: { address, customer, folio, phone, pin } }: { stop: Reached }) {
  if (!phone && !address) return null
  const narrow = 'w-full px-2!'
  return (
    <div className="grid gap-3">
      {address && <AtTheDoor address={address} />}
      <div className="grid auto-cols-fr grid-flow-col gap-2">
        {phone && (
          <>
            <a className={buttonClass('ghost', narrow)} href={telLink(phone)}>
              <Phone aria-hidden className="size-5 shrink-0 max-sm:hidden" />
              Llamar
              <span className="sr-only">
                {' '}
                a {customer} al {formatPhone(phone)}
              </span>
            </a>
            <a
              className={buttonClass('ghost', narrow)}
              href={whatsappLink(phone, `Hola, te escribo por tu cita ${folio}.`)}
            >
              <MessageCircle aria-hidden className="size-5 shrink-0 max-sm:hidden" />
              WhatsApp<span className="sr-only"> con {customer}</span>
            </a>
          </>
        )}
        {address && <MapChoice line={addressLine(address)} pin={pin} of={customer} />}
      </div>
    </div>
  )
}

/** Who opens, by their own phone, and how one comes in. */
function AtTheDoor({ address: { gateNotes, receiverName, receiverPhone, references } }: AtTheDoorProps) {
  if (!receiverName && !receiverPhone && !gateNotes && !references) return null
  return (
    <div className="grid gap-1">
      {(receiverName || receiverPhone) && (
        <p className="wrap-anywhere">
          <span className="text-mute">Recibe:</span> {receiverName}{' '}
          {receiverPhone && (
            <a
              className="-my-3 inline-block py-3 font-semibold whitespace-nowrap"
              href={telLink(receiverPhone)}
            >
              <span className="sr-only">Llamar a quien recibe, </span>
              {formatPhone(receiverPhone)}
            </a>
          )}
        </p>
      )}
      {[references, gateNotes].map(
        (words, nth) =>
          words && (
            <p key={words} className="whitespace-pre-line wrap-anywhere">
              <span className="text-mute">{nth === 0 ? 'Referencias:' : 'Acceso:'}</span> {words}
            </p>
          ),
      )}
    </div>
  )
}

type MapChoiceProps = { line: string; pin: OwnStop['pin']; of: string; label?: string }

/** The way to a place, by the app that its reader likes best; without JavaScript too. */
export const MapChoice = ({ line, pin, of, label = 'Mapa' }: MapChoiceProps) => (
  <details
    className="relative"
    onKeyDown={({ currentTarget, key }) => {
      if (key !== 'Escape' || !currentTarget.open) return
      currentTarget.open = false
      currentTarget.querySelector('summary')?.focus()
    }}
  >
    <summary className={buttonClass('ghost', 'w-full px-2! [&::-webkit-details-marker]:hidden')}>
      <MapPin aria-hidden className="size-5 shrink-0" />
      {label}
      <span className="sr-only">, {of}</span>
    </summary>
    <ul className="absolute right-0 z-10 mt-2 grid min-w-52 gap-2 rounded-card border border-line bg-card p-2 shadow-float">
      {wayLinks(line, pin).map(({ app, href }) => (
        <li key={app} className="grid">
          <a className={buttonClass('ghost')} href={href}>
            {app}
          </a>
        </li>
      ))}
    </ul>
  </details>
)

/** The addresses that lead the way to a place, by the app that opens them; the last asks the phone which. */
function wayLinks(line: string, pin: OwnStop['pin']) {
  const point = pin && `${pin.latitude},${pin.longitude}`
  const place = encodeURIComponent(point ?? line)
  const google = 'https://www.google.com/maps/dir/?api=1&travelmode=driving&destination='
  return [
    { app: 'Google Maps', href: google + place },
    { app: 'Waze', href: `https://waze.com/ul?navigate=yes&${point ? 'll' : 'q'}=${place}` },
    { app: 'Otra app', href: `geo:${point ?? '0,0'}?q=${place}` },
  ]
}

import type { Settings } from '../../domain/settings/settings-schema.ts'
import { money } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'

/** What a visit costs, said before it is booked, and when it is given back. */
export function VisitPrice({ fee }: { fee: Settings['visitFee'] }) {
  const { amount, keptOnLateCancel, keptOnNoShow, keptOnNotViable } = fee
  if (amount === 0) return <p className="mb-5 max-w-3xl font-medium">Tu visita es gratis.</p>
  const kept = [
    keptOnLateCancel && 'cancelas tarde',
    keptOnNoShow && 'no hay quien reciba',
    keptOnNotViable && 'la instalación no es posible',
  ].filter((when) => when !== false)
  return (
    <Alert tone="info" title={`Tu visita cuesta ${money(amount)}, con IVA`} className="mb-5 max-w-3xl">
      Se descuenta de tu anticipo. Te la devolvemos completa si cancelas a tiempo o cancelamos nosotros
      {kept.length > 0 ? `; no, si ${listed(kept)}` : ''}. Después de agendar te decimos cómo pagarla.
    </Alert>
  )
}

/** "a, b o c" */
const listed = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} o ${parts.at(-1)}`

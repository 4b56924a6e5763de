import { CreditCard } from 'lucide-react'
import type { CardOffer } from '../../server/stripe/standing.ts'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { cardPath } from './card-path.ts'

type CardFormProps = {
  paymentId: string
  offer: CardOffer
  /** Of a second choice: it stands back. */
  quiet?: boolean
  result?: FormResult | undefined
}

/** The button that leads to Stripe's page, with what can be paid by there. */
export function CardForm({ offer, paymentId, quiet, result }: CardFormProps) {
  return (
    <Form action={cardPath(paymentId)} result={result} className="gap-2">
      <Submit variant={quiet ? 'ghost' : 'primary'}>
        <CreditCard aria-hidden className="size-5 shrink-0" />
        Pagar con tarjeta
      </Submit>
      <p className="text-sm text-mute">{waysOf(offer)}</p>
    </Form>
  )
}

function waysOf({ months, oxxo }: CardOffer): string {
  const last = months.at(-1)
  return [
    'Crédito o débito, en la página segura de Stripe.',
    last && `Hasta ${last} meses sin intereses con tarjetas participantes.`,
    oxxo && 'También en efectivo en OXXO.',
    'Sin comisión.',
  ]
    .filter(Boolean)
    .join(' ')
}

import { CreditCard } from 'lucide-react'
import type { CardOffer } from '../../integrations/stripe/own-payment.ts'
import { Form, type FormResult, Submit } from '../../kit/form/form.tsx'
import { longDate } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { buttonClass } from '../../ui/button.tsx'

type CardFormProps = {
  paymentId: string
  offer: CardOffer
  /** A voucher of OXXO waits: a card is the second choice. */
  afterVoucher?: boolean
  result?: FormResult | undefined
}

/** The button that redirects to Stripe's page, with the ways to pay there. */
export function CardForm({ offer, paymentId, afterVoucher = false, result }: CardFormProps) {
  return (
    <Form action={cardPath(paymentId)} result={result} className="gap-2">
      <Submit variant={afterVoucher ? 'ghost' : 'primary'} className="sm:justify-self-start">
        <CreditCard aria-hidden className="size-5 shrink-0" />
        Pagar con tarjeta
      </Submit>
      <p className="text-sm text-mute">{waysOf(offer, afterVoucher)}</p>
    </Form>
  )
}

function waysOf({ months, oxxo }: CardOffer, afterVoucher: boolean): string {
  const last = months.at(-1)
  return [
    'Crédito o débito, en la página segura de Stripe.',
    last && `Hasta ${last} meses sin intereses con tarjetas participantes.`,
    oxxo && !afterVoucher && 'También en efectivo en OXXO.',
    'Sin comisión.',
    afterVoucher && 'Si pagas con tarjeta, ya no uses tu ficha.',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Where a payment is made by card, and where Stripe returns to. No path of the specification: a part of /payments. */
const cardPath = (paymentId: string) => `/payments/tarjeta/${paymentId}`

/** A voucher was made, and the money has not arrived yet. */
export function VoucherNotice({ expiresAt, url }: { expiresAt: Date | null; url: string | null }) {
  return (
    <Alert
      tone="wait"
      title="Esperando tu pago en OXXO"
      actions={
        url && (
          <a className={buttonClass('ghost')} href={url} target="_blank" rel="noreferrer">
            Ver mi ficha de OXXO
          </a>
        )
      }
    >
      {expiresAt && `Tu ficha vence el ${longDate(expiresAt)}. `}
      Después de pagar, la confirmación puede tardar un día hábil. Te avisamos por correo.
    </Alert>
  )
}

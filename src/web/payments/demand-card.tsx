import { conceptLabels } from '../../domain/payments/payment.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { longDate, money } from '../../domain/shared/format.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { CardForm } from './card-form.tsx'
import type { OwnPayment } from './own-account.ts'
import { PaymentBadge } from './payment-badge.tsx'
import { ProofForm } from './proof-form.tsx'
import { SpeiAccount } from './spei-account.tsx'
import { VoucherNotice } from './voucher-notice.tsx'

type DemandCardProps = { payment: OwnPayment; spei: Settings['spei'] | null }

/** Something to be paid: how much, until when, and the ways to pay it. */
export function DemandCard({ payment, spei }: DemandCardProps) {
  const { amount, concept, dueAt, folio, rejectedReason, state } = payment
  return (
    <Card title={conceptLabels[concept]} aside={<PaymentBadge state={state} />}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="text-3xl font-semibold tracking-tight tabular-nums">{money(amount)}</p>
        <p className="text-sm text-mute">{folio}, con IVA</p>
      </div>
      {dueAt && state === 'pending' && <p>Págalo a más tardar el {longDate(dueAt)}.</p>}
      {state === 'in_review' ? (
        <InReview payment={payment} />
      ) : (
        <>
          {rejectedReason && (
            <Alert tone="bad" title="No pudimos aceptar tu comprobante">
              {rejectedReason}
            </Alert>
          )}
          {state === 'expired' && (
            <Alert tone="wait" title="Se venció el plazo">
              Si ya pagaste, sube tu comprobante. Si no, escríbenos antes de pagar.
            </Alert>
          )}
          {payment.card.voucher && <VoucherNotice {...payment.card.voucher} />}
          {payment.card.offer && (
            <CardForm
              paymentId={payment.id}
              offer={payment.card.offer}
              afterVoucher={payment.card.voucher !== null}
            />
          )}
          {spei && <Transfer payment={payment} spei={spei} />}
        </>
      )}
    </Card>
  )
}

function InReview({ payment: { proof, trackingKey } }: { payment: OwnPayment }) {
  return (
    <>
      <Alert tone="info" title="Estamos revisando tu transferencia">
        Buscamos la clave de rastreo {trackingKey}. Te avisamos por correo.
      </Alert>
      {proof && <DocumentLink document={proof}>Tu comprobante</DocumentLink>}
    </>
  )
}

/** First the account, then the proof; a form that came back stays open. */
const Transfer = ({ payment, spei }: DemandCardProps & { spei: Settings['spei'] }) => (
  <div className="grid gap-3">
    <Details summary="Pagar por transferencia SPEI" open={payment.state === 'pending'}>
      <SpeiAccount spei={spei} folio={payment.folio} amount={payment.amount} />
    </Details>
    <ProofForm payment={payment} />
  </div>
)

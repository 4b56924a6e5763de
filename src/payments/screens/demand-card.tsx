import type { ReactNode } from 'react'
import type { Settings } from '../../settings/rules/settings-schema.ts'
import { longDate, money, plainAmount } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { clabeInParts } from '../rules/banks.ts'
import { conceptLabels, restWords } from '../rules/payment.ts'
import { CardForm, VoucherNotice } from './card-form.tsx'
import type { OwnPayment } from './forms.ts'
import { ProofForm, ProofInReview } from './own-proof.tsx'
import { PaymentBadge } from './payment-badge.tsx'

type DemandCardProps = { payment: OwnPayment; spei: Settings['spei'] | null }

/** Something to be paid: how much, until when, and the ways to pay it. */
export function DemandCard({ payment, spei }: DemandCardProps) {
  const { amount, concept, dueAt, folio, isRest, state } = payment
  return (
    <Card title={conceptLabels[concept]} aside={<PaymentBadge state={state} />}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="text-3xl font-semibold tracking-tight tabular-nums">{money(amount)}</p>
        <p className="text-sm text-mute">{folio}, con IVA</p>
      </div>
      {isRest && state === 'pending' && <p className="font-semibold">{restWords(payment)}</p>}
      {dueAt && state === 'pending' && <p>Págalo a más tardar el {longDate(dueAt)}.</p>}
      {state === 'in_review' ? <ProofInReview payment={payment} /> : <Ways payment={payment} spei={spei} />}
    </Card>
  )
}

function Ways({ payment, spei }: DemandCardProps) {
  const { card, id, rejectedReason, state } = payment
  const proof = <ProofForm payment={payment} />
  return (
    <>
      {rejectedReason && (
        <Alert tone="bad" title="No pudimos aceptar tu comprobante">
          {rejectedReason}
          {state === 'expired' && <p>Si ya pagaste, sube otro. Si no, escríbenos antes de pagar.</p>}
        </Alert>
      )}
      {state === 'expired' && !rejectedReason && (
        <Alert tone="wait" title="Se venció el plazo">
          Si ya pagaste, sube tu comprobante. Si no, escríbenos antes de pagar.
        </Alert>
      )}
      {card.voucher && <VoucherNotice {...card.voucher} />}
      {card.offer && <CardForm paymentId={id} offer={card.offer} afterVoucher={card.voucher !== null} />}
      {card.offer && spei && <h3 className="font-semibold">O paga por transferencia SPEI</h3>}
      {/* After its day nobody is told where to transfer to. */}
      {spei && state === 'expired' && proof}
      {spei && state !== 'expired' && (
        <ol className="grid gap-5">
          <Step nth={1} title="Transfiere">
            <SpeiAccount spei={spei} payment={payment} />
          </Step>
          <Step nth={2} title="Sube tu comprobante">
            {proof}
          </Step>
        </ol>
      )}
    </>
  )
}

type StepProps = { nth: number; title: string; children: ReactNode }

const Step = ({ children, nth, title }: StepProps) => (
  <li className="grid gap-3 border-t border-line pt-4">
    <h3 className="flex items-center gap-2.5 font-semibold">
      <span className="grid size-7 shrink-0 place-items-center rounded-full bg-brand-soft text-sm text-brand">
        {nth}
      </span>
      {title}
    </h3>
    {children}
  </li>
)

type SpeiAccountProps = { spei: Settings['spei']; payment: Pick<OwnPayment, 'folio' | 'amount'> }

/** Where to transfer to, and what to write; each is copied by one press, or selected. */
function SpeiAccount({ payment: { amount, folio }, spei: { bank, beneficiary, clabe } }: SpeiAccountProps) {
  const rows = [
    { term: 'A nombre de', shown: beneficiary, text: beneficiary },
    { term: 'Banco', shown: bank, text: bank },
    { term: 'CLABE', shown: clabeInParts(clabe), text: clabe },
    { term: 'Concepto', shown: folio, text: folio },
    { term: 'Monto', shown: money(amount), text: plainAmount(amount) },
  ]
  return (
    <dl className="grid">
      {rows.map(({ shown, term, text }) => (
        <div
          key={term}
          className="border-t border-line py-1.5 first:border-0 sm:grid sm:grid-cols-[8rem_1fr] sm:items-center sm:py-1"
        >
          <dt className="text-sm text-mute">{term}</dt>
          <dd className="flex min-h-11 items-center justify-between gap-3">
            <span className="min-w-0 font-medium wrap-anywhere tabular-nums select-all">{shown}</span>
            <CopyButton text={text} label={`Copiar ${term}`} iconOnly />
          </dd>
        </div>
      ))}
    </dl>
  )
}

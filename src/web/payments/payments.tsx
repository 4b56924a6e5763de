import { FileText, Receipt } from 'lucide-react'
import { clabeInParts } from '../../domain/payments/banks.ts'
import { conceptLabels, mayAskForRefund, methodLabels } from '../../domain/payments/payment.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { longDate, money, shortDate } from '../../domain/shared/format.ts'
import { Help } from '../app/help.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import { ownInvoiceForms } from '../invoices/forms.ts'
import { asksForFiscalData, OwnInvoices } from '../invoices/own-invoices.tsx'
import { useStepFocus } from '../lib/navigation-focus.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { forms } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { Card, Details, EmptyState } from '../ui/card.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { OrphanedFormError } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/payments.ts'
import { AccountTable, ProofForm } from './account-table.tsx'
import { CardForm, VoucherNotice } from './card-form.tsx'
import {
  type OwnAccount,
  type OwnPayment,
  type OwnRefund,
  ownPaymentForms,
  ownPaymentsPage,
} from './forms.ts'
import { PaymentBadge, RefundBadge } from './payment-badge.tsx'
import { AccountForm, AskRefund } from './refund-forms.tsx'

type DemandCardProps = { payment: OwnPayment; spei: Settings['spei'] | null }

/** Something to be paid: how much, until when, and the ways to pay it. */
function DemandCard({ payment, spei }: DemandCardProps) {
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

/** First the account, then the proof; a form that came back with errors stays open. */
const Transfer = ({ payment, spei }: DemandCardProps & { spei: Settings['spei'] }) => (
  <div className="grid gap-3">
    <Details summary="Pagar por transferencia SPEI" open={payment.state === 'pending'}>
      <SpeiAccount spei={spei} folio={payment.folio} amount={payment.amount} />
    </Details>
    <ProofForm payment={payment} />
  </div>
)

type SpeiAccountProps = { spei: Settings['spei']; folio: string; amount: number }

/** Where to transfer to, and what to write. */
const SpeiAccount = ({ amount, folio, spei: { bank, beneficiary, clabe } }: SpeiAccountProps) => (
  <>
    <DefinitionList
      items={[
        { term: 'A nombre de', value: beneficiary },
        { term: 'Banco', value: bank },
        { term: 'CLABE', value: <span className="font-medium tabular-nums">{clabeInParts(clabe)}</span> },
        { term: 'Cantidad', value: money(amount) },
        { term: 'Concepto', value: folio },
      ]}
    />
    <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
      <CopyButton text={clabe} label="Copiar CLABE" />
      <CopyButton text={folio} label="Copiar concepto" />
    </div>
  </>
)

/**
 * What was paid, the newest first, each with its receipt; what was given back, with its proof elsewhere. Nothing
 * while nothing was.
 */
function PaidList({ payments }: { payments: readonly OwnPayment[] }) {
  const paid = payments
    .filter(({ paidAt, reversesId }) => paidAt !== null && reversesId === null)
    .toSorted((a, b) => Number(b.paidAt) - Number(a.paidAt))
  if (paid.length === 0) return null
  return (
    <Card title="Lo que has pagado">
      <ul className="grid gap-4">
        {paid.map(({ amount, concept, folio, id, method, paidAt, reversedAt, state }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line pt-4 first:border-0 first:pt-0"
          >
            <span className="grid gap-0.5">
              <span className="font-medium">{conceptLabels[concept]}</span>
              <span className="text-sm text-mute">
                {paidAt && shortDate(paidAt)}
                {method && `, ${methodLabels[method]}`}. <span className="whitespace-nowrap">{folio}</span>
              </span>
            </span>
            <span className="flex items-center gap-3">
              <span className="font-semibold tabular-nums">{money(amount)}</span>
              {reversedAt && <PaymentBadge state={state} reversedAt={reversedAt} />}
              {amount > 0 && !reversedAt && (
                <a className={buttonClass('ghost')} href={`/papers/receipt/${id}.pdf`}>
                  <FileText aria-hidden className="size-5 shrink-0 text-brand" />
                  Recibo<span className="sr-only"> {folio}, PDF</span>
                </a>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type OwnRefundCardProps = { refund: OwnRefund; hasPassword: boolean }

/** A refund as its customer follows it: what comes next, and which account it goes to. */
function OwnRefundCard({ refund, hasPassword }: OwnRefundCardProps) {
  const { amount, folio, materials, proof, reason, state } = refund
  return (
    <Card title={`Reembolso ${folio}`} aside={<RefundBadge {...refund} />}>
      <p className="text-2xl font-semibold tracking-tight tabular-nums">{money(amount)}</p>
      <p>{reason}</p>
      {materials > 0 && state !== 'refused' && <p>Descontamos {money(materials)} de material ya comprado.</p>}
      <Next refund={refund} />
      {state === 'requested' && <AccountForm refund={refund} hasPassword={hasPassword} />}
      {proof && <DocumentLink document={proof}>Comprobante del reembolso</DocumentLink>}
    </Card>
  )
}

function Next({ refund }: { refund: OwnRefund }) {
  const { clabe, method, paidAt, refusedReason, state } = refund
  if (state === 'refused')
    return (
      <Alert
        tone={refund.isWithdrawn ? 'info' : 'bad'}
        title={refund.isWithdrawn ? 'Ya no hace falta' : 'No procede'}
      >
        {refusedReason}
      </Alert>
    )
  if (state === 'paid') return <p>{paidAt && `Te lo enviamos el ${longDate(paidAt)}.`}</p>
  if (state === 'approved')
    return (
      <p>
        {method === 'card'
          ? 'Vuelve a tu tarjeta. Tu banco puede tardar de 5 a 10 días.'
          : 'Ya se aprobó: falta la transferencia.'}
      </p>
    )
  return (
    <p>{clabe ? `Va a la CLABE que termina en ${clabe.slice(-4)}.` : 'Dinos a qué cuenta te lo mandamos.'}</p>
  )
}

export const handle = { announcesUpdates: true }

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context }: Route.LoaderArgs) => refusalsAsResponses(() => ownPaymentsPage(context))

export const action = forms(({ context }: Route.ActionArgs) => ({
  ...ownPaymentForms(context, '/payments'),
  ...ownInvoiceForms(context, '/payments'),
}))

export default function Payments({ loaderData }: Route.ComponentProps) {
  const { account, hasPassword, invoicing, projectId, spei, terms } = loaderData
  useStepFocus([...(account?.payments ?? []), ...(account?.refunds ?? [])].map(({ state }) => state).join())
  return (
    <>
      <PageHeader
        title="Pagos realizados"
        subtitle={account && account.lines.length > 0 ? standing(account) : 'Aquí pagas y ves tus recibos.'}
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid gap-4">
          <OrphanedFormError />
          {account?.payments
            .filter(({ state }) => state === 'pending' || state === 'in_review' || state === 'expired')
            .map((payment) => (
              <DemandCard key={payment.id} payment={payment} spei={spei} />
            ))}
          {account?.refunds.map((refund) => (
            <OwnRefundCard key={refund.id} refund={refund} hasPassword={hasPassword} />
          ))}
          {account && projectId && mayAskForRefund(account.ledger.credit, account.refunds) && (
            <AskRefund projectId={projectId} credit={account.ledger.credit} hasPassword={hasPassword} />
          )}
          {account && account.payments.length > 0 ? <PaidList payments={account.payments} /> : <NothingYet />}
        </div>
        <div className="grid gap-4">
          {account && account.lines.length > 0 && (
            <Card title="Tu cuenta">
              <AccountTable lines={account.lines} ledger={account.ledger} />
            </Card>
          )}
          {terms && (
            <Details summary="Qué se devuelve si cancelas">
              <p className="whitespace-pre-line">{terms}</p>
            </Details>
          )}
          {invoicing && <OwnInvoices invoicing={invoicing} />}
          {!invoicing?.invoiceable.some(asksForFiscalData) && (
            <LinkButton to="/fiscal" variant="ghost">
              Mis datos fiscales
            </LinkButton>
          )}
          <Help about="Hola, tengo una duda sobre un pago" />
        </div>
      </div>
    </>
  )
}

type Shown = NonNullable<OwnAccount['account']>

/** The customer's balance, in a sentence. */
function standing({ ledger: { credit, demanded, owed } }: Shown): string {
  if (credit > 0) return `Tienes ${money(credit)} a tu favor.`
  if (demanded > 0) return `Te toca pagar ${money(demanded)}.`
  return owed > 0 ? `Faltan ${money(owed)}, que se pagan al entregar tu instalación.` : 'Estás al corriente.'
}

const NothingYet = () => (
  <EmptyState icon={Receipt} action={<LinkButton to="/">Ver qué sigue</LinkButton>}>
    Todavía no tienes pagos. Aquí vas a ver cómo pagar tu anticipo, y tus recibos.
  </EmptyState>
)

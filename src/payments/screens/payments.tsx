import { Receipt } from 'lucide-react'
import { DocumentLink } from '../../documents/screens/document-link.tsx'
import { ownInvoiceForms } from '../../invoices/screens/forms.ts'
import { asksForFiscalData, OwnInvoices } from '../../invoices/screens/own-invoices.tsx'
import { OrphanedFormError } from '../../kit/form/form.tsx'
import { Help } from '../../kit/help.tsx'
import { useStepFocus } from '../../kit/navigation-focus.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { forms } from '../../kit/submit.ts'
import { withProject } from '../../projects/rules/homes.ts'
import { longDate, money } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { besideClass, Card, Details, EmptyState } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { balanceWords } from '../rules/ledger.ts'
import { conceptLabels, mayAskForRefund } from '../rules/payment.ts'
import { figureOf } from '../rules/receivable.ts'
import type { Route } from './+types/payments.ts'
import { AccountTable } from './account-table.tsx'
import { DemandCard } from './demand-card.tsx'
import { type OwnPayment, type OwnRefund, ownPaymentForms, ownPaymentsPage } from './forms.ts'
import { PaymentBadge, RefundBadge } from './payment-badge.tsx'
import { AccountForm, AskRefund } from './refund-forms.tsx'

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
  const { account, hasPassword, homes, invoicing, projectId, spei, terms } = loaderData
  useStepFocus([...(account?.payments ?? []), ...(account?.refunds ?? [])].map(({ state }) => state).join())
  const demands = (account?.payments ?? []).filter(isDemand)
  const isAsked = demands.length > 0 || (account?.refunds ?? []).length > 0
  const lines = account && account.lines.length > 0 && (
    <Card title="Tu cuenta">
      <AccountTable
        lines={account.lines}
        ledger={account.ledger}
        receipts={account.payments.filter(hasReceipt).map(({ id }) => id)}
      />
    </Card>
  )
  return (
    <>
      <PageHeader
        title="Pagos realizados"
        subtitle={
          account && account.lines.length > 0
            ? balanceWords(account.ledger, account.payments)
            : 'Aquí pagas y ves tus recibos.'
        }
      />
      {homes && <AllHomes {...homes} />}
      {homes && projectId && <h2 className="text-xl font-semibold">{homes.names.get(projectId)}</h2>}
      <div className={besideClass}>
        <div className="grid gap-4">
          <OrphanedFormError />
          {demands.map((payment) => (
            <DemandCard key={payment.id} payment={payment} spei={spei} />
          ))}
          {account?.refunds.map((refund) => (
            <OwnRefundCard key={refund.id} refund={refund} hasPassword={hasPassword} />
          ))}
          {account && projectId && mayAskForRefund(account.ledger.credit, account.refunds) && (
            <AskRefund projectId={projectId} credit={account.ledger.credit} hasPassword={hasPassword} />
          )}
          {!isAsked && lines}
          {!account?.payments.length && <NothingYet isOneOfSeveral={homes !== null} />}
        </div>
        <div className="grid gap-4">
          {isAsked && lines}
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

/** Over all homes of a customer: what they owe, and each payment with its home. */
const AllHomes = ({ rows }: NonNullable<Route.ComponentProps['loaderData']['homes']>) => (
  <Card title="En todos tus domicilios">
    <p className="text-xl font-semibold">{sumWords(rows)}</p>
    <ul className="divide-y divide-line">
      {rows.map(({ amount, concept, dueAt, folio, home, projectId, state }) => (
        <li key={folio} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 last:pb-0">
          <span className="min-w-0 flex-1 basis-64 wrap-anywhere">
            {conceptLabels[concept]}, {home}
            {state === 'pending' && dueAt && (
              <span className="block text-sm text-mute">A más tardar el {longDate(dueAt)}</span>
            )}
          </span>
          <span className="font-semibold tabular-nums">{money(amount)}</span>
          {state === 'pending' ? (
            <LinkButton variant="ghost" to={withProject('/payments', projectId)}>
              Pagar
            </LinkButton>
          ) : (
            <PaymentBadge state={state} />
          )}
        </li>
      ))}
    </ul>
  </Card>
)

type Summed = Parameters<typeof figureOf>[1]

function sumWords(rows: Summed): string {
  const part = (figure: Parameters<typeof figureOf>[0], words: string) => {
    const sum = figureOf(figure, rows)
    return sum === 0 ? [] : [`${words} ${money(sum)}.`]
  }
  const all = [
    ...part('receivable', 'Te toca pagar'),
    ...part('inReview', 'Revisamos'),
    ...part('net', 'Has pagado'),
  ]
  return all.join(' ') || 'Todavía no hay pagos.'
}

const isDemand = ({ state }: OwnPayment) =>
  state === 'pending' || state === 'in_review' || state === 'expired'

/** What was paid, or given back; what was booked by mistake has none. */
const hasReceipt = ({ amount, paidAt, reversedAt, reversesId }: OwnPayment) =>
  paidAt !== null && amount > 0 && !reversedAt && reversesId === null

const NothingYet = ({ isOneOfSeveral }: { isOneOfSeveral: boolean }) => (
  <EmptyState icon={Receipt} action={<LinkButton to="/">Ver qué sigue</LinkButton>}>
    {isOneOfSeveral ? 'De este domicilio todavía no hay pagos.' : 'Todavía no tienes pagos.'} Aquí vas a ver
    cómo pagar tu anticipo, y tus recibos.
  </EmptyState>
)

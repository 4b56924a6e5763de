import { Receipt } from 'lucide-react'
import { mayAskForRefund } from '../../domain/payments/payment.ts'
import { money } from '../../domain/shared/format.ts'
import { Help } from '../app/help.tsx'
import { ownInvoiceForms } from '../invoices/forms.ts'
import { asksForFiscalData, OwnInvoices } from '../invoices/own-invoices.tsx'
import { afterRefusal } from '../lib/after-refusal.ts'
import { load } from '../lib/load.ts'
import { useStepFocus } from '../lib/navigation-focus.ts'
import { forms } from '../lib/submit.ts'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { OrphanedFormError } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/payments.ts'
import { AccountTable } from './account-table.tsx'
import { DemandCard } from './demand-card.tsx'
import { ownPaymentForms } from './forms.ts'
import { type OwnAccount, ownAccount } from './own-account.ts'
import { PaidList } from './paid-list.tsx'
import { OwnRefundCard } from './refund-card.tsx'
import { AskRefund } from './refund-forms.tsx'

export const handle = { announcesUpdates: true }

export const shouldRevalidate = afterRefusal

export const loader = ({ context }: Route.LoaderArgs) => load(() => ownAccount(context))

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

/** Where they stand, in a sentence. */
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

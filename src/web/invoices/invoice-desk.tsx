import { obstacleWords } from '../../domain/invoice.ts'
import { paymentForms, paymentTerms } from '../../domain/sat-catalogues.ts'
import { money } from '../../domain/shared/format.ts'
import type { InvoiceDesk } from '../../server/invoices/queries.ts'
import { Alert } from '../ui/alert.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { Unheard } from '../ui/unheard.tsx'
import { CancelForm, RetryForm, StampedForm } from './invoice-forms.tsx'
import { InvoiceLine } from './invoice-line.tsx'

type InvoiceDeskProps = { desk: InvoiceDesk; result: FormResult | undefined }

/** The invoices of a project for whoever sees to them: asked for, stamped elsewhere and handed in, cancelled. */
export function InvoiceDeskCard({ desk: { invoiceable, invoices }, result }: InvoiceDeskProps) {
  if (invoiceable.length === 0 && invoices.length === 0) return null
  return (
    <Card title="Facturas">
      {invoiceable.map((one) => (
        <Wanted key={one.quoteId} wanted={one} result={about(result, 'quoteId', one.quoteId)} />
      ))}
      {invoices.length > 0 && (
        <ul className="grid gap-4">
          {invoices.map((invoice) => (
            <InvoiceLine key={invoice.id} invoice={invoice}>
              <Work invoice={invoice} result={about(result, 'invoiceId', invoice.id)} />
            </InvoiceLine>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Several forms of a kind stand on the card: the answer is for the one that was sent. */
const about = (result: FormResult | undefined, name: 'quoteId' | 'invoiceId', id: string) =>
  result?.values[name] === id ? result : undefined
const heard = (result: FormResult | undefined, intent: string) =>
  result?.values.intent === intent ? result : undefined

type WantedProps = { wanted: InvoiceDesk['invoiceable'][number]; result: FormResult | undefined }

function Wanted({ wanted: { folio, obstacle, quoteId, total }, result }: WantedProps) {
  if (obstacle)
    return (
      <p>
        {folio}, {money(total)}. {obstacleWords[obstacle].staff}
      </p>
    )
  return (
    <Form result={result}>
      <input type="hidden" name="quoteId" value={quoteId} />
      <p>
        {folio}, {money(total)}: el cliente todavía no pide su factura.
      </p>
      <Submit name="intent" value="request-invoice" variant="ghost" className="justify-self-start">
        Pedir la factura
      </Submit>
    </Form>
  )
}

type WorkProps = {
  invoice: InvoiceDesk['invoices'][number]
  result: FormResult | undefined
}

function Work({ invoice, result }: WorkProps) {
  const { canCancel, canIssue, id, providerError, receiver, state, terms, unknownKeys } = invoice
  return (
    <>
      <p className="text-sm wrap-anywhere">
        {receiver}
        {terms && (
          <span className="block text-mute">
            {`${terms.method} ${paymentTerms[terms.method]}, ${terms.form} ${paymentForms[terms.form].toLowerCase()}`}
          </span>
        )}
      </p>
      {unknownKeys.length > 0 && (
        <Alert tone="wait" title="Revisa estas claves del SAT">
          No están entre las que usamos: {unknownKeys.join(', ')}.
        </Alert>
      )}
      {state === 'requested' && providerError && (
        <RetryForm invoice={invoice} result={heard(result, 'retry-stamp')} />
      )}
      {state === 'requested' && (
        <a className={buttonClass('ghost', 'justify-self-start')} href={`/invoices/${id}.json`} download>
          Bajar la solicitud (JSON)
        </a>
      )}
      {!canIssue && <Unheard result={heard(result, 'issue-invoice')} />}
      {!canCancel && <Unheard result={heard(result, 'cancel-invoice')} />}
      {canIssue && <StampedForm invoice={invoice} result={heard(result, 'issue-invoice')} />}
      {canCancel && <CancelForm invoice={invoice} result={heard(result, 'cancel-invoice')} />}
    </>
  )
}

import { Form, Submit } from '../../kit/form/form.tsx'
import { money } from '../../shared/format.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { OwnInvoicing } from '../queries.ts'
import { obstacleWords } from '../rules/invoice.ts'
import { InvoiceLine } from './invoice-line.tsx'

/** A customer's invoices to download, and those they may request. Nothing where there is neither. */
export function OwnInvoices({ invoicing: { invoiceable, invoices } }: { invoicing: OwnInvoicing }) {
  if (invoiceable.length === 0 && invoices.length === 0) return null
  return (
    <Card id="facturas" className="scroll-mt-20" title="Facturas">
      {invoiceable.map((one) => (
        <Invoiceable key={one.quoteId} wanted={one} />
      ))}
      {invoices.length > 0 && (
        <ul className="grid gap-4">
          {invoices.map((invoice) => (
            <InvoiceLine key={invoice.id} invoice={invoice} />
          ))}
        </ul>
      )}
    </Card>
  )
}

type Wanted = OwnInvoicing['invoiceable'][number]

/** Whether an invoice waits for its customer's fiscal data: the link to them is beside it. */
export const asksForFiscalData = ({ obstacle }: Wanted) => obstacle === 'fiscal' || obstacle === 'generic'

function Invoiceable({ wanted }: { wanted: Wanted }) {
  const { folio, obstacle, quoteId, total } = wanted
  if (obstacle)
    return (
      <div className="grid justify-items-start gap-3">
        <p>{obstacleWords[obstacle].customer}</p>
        {asksForFiscalData(wanted) && (
          <LinkButton to="/fiscal" variant="ghost">
            Completar mis datos fiscales
          </LinkButton>
        )}
      </div>
    )
  return (
    <Form intent="request-invoice" target={{ quoteId }}>
      <p>
        Tu cotización {folio} es de {money(total)}. Si la vas a deducir, pide tu factura.
      </p>
      <Submit variant="ghost" className="justify-self-start">
        Pedir mi factura
      </Submit>
    </Form>
  )
}

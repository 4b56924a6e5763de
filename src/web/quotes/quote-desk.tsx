import type { InvoiceDesk } from '../../server/invoices/invoices-queries.ts'
import type { ShownFiscal } from '../../server/invoices/queries.ts'
import type { WholeQuote } from '../../server/quotes/detail.ts'
import { FiscalCard } from '../invoices/fiscal-card.tsx'
import { InvoiceDeskCard } from '../invoices/invoice-desk.tsx'
import type { OfficeAccount } from '../payments/office-account.ts'
import { PaymentsPanel } from '../payments/payments-panel.tsx'
import { OrphanedFormError } from '../ui/form.tsx'
import { AcceptedCard } from './accepted-card.tsx'
import { ApproveHome, type MovableHome } from './approve-home.tsx'
import { DeskFacts } from './desk-facts.tsx'
import { DeskHistory } from './desk-history.tsx'
import { DeskMoves } from './desk-moves.tsx'
import { DeskVersions } from './desk-versions.tsx'
import { QuoteOptions } from './quote-options.tsx'
import { Terms } from './terms.tsx'

type QuoteDeskProps = {
  quote: WholeQuote
  fiscal: ShownFiscal | null
  invoicing: InvoiceDesk | null
  home: MovableHome | null
  account: OfficeAccount | null
}

/** A quote for those who write them: whose it is, what was agreed, what can be done with it, and everything it says. */
export function QuoteDesk({ account, fiscal, home, invoicing, quote }: QuoteDeskProps) {
  return (
    <div className="grid gap-6">
      <OrphanedFormError />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <DeskFacts quote={quote} />
          <AcceptedCard quote={quote} />
          {account && <PaymentsPanel account={account} />}
          <FiscalCard fiscal={fiscal} />
        </div>
        <div className="grid gap-4">
          <DeskMoves quote={quote} />
          {home && <ApproveHome home={home} version={quote.version} />}
          {invoicing && <InvoiceDeskCard desk={invoicing} />}
          <DeskVersions versions={quote.versions} />
          <DeskHistory trail={quote.trail} />
        </div>
      </div>
      <section className="grid gap-4">
        <h2 className="text-lg font-semibold">Lo que dice</h2>
        <QuoteOptions content={quote.content} accepted={quote.acceptedOption} />
        <Terms content={quote.content} />
      </section>
    </div>
  )
}

import type { ReactNode } from 'react'
import { DocumentLink } from '../../documents/screens/document-link.tsx'
import { money, shortDate } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import type { OwnInvoicing } from '../queries.ts'
import { invoiceKindLabels, invoiceStateFacts } from '../rules/invoice.ts'

type Line = OwnInvoicing['invoices'][number]

/** One invoice: its subject, its state, and its files. */
export function InvoiceLine({ invoice, children }: { invoice: Line; children?: ReactNode }) {
  const { cancelReason, createdAt, folio, issuedAt, kind, pdf, state, total, uuid, xml } = invoice
  const { label, tone } = invoiceStateFacts[state]
  return (
    <li className="grid gap-3 border-t border-line pt-4 first:border-0 first:pt-0">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="font-semibold">
          {invoiceKindLabels[kind]} de {money(total)}
        </p>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="text-sm text-mute">
        {issuedAt ? `Se emitió el ${shortDate(issuedAt)}` : `Se pidió el ${shortDate(createdAt)}`}
        {folio && `, de ${folio}`}
        {uuid && <span className="block wrap-anywhere">Folio fiscal {uuid}</span>}
        {state === 'cancelled' && cancelReason && <span className="block">Motivo: {cancelReason}</span>}
      </p>
      {(xml || pdf) && (
        <div className="flex flex-wrap gap-2">
          {pdf && <DocumentLink document={pdf}>PDF</DocumentLink>}
          {xml && <DocumentLink document={xml}>XML</DocumentLink>}
        </div>
      )}
      {children}
    </li>
  )
}

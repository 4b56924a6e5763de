import { longDate } from '../../domain/shared/format.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { Card } from '../ui/card.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { amount } from './commission-words.tsx'
import type { CommissionDesk } from './load-commissions.ts'

type Payout = CommissionDesk['payouts'][number]

const columns: readonly Column<Payout>[] = [
  { header: 'Día', main: true, cell: ({ paidOn }) => longDate(paidOn) },
  { header: 'Referencia', cell: ({ reference }) => <span className="wrap-anywhere">{reference}</span> },
  { header: 'Registró', cell: ({ paidBy }) => paidBy },
  { header: 'Partidas', numeric: true, cell: ({ rows }) => rows },
  { header: 'Importe', numeric: true, cell: (payout) => amount(payout.amount) },
  {
    header: 'Comprobante',
    cell: ({ proof }) => <DocumentLink document={proof}>Descargar</DocumentLink>,
  },
]

/** What was transferred to an agency, the last first. */
export const CommissionPayouts = ({ payouts }: { payouts: readonly Payout[] }) => (
  <Card title="Transferencias">
    <DataTable caption="Transferencias" columns={columns} rows={payouts} rowKey={({ id }) => id} />
  </Card>
)

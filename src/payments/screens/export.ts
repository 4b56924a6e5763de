import { amountCell, type Columns, exportList } from '../../kit/list/export-file.ts'
import { exportPayments, type LedgerListRow } from '../queries.ts'
import { bankName } from '../rules/banks.ts'
import { conceptOf, methodLabels, standingOf } from '../rules/payment.ts'
import type { withBooks } from '../sums.ts'
import { paymentList } from './payment-lists.ts'

type Booked = Awaited<ReturnType<typeof withBooks<LedgerListRow>>>[number]

const columns: Columns<Booked> = {
  Folio: ({ folio }) => folio,
  Fecha: ({ at }) => at,
  Cliente: ({ customer }) => customer,
  'Domicilio (de varios)': ({ home }) => home,
  RFC: ({ rfc }) => rfc,
  Concepto: conceptOf,
  Cotización: ({ quoteFolio }) => quoteFolio,
  Método: ({ method }) => method && methodLabels[method],
  Estado: (row) => standingOf(row).label,
  Subtotal: ({ net }) => amountCell(net),
  IVA: ({ iva }) => amountCell(iva),
  Cantidad: ({ amount }) => amountCell(amount),
  Banco: ({ bank }) => bank && bankName(bank),
  'Clave de rastreo': ({ trackingKey }) => trackingKey,
  'UUID de la factura': ({ uuid }) => uuid,
}

export const loader = exportList({
  list: paymentList,
  more: ['RFC', 'Cotización', 'Subtotal', 'IVA', 'Banco', 'Clave de rastreo', 'UUID de la factura'],
  module: 'payments',
  name: () => 'pagos',
  columns,
  rows: ({ asked, db, ids, now, viewer }) => exportPayments(db, viewer, asked, now, ids),
})

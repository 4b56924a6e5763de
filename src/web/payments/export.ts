import { bankName } from '../../domain/payments/banks.ts'
import { conceptOf, methodLabels, standingOf } from '../../domain/payments/payment.ts'
import { withDays } from '../../domain/shared/day-range.ts'
import { numericDate, plainAmount } from '../../domain/shared/format.ts'
import { exportPayments, type LedgerListRow } from '../../server/payments/queries.ts'
import { chosenIn, exportCsv } from '../lib/export-csv.ts'
import { readFilters } from '../lib/lists.tsx'
import { paymentFilters } from './office-path.ts'

const columns: Record<string, (row: LedgerListRow) => string | null> = {
  Folio: ({ folio }) => folio,
  Fecha: ({ at }) => numericDate(at),
  Cliente: ({ customer }) => customer,
  'Domicilio (de varios)': ({ home }) => home,
  Concepto: conceptOf,
  Método: ({ method }) => method && methodLabels[method],
  Estado: (row) => standingOf(row).label,
  Cantidad: ({ amount }) => plainAmount(amount),
  Banco: ({ bank }) => bank && bankName(bank),
  'Clave de rastreo': ({ trackingKey }) => trackingKey,
}

export const loader = exportCsv({
  more: ['Banco', 'Clave de rastreo'],
  module: 'payments',
  name: () => 'pagos',
  columns,
  rows: ({ db, now, url, viewer }) =>
    exportPayments(db, viewer, withDays(readFilters(paymentFilters, url).filters, now), now, chosenIn(url)),
})

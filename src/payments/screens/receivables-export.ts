import { amountCell, type Columns, exportList } from '../../kit/list/export-file.ts'
import { formatPhone } from '../../shared/format.ts'
import { exportReceivables, type Receivable } from '../receivables.ts'
import { conceptLabels } from '../rules/payment.ts'
import { receivableList } from './payment-lists.ts'

const columns: Columns<Receivable> = {
  Cliente: ({ customer }) => customer,
  Teléfono: ({ phone }) => phone && formatPhone(phone),
  'Domicilio (de varios)': ({ home }) => home,
  Concepto: ({ concept }) => conceptLabels[concept],
  Folio: ({ folio }) => folio,
  Vence: ({ createdAt, dueAt }) => dueAt ?? createdAt,
  'Días de atraso': ({ days }) => Math.max(0, days),
  Cantidad: ({ amount }) => amountCell(amount),
  'Último recordatorio': ({ remindedAt }) => remindedAt,
}

export const loader = exportList({
  list: receivableList,
  module: 'payments',
  name: () => 'por-cobrar',
  columns,
  rows: ({ asked, db, ids, now, viewer }) => exportReceivables(db, viewer, { ...asked, ids }, now),
})

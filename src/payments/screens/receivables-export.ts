import { amountCell, type Columns, chosenIn, exportList } from '../../kit/list/export-file.ts'
import { readFilters } from '../../kit/list/lists.tsx'
import { formatPhone } from '../../shared/format.ts'
import { exportReceivables, type Receivable } from '../receivables.ts'
import { conceptLabels } from '../rules/payment.ts'
import { receivableFilters } from './office-path.ts'

const columns: Columns<Receivable> = {
  Folio: ({ folio }) => folio,
  Cliente: ({ customer }) => customer,
  Teléfono: ({ phone }) => phone && formatPhone(phone),
  'Domicilio (de varios)': ({ home }) => home,
  Concepto: ({ concept }) => conceptLabels[concept],
  Vence: ({ createdAt, dueAt }) => dueAt ?? createdAt,
  'Días de atraso': ({ days }) => Math.max(0, days),
  Cantidad: ({ amount }) => amountCell(amount),
  'Último recordatorio': ({ remindedAt }) => remindedAt,
}

export const loader = exportList({
  module: 'payments',
  name: () => 'por-cobrar',
  columns,
  rows: ({ db, now, url, viewer }) =>
    exportReceivables(
      db,
      viewer,
      { ...readFilters(receivableFilters, url).filters, ids: chosenIn(url) },
      now,
    ),
})

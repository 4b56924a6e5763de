import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import { hasName } from '../../domain/actor.ts'
import { bankName } from '../../domain/banks.ts'
import { conceptOf, methodLabels, paymentStateFacts } from '../../domain/payment.ts'
import { guard } from '../../domain/screens.ts'
import { localDay, numericDate, plainAmount } from '../../domain/shared/format.ts'
import { actor, db, modules } from '../../server/context.ts'
import { type BookedPayment, exportPayments } from '../../server/payments/book.ts'
import { csvFile } from '../csv.ts'
import { demandModule } from '../module.ts'
import { filtersOf } from './book-filters.ts'
import { officePath } from './office-path.ts'

/** The ledger under the filters of its address, as a file for the manager. It stands outside every layout, so it is its own guard. */
export async function loader({ context, url }: LoaderFunctionArgs) {
  const viewer = context.get(actor)
  const elsewhere = viewer && hasName(viewer) ? null : guard(officePath, viewer, context.get(modules))
  if (elsewhere) throw redirect(elsewhere)
  demandModule(context, 'payments')
  if (viewer?.kind !== 'manager') throw data(null, { status: 404 })
  const rows = exportPayments(context.get(db), viewer, filtersOf(url).filters)
  return csvFile(`pagos-${localDay(new Date())}.csv`, columns, rows)
}

const columns: Record<string, (row: BookedPayment) => string | null> = {
  Folio: ({ folio }) => folio,
  Fecha: ({ at }) => numericDate(at),
  Cliente: ({ customer }) => customer,
  Concepto: conceptOf,
  Método: ({ method }) => method && methodLabels[method],
  Estado: ({ state }) => paymentStateFacts[state].label,
  Cantidad: ({ amount }) => plainAmount(amount),
  Banco: ({ bank }) => bank && bankName(bank),
  'Clave de rastreo': ({ trackingKey }) => trackingKey,
}

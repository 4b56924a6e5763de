import { BookOpen, ReceiptText } from 'lucide-react'
import { Link } from 'react-router'
import { months } from '../../domain/appointments/appointment.ts'
import {
  conceptLabels,
  conceptOf,
  type LedgerTotals,
  methodLabels,
  type PaymentFilters,
  type PaymentPart,
  paymentParts,
  paymentStateFacts,
} from '../../domain/payments/payment.ts'
import { money, relative, shortDate, thousands } from '../../domain/shared/format.ts'
import type { LedgerListRow, proofQueue } from '../../server/payments/queries.ts'
import { choicesOf, ExportLink, FilterBar, yearChoices } from '../lib/lists.tsx'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { assertModule } from '../lib/require-actor.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { forms } from '../lib/submit.ts'
import { LinkButton } from '../ui/button.tsx'
import { Card, EmptyState } from '../ui/card.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'
import { OrphanedFormError } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import type { Route } from './+types/office.ts'
import { BankPart } from './bank-part.tsx'
import { proofForms } from './forms.ts'
import { ledgerPart, ledgerQuery, officePath, paymentPartPath } from './office-path.ts'
import { bankForms, loadOffice } from './office-server.ts'
import { PaymentBadge } from './payment-badge.tsx'
import { ReviewProof } from './review-proof.tsx'

type BookProps = {
  rows: readonly LedgerListRow[]
  totals: LedgerTotals
  years: readonly number[]
  filters: PaymentFilters
  /** Whether the user may have it as a file. */
  exports: boolean
  first: string | null
  next: string | null
}

/** Every payment that was requested or made, with the sums of those under the filters. */
function Book({ rows, totals, years, filters, exports, first, next }: BookProps) {
  return (
    <>
      <BookFilterBar filters={filters} years={years} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-mute">
          {thousands(totals.count)} {totals.count === 1 ? 'pago' : 'pagos'}
        </p>
        {exports && rows.length > 0 && <ExportLink to={`${officePath}.csv${ledgerQuery(filters)}`} />}
      </div>
      {rows.length > 0 ? (
        <>
          <BookTotals totals={totals} />
          <DataTable caption="Pagos" columns={columns} rows={rows} rowKey={({ id }) => id} />
        </>
      ) : (
        <Nothing isNarrowed={Object.keys(filters).length > 0} />
      )}
      <Pagination previous={first} next={next} />
    </>
  )
}

const columns: Column<LedgerListRow>[] = [
  {
    header: 'Pago',
    main: true,
    cell: ({ customer, folio, to }) => (
      <>
        <Link to={to} prefetch="intent" className={rowLinkClass}>
          {folio}
        </Link>
        <span className="block text-sm text-mute">{customer}</span>
      </>
    ),
  },
  { header: 'Fecha', cell: ({ at }) => <span className="whitespace-nowrap">{shortDate(at)}</span> },
  { header: 'Concepto', cell: conceptOf },
  { header: 'Método', cell: ({ method }) => method && methodLabels[method] },
  { header: 'Estado', cell: (row) => <PaymentBadge {...row} /> },
  { header: 'Cantidad', numeric: true, cell: ({ amount }) => money(amount) },
]

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState
    icon={BookOpen}
    action={
      isNarrowed ? (
        <LinkButton variant="ghost" to={paymentPartPath('libro')}>
          Ver todos
        </LinkButton>
      ) : (
        <LinkButton variant="ghost" to="/admin/cotizations">
          Ver cotizaciones
        </LinkButton>
      )
    }
  >
    {isNarrowed
      ? 'No hay pagos con estos filtros.'
      : 'Todavía no hay pagos. El primero aparece cuando un cliente acepta su cotización.'}
  </EmptyState>
)

type BookFilterBarProps = Pick<BookProps, 'filters' | 'years'>

const BookFilterBar = ({ filters, years }: BookFilterBarProps) => (
  <FilterBar
    path={paymentPartPath('libro')}
    action={officePath}
    filters={filters}
    kept={ledgerPart}
    placeholder="Folio, nombre o clave de rastreo"
    fields={[
      { name: 'month', label: 'Mes', choices: months },
      { name: 'year', label: 'Año', choices: yearChoices(years) },
      { name: 'method', label: 'Método', choices: choicesOf(methodLabels) },
      { name: 'concept', label: 'Concepto', choices: choicesOf(conceptLabels) },
      { name: 'state', label: 'Estado', choices: choicesOf(paymentStateFacts) },
    ]}
  />
)

/** The sums of the rows of the ledger, of all pages. */
function BookTotals({ totals: { ended, received, refunded, waiting } }: { totals: LedgerTotals }) {
  const figures = [
    { label: 'Recibido', amount: received },
    { label: 'Devuelto', amount: refunded },
    { label: 'Queda', amount: received + refunded },
    { label: 'Por cobrar', amount: waiting },
    { label: 'Vencido o cancelado', amount: ended },
  ]
  return (
    <Card title="En total">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-5">
        {figures.map(({ amount, label }) => (
          <div key={label} className="grid content-start gap-0.5">
            <dt className="text-sm text-mute">{label}</dt>
            <dd className="font-semibold tabular-nums lg:text-lg">{money(amount)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

type ProofQueueProps = {
  queue: Awaited<ReturnType<typeof proofQueue>>
  now: Date
}

/** The proofs that wait for a review, the longest wait first. */
function ProofQueue({ queue: { rows, total }, now }: ProofQueueProps) {
  if (rows.length === 0)
    return (
      <EmptyState
        icon={ReceiptText}
        action={
          <LinkButton variant="ghost" to={paymentPartPath('banco')}>
            Comparar con el banco
          </LinkButton>
        }
      >
        No hay comprobantes por revisar. Aquí aparecen cuando un cliente manda el de su transferencia.
      </EmptyState>
    )
  return (
    <div className="grid max-w-3xl gap-4">
      <p className="text-mute">{countWords(rows.length, total)}</p>
      {rows.map(({ customer, since, to, ...payment }) => (
        <ReviewProof
          key={payment.id}
          payment={payment}
          now={now}
          payer={
            <>
              <Link to={to} prefetch="intent" className="font-medium">
                {customer}
              </Link>
              {since && <span className="text-mute">, espera desde {relative(since, now)}</span>}
            </>
          }
        />
      ))}
    </div>
  )
}

function countWords(shown: number, total: number): string {
  const all = `${thousands(total)} ${total === 1 ? 'comprobante espera' : 'comprobantes esperan'} revisión`
  return shown < total ? `${all}; estos son los ${shown} que llevan más tiempo.` : `${all}.`
}

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

/** The house's money: proofs to review, every payment, and what the bank says. */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'payments')
    return loadOffice({ context, url })
  })

export const action = forms(({ context, url }: Route.ActionArgs) => {
  assertModule(context, 'payments')
  return { ...proofForms(context, officePath), ...bankForms(context, url) }
})

const tabs = (Object.keys(paymentParts) as PaymentPart[]).map((name) => ({
  name,
  label: paymentParts[name],
  to: paymentPartPath(name),
}))

export default function OfficePayments({ loaderData }: Route.ComponentProps) {
  const { bank, book, now, part, queue } = loaderData
  return (
    <>
      <PageHeader title="Pagos" />
      <TabLinks label="Partes de pagos" tabs={tabs} current={part} />
      <OrphanedFormError />
      {queue && <ProofQueue queue={queue} now={now} />}
      {book && <Book {...book} />}
      {bank && <BankPart {...bank} now={now} />}
    </>
  )
}

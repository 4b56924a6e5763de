import { HandCoins } from 'lucide-react'
import { exportsLists } from '../../domain/access/actor.ts'
import { conceptLabels, managesPayments } from '../../domain/payments/payment.ts'
import { overdueWords, receivableAges } from '../../domain/payments/receivable.ts'
import { remindInput } from '../../domain/payments/schema.ts'
import { counted, formatPhone, money, relative, shortDate, telLink } from '../../domain/shared/format.ts'
import type { Tone } from '../../domain/shared/state-machine.ts'
import { db } from '../../server/app/context.ts'
import {
  type AgeSum,
  listReceivables,
  type Receivable,
  remindPayment,
} from '../../server/payments/receivables.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { ExportLink, ListPages, listQuery, pageLinks, readFilters } from '../lib/lists.tsx'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { assertModule, requireActor } from '../lib/require-actor.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { form, forms } from '../lib/submit.ts'
import { CustomerLink } from '../projects/customer-link.tsx'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Form, OrphanedFormError, Submit } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import type { Route } from './+types/receivables.ts'
import { officePath, paymentPartPath, receivableFilters } from './office-path.ts'

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'payments')
    const [actor, now] = [requireActor(context), new Date()]
    const { after, filters, place } = readFilters(receivableFilters, url)
    const { next, ...page } = await listReceivables(context.get(db), actor, { ...filters, after }, now)
    const pages = pageLinks(filters, place, next)
    return { ...page, pages, filters, now, collects: managesPayments(actor), exports: exportsLists(actor) }
  })

export const action = forms(({ context, url }: Route.ActionArgs) => {
  assertModule(context, 'payments')
  return {
    'remind-payment': form(remindInput, async ({ paymentId }) => {
      await remindPayment(context.get(db), requireActor(context), paymentId, new Date())
      return redirectWithToast(
        url.pathname + url.search,
        'Recordatorio enviado',
        'El cliente lo recibe por correo.',
      )
    }),
  }
})

/** Who owes what since when, the longest overdue first, each with its reminder and the way to its account. */
export default function Receivables({ loaderData }: Route.ComponentProps) {
  const { ages, collects, exports, filters, now, pages, rows } = loaderData
  return (
    <>
      <OrphanedFormError />
      <Ages ages={ages} current={filters.age} />
      {rows.length > 0 ? (
        <>
          {exports && (
            <div className="flex justify-end">
              <ExportLink to={`${officePath}.csv?state=pending`} />
            </div>
          )}
          <DataTable
            caption="Pagos por cobrar"
            columns={columnsFor(now, collects)}
            rows={rows}
            rowKey={({ id }) => id}
          />
        </>
      ) : (
        <Nothing isNarrowed={filters.age !== undefined} />
      )}
      <ListPages pages={pages} rows={rows} />
    </>
  )
}

/** The sum of each age, which is the filter of the list. */
function Ages({ ages, current }: { ages: readonly AgeSum[]; current: AgeSum['age'] | undefined }) {
  const total = ages.reduce(
    (sum, one) => ({ amount: sum.amount + one.amount, count: sum.count + one.count }),
    {
      amount: 0,
      count: 0,
    },
  )
  const choices = [
    { age: undefined, label: 'Todo', ...total },
    ...ages.map((one) => ({ ...one, label: receivableAges[one.age] })),
  ]
  return (
    <nav aria-label="Antigüedad">
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-5">
        {choices.map(({ age, amount, count, label }) => (
          <li key={label} className="grid min-w-0 first:max-sm:col-span-2">
            <Link
              to={paymentPartPath('cobrar') + listQuery(age ? { age } : {})}
              prefetch="intent"
              preventScrollReset
              aria-current={age === current ? 'true' : undefined}
              className={classNames(
                'grid content-start gap-0.5 rounded-card border p-4 no-underline',
                age === current ? 'border-brand bg-brand-soft' : 'border-line bg-card hover:bg-hover',
              )}
            >
              <span className="text-sm text-mute">{label}</span>
              <span className="font-semibold text-ink tabular-nums lg:text-lg">{money(amount)}</span>
              <span className="text-sm text-mute">{counted(count, 'pago', 'pagos')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const toneOf = (days: number): Tone => (days <= 0 ? 'neutral' : days <= 7 ? 'wait' : 'bad')

const columnsFor = (now: Date, collects: boolean): Column<Receivable>[] => [
  {
    header: 'Cliente',
    main: true,
    cell: ({ customer, customerId, phone }) => (
      <>
        <CustomerLink id={customerId}>{customer}</CustomerLink>
        {phone && (
          <a href={telLink(phone)} className="block min-h-6 pt-1 text-sm whitespace-nowrap">
            {formatPhone(phone)}
          </a>
        )}
      </>
    ),
  },
  {
    header: 'Debe',
    cell: ({ concept, createdAt, folio }) => (
      <>
        {conceptLabels[concept]}
        <span className="block text-sm text-mute">
          <span className="whitespace-nowrap">{folio}</span>, desde el{' '}
          <span className="whitespace-nowrap">{shortDate(createdAt)}</span>
        </span>
      </>
    ),
  },
  {
    header: 'Cantidad',
    numeric: true,
    cell: ({ amount, days }) => (
      <>
        <span className="block font-semibold whitespace-nowrap">{money(amount)}</span>
        <Badge tone={toneOf(days)}>{overdueWords(days)}</Badge>
      </>
    ),
  },
  {
    header: 'Acciones',
    cell: ({ folio, id, mayRemind, remindedAt, to }) => (
      <div className="flex flex-wrap items-center gap-2">
        <LinkButton variant="ghost" to={`${to}#cobros`} className="whitespace-nowrap">
          {collects ? 'Cobrar' : 'Ver cuenta'}
          <span className="sr-only">{` ${folio}`}</span>
        </LinkButton>
        {mayRemind && (
          <Form intent="remind-payment" target={{ paymentId: id }}>
            <Submit variant="ghost" className="whitespace-nowrap">
              Recordar<span className="sr-only">{` ${folio}`}</span>
            </Submit>
          </Form>
        )}
        {remindedAt && <span className="text-sm text-mute">{`Recordado ${relative(remindedAt, now)}`}</span>}
      </div>
    ),
  },
]

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState
    icon={HandCoins}
    action={
      isNarrowed ? (
        <LinkButton variant="ghost" to={paymentPartPath('cobrar')}>
          Ver todo
        </LinkButton>
      ) : (
        <LinkButton variant="ghost" to={paymentPartPath('libro')}>
          Ver el libro
        </LinkButton>
      )
    }
  >
    {isNarrowed
      ? 'No hay pagos de esta antigüedad.'
      : 'Nadie debe nada: todo lo que se pidió ya está pagado.'}
  </EmptyState>
)

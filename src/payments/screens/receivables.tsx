import { exportsLists } from '../../access/rules/actor.ts'
import { customerWords } from '../../kit/customer-words.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Form, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { useLastActionData } from '../../kit/form/use-action-data.ts'
import { LeftRows, useMarked } from '../../kit/list/chosen-rows.tsx'
import { listQuery, readList } from '../../kit/list/filters.ts'
import { ExportLinks, ListBody, type ListColumn } from '../../kit/list/list-body.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { assertModule, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { CustomerCell } from '../../projects/screens/customer-cell.tsx'
import { shortFolio } from '../../shared/columns.ts'
import { counted, money, relative } from '../../shared/format.ts'
import { LinkButton } from '../../ui/button.tsx'
import { cardClass } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { rowLinkClass, SecondLine } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import { viewsOf } from '../../users/saved-views.ts'
import { type AgeSum, listReceivables, type Receivable, remindChosen, remindPayment } from '../receivables.ts'
import { conceptLabels } from '../rules/payment.ts'
import { type AgeFilter, overdueWords, type ReceivableAge, receivableAges } from '../rules/receivable.ts'
import { remindInput } from '../rules/schema.ts'
import type { Route } from './+types/receivables.ts'
import { paymentPartPath } from './office-path.ts'
import { receivableList } from './payment-lists.ts'

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'payments')
    const { actor, now, db } = signedIn(context)
    const { asked, filters, page } = readList(receivableList, url, now)
    const [receivables, saved] = await Promise.all([
      listReceivables(db, actor, asked, now),
      viewsOf(db, actor, 'receivables'),
    ])
    const total = countIn(receivables.ages, filters.age)
    return { ...page(receivables), total, saved, now, exports: exportsLists(actor) }
  })

export const action = forms(({ context, url }: Route.ActionArgs) => {
  assertModule(context, 'payments')
  return {
    'remind-payment': form(remindInput['remind-payment'], async ({ paymentId }) => {
      const { db, actor, now } = signedIn(context)
      await remindPayment(db, actor, paymentId, now)
      const whose = { of: 'payments', id: paymentId } as const
      const sent = 'El cliente lo recibe por correo.'
      const told = await customerWords(db, whose, sent)
      const title = told === sent ? 'Recordatorio enviado' : 'Recordatorio anotado'
      return redirectWithToast(url.pathname + url.search, title, told)
    }),
    'remind-chosen': form(remindInput['remind-chosen'], async (ids) => {
      const { db, actor, now } = signedIn(context)
      const { done, left } = await remindChosen(db, actor, ids, now)
      if (left.length > 0) return { done, left }
      const title = counted(done, 'recordatorio enviado', 'recordatorios enviados')
      return redirectWithToast(
        url.pathname + url.search,
        title,
        'Lo recibe por correo cada cliente que tiene.',
      )
    }),
  }
})

/** Who owes what since when, the longest overdue first, each with its reminder and the way to its account. */
export default function Receivables({ loaderData, actionData }: Route.ComponentProps) {
  const { ages, exports, filters, rows } = loaderData
  const answer = useLastActionData(actionData)
  const reminded = answer && 'left' in answer ? answer : undefined
  const marked = useMarked(chosenIntents, reminded)
  return (
    <>
      <OrphanedFormError />
      <LeftRows answer={reminded} title={leftTitle} pathOf={({ to }) => `${to}#cobros`} />
      <Ages ages={ages} filters={filters} />
      <ListBody
        list={receivableList}
        loaded={loaderData}
        hasBar={false}
        columns={columns}
        ticks={{ label: ({ folio }) => folio, intents: chosenIntents, marked, children: reminding }}
        otherwise={
          <LinkButton variant="ghost" to={paymentPartPath('libro')}>
            Ver el libro
          </LinkButton>
        }
      >
        {rows.length > 0 && (
          <div className="flex flex-wrap items-center justify-end gap-3 empty:hidden">
            <Orders filters={filters} />
            {exports && <ExportLinks list={receivableList} loaded={loaderData} />}
          </div>
        )}
      </ListBody>
    </>
  )
}

const reminding = (
  <Submit name="intent" value="remind-chosen">
    Recordar
  </Submit>
)

const countIn = (ages: readonly AgeSum[], asked: AgeFilter | undefined) =>
  ages
    .filter(({ age }) => !asked || asked === age || (asked === 'overdue' && age !== 'ahead'))
    .reduce((sum, { count }) => sum + count, 0)

const chosenIntents = ['remind-chosen'] as const

const leftTitle = (done: number, left: number) =>
  `${done > 0 ? counted(done, 'recordatorio enviado', 'recordatorios enviados') : 'Ninguno se envió'}. ${left === 1 ? 'Este no' : 'Estos no'}:`

type Filters = Route.ComponentProps['loaderData']['filters']

/** In words, where cards have no headers. */
const orders = [
  { order: undefined, label: 'Más atrasados' },
  { order: 'reverse', label: 'Menos atrasados' },
  { order: 'amount', label: 'Mayor cantidad primero' },
] as const

const Orders = ({ filters: { age, order: now } }: { filters: Filters }) => (
  <nav aria-label="Orden" className="mr-auto flex flex-wrap gap-2 lg:hidden">
    {orders.map(({ label, order }) => (
      <Link
        key={label}
        to={receivableList.path + listQuery({ ...(age && { age }), ...(order && { order }) })}
        prefetch="intent"
        preventScrollReset
        aria-current={order === now ? 'true' : undefined}
        className={classNames(
          'flex min-h-11 items-center rounded-full border px-4 text-[0.9375rem] font-medium no-underline',
          order === now ? 'border-brand bg-brand-soft text-brand' : 'border-line bg-card text-mute',
        )}
      >
        {label}
      </Link>
    ))}
  </nav>
)

const tints: Record<ReceivableAge, string> = {
  older: 'bg-bad',
  month: 'bg-bad/60',
  week: 'bg-wait',
  ahead: 'bg-brand',
}

/** The sums of all ages as one bar; each is the filter of the list. */
const Ages = ({ ages, filters: { age: current, order } }: { ages: readonly AgeSum[]; filters: Filters }) => (
  <nav aria-label="Antigüedad" className={classNames(cardClass, 'grid gap-1 p-2')}>
    <div aria-hidden className="mx-2 mt-2 flex h-3 gap-0.5 overflow-hidden rounded-full bg-track">
      {ages.map(({ age, amount }) => (
        <span key={age} style={{ flexGrow: amount }} className={tints[age]} />
      ))}
    </div>
    <ul className="grid grid-cols-2 xl:grid-cols-4">
      {ages.map(({ age, amount, count }) => (
        <li key={age} className="grid min-w-0">
          <Link
            to={receivableList.path + listQuery({ age, ...(order && { order }) })}
            prefetch="intent"
            preventScrollReset
            aria-current={age === current ? 'true' : undefined}
            className={classNames(
              'grid content-start rounded-control p-2 text-sm text-mute no-underline',
              age === current ? 'bg-brand-soft' : 'hover:bg-hover',
            )}
          >
            <span className="flex items-center gap-1.5">
              <span aria-hidden className={classNames('size-2.5 shrink-0 rounded-full', tints[age])} />
              {receivableAges[age]}
            </span>
            <span>
              <b className="font-semibold text-ink tabular-nums">{money(amount)}</b>{' '}
              <span className="whitespace-nowrap">{counted(count, 'pago', 'pagos')}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

const columns: readonly ListColumn<Receivable, { now: Date }>[] = [
  { header: 'Cliente', main: true, cell: (row) => <CustomerCell row={row} /> },
  {
    header: 'Concepto',
    whole: true,
    cell: ({ concept, folio }, { now }) => (
      <>
        {conceptLabels[concept]}
        <SecondLine>
          <span title={folio}>{shortFolio(folio, now)}</span>
        </SecondLine>
      </>
    ),
  },
  {
    header: 'Atraso',
    numeric: true,
    sorts: ['ascending'],
    cell: ({ days }) => (
      <span className={days > 0 ? 'font-semibold text-bad' : 'text-mute'}>
        {days > 0 ? counted(days, 'día', 'días') : overdueWords(days)}
      </span>
    ),
  },
  {
    header: 'Cantidad',
    numeric: true,
    sorts: ['descending', 'amount'],
    cell: ({ amount }) => <span className="font-semibold">{money(amount)}</span>,
  },
  {
    header: 'Recordado',
    whole: true,
    from: 'medium',
    cell: ({ remindedAt }, { now }) => remindedAt && relative(remindedAt, now),
  },
  { header: 'Acciones', whole: true, cell: (row) => <Actions row={row} /> },
]

/** A customer is reminded once a day. */
const Actions = ({ row: { folio, id, mayRemind, to } }: { row: Receivable }) => (
  <span className="flex items-center justify-end gap-3">
    {mayRemind && (
      <Form intent="remind-payment" target={{ paymentId: id }} className="shrink-0">
        <Submit variant="ghost" className="lg:min-h-8! lg:px-3 lg:text-sm">
          Recordar<span className="sr-only">{` ${folio}`}</span>
        </Submit>
      </Form>
    )}
    <Link
      to={`${to}#cobros`}
      prefetch="intent"
      className={classNames(rowLinkClass, 'font-semibold text-brand')}
    >
      Cobrar<span className="sr-only">{` ${folio}`}</span>
    </Link>
  </span>
)

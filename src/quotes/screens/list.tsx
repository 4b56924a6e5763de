import { lazy, Suspense } from 'react'
import { exportsLists } from '../../access/rules/actor.ts'
import { yearsForFilter } from '../../appointments/rules/appointment.ts'
import {
  listToQuote,
  type QuoteFigures,
  quoteFigures,
  quoteMakers,
  type StateFigures,
  type ToQuote,
} from '../../customers/quote-figures.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { useLastActionData } from '../../kit/form/use-action-data.ts'
import { LeftRows, useMarked } from '../../kit/list/chosen-rows.tsx'
import { FilterChips } from '../../kit/list/filter-bar.tsx'
import { listQuery, readList } from '../../kit/list/filters.ts'
import { ListBody, ListHeader } from '../../kit/list/list-body.tsx'
import { type LoaderContext, requestOf, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { counted, money, monthAndYear, relative, thousands } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { refuse } from '../../shared/refusal.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable, rowLinkClass } from '../../ui/data-table.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import { Link } from '../../ui/link.tsx'
import { agencyNames } from '../../users/queries.ts'
import { viewsOf } from '../../users/saved-views.ts'
import { listPlain, listPriced } from '../list.ts'
import { remindOfChosen } from '../remind.ts'
import { listedStates, type MonthFigures, type QuoteFilters, quoteFiltersFor } from '../rules/quote.ts'
import { quoteListForms } from '../rules/schema.ts'
import { readsOfQuotes } from '../transition.ts'
import type { Route } from './+types/list.ts'
import { ordersWithoutWorth, pricedColumns, QuoteBadge, quoteColumns, quoteList } from './quote-table.tsx'

type Asked = { context: LoaderContext; url: URL }

/** The list under the filters of its address: with amounts and figures for the office, without for other users. */
async function loadQuotes({ context, url }: Asked) {
  const db = await requestOf(context).lists()
  const { actor } = signedIn(context)
  const reading = readsOfQuotes[actor.kind ?? refuse('not-found')]
  const now = new Date()
  const { after, asked, page } = readList(quoteList, url, now, (filters) => quoteFiltersFor(reading, filters))
  const common = { exports: exportsLists(actor), now }
  const known = { findsPeople: reading !== 'state', states: listedStates(reading) }
  if (reading !== 'all') {
    const [quotes, saved] = await Promise.all([
      listPlain(db, actor, asked, after),
      viewsOf(db, actor, 'quotes'),
    ])
    return { ...known, plain: { ...common, ...page(quotes), saved }, priced: null }
  }
  const [quotes, figures, toQuote, makers, agencies, saved] = await Promise.all([
    listPriced(db, actor, asked, after),
    quoteFigures(db, actor, asked, now),
    listToQuote(db, actor),
    quoteMakers(db, actor),
    agencyNames(db, actor),
    viewsOf(db, actor, 'quotes'),
  ])
  return {
    ...known,
    plain: null,
    priced: {
      ...common,
      ...page(quotes),
      saved,
      figures,
      toQuote,
      makers,
      agencies: agencies.map(({ id, name }) => ({ id, name })),
    },
  }
}

export const handle = { announcesUpdates: true }

export const loader = (asked: Route.LoaderArgs) => loadQuotes(asked)

export const shouldRevalidate = revalidateOnConflict

export const action = forms(({ context, url }: Route.ActionArgs) => ({
  'remind-quotes': form(quoteListForms['remind-quotes'], async (ids) => {
    const { db, actor, now } = signedIn(context)
    const { done, left } = await remindOfChosen(db, actor, ids, now)
    if (left.length > 0) return { done, left }
    return redirectWithToast(url.pathname + url.search, sentWords(done), 'Cada cliente lo recibe por correo.')
  }),
}))

const chosenIntents = ['remind-quotes'] as const

const sentWords = (count: number) => counted(count, 'recordatorio enviado', 'recordatorios enviados')

const leftTitle = (done: number, left: number) =>
  `${done > 0 ? sentWords(done) : 'Ninguno se envió'}. ${left === 1 ? 'Esta no' : 'Estas no'}:`

export default function Quotes({ actionData, loaderData }: Route.ComponentProps) {
  const answer = useLastActionData(actionData)
  const reminded = answer && 'left' in answer ? answer : undefined
  const marked = useMarked(chosenIntents, reminded)
  const { findsPeople, plain, priced, states } = loaderData
  const loaded = priced ?? plain
  const { filters, now, years } = loaded
  const list = priced ? quoteList : { ...quoteList, empty: 'Todavía no hay cotizaciones que puedas ver.' }
  const shared = {
    list,
    chips: <FilterChips label="Días" path={list.path} filters={filters} chips={dayChips} />,
    offers: {
      state: states,
      year: yearsForFilter(years),
      order: priced ? undefined : ordersWithoutWorth,
      analyst: priced?.makers,
      agency: priced?.agencies,
    },
    placeholder: findsPeople ? undefined : 'Nombre',
    otherwise,
  }
  return (
    <>
      <ListHeader list={list} loaded={loaded} />
      <OrphanedFormError />
      <LeftRows answer={reminded} title={leftTitle} pathOf={({ id }) => `${list.path}/detail-quote/${id}`} />
      {priced ? (
        <>
          <ToQuoteCard {...priced.toQuote} id="por-cotizar" title="Por cotizar" now={now} />
          <ToQuoteCard
            {...priced.toQuote.unreported}
            id="sin-reporte"
            title="Visitas sin reporte"
            now={now}
          />
          <ListBody
            {...shared}
            loaded={priced}
            columns={pricedColumns}
            ticks={{ label: ({ folio }) => folio, intents: chosenIntents, marked, children: reminding }}
          />
          <FiguresCards figures={priced.figures} filters={filters} />
        </>
      ) : (
        <ListBody {...shared} loaded={plain} columns={quoteColumns} />
      )}
    </>
  )
}

const dayChips = [
  { label: 'Enviadas hoy', sets: { range: 'hoy' } },
  { label: 'Enviadas esta semana', sets: { range: 'semana' } },
  { label: 'Vencen hoy', sets: { range: 'hoy', date: 'end' } },
  { label: 'Vencen mañana', sets: { range: 'manana', date: 'end' } },
  { label: 'Vencen esta semana', sets: { range: 'semana', date: 'end' } },
]

const reminding = (
  <Submit name="intent" value="remind-quotes">
    Recordar
  </Submit>
)

const otherwise = (
  <LinkButton variant="ghost" to="/admin/appointments-done">
    Ver citas realizadas
  </LinkButton>
)

type ToQuoteCardProps = { id: string; title: string; total: number; rows: readonly ToQuote[]; now: Date }

/** Where the next quote begins, or what keeps it from beginning. Nothing while none waits. */
function ToQuoteCard({ id, title, total, rows, now }: ToQuoteCardProps) {
  if (rows.length === 0) return null
  return (
    <Card id={id} className="scroll-mt-4" title={`${title} (${thousands(total)})`}>
      <ul className="grid divide-y divide-line">
        {rows.map((row) => (
          <li
            key={row.appointmentId}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
          >
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">{row.customer}</p>
              <p className="text-sm text-mute">
                {row.folio}
                {row.municipality && `, ${municipalityLabel(row.municipality)}`}. {row.why}{' '}
                {relative(row.since, now)}.
              </p>
            </div>
            <LinkButton to={row.to} aria-label={`${row.act} ${row.folio}`}>
              {row.act}
            </LinkButton>
          </li>
        ))}
      </ul>
      {total > rows.length && (
        <p className="text-sm text-mute">Y {thousands(total - rows.length)} más recientes.</p>
      )}
    </Card>
  )
}

// Large, and needed at the end of this screen only. Where it can't be loaded, its table says the same.
const MonthChart = lazy(() => import('./month-chart.tsx').catch(() => ({ default: () => null })))

type FiguresCardsProps = { figures: QuoteFigures; filters: QuoteFilters }

/** The sums of the quotes: by state under the list's filters, and by month. */
const FiguresCards = ({ figures: { states, months }, filters }: FiguresCardsProps) => (
  <div className="grid items-start gap-4 2xl:grid-cols-[2fr_3fr]">
    <StatesCard states={states} filters={filters} />
    <MonthsCard months={withoutEmptyStart(months)} />
  </div>
)

const amount = (centavos: number) => <span className="whitespace-nowrap tabular-nums">{money(centavos)}</span>

function StatesCard({ states, filters }: { states: readonly StateFigures[]; filters: QuoteFilters }) {
  if (states.length === 0) return null
  const columns: Column<StateFigures>[] = [
    {
      header: 'Estado',
      main: true,
      cell: ({ state }) => (
        <Link to={`${quoteList.path}${listQuery({ ...filters, state })}`} className={rowLinkClass}>
          <QuoteBadge state={state} />
        </Link>
      ),
    },
    { header: 'Cotizaciones', numeric: true, cell: ({ count }) => thousands(count) },
    { header: 'Importe', numeric: true, cell: ({ total }) => amount(total) },
  ]
  return (
    <Card title="Por estado">
      <p className="text-sm text-mute">Con IVA. Lo aceptado, o la opción de menor precio.</p>
      <DataTable
        caption="Cotizaciones por estado"
        columns={columns}
        rows={states}
        rowKey={({ state }) => state}
      />
    </Card>
  )
}

const monthColumns: readonly Column<MonthFigures>[] = [
  {
    header: 'Mes',
    main: true,
    cell: ({ month }) => <span className="whitespace-nowrap">{monthAndYear(`${month}-01`)}</span>,
  },
  { header: 'Cotizado', numeric: true, cell: ({ quoted }) => amount(quoted) },
  { header: 'Aceptado', numeric: true, cell: ({ accepted }) => amount(accepted) },
  { header: 'Pagado', numeric: true, cell: ({ paid }) => amount(paid) },
]

function MonthsCard({ months }: { months: readonly MonthFigures[] }) {
  const isReady = useHydrated()
  return (
    <Card title="Por mes">
      <p className="text-sm text-mute">
        Con IVA: lo que se envió, lo aceptado que sigue en pie y lo cobrado menos lo reembolsado.
      </p>
      {/* Its place is kept only where a chart will come. */}
      <div className="hidden h-72 [@media(scripting:enabled)]:block">
        {isReady && (
          <Suspense fallback={null}>
            <MonthChart months={months} />
          </Suspense>
        )}
      </div>
      <DataTable
        caption="Cotizado, aceptado y pagado por mes"
        columns={monthColumns}
        rows={months.toReversed()}
        rowKey={({ month }) => month}
      />
    </Card>
  )
}

/** From the first month with something in it; the last one is always kept. */
function withoutEmptyStart(months: readonly MonthFigures[]) {
  const first = months.findIndex(({ quoted, accepted, paid }) => quoted || accepted || paid)
  return first < 0 ? months.slice(-1) : months.slice(first)
}

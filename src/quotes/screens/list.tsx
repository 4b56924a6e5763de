import { lazy, Suspense } from 'react'
import { type Actor, exportsLists } from '../../access/rules/actor.ts'
import { yearsForFilter } from '../../appointments/rules/appointment.ts'
import {
  countToQuote,
  listToQuote,
  quoteMakers,
  quoteMonthFigures,
  quoteStateFigures,
  type StateFigures,
  type ToQuoteList,
} from '../../customers/quote-figures.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { useLastActionData } from '../../kit/form/use-action-data.ts'
import { LeftRows, useMarked } from '../../kit/list/chosen-rows.tsx'
import { FilterBar, FilterChips } from '../../kit/list/filter-bar.tsx'
import { readList } from '../../kit/list/filters.ts'
import { ListBody, ListHeader } from '../../kit/list/list-body.tsx'
import { type LoaderContext, requestOf, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import type { Db } from '../../platform/database/client.ts'
import { counted, money, monthAndYear } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { agencyNames } from '../../users/queries.ts'
import { viewsOf } from '../../users/saved-views.ts'
import { takeQuote } from '../drafts.ts'
import { listPlain, listPriced } from '../list.ts'
import { remindOfChosen } from '../remind.ts'
import {
  listedStates,
  type MonthFigures,
  type QuoteFilters,
  type QuoteState,
  quoteFiltersFor,
  quoteStates,
} from '../rules/quote.ts'
import { quotePartPath } from '../rules/quote-path.ts'
import { notTaken, type QuoteTab, quoteTabs, statesOfTab } from '../rules/quote-tabs.ts'
import { quoteListForms } from '../rules/schema.ts'
import { readsOfQuotes } from '../transition.ts'
import type { Route } from './+types/list.ts'
import {
  monthsList,
  ordersWithoutWorth,
  pricedColumns,
  quoteColumns,
  quoteList,
  toQuoteColumns,
  toQuoteList,
} from './quote-table.tsx'

type Asked = { context: LoaderContext; url: URL }

/** The list under the filters of its address: in tabs and with amounts for the office, without for other users. */
async function loadQuotes({ context, url }: Asked) {
  const db = await requestOf(context).lists()
  const { actor } = signedIn(context)
  const reading = readsOfQuotes[actor.kind ?? refuse('not-found')]
  if (reading === 'all') return { plain: null, office: await loadTab(db, actor, url) }
  const now = new Date()
  const { after, asked, page } = readList(quoteList, url, now, (filters) => quoteFiltersFor(reading, filters))
  const [quotes, saved] = await Promise.all([
    listPlain(db, actor, asked, after),
    viewsOf(db, actor, 'quotes'),
  ])
  const states = listedStates(reading)
  return { office: null, plain: { ...page(quotes), findsPeople: reading !== 'state', now, saved, states } }
}

const waitingIn: Partial<Record<QuoteTab, ToQuoteList>> = {
  'por-cotizar': 'to_quote',
  'sin-reporte': 'no_report',
}

/** The tab that an address shows: what waits, unless it asks for anything else. */
function tabIn(asked: URL, now: Date): { tab: QuoteTab; url: URL } {
  const narrows = readList(quoteList, asked, now).filters
  const tab = narrows.view ?? (Object.keys(narrows).length > 0 ? 'todas' : 'por-cotizar')
  const url = new URL(asked)
  url.searchParams.set('view', tab)
  return { tab, url }
}

/** One tab of the list, and how many rows each of them holds under the same filters. */
async function loadTab(db: Db, actor: Actor, asked: URL) {
  const now = new Date()
  const { tab, url } = tabIn(asked, now)
  const given = askedOf(url, now)
  const { quotes, visits } = given
  const [states, counted, makers, agencies, saved, rows] = await Promise.all([
    quoteStateFigures(db, actor, quotes.asked),
    countToQuote(db, actor, visits.asked),
    quoteMakers(db, actor),
    agencyNames(db, actor),
    viewsOf(db, actor, 'quotes'),
    rowsOf(db, actor, tab, given),
  ])
  const { months = null, priced, toQuote } = rows
  const total = waitingIn[tab] ? counted[waitingIn[tab]] : 0
  return {
    tab,
    tabs: tabsOf(url, states, counted),
    amount: sumOf(states.filter(({ state }) => isIn(state, quotes.filters)).map((one) => one.total)),
    filters: quotes.filters,
    makers,
    agencies: agencies.map(({ id, name }) => ({ id, name })),
    months,
    toQuote: toQuote ? { now, saved, ...visits.page({ ...toQuote, total, isMore: false }) } : null,
    priced: priced ? { now, saved, exports: exportsLists(actor), ...quotes.page(priced) } : null,
  }
}

/** What an address asks of each of the two lists. */
const askedOf = (url: URL, now: Date) => ({
  quotes: readList(quoteList, url, now),
  visits: readList(toQuoteList, url, now),
  now,
})
type AskedOf = ReturnType<typeof askedOf>

async function rowsOf(db: Db, actor: Actor, tab: QuoteTab, { now, quotes, visits }: AskedOf) {
  const list = waitingIn[tab]
  if (list) return { toQuote: await listToQuote(db, actor, list, visits.asked) }
  return tab === 'meses'
    ? { months: withoutEmptyStart(await quoteMonthFigures(db, actor, quotes.asked, now)) }
    : { priced: await listPriced(db, actor, quotes.asked, quotes.after) }
}

const sumOf = (figures: readonly number[]) => figures.reduce((sum, one) => sum + one, 0)
const isIn = (state: QuoteState, { state: asked, view }: QuoteFilters) =>
  (asked ?? state) === state && (statesOfTab(view)?.includes(state) ?? true)

/** The tabs with their counts; each keeps the filters, but not the state and the place in another tab. */
function tabsOf(url: URL, states: readonly StateFigures[], waiting: Record<ToQuoteList, number>) {
  const query = new URLSearchParams(url.search)
  for (const name of ['state', 'order', 'after', 'page', 'trail']) query.delete(name)
  const countOf = (tab: QuoteTab) => {
    const list = waitingIn[tab]
    if (list) return waiting[list]
    const held = statesOfTab(tab)
    return held && sumOf(states.filter(({ state }) => held.includes(state)).map(({ count }) => count))
  }
  return (Object.keys(quoteTabs) as QuoteTab[]).flatMap((name) => {
    const count = countOf(name)
    query.set('view', name)
    const isShown = name !== 'sin-reporte' || count !== 0 || url.searchParams.get('view') === name
    return isShown ? [{ name, label: quoteTabs[name].label, count, to: `${quoteList.path}?${query}` }] : []
  })
}

export const handle = { announcesUpdates: true }

export const loader = (asked: Route.LoaderArgs) => loadQuotes(asked)

export const shouldRevalidate = revalidateOnConflict

export const action = forms(({ context, url }: Route.ActionArgs) => {
  const { db, actor, now } = signedIn(context)
  const here = url.pathname + url.search
  return {
    'remind-quotes': form(quoteListForms['remind-quotes'], async (ids) => {
      const { done, left } = await remindOfChosen(db, actor, ids, now)
      if (left.length > 0) return { done, left }
      return redirectWithToast(here, sentWords(done), 'Cada cliente lo recibe por correo.')
    }),
    'take-quote': form(quoteListForms['take-quote'], async ({ appointmentId }) => {
      const { folio } = await takeQuote(db, actor, appointmentId, now)
      return redirectWithToast(here, 'La cotización es tuya', `${folio} empieza con lo que pide el reporte.`)
    }),
  }
})

const chosenIntents = ['remind-quotes'] as const

const sentWords = (count: number) => counted(count, 'recordatorio enviado', 'recordatorios enviados')

const leftTitle = (done: number, left: number) =>
  `${done > 0 ? sentWords(done) : 'Ninguno se envió'}. ${left === 1 ? 'Esta no' : 'Estas no'}:`

type LoaderData = Route.ComponentProps['loaderData']
type Office = NonNullable<LoaderData['office']>

export default function Quotes({ actionData, loaderData: { office, plain } }: Route.ComponentProps) {
  const answer = useLastActionData(actionData)
  const reminded = answer && 'left' in answer ? answer : undefined
  const marked = useMarked(chosenIntents, reminded)
  if (plain) return <PlainQuotes loaded={plain} />
  const { amount, priced, toQuote } = office
  const listed = toQuote ?? priced
  const list = toQuote ? toQuoteList : quoteList
  return (
    <>
      {listed ? (
        <ListHeader list={list} loaded={listed} note={priced ? ` · ${money(amount)} con IVA` : ''} />
      ) : (
        <PageHeader title={list.title} />
      )}
      <TabLinks label="Cotizaciones por estado" tabs={office.tabs} current={office.tab} />
      <OrphanedFormError />
      <LeftRows answer={reminded} title={leftTitle} pathOf={({ id }) => quotePartPath(id)} />
      <TabBody {...office} marked={marked} />
    </>
  )
}

/** The rows of a tab under its filters. */
function TabBody({ agencies: agency, filters, makers, marked, tab, ...office }: Office & Marked) {
  const { months, priced, toQuote } = office
  if (toQuote) {
    const analyst = [{ id: notTaken, name: 'Nadie' }, ...makers]
    return (
      <ListBody
        list={toQuoteList}
        loaded={toQuote}
        offers={{ agency, analyst }}
        columns={toQuoteColumns}
        dense
      />
    )
  }
  if (months)
    return (
      <>
        <FilterBar list={monthsList} filters={filters} offers={{ agency, analyst: makers, year: years }} />
        <MonthsCard months={months} />
      </>
    )
  const states = statesOfTab(tab) ?? quoteStates
  return (
    priced && (
      <ListBody
        list={quoteList}
        loaded={priced}
        chips={
          tab in dated && (
            <FilterChips label="Días" path={quoteList.path} filters={filters} chips={dayChips} />
          )
        }
        offers={{
          state: states.length > 1 ? states : null,
          year: yearsForFilter(priced.years),
          analyst: makers,
          agency,
        }}
        columns={pricedColumns}
        dense
        ticks={{ label: ({ folio }) => folio, intents: chosenIntents, marked, children: reminding }}
        otherwise={otherwise}
      />
    )
  )
}
type Marked = { marked: ReadonlySet<string> }
const years = yearsForFilter([])

const PlainQuotes = ({ loaded }: { loaded: NonNullable<LoaderData['plain']> }) => (
  <>
    <ListHeader list={quoteList} loaded={loaded} />
    <ListBody
      list={{ ...quoteList, empty: 'Todavía no hay cotizaciones que puedas ver.' }}
      loaded={loaded}
      chips={<FilterChips label="Días" path={quoteList.path} filters={loaded.filters} chips={dayChips} />}
      offers={{ state: loaded.states, year: yearsForFilter(loaded.years), order: ordersWithoutWorth }}
      placeholder={loaded.findsPeople ? undefined : 'Nombre'}
      columns={quoteColumns}
      otherwise={otherwise}
    />
  </>
)

/** The tabs that are narrowed by days. */
const dated = { esperan: true, todas: true }

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

// Large, and needed at the end of this screen only. Where it can't be loaded, its table says the same.
const MonthChart = lazy(() => import('./month-chart.tsx').catch(() => ({ default: () => null })))

const amount = (centavos: number) => <span className="whitespace-nowrap tabular-nums">{money(centavos)}</span>

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

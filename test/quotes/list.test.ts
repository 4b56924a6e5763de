import {
  countToQuote,
  listToQuote,
  quoteMonthFigures,
  quoteStateFigures,
} from '../../src/customers/quote-figures.ts'
import { payments, quotes } from '../../src/platform/database/schema/payments.ts'
import { listPriced } from '../../src/quotes/list.ts'
import { type QuoteFilters, type QuoteState, quoteStates } from '../../src/quotes/rules/quote.ts'
import { localDay } from '../../src/shared/format.ts'
import { storeVisit } from '../kit/appointments.ts'
import {
  ally,
  analyst,
  db,
  expectNotOnPage,
  expectScreen,
  fixture,
  manager,
  newPerson,
  openOnce,
  rowsWhere,
  storeRows,
  technician,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { type Quote, storeDraft, visited } from '../kit/quotes.ts'
import { expectAnswered, expectTwice, loaded } from '../kit/reading.ts'

const now = new Date('2026-11-24T18:00:00Z')
const day = 24 * 3_600_000
const list = '/admin/cotizations'

openOnce()
let rows: (Quote & { paid: number })[]
beforeAll(async () => {
  rows = []
  // One page holds 50.
  for (let n = 0; n < 44; n++) rows.push(await plant(n))
})

const wasAccepted = (state: QuoteState) => ['accepted', 'cancelled', 'lapsed'].includes(state)

/** A quote of a project of its own, every eleven days; the amounts differ, some above what a float holds in pesos. */
async function plant(n: number) {
  const customer = await newPerson()
  const home = await fixture.home(customer, {}, n % 4 === 0 ? ally.agencyId! : undefined)
  const at = new Date(now.getTime() - n * 11 * day)
  const made = { state: 'done', assigneeId: technician.id } as const
  const visit = await storeVisit(fixture, customer, home, new Date(at.getTime() - day), made)
  const state = quoteStates[n % quoteStates.length]!
  const total = 1_000_001 + n * 10_000_00
  const sent = {
    sentAt: at,
    sentBy: analyst.id,
    validUntil: new Date(at.getTime() + 15 * day),
    digest: 'd',
  }
  const acceptance = {
    acceptedOption: 'essential',
    acceptedTotal: total + 3,
    depositAmount: 1,
    acceptedName: 'Ana',
    acceptedAt: new Date(at.getTime() + day),
    acceptedDigest: 'd',
  }
  const quote = await storeDraft(fixture, visit, n % 5 ? analyst : manager, {
    state,
    lowestTotal: total,
    highestTotal: total + 5,
    createdAt: at,
    ...(state !== 'draft' && n % 22 !== 7 && sent),
    ...(wasAccepted(state) && acceptance),
  })
  const { customerId, id: quoteId, projectId } = quote
  const paid = { amount: 7 + n, state: 'paid', method: 'cash', paidAt: at, concept: 'deposit' } as const
  await storeRows(payments, { folio: `PAG-LISTA-${n}`, projectId, customerId, quoteId, ...paid })
  return { ...quote, paid: paid.amount }
}

const monthOf = (at: Date | null) => at && localDay(at).slice(0, 7)
const isListed = ({ sentAt, state }: Quote) =>
  state !== 'superseded' && !(state === 'withdrawn' && sentAt === null)

test.each<[QuoteFilters, (row: Quote) => boolean]>([
  [{}, isListed],
  [{ month: '10' }, (row) => isListed(row) && monthOf(row.createdAt)!.endsWith('-11')],
  [{ year: '2025' }, (row) => isListed(row) && monthOf(row.createdAt)!.startsWith('2025')],
  [{ month: '2', year: '2026' }, (row) => isListed(row) && monthOf(row.createdAt) === '2026-03'],
  [{ state: 'superseded' }, ({ state }) => state === 'superseded'],
  [{ state: 'withdrawn' }, ({ state }) => state === 'withdrawn'],
])(
  'lists quotes by local months, without superseded and never sent ones unless asked: %o',
  async (asked, keeps) => {
    const { rows: found, total } = await listPriced(db, manager.actor, asked)
    const expected = rows.filter(keeps).map(({ id }) => id)
    expect(found.map(({ id }) => id)).toEqual(expected)
    expect(total).toBe(expected.length)
  },
)

const worth = ({ acceptedTotal, lowestTotal }: Quote) => acceptedTotal ?? lowestTotal
const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)

test('the figures sum each state to the centavo, under the filters of the list but the state', async () => {
  for (const [filters, kept] of [
    [{}, rows.filter(isListed)],
    [
      { state: 'sent', analyst: manager.id },
      rows.filter((row) => isListed(row) && row.madeBy === manager.id),
    ],
  ] as const) {
    const expected = quoteStates.flatMap((state) => {
      const group = kept.filter((row) => row.state === state)
      return group.length > 0 ? [{ state, count: group.length, total: sum(group.map(worth)) }] : []
    })
    expect(await quoteStateFigures(db, manager.actor, filters)).toEqual(expected)
  }
})

test('the figures sum what was sent, accepted and paid in each local month', async () => {
  for (const filters of [{}, { year: '2025' }, { agency: ally.agencyId! }] as QuoteFilters[]) {
    const months = await quoteMonthFigures(db, manager.actor, filters, now)
    expect(months.map(({ month }) => month).at(-1)).toBe(filters.year ? '2025-12' : '2026-11')
    expect(months).toHaveLength(12)
    const kept = rows.filter((row) => !filters.agency || row.agencyId === filters.agency)
    const expected = months.map(({ month }) => ({
      month,
      quoted: sum(
        kept.filter(({ sentAt, state }) => state !== 'superseded' && monthOf(sentAt) === month).map(worth),
      ),
      accepted: sum(
        kept
          .filter(({ acceptedAt, state }) => state === 'accepted' && monthOf(acceptedAt) === month)
          .map(worth),
      ),
      paid: sum(kept.filter(({ createdAt }) => monthOf(createdAt) === month).map(({ paid }) => paid)),
    }))
    expect(months).toEqual(expected)
  }
})

test('the office reads amounts, sums and filters on the screen', async () => {
  const words = ['Total con IVA', 'Analista', '$10,000.01', 'con IVA']
  for (const who of [manager, analyst]) {
    await expectScreen(`${list}?view=todas`, who, ...words, 'Exportar CSV')
    await expectScreen(`${list}?view=meses`, who, 'Noviembre 2026', 'Cotizado')
  }
  await expectNotOnPage(list, technician, 'Total', 'Por cotizar', 'Exportar')
  await expectScreen(`${list}?text=nadie`, manager, 'No hay cotizaciones con estos filtros.')
})

type Tabs = {
  tab: string
  tabs: { name: string; count?: number; to: string }[]
  priced: { rows: Quote[]; total: number }
}
const officeOf = async (query: string) =>
  loaded<{ office: Tabs }>(await fixture.data(list + query, manager), 'quotes/screens/list').office

test.each([
  ['', 'por-cotizar'],
  ['?state=accepted', 'todas'],
  ['?text=ana', 'todas'],
  ['?view=cambios', 'cambios'],
])('opens %j in the tab %s', async (query, tab) => {
  expect((await officeOf(query)).tab).toBe(tab)
})

test('each tab holds as many rows as it counts, under the filters that its link keeps', async () => {
  for (const filters of ['', `&analyst=${manager.id}`]) {
    const { tabs } = await officeOf(`?view=todas&state=sent&order=worth${filters}`)
    expect(tabs.filter(({ count }) => count).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['borradores', 'esperan', 'cambios', 'aceptadas']),
    )
    for (const { count, name, to } of tabs.filter((tab) => tab.name in states)) {
      expect(to).toBe(`${list}?view=${name}${filters}`)
      const { priced } = await officeOf(to.slice(list.length))
      expect([name, priced.total]).toEqual([name, count])
      expect(priced.rows.every(({ state }) => states[name]!.includes(state))).toBe(true)
    }
  }
})
const states: Record<string, QuoteState[]> = {
  borradores: ['draft'],
  esperan: ['sent', 'viewed'],
  cambios: ['changes_requested'],
  aceptadas: ['accepted'],
}

const toQuote = (asked = {}, who = analyst) => listToQuote(db, who.actor, 'to_quote', asked)

test('the office alone lists approved viable reports without a quote, page by page in the order asked for', async () => {
  const before = (await countToQuote(db, analyst.actor, {})).to_quote
  const visits = []
  for (let n = 0; n < 52; n++) visits.push((await visited(await newPerson(), technician)).id)
  await visited(await newPerson(), technician, undefined, { feasibility: 'not_viable' })
  expect((await countToQuote(db, analyst.actor, {})).to_quote).toBe(before + 52)
  for (const order of [undefined, 'reverse', 'zone', 'taker-reverse'] as const) {
    const first = await toQuote({ order })
    const rest = await toQuote({ order, after: first.next! })
    expect(first.rows).toHaveLength(50)
    const found = [...first.rows, ...rest.rows].map(({ id }) => id)
    expect(found).toEqual(expect.arrayContaining(visits))
    expect(new Set(found).size).toBe(before + 52)
  }
  const waits = (await toQuote()).rows.map(({ since }) => since.getTime())
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  await expectScreen(list, analyst, (await toQuote()).rows[0]!.to)
  expect((await toQuote({}, technician)).rows).toEqual([])
})

test('one author takes the quote of a visit, keeps the list as it was, and is refused where another did', async () => {
  const { id: appointmentId } = await visited(await newPerson(), technician)
  const here = `${list}?view=por-cotizar&order=reverse`
  const take = (who: Person) => fixture.post(here, { intent: 'take-quote', appointmentId }, who)
  expect((await toQuote({ order: 'reverse' })).rows.find(({ id }) => id === appointmentId)).toMatchObject({
    isFree: true,
  })
  await expectTwice(() => take(analyst), 303, here)
  expect((await toQuote({ order: 'taker' })).rows[0]!.id).toBe(appointmentId)
  expect((await toQuote({ order: 'taker-reverse' })).rows[0]).toMatchObject({ taker: null })
  const row = (await toQuote({ order: 'reverse' })).rows.find(({ id }) => id === appointmentId)
  expect(row).toMatchObject({
    isFree: false,
    taker: analyst.actor.name && expect.stringContaining(analyst.actor.name),
  })
  expect(await rowsWhere(quotes, { appointmentId })).toMatchObject([
    { state: 'draft', madeBy: analyst.id, version: 1 },
  ])
  await expectAnswered(take(manager), 409)
  await expectAnswered(take(technician), 403)
})

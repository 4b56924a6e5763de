import { listToQuote, quoteFigures } from '../../src/customers/quote-figures.ts'
import { payments } from '../../src/platform/database/schema/payments.ts'
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
  storeRows,
  technician,
} from '../kit/open.ts'
import { type Quote, storeDraft, visited } from '../kit/quotes.ts'

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

const figuresOf = (filters: QuoteFilters) => quoteFigures(db, manager.actor, filters, now)
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
    expect((await figuresOf(filters)).states).toEqual(expected)
  }
})

test('the figures sum what was sent, accepted and paid in each local month', async () => {
  for (const filters of [{}, { year: '2025' }, { agency: ally.agencyId! }] as QuoteFilters[]) {
    const { months } = await figuresOf(filters)
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

test('the office reads amounts, figures and filters on the screen', async () => {
  const words = ['Total con IVA', 'Por estado', 'Por mes', 'Analista', 'Noviembre 2026', '$10,000.01']
  for (const who of [manager, analyst]) await expectScreen(list, who, ...words, 'Exportar CSV')
  await expectNotOnPage(list, technician, 'Total', 'Por estado', 'Exportar')
  await expectScreen(`${list}?text=nadie`, manager, 'No hay cotizaciones con estos filtros.')
})

test('the office alone lists approved viable reports without a quote', async () => {
  const before = await listToQuote(db, analyst.actor)
  await visited(await newPerson(), technician)
  await visited(await newPerson(), technician, undefined, { feasibility: 'not_viable' })
  expect((await listToQuote(db, analyst.actor)).total).toBe(before.total + 1)
  await expectScreen(list, analyst, before.rows[0]!.to)
  expect((await listToQuote(db, technician.actor)).total).toBe(0)
})

import { beforeAll, describe, expect, test } from 'vitest'
import {
  type QuoteFilters,
  type QuoteState,
  quoteFiltersFor,
  quoteStates,
} from '../../src/domain/quotes/quote.ts'
import { withoutAccents } from '../../src/domain/shared/text.ts'
import { payments, quotes } from '../../src/server/platform/database/schema/payments.ts'
import { listToQuote, quoteFigures } from '../../src/server/quotes/figures.ts'
import { listPlain, listPriced } from '../../src/server/quotes/list.ts'
import { storeVisit } from '../kit/appointments.ts'
import { openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { content, type Quote, visited } from '../kit/quotes.ts'

/** A quote as the naive filter knows it. */
type Row = Quote & { customer: Person; lastname: string }

const now = new Date('2026-11-24T18:00:00Z')
const day = 24 * 3_600_000
const names = [
  ['Íñigo', 'Núñez'],
  ['José María', 'Pérez'],
  ['Ana', '100 % Real'],
] as const

openOnce()
let rows: Row[]
beforeAll(async () => {
  rows = []
  for (let n = 0; n < 60; n++) rows.push(await plant(n))
}, 120_000)

const accepted = (state: QuoteState) => ['accepted', 'cancelled', 'lapsed'].includes(state)

/** A quote of a project of its own; each is worth another amount, some of them more than a float can hold in pesos. */
async function plant(n: number): Promise<Row> {
  const { ally, analyst, manager, technician } = people
  const [name, lastname] = names[n % names.length]!
  const customer = await world.person({ name, lastname, email: `q${n}@prueba.mx` })
  const home = await world.home(customer, {}, n % 4 === 0 ? ally.agencyId! : undefined)
  const at = new Date(now.getTime() - n * 11 * day)
  const visit = await storeVisit(world, customer, home, new Date(at.getTime() - day), {
    state: 'done',
    assigneeId: technician.id,
    folio: `VT-LISTA-${n}`,
  })
  const state = quoteStates[n % quoteStates.length]!
  const total = 1_000_001 + n * 10_000_00
  const sent = { sentAt: at, sentBy: analyst.id, validUntil: new Date(at.getTime() + 15 * day), digest: 'd' }
  const isAccepted = accepted(state)
  const [quote] = await world.db
    .insert(quotes)
    .values({
      folio: `COT-2026-${String(90000 + n)}`,
      projectId: home.projectId,
      customerId: customer.id,
      appointmentId: visit.id,
      state,
      content: content(),
      madeBy: n % 5 ? analyst.id : manager.id,
      lowestTotal: total,
      highestTotal: total + 5,
      createdAt: at,
      ...(state !== 'draft' && n % 22 !== 7 && sent),
      ...(isAccepted && {
        acceptedOption: 'essential',
        acceptedTotal: total + 3,
        depositAmount: 1,
        acceptedName: 'Ana',
        acceptedAt: new Date(at.getTime() + day),
        acceptedDigest: 'd',
      }),
    })
    .returning()
  await world.db.insert(payments).values({
    folio: `PAG-LISTA-${n}`,
    projectId: home.projectId,
    customerId: customer.id,
    quoteId: quote!.id,
    concept: 'deposit',
    method: 'cash',
    amount: 7 + n,
    state: 'paid',
    paidAt: at,
  })
  return { ...quote!, customer, lastname }
}

const local = (at: Date) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO('America/Mexico_City')

function isSeen({ agencyId, kind }: Person, row: Row): boolean {
  if (kind === 'alliate') return row.agencyId === agencyId && row.sentAt !== null
  // Their visits lie within thirty days.
  if (kind === 'tecnician')
    return row.sentAt !== null && row.createdAt.getTime() - day > Date.now() - 30 * day
  return kind !== 'gester'
}

/** The list as anybody would write it: every row, one condition after the other. */
function naive(who: Person, asked: QuoteFilters): string[] {
  const reading = who.kind === 'alliate' ? 'state' : who.kind === 'tecnician' ? 'scope' : 'all'
  const { agency, analyst, month, state, text, year } = quoteFiltersFor(reading, asked)
  const words = ({ customer, folio, lastname }: Row) =>
    withoutAccents(
      who.kind === 'alliate'
        ? `${customer.name}`
        : `${folio} ${customer.name} ${lastname} ${customer.email} 5512345678`,
    )
  const counts = (row: Row) =>
    row.state !== 'superseded' && !(row.state === 'withdrawn' && row.sentAt === null)
  return rows
    .filter(
      (row) =>
        isSeen(who, row) &&
        (state ? row.state === state : counts(row)) &&
        (month === undefined || local(row.createdAt).month === Number(month) + 1) &&
        (year === undefined || local(row.createdAt).year === Number(year)) &&
        (analyst === undefined || row.madeBy === analyst) &&
        (agency === undefined || row.agencyId === agency) &&
        (text ?? '')
          .split(/\s+/)
          .filter(Boolean)
          .every((word) => words(row).includes(withoutAccents(word))),
    )
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .map(({ id }) => id)
}

/** A whole list, page after page. */
async function whole(who: Person, filters: QuoteFilters) {
  const [found, totals]: [string[], number[]] = [[], []]
  const list = who.kind === 'manager' || who.kind === 'analyst' ? listPriced : listPlain
  for (let from: string | undefined; ; ) {
    const page: { rows: { id: string }[]; total: number; next: string | null } = await list(
      world.db,
      who.actor,
      filters,
      from,
    )
    found.push(...page.rows.map(({ id }) => id))
    totals.push(page.total)
    if (!page.next) return { found, total: totals[0]! }
    from = page.next
  }
}

describe('every filter lists what a naive filter keeps, in its order, over its pages, and counts it', () => {
  test.each(['manager', 'analyst', 'technician', 'ally', 'gester'] as const)('%s', async (who) => {
    const asked: QuoteFilters[] = [
      {},
      { month: '10' },
      { year: '2025' },
      { month: '2', year: '2026' },
      ...quoteStates.map((state) => ({ state })),
      ...[people.analyst.id, people.manager.id, 'x'].map((analyst) => ({ analyst })),
      { agency: people.ally.agencyId! },
      { agency: people.ally.agencyId!, state: 'sent' as const },
      ...['INIGO', 'jose maria', 'perez', '100 %', 'cot-2026-90012', 'q7@prueba', '55 1234', '_', 'nada'].map(
        (text) => ({ text }),
      ),
    ]
    for (const filters of asked) {
      const expected = naive(people[who], filters)
      expect([filters, await whole(people[who], filters)]).toEqual([
        filters,
        { found: expected, total: expected.length },
      ])
    }
  })
})

describe('what it comes to', () => {
  const of = (filters: QuoteFilters) => quoteFigures(world.db, people.manager.actor, filters, now)
  const worth = ({ acceptedTotal, lowestTotal }: Row) => acceptedTotal ?? lowestTotal
  const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)

  test('by state: to the centavo, under the filters of the list but the state itself', async () => {
    for (const filters of [{}, { text: 'ana' }, { state: 'sent' as const, analyst: people.analyst.id }]) {
      const { state: _, ...others } = filters as QuoteFilters
      const listed = new Set(naive(people.manager, others))
      const kept = rows.filter(({ id }) => listed.has(id))
      const expected = quoteStates
        .map((state) => kept.filter((row) => row.state === state))
        .filter((group) => group.length > 0)
        .map((group) => ({ state: group[0]!.state, count: group.length, total: sum(group.map(worth)) }))
      expect((await of(filters)).states).toEqual(expected)
    }
  })

  test('by month: what was sent, what was accepted and stands, what was paid', async () => {
    const inMonth = (at: Date | null, month: string) =>
      at !== null && local(at).toPlainDate().toString().startsWith(month)
    for (const filters of [{}, { year: '2025' }, { agency: people.ally.agencyId! }] as QuoteFilters[]) {
      const { months } = await of(filters)
      expect(months.map(({ month }) => month).at(-1)).toBe(filters.year ? '2025-12' : '2026-11')
      expect(months).toHaveLength(12)
      const kept = rows.filter((row) => !filters.agency || row.agencyId === filters.agency)
      const counts = kept.filter(({ state }) => state !== 'superseded')
      for (const { accepted: agreed, month, paid, quoted } of months) {
        expect([month, quoted]).toEqual([
          month,
          sum(counts.filter((row) => inMonth(row.sentAt, month)).map(worth)),
        ])
        const standing = kept.filter((row) => row.state === 'accepted' && inMonth(row.acceptedAt, month))
        expect([month, agreed]).toEqual([month, sum(standing.map(worth))])
        const came = kept.filter((row) => inMonth(row.createdAt, month))
        expect([month, paid]).toEqual([month, sum(came.map((row) => 7 + rows.indexOf(row)))])
      }
    }
  })
})

describe('the screen', () => {
  test('shows the office amounts, figures and filters; everybody else none of them', async () => {
    for (const who of [people.manager, people.analyst]) {
      const { text } = await world.visit('/admin/cotizations', who)
      for (const words of [
        'Total con IVA',
        'Por estado',
        'Por mes',
        'Analista',
        'Noviembre 2026',
        '$10,000.01',
      ])
        expect(text).toContain(words)
      expect(text).toContain('Exportar CSV')
    }
    for (const who of [people.technician, people.gester, people.ally]) {
      for (const { status, text } of [
        await world.visit('/admin/cotizations', who),
        await world.data('/admin/cotizations', who),
      ]) {
        expect(status).toBe(200)
        expect(text).not.toMatch(/\$\d|Total|100000[1-9]|lowestTotal|acceptedTotal|Por estado|Exportar/)
      }
    }
    const { text } = await world.visit('/admin/cotizations', people.ally)
    expect(text).toContain('Íñigo')
    expect(text).not.toMatch(/Núñez|Coyoacán|q0@prueba/)
  })

  test('without a quote says so', async () => {
    const empty = await world.visit('/admin/cotizations?text=nadie', people.manager)
    expect(empty.text).toContain('No hay cotizaciones con estos filtros.')
  })
})

test('what waits for a quote is an approved, viable report that nobody quoted, shown to those who may', async () => {
  const { analyst, technician } = people
  const waiting = await visited(world, await world.person({ name: 'Espera' }), technician)
  await visited(world, await world.person(), technician, undefined, { feasibility: 'not_viable' })
  const { rows: found, total } = await listToQuote(world.db, analyst.actor)
  expect([total, found.map(({ appointmentId }) => appointmentId)]).toEqual([1, [waiting.id]])
  const { text } = await world.visit('/admin/cotizations', analyst)
  expect(text).toContain(`/admin/cotizations/add-quote/${waiting.id}`)
  expect((await world.visit('/admin/cotizations', technician)).text).not.toContain('add-quote')
  expect((await listToQuote(world.db, technician.actor)).total).toBe(0)
})

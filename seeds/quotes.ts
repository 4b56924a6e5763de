import { sql } from 'drizzle-orm'
import { type GivenBenefit, withBenefit } from '../src/domain/benefit-line.ts'
import { addDays, localDate, minuteAt, toDate } from '../src/domain/calendar.ts'
import type { CatalogueItem } from '../src/domain/catalogue.ts'
import { proposeOptions } from '../src/domain/proposed-lines.ts'
import { optionOf, type QuoteContent, type QuoteOption } from '../src/domain/quote-content.ts'
import { offerOf } from '../src/domain/quote-offer.ts'
import { depositOf, totalsOfOption } from '../src/domain/quote-totals.ts'
import { defaultSettings } from '../src/domain/settings.ts'
import type { Answers } from '../src/domain/sheet.ts'
import { activeCatalogue } from '../src/server/catalogue/queries.ts'
import type { Tx } from '../src/server/database/database.ts'
import { quotes } from '../src/server/database/money-schema.ts'
import { events } from '../src/server/database/office-schema.ts'
import { digestOf } from '../src/server/quotes/digest.ts'
import type { DemoCustomer } from './customers.ts'
import type { DemoDeal, DemoVersion } from './deals.ts'
import { eventsOf, lookedAt, movesOf, writes } from './quote-history.ts'

/** A deal with the rows it belongs to; times are epoch minutes. */
export type RootedDeal = {
  deal: DemoDeal
  /** The customer's place in the list. */
  of: number
  customer: DemoCustomer
  customerId: string
  projectId: string
  visitId: string
  visitStart: number
  /** When the installation ended; null while there is none that is done. */
  installedAt: number | null
  installationId: string | null
  /** What the customer's code takes off. */
  benefit: GivenBenefit | null
  report: Answers
  makerId: string
  managerId: string
}

export type QuoteRow = typeof quotes.$inferSelect
/** The last version of a deal as it was written. */
export type WrittenDeal = RootedDeal & { quote: QuoteRow }

const terms = defaultSettings.quotes
/** Whoever accepts in the demo world takes this one. */
const chosen = 'recommended'

/** Writes the quotes of the demo world in the order in which they were made, so that folios rise with time, and their history. */
export async function writeQuotes(tx: Tx, deals: readonly RootedDeal[]): Promise<WrittenDeal[]> {
  const inOrder = deals.toSorted((a, b) => madeAt(a) - madeAt(b))
  const catalogue = await activeCatalogue(tx)
  const folios = await foliosFor(tx, inOrder)
  const rows = inOrder.map((deal, n) => rowsOf(deal, folios[n]!, catalogue))
  const written: QuoteRow[][] = []
  for (const versions of rows) {
    const made: QuoteRow[] = []
    for (const row of versions) {
      const [one] = await tx
        .insert(quotes)
        .values({ ...row, replacesId: made.at(-1)?.id ?? null })
        .returning()
      made.push(one!)
    }
    written.push(made)
  }
  await tx.insert(events).values(inOrder.flatMap((deal, n) => eventsOf(deal, written[n]!)).sort(byTime))
  return inOrder.map((deal, n) => ({ ...deal, quote: written[n]!.at(-1)! }))
}

export const byTime = (a: { at: Date }, b: { at: Date }) => a.at.getTime() - b.at.getTime()

const madeAt = ({ deal, visitStart }: RootedDeal) => visitStart + deal.versions[0]!.made

async function foliosFor(tx: Tx, deals: readonly RootedDeal[]): Promise<string[]> {
  const years = deals.map((deal) => Number(localDate(madeAt(deal)).slice(0, 4)))
  const { rows } = await tx.execute<{ folio: string }>(
    sql`select next_folio('COT', year) as folio from unnest(${sql.param(years)}::int[]) with ordinality of_deal (year, nth) order by nth`,
  )
  return rows.map(({ folio }) => folio)
}

/** The last second of a quote's last day. */
const endOf = (day: string) => new Date(toDate(minuteAt(addDays(day, 1), '00:00')).getTime() - 1000)

function rowsOf(deal: RootedDeal, folio: string, catalogue: readonly CatalogueItem[]) {
  const { customer, customerId, makerId, projectId, visitId, visitStart } = deal
  const offered = proposeOptions(deal.report, catalogue)?.options ?? []
  const addressee = `${customer.name} ${customer.lastname}`
  return deal.deal.versions.map((version, n): typeof quotes.$inferInsert => {
    const at = (later: number | undefined) => (later === undefined ? null : toDate(visitStart + later))
    const sentAt = visitStart + (version.sent ?? version.made)
    const content = withBenefit(contentOf(n === 0 ? offered : reworked(offered), sentAt), deal.benefit)
    const sent = at(version.sent)
    const validUntil = sent && endOf(content.validUntil)
    const digest = sent && digestOf({ folio, revision: n + 1, addressee, address: customer.address, content })
    const last = lastTime(version, visitStart, validUntil)
    return {
      ...{ folio, revision: n + 1, projectId, customerId, appointmentId: visitId, content, digest },
      ...{ ...offerOf(content), state: version.state, madeBy: makerId, reason: version.reason ?? null },
      ...(sent && { sentAt: sent, sentBy: makerId, validUntil, addressee, address: customer.address }),
      ...{ viewedAt: at(version.viewed), answeredAt: at(version.answered) },
      endedAt: version.state === 'expired' ? last : (at(version.ended) ?? rejectedAt(version, at)),
      ...acceptedIn(version, content, { name: addressee, digest, at: at(version.answered) }),
      ...{
        createdAt: at(version.made)!,
        updatedAt: last,
        version: movesOf(version).filter(writes).length + 1,
      },
    }
  })
}

const rejectedAt = (version: DemoVersion, at: (later: number | undefined) => Date | null) =>
  version.state === 'rejected' ? at(version.answered) : null

function lastTime(
  { answered, ended, made, sent, state, viewed }: DemoVersion,
  from: number,
  validUntil: Date | null,
) {
  if (state === 'expired' && validUntil) return lookedAt(validUntil)
  return toDate(from + (ended ?? answered ?? viewed ?? sent ?? made))
}

const contentOf = (options: readonly QuoteOption[], sentAt: number): QuoteContent => ({
  options,
  ...{ depositPercent: terms.depositPercent, validUntil: addDays(localDate(sentAt), terms.validDays) },
  ...{ warrantyMonths: terms.warrantyMonths, exclusions: terms.exclusions, refundTerms: terms.refundTerms },
  notes: '',
})

/** What the customer asked for: no stand for the cable, and something off. */
const reworked = (options: readonly QuoteOption[]): QuoteOption[] =>
  options.map((option, n) => ({
    ...option,
    lines: [
      ...option.lines.filter(({ description }) => !description.startsWith('Soporte')),
      {
        ...{
          id: String(lastId(options) + 1 + n),
          kind: 'discount' as const,
          description: 'Descuento por contratar este mes',
        },
        ...{ amount: null, percent: 5_00 },
      },
    ],
  }))

const lastId = (options: readonly QuoteOption[]) =>
  Math.max(...options.flatMap(({ addOns, lines }) => [...lines, ...addOns].map(({ id }) => Number(id))))

type Acceptance = { name: string; digest: string | null; at: Date | null }

function acceptedIn({ state }: DemoVersion, content: QuoteContent, { at, digest, name }: Acceptance) {
  const option = optionOf(content, chosen)
  if (!option || (state !== 'accepted' && state !== 'cancelled')) return {}
  const acceptedTotal = totalsOfOption(option).total
  return {
    ...{
      acceptedOption: chosen,
      acceptedTotal,
      depositAmount: depositOf(acceptedTotal, content.depositPercent),
    },
    ...{ acceptedName: name, acceptedIp: '203.0.113.7', acceptedDigest: digest, acceptedAt: at },
  }
}

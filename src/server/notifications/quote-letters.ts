import { eq, sql } from 'drizzle-orm'
import type { Home } from '../../domain/home.ts'
import { isOpenQuote, type QuoteState, quoteStateBy } from '../../domain/quote.ts'
import { users } from '../database/account-schema.ts'
import type { Db } from '../database/database.ts'
import { quotes } from '../database/money-schema.ts'
import { wasAskedAnew } from '../quotes/renewal.ts'
import type { AboutQuote } from './jobs.ts'
import type { Addressed } from './money-letters.ts'
import { wordsToCustomer, wordsToMaker } from './emails/quote.ts'
import { activeManagers, activeStaff, reader } from './recipients.ts'
import type { House } from './told.ts'
import { laidOut } from './written.ts'

/** The letters of a job about a quote; none where it no longer stands as the letter says. */
export async function quoteLetters(db: Db, job: AboutQuote, house: House, now: Date): Promise<Addressed[]> {
  const quote = await toldQuote(db, job.quoteId)
  if (!quote || !stillTrue[job.to][job.letter]?.(quote, now)) return []
  const { customer, folio } = quote
  if (job.to === 'customer') {
    const words = wordsToCustomer[job.letter](quote)
    const link = { label: 'Ver mi cotización', href: `${house.baseUrl}/quote` }
    const subject = `${words.subject} (${folio})`
    return customer.active
      ? [{ reader: customer, letter: laidOut({ ...words, subject }, customer, house, link) }]
      : []
  }
  const words = wordsToMaker[job.letter](quote)
  const href = `${house.baseUrl}/admin/cotizations/detail-quote/${quote.id}`
  const subject = `${words.subject} (${folio})`
  return (await makersOf(db, quote)).map((one) => ({
    reader: one,
    letter: laidOut({ ...words, subject }, one, house, { label: 'Abrir la cotización', href }),
  }))
}

/** Whoever sent it, and the managers where they are gone. */
async function makersOf(db: Db, { sentBy }: ToldQuote) {
  const maker = sentBy ? await activeStaff(db, sentBy) : []
  return maker.length > 0 ? maker : activeManagers(db)
}

export type ToldQuote = NonNullable<Awaited<ReturnType<typeof toldQuote>>>

async function toldQuote(db: Db, id: string) {
  const [row] = await db
    .select({
      ...{ id: quotes.id, folio: quotes.folio, revision: quotes.revision, kind: quotes.kind },
      ...{ state: quotes.state, reason: quotes.reason, validUntil: quotes.validUntil },
      ...{ lowestTotal: quotes.lowestTotal, highestTotal: quotes.highestTotal, sentBy: quotes.sentBy },
      ...{
        content: quotes.content,
        acceptedTotal: quotes.acceptedTotal,
        depositAmount: quotes.depositAmount,
      },
      home: homeNow,
      moved: sql<boolean | null>`(${lastMove('data')} ->> 'stands')::boolean`,
      movedWhy: sql<string | null>`${lastMove('reason')}`,
      ...{ answeredAt: quotes.answeredAt, endedAt: quotes.endedAt, addressee: quotes.addressee },
      customer: reader,
    })
    .from(quotes)
    .innerJoin(users, eq(users.id, quotes.customerId))
    .where(eq(quotes.id, id))
  return row
}

/** Of the last approval of another home. */
const lastMove = (
  field: 'data' | 'reason',
) => sql`(select ${sql.raw(field)} from events where entity = 'quote'
  and entity_id = ${quotes.id} and name in ('moveHome', 'leaveHome') order by at desc, id desc limit 1)`
const homeNow = sql<Home | null>`(select jsonb_build_object('street', street, 'outerNumber', outer_number, 'innerNumber', inner_number,
  'postalCode', postal_code, 'colonia', colonia, 'municipality', municipality, 'state', state)
  from addresses where project_id = ${quotes.projectId} and archived_at is null)`

type Rule = (quote: ToldQuote, now: Date) => boolean
const isOpen: Rule = (quote, now) => isOpenQuote(quoteStateBy(quote, now))
const is =
  (state: QuoteState): Rule =>
  (quote) =>
    quote.state === state

const stillTrue: Record<AboutQuote['to'], Partial<Record<AboutQuote['letter'], Rule>>> = {
  customer: {
    quote_sent: isOpen,
    quote_reminder_3d: isOpen,
    quote_reminder_1d: isOpen,
    quote_accepted: is('accepted'),
    quote_expired: is('expired'),
    quote_withdrawn: is('withdrawn'),
    quote_cancelled: is('cancelled'),
    quote_lapsed: is('lapsed'),
    home_approved: is('accepted'),
  },
  maker: {
    quote_accepted: is('accepted'),
    quote_rejected: is('rejected'),
    quote_changes_requested: is('changes_requested'),
    quote_cancelled: is('cancelled'),
    quote_renewal_asked: wasAskedAnew,
    quote_code_used: isOpen,
  },
}

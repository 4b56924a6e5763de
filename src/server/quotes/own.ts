import { and, asc, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type OptionId, optionIds } from '../../domain/quotes/content.ts'
import { differenceOf } from '../../domain/quotes/diff.ts'
import { quoteMachine, quoteStateBy, storyOf } from '../../domain/quotes/quote.ts'
import { type Db, type Queryable, transaction } from '../platform/database/client.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'
import { factsOfQuote, lockQuote, quotesVisibleTo, transitionQuote } from './changes.ts'
import { isRequoteAsked } from './project-money.ts'

/** A sent version of a quote, as its customer's page shows it; one that nobody can answer any more counts as expired. */
export type OwnQuote = Awaited<ReturnType<typeof sentQuotes>>[number]

/** What a customer was offered in a project: the installation, with what changed since the version before, and extra work. */
export async function ownQuotes(db: Queryable, actor: Actor, projectId: string, now: Date) {
  const sent = await sentQuotes(db, actor, projectId, now)
  const story = storyOf(sent.filter(({ kind }) => kind === 'installation'))
  return {
    installation: story && {
      ...story,
      earlier: story.earlier.map(namesOf),
      difference: story.before && differenceOf(story.before.content, story.current.content),
    },
    extraWork: sent.filter(({ kind }) => kind === 'extra_work').toReversed(),
  }
}

async function sentQuotes(db: Queryable, actor: Actor, projectId: string, now: Date) {
  const rows = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), quotesVisibleTo(actor)))
    .orderBy(asc(quotes.sentAt))
  return rows.flatMap((row) => {
    const { digest, sentAt, validUntil } = row
    if (!sentAt || !validUntil || digest === null) return []
    const { acceptedAddOns, acceptedAt, acceptedName, acceptedOption, acceptedTotal, depositAmount } = row
    return [
      {
        ...{ id: row.id, folio: row.folio, revision: row.revision, kind: row.kind, version: row.version },
        ...{ state: quoteStateBy(row, now), content: row.content, reason: row.reason },
        ...{ digest, sentAt, validUntil, isUnseen: row.state === 'sent', askedAnew: isRequoteAsked(row) },
        accepted:
          acceptedAt && acceptedTotal !== null && isOption(acceptedOption)
            ? {
                ...{ at: acceptedAt, name: acceptedName, option: acceptedOption, addOns: acceptedAddOns },
                ...{ total: acceptedTotal, deposit: depositAmount ?? 0 },
              }
            : null,
      },
    ]
  })
}

const isOption = (id: string | null): id is OptionId => optionIds.some((known) => known === id)

/** By which an earlier version is listed. */
const namesOf = ({ id, folio, revision, sentAt, state }: OwnQuote) => ({ id, folio, revision, sentAt, state })

/** What one sent quote of a customer's offers; null when it is not theirs, or was never sent. */
export async function ownQuote(db: Queryable, actor: Actor, id: string) {
  const [row] = await db
    .select({ content: quotes.content, kind: quotes.kind })
    .from(quotes)
    .where(and(eq(quotes.id, id), quotesVisibleTo(actor)))
  return row ?? null
}

/** Whether a customer may call off a quote that they accepted. */
export async function mayCancelQuote(db: Queryable, actor: Actor, id: string, now: Date): Promise<boolean> {
  const [found] = await db
    .select({ quote: quotes, project: projects })
    .from(quotes)
    .innerJoin(projects, eq(projects.id, quotes.projectId))
    .where(and(eq(quotes.id, id), quotesVisibleTo(actor)))
  return (
    found !== undefined &&
    quoteMachine.can('cancel', actor, await factsOfQuote(db, found.quote, found.project), now)
  )
}

/** Notes that its customer opened a quote, the first time; nothing otherwise. Call it for a document's own load only. */
export async function noteViewed(db: Db, actor: Actor, id: string, now: Date): Promise<void> {
  const isFirst = await transaction(db, async (tx) => {
    const held = await lockQuote(tx, actor, id)
    if (!quoteMachine.can('view', actor, held.facts, now)) return false
    await transitionQuote(tx, actor, held, 'view', now, { viewedAt: now })
    return true
  })
  if (isFirst) announce(db, { people: [] })
}

import { isDeepStrictEqual } from 'node:util'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { offerOf } from '../../domain/quotes/choice.ts'
import type { QuoteContent } from '../../domain/quotes/content.ts'
import { isOpenQuote, writesQuotes } from '../../domain/quotes/quote.ts'
import { addDays, localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/database.ts'
import { quotes } from '../platform/database/schema/money-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import { editedSettings } from '../settings/queries.ts'
import { fittingBenefit } from './benefit.ts'
import { holdQuote, type QuoteRow } from './changes.ts'
import { type Ground, holdGround } from './ground.ts'
import { measuredWorth } from './worth.ts'

/** What is kept of a draft; `version` is the one that its form was shown with, 0 where there was no draft yet. */
export type DraftWish = { version: number; content: QuoteContent }
/** `sends`: it is to be sent at once. */
type SavingWish = DraftWish & { sends?: boolean }

/**
 * Keeps the draft of a quote, beginning it where there is none. The same form sent twice is one change: what was sent
 * already in these words is answered as it is. A draft that somebody else kept meanwhile is left alone.
 */
export async function saveDraft(
  db: Db,
  actor: Actor,
  appointmentId: string,
  wish: SavingWish,
  now: Date,
): Promise<QuoteRow> {
  demandWriter(actor)
  const saved = await transaction(db, async (tx) => {
    const ground = await holdGround(tx, actor, appointmentId)
    const content = await fitting(tx, ground, wish.content)
    const draft = await draftOf(tx, ground)
    const before = !draft && wish.sends ? await quoteBefore(tx, ground) : null
    if (before && isOpenQuote(before.state) && isDeepStrictEqual(before.content, content)) return before
    if (!draft && wish.version > 0) refuse('aborted', goneWords)
    return draft ? rewrite(tx, actor, draft, { ...wish, content }) : begin(tx, actor, ground, content, now)
  })
  announce(db, { people: [] })
  return saved
}

const goneWords = 'Este borrador ya se envió o se descartó. Copia lo que te sirva y vuelve a abrir la página.'

/** Throws a draft away, with its row: nobody but the office ever knew of it. Thrown away twice, it is gone once. */
export async function discardDraft(
  db: Db,
  actor: Actor,
  appointmentId: string,
  version: number,
): Promise<void> {
  demandWriter(actor)
  await transaction(db, async (tx) => {
    const ground = await holdGround(tx, actor, appointmentId)
    const draft = await draftOf(tx, ground)
    if (!draft) return
    if (draft.version !== version) refuse('aborted')
    await tx.delete(quotes).where(eq(quotes.id, draft.id))
    await trace(tx, actor, draft, 'discard')
  })
  announce(db, { people: [] })
}

/** A draft of the version after a quote that ended or is out, beginning with what that says; the one there is, if any. */
export async function openDraft(db: Db, actor: Actor, quoteId: string, now: Date): Promise<QuoteRow> {
  demandWriter(actor)
  const { settings } = await editedSettings(db)
  const opened = await transaction(db, async (tx) => {
    const { quote } = await holdQuote(tx, actor, quoteId)
    const ground = await holdGround(tx, actor, quote.appointmentId)
    const draft = await draftOf(tx, ground)
    if (draft) return draft
    const validUntil = addDays(localDate(toMinutes(now)), settings.quotes.validDays)
    const content = await fitting(tx, ground, { ...quote.content, validUntil })
    return begin(tx, actor, ground, content, now)
  })
  announce(db, { people: [] })
  return opened
}

function demandWriter(actor: Actor): void {
  if (!writesQuotes(actor)) refuse('permission-denied')
}

/** With its customer's code taken off. Extra work is one thing, paid when it is done, and no code is for it. */
async function fitting(tx: Tx, ground: Ground, content: QuoteContent): Promise<QuoteContent> {
  if (ground.kind === 'installation') return fittingBenefit(tx, { ...ground, content })
  if (content.options.length !== 1)
    refuse('invalid-argument', 'El trabajo adicional lleva una sola opción. Quita las demás.')
  return { ...content, depositPercent: 0 }
}

const ofKind = ({ kind, projectId }: Pick<Ground, 'kind' | 'projectId'>) =>
  and(eq(quotes.projectId, projectId), eq(quotes.kind, kind))

/** The one draft that a project has of a kind; its row held inside a transaction that holds the project. */
export async function draftOf(
  db: Queryable,
  ground: Pick<Ground, 'kind' | 'projectId'>,
): Promise<QuoteRow | null> {
  const [draft] = await db
    .select()
    .from(quotes)
    .where(and(ofKind(ground), eq(quotes.state, 'draft')))
  return draft ?? null
}

/** The quote that the next one of a ground follows, as its next version; null where that begins a folio of its own. */
export async function quoteBefore(db: Queryable, ground: Ground): Promise<QuoteRow | null> {
  const [last] = await db
    .select()
    .from(quotes)
    .where(and(ofKind(ground), ne(quotes.state, 'draft')))
    .orderBy(desc(quotes.createdAt), desc(quotes.revision))
    .limit(1)
  if (!last || last.state === 'cancelled') return null
  // What was agreed of extra work stands; more of it is another matter.
  const isAnother =
    ground.kind === 'extra_work' &&
    (last.state === 'accepted' || last.appointmentId !== ground.appointment.id)
  return isAnother ? null : last
}

async function begin(
  tx: Tx,
  actor: Actor,
  ground: Ground,
  content: QuoteContent,
  now: Date,
): Promise<QuoteRow> {
  const { appointment, customerId, kind, projectId } = ground
  const before = await quoteBefore(tx, ground)
  const year = Number(localDate(toMinutes(now)).slice(0, 4))
  const [draft] = await tx
    .insert(quotes)
    .values({
      ...{ kind, projectId, customerId, appointmentId: appointment.id, content, madeBy: actor.id },
      ...offerOf(content),
      ...(await measuredWorth(tx, { appointmentId: appointment.id, content, kind })),
      folio: before?.folio ?? sql<string>`next_folio('COT', ${year})`,
      revision: (before?.revision ?? 0) + 1,
      replacesId: before?.id ?? null,
    })
    .returning()
  await trace(tx, actor, draft!, 'begin')
  return draft!
}

async function rewrite(
  tx: Tx,
  actor: Actor,
  draft: QuoteRow,
  { content, version }: DraftWish,
): Promise<QuoteRow> {
  if (isDeepStrictEqual(draft.content, content)) return draft
  if (draft.version !== version) refuse('aborted')
  const [kept] = await tx
    .update(quotes)
    .set({
      content,
      ...offerOf(content),
      ...(await measuredWorth(tx, { ...draft, content })),
      version: version + 1,
    })
    .where(eq(quotes.id, draft.id))
    .returning()
  await trace(tx, actor, kept!, 'edit')
  return kept!
}

const trace = (
  tx: Tx,
  actor: Actor,
  { id: entityId, folio, revision }: QuoteRow,
  name: 'begin' | 'edit' | 'discard',
) =>
  record(tx, {
    ...{ entity: 'quote', entityId, actorId: actor.id, name, data: { folio, revision } },
    fromState: name === 'begin' ? null : 'draft',
    toState: name === 'discard' ? null : 'draft',
  })

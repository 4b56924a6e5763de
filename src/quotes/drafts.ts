import { isDeepStrictEqual } from 'node:util'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { readsFirstNamesOnly } from '../appointments/rules/list.ts'
import { customer, visibleTo } from '../appointments/visibility.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { appointments, sheets } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { assertVersion, lastSave } from '../platform/database/versions.ts'
import { announce } from '../platform/live/announcements.ts'
import { answersOf } from '../reports/prefilled.ts'
import type { Answers } from '../reports/rules/report.ts'
import { editedSettings } from '../settings/queries.ts'
import { localDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { approvalOf, type DraftApproval } from './approvals.ts'
import { benefitOfSource, fittingBenefit } from './benefit.ts'
import { activeCatalogue, catalogueSign, marginsFor, measuredWorth } from './catalogue.ts'
import type { CatalogueItem, DiscountLine, QuoteContent } from './rules/content.ts'
import { type TypedQuote, typedOf } from './rules/draft.ts'
import { firstContent, type Margin } from './rules/proposal.ts'
import {
  approvesQuotes,
  isOpenQuote,
  type QuoteKind,
  type QuoteState,
  quoteBlockedReason,
  quoteKindFrom,
  writesQuotes,
} from './rules/quote.ts'
import { benefitLine, offerOf } from './rules/totals.ts'
import { lockQuote, type QuoteRow } from './transition.ts'

/** A draft to save; `version` is the one that its form was shown with, 0 where there was no draft yet. */
type DraftInput = { version: number; content: QuoteContent }

/**
 * Saves the draft of a quote, creating it where there is none. The same form sent twice is one change: content that was
 * sent already is returned as it is. A draft that another user saved meanwhile is left alone.
 */
export async function saveDraft(
  db: Db,
  actor: Actor,
  appointmentId: string,
  input: DraftInput & { sends?: boolean },
  now: Date,
): Promise<QuoteRow> {
  assertWriter(actor)
  const saved = await transaction(db, async (tx) => {
    const ground = await lockQuoteSource(tx, actor, appointmentId)
    const content = await fitting(tx, ground, input.content)
    const draft = await draftOf(tx, ground)
    const before = !draft && input.sends ? await quoteBefore(tx, ground) : null
    if (before && isOpenQuote(before.state) && isDeepStrictEqual(before.content, content)) return before
    if (!draft && input.version > 0) refuse('aborted', goneWords)
    return draft ? rewrite(tx, actor, draft, { ...input, content }) : begin(tx, actor, ground, content, now)
  })
  announce(db, { people: [] })
  return saved
}

const goneWords = 'Este borrador ya se envió o se descartó. Copia lo que te sirva y vuelve a abrir la página.'

/** Discards a draft, with its row: only the office ever saw it. Repeated, it has no further effect. */
export async function discardDraft(
  db: Db,
  actor: Actor,
  appointmentId: string,
  version: number,
): Promise<void> {
  assertWriter(actor)
  await transaction(db, async (tx) => {
    const ground = await lockQuoteSource(tx, actor, appointmentId)
    const draft = await draftOf(tx, ground)
    if (!draft) return
    await assertVersion(tx, actor, 'quote', draft, version)
    await tx.delete(quotes).where(eq(quotes.id, draft.id))
    await trace(tx, actor, draft, 'discard')
  })
  announce(db, { people: [] })
}

/**
 * A draft of the version after a quote that ended or was sent, starting with its content; the existing draft, if any.
 */
export const openDraft = (db: Db, actor: Actor, quoteId: string, now: Date) =>
  beginOnce(db, actor, async (tx) => (await lockQuote(tx, actor, quoteId)).quote, now)

/** Makes an actor the author of a visit's quote: begins its draft as the builder would propose it. */
export async function takeQuote(db: Db, actor: Actor, appointmentId: string, now: Date): Promise<QuoteRow> {
  const draft = await beginOnce(db, actor, async () => ({ appointmentId }), now)
  return draft.madeBy === actor.id ? draft : refuse('failed-precondition', takenWords)
}

/** The draft of what `from` names, begun where there is none. */
async function beginOnce(
  db: Db,
  actor: Actor,
  from: (tx: Tx) => Promise<QuoteRow | Pick<QuoteRow, 'appointmentId'>>,
  now: Date,
): Promise<QuoteRow> {
  assertWriter(actor)
  const [catalogue, { settings }] = await Promise.all([activeCatalogue(db), editedSettings(db)])
  const opened = await transaction(db, async (tx) => {
    const source = await from(tx)
    const ground = await lockQuoteSource(tx, actor, source.appointmentId)
    const draft = await draftOf(tx, ground)
    if (draft) return draft
    const before = 'content' in source ? source : await quoteBefore(tx, ground)
    const { content } = firstContent(ground, before, catalogue, settings, now)
    return begin(tx, actor, ground, await fitting(tx, ground, content), now)
  })
  announce(db, { people: [] })
  return opened
}

const takenWords = 'Alguien más la tomó antes que tú. Está entre los borradores.'

function assertWriter(actor: Actor): void {
  if (!writesQuotes(actor)) refuse('permission-denied')
}

/**
 * The content with its customer's code deducted. Extra work is one item, paid when it is done, and no code applies to
 * it.
 */
async function fitting(tx: Tx, ground: QuoteSource, content: QuoteContent): Promise<QuoteContent> {
  if (ground.kind === 'installation') return fittingBenefit(tx, { ...ground, content })
  if (content.options.length !== 1)
    refuse('invalid-argument', 'El trabajo adicional lleva una sola opción. Quita las demás.')
  return { ...content, depositPercent: 0 }
}

const ofKind = ({ kind, projectId }: Pick<QuoteSource, 'kind' | 'projectId'>) =>
  and(eq(quotes.projectId, projectId), eq(quotes.kind, kind))

/** The one draft that a project has of a kind; its row locked inside a transaction that holds the project. */
async function draftOf(
  db: Queryable,
  ground: Pick<QuoteSource, 'kind' | 'projectId'>,
): Promise<QuoteRow | null> {
  const [draft] = await db
    .select()
    .from(quotes)
    .where(and(ofKind(ground), eq(quotes.state, 'draft')))
  return draft ?? null
}

/** The quote that the next one of a source follows as its next version; null where a new folio begins. */
async function quoteBefore(db: Queryable, ground: QuoteSource): Promise<QuoteRow | null> {
  const [last] = await db
    .select()
    .from(quotes)
    .where(and(ofKind(ground), ne(quotes.state, 'draft')))
    .orderBy(desc(quotes.createdAt), desc(quotes.revision))
    .limit(1)
  if (!last || last.state === 'cancelled') return null
  // Accepted extra work stands; further work has its own quote.
  const isAnother =
    ground.kind === 'extra_work' &&
    (last.state === 'accepted' || last.appointmentId !== ground.appointment.id)
  return isAnother ? null : last
}

async function begin(
  tx: Tx,
  actor: Actor,
  ground: QuoteSource,
  content: QuoteContent,
  now: Date,
): Promise<QuoteRow> {
  const { appointment, customerId, kind, projectId } = ground
  const before = await quoteBefore(tx, ground)
  const year = Number(localDate(toMinutes(now)).slice(0, 4))
  const [draft] = await tx
    .insert(quotes)
    .values({
      kind,
      projectId,
      customerId,
      appointmentId: appointment.id,
      content,
      madeBy: actor.id,
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
  { content, version }: DraftInput,
): Promise<QuoteRow> {
  if (isDeepStrictEqual(draft.content, content)) return measuredAgain(tx, draft)
  await assertVersion(tx, actor, 'quote', draft, version)
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

/** The catalogue may have changed since: what is asked of the manager follows from what sending measures. */
async function measuredAgain(tx: Tx, draft: QuoteRow): Promise<QuoteRow> {
  const { belowCost, belowList } = await measuredWorth(tx, draft)
  if (belowCost === draft.belowCost && belowList === draft.belowList) return draft
  const [measured] = await tx
    .update(quotes)
    .set({ belowCost, belowList })
    .where(eq(quotes.id, draft.id))
    .returning()
  return measured!
}

const trace = (
  tx: Tx,
  actor: Actor,
  { id: entityId, folio, revision }: QuoteRow,
  name: 'begin' | 'edit' | 'discard',
) =>
  record(tx, {
    entity: 'quote',
    entityId,
    actorId: actor.id,
    name,
    data: { folio, revision },
    fromState: name === 'begin' ? null : 'draft',
    toState: name === 'discard' ? null : 'draft',
  })

/** The visit or installation that a quote is written from, as the office sees it. */
type QuoteSource = {
  appointment: Pick<typeof appointments.$inferSelect, 'id' | 'folio' | 'service' | 'state'>
  kind: QuoteKind
  projectId: string
  customerId: string
  customer: string
  /** The answers of the visit's report; empty for an installation. */
  answers: Answers
  /** Why no quote can be written, in words; null when one can. */
  why: string | null
}

/** The source of a quote, as far as the actor may see it; null where there is none. */
export async function quoteSourceFor(
  db: Queryable,
  actor: Actor,
  appointmentId: string,
): Promise<QuoteSource | null> {
  if (!isId(appointmentId)) return null
  const isBrief = readsFirstNamesOnly(actor)
  const [found] = await db
    .select({
      appointment: appointments,
      project: projects,
      // Allies read a first name, and nothing that would let them act for a client.
      customer: isBrief ? sql<string>`coalesce(${customer.name}, '')` : customer.fullName,
      report: sheets.state,
    })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(sheets, eq(sheets.appointmentId, appointments.id))
    .where(and(eq(appointments.id, appointmentId), visibleTo(actor)))
  const kind = found && quoteKindFrom[found.appointment.service]
  if (!kind) return null
  const { id, service, state } = found.appointment
  const folio = isBrief ? '' : found.appointment.folio
  const answers = service === 'technical_visit' ? await answersOf(db, id) : {}
  const { closedAt, customerId, id: projectId } = found.project
  return {
    appointment: { id, folio, service, state },
    kind,
    projectId,
    customerId,
    answers,
    customer: found.customer,
    why: quoteBlockedReason({
      service,
      state,
      report: found.report,
      isViable: answers.feasibility !== 'not_viable',
      isProjectClosed: closedAt !== null,
    }),
  }
}

/**
 * The same with its project locked first, as in every transaction about money; refuses where no quote can be written.
 */
async function lockQuoteSource(tx: Tx, actor: Actor, appointmentId: string): Promise<QuoteSource> {
  const seen = (await quoteSourceFor(tx, actor, appointmentId)) ?? refuse('not-found')
  await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, seen.projectId)).for('update')
  // Checked again: it may have changed before the lock.
  const ground = (await quoteSourceFor(tx, actor, appointmentId)) ?? refuse('not-found')
  return ground.why === null ? ground : refuse('failed-precondition', ground.why)
}

type Version = Pick<QuoteRow, 'id' | 'folio' | 'revision'>

/** The data for writing a draft: its content, or the initial one, and today's catalogue. */
export type Building = {
  typed: TypedQuote
  catalogue: CatalogueItem[]
  catalogueSign: string
  margins: Margin[] | null
  /** The deduction of the customer's code from each option; it is not typed. */
  benefit: DiscountLine | null
  /** The stored draft; null before the first save. */
  draft: (Version & { version: number }) | null
  /** Who saved it last, and when. */
  saved: string | undefined
  /** Where only the manager may send the draft: why, and what was asked and answered about it. */
  approval: DraftApproval | null
  before: (Version & { state: QuoteState; reason: string | null; wasSent: boolean }) | null
  /** Codes that the rules wanted and the catalogue does not have. */
  missing: string[]
  /** Whether its lines were just proposed from the report. */
  isProposed: boolean
}

/** A quote as its author opens it; `building` is null where none can be written now, or not by this actor. */
export type Builder = Omit<QuoteSource, 'projectId' | 'customerId'> & {
  mayWrite: boolean
  mayApprove: boolean
  building: Building | null
}

/**
 * The builder of a visit or an installation; null for actors who may not see it. Those who do not write quotes learn
 * nothing of one.
 */
export async function builderFor(db: Db, actor: Actor, id: string, now: Date): Promise<Builder | null> {
  const ground = await quoteSourceFor(db, actor, id)
  if (!ground) return null
  const mayWrite = writesQuotes(actor)
  const { answers, appointment, customer, kind, why } = ground
  const building = mayWrite && why === null ? await buildingOf(db, actor, ground, now) : null
  const may = { mayWrite, mayApprove: approvesQuotes(actor) }
  return { appointment, kind, customer, why, ...may, building, answers: mayWrite ? answers : {} }
}

async function buildingOf(db: Db, actor: Actor, ground: QuoteSource, now: Date): Promise<Building> {
  const [draft, before, catalogue, { settings }, given] = await Promise.all([
    draftOf(db, ground),
    quoteBefore(db, ground),
    activeCatalogue(db),
    editedSettings(db),
    benefitOfSource(db, ground),
  ])
  // Of a draft that was only taken, too: its author has not read what the catalogue lacks.
  const first = draft && draft.version > 1 ? null : firstContent(ground, before, catalogue, settings, now)
  const [saved, approval, margins] = await Promise.all([
    draft ? lastSave(db, actor, { entity: 'quote', id: draft.id }) : undefined,
    approvalOf(db, draft),
    draft && marginsFor(db, actor, draft),
  ])
  return {
    catalogue,
    catalogueSign: catalogueSign(catalogue),
    margins,
    missing: first?.missing ?? [],
    benefit: benefitLine(given),
    isProposed: !draft && !before?.sentAt && ground.kind === 'installation',
    typed: typedOf(draft?.content ?? first!.content, before?.content),
    draft: draft && { ...versionOf(draft), version: draft.version },
    saved,
    approval,
    before: before && { ...versionOf(before), ...endOf(before) },
  }
}

const endOf = ({ reason, sentAt, state }: QuoteRow) => ({ reason, state, wasSent: sentAt !== null })
const versionOf = ({ folio, id, revision }: QuoteRow): Version => ({ id, folio, revision })

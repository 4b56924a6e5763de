import type { Actor } from '../../domain/access/actor.ts'
import type { CatalogueItem, DiscountLine, QuoteContent, QuoteOption } from '../../domain/quotes/content.ts'
import { type TypedQuote, typedOf } from '../../domain/quotes/draft.ts'
import { proposeOptions } from '../../domain/quotes/proposal.ts'
import { type QuoteState, writesQuotes } from '../../domain/quotes/quote.ts'
import { benefitLine } from '../../domain/quotes/totals.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { addDays, localDate, toMinutes } from '../../domain/shared/calendar.ts'
import type { Db } from '../platform/database/client.ts'
import { editedSettings } from '../settings/queries.ts'
import { activeCatalogue, benefitOfSource } from './benefit.ts'
import type { QuoteRow } from './changes.ts'
import { draftOf, type QuoteSource, quoteBefore, quoteSourceFor } from './drafts.ts'

type Version = Pick<QuoteRow, 'id' | 'folio' | 'revision'>

/** Everything that a draft is written with: what it says, or begins with, and today's catalogue. */
export type Building = {
  typed: TypedQuote
  catalogue: CatalogueItem[]
  /** What its customer's code takes off each option; it is none of what is typed. */
  benefit: DiscountLine | null
  /** The draft as it is kept; null before the first save. */
  draft: (Version & { version: number }) | null
  before: (Version & { state: QuoteState }) | null
  /** Codes that the rules wanted and the catalogue does not have. */
  missing: string[]
  /** Whether its lines were proposed just now, from the report. */
  isProposed: boolean
}

/** A quote as its writer opens it; `building` is null where none can be written now, or not by this person. */
export type Builder = Omit<QuoteSource, 'projectId' | 'customerId'> & {
  mayWrite: boolean
  building: Building | null
}

/** The builder of a visit or an installation; null for whoever does not see that. Who does not write quotes learns nothing of one. */
export async function builderFor(
  db: Db,
  actor: Actor,
  appointmentId: string,
  now: Date,
): Promise<Builder | null> {
  const ground = await quoteSourceFor(db, actor, appointmentId)
  if (!ground) return null
  const mayWrite = writesQuotes(actor)
  const { answers, appointment, customer, kind, why } = ground
  const building = mayWrite && why === null ? await buildingOf(db, ground, now) : null
  return { appointment, kind, customer, why, mayWrite, building, answers: mayWrite ? answers : {} }
}

async function buildingOf(db: Db, ground: QuoteSource, now: Date): Promise<Building> {
  const [draft, before, catalogue, { settings }, given] = await Promise.all([
    draftOf(db, ground),
    quoteBefore(db, ground),
    activeCatalogue(db),
    editedSettings(db),
    benefitOfSource(db, ground),
  ])
  const { content, missing } = draft
    ? { content: draft.content, missing: [] }
    : firstContent(ground, before, catalogue, { settings, now })
  return {
    ...{ catalogue, missing, benefit: benefitLine(given) },
    isProposed: !draft && !before?.sentAt && ground.kind === 'installation',
    typed: typedOf(content, before?.content),
    draft: draft && { ...versionOf(draft), version: draft.version },
    before: before && { ...versionOf(before), state: before.state },
  }
}

const versionOf = ({ folio, id, revision }: QuoteRow): Version => ({ id, folio, revision })

type With = { settings: Settings; now: Date }

/** What a new draft begins with: what the version before said, else what the report asks for. */
function firstContent(
  ground: QuoteSource,
  before: QuoteRow | null,
  catalogue: CatalogueItem[],
  { now, settings }: With,
) {
  const { depositPercent, exclusions, refundTerms, validDays, warrantyMonths } = settings.quotes
  const validUntil = addDays(localDate(toMinutes(now)), validDays)
  if (before?.sentAt) return { content: { ...before.content, validUntil }, missing: [] }
  const proposal = ground.kind === 'installation' ? proposeOptions(ground.answers, catalogue) : null
  const content: QuoteContent = {
    ...{ validUntil, warrantyMonths, exclusions, refundTerms, notes: '' },
    depositPercent: ground.kind === 'installation' ? depositPercent : 0,
    options: proposal?.options ?? [blankOption],
  }
  return { content, missing: proposal?.missing ?? [] }
}

const blankOption: QuoteOption = { id: 'essential', summary: '', lines: [], addOns: [], metres: null }

import { isDeepStrictEqual } from 'node:util'
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { dropFollowing, followingWaits, unlessUndone, withoutDelay } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { closeTasks, reopenTasks } from './answers.ts'
import { isApproved, keepApproval } from './approvals.ts'
import { addressed, endOfDay, fittingBenefit } from './benefit.ts'
import { activeCatalogue, catalogueSign, measuredWorth } from './catalogue.ts'
import type { QuoteContent, QuoteOption } from './rules/content.ts'
import { typedOf } from './rules/draft.ts'
import { metresDoubt } from './rules/metres.ts'
import { catalogueDoubt } from './rules/prices.ts'
import { isOpenQuote, quoteMachine, writesQuotes } from './rules/quote.ts'
import { offerOf, totalsOfOption } from './rules/totals.ts'
import {
  assertNotBegun,
  assertOpenInstallation,
  expireIfOver,
  factsOfQuote,
  judge,
  type LockedQuote,
  lockQuote,
  type QuoteRow,
  quoteAffectedUserIds,
  transitionQuote,
} from './transition.ts'

/** What its author confirms of a draft that is to be sent. */
type Confirmed = {
  /** The sign of the lines that do not stand for the promised metres. */
  metres?: string | undefined
  /** The open version that this one replaces. */
  replaces?: string | undefined
  /** The sign of the catalogue that its page showed; without one, whether it changed is not asked. */
  catalogue?: string | undefined
}

/**
 * Sends a draft to its customer: from then on its content is frozen. The previous version is replaced in the
 * same transaction, an open one only if its author said so, an accepted one only once this is accepted. `version` is the draft's as the form showed it; the same form sent twice sends once.
 */
export async function sendQuote(
  db: Db,
  actor: Actor,
  id: string,
  version: number,
  now: Date,
  confirmed: Confirmed = {},
): Promise<QuoteRow> {
  const sent = await transaction(db, async (tx) => {
    const held = await lockQuote(tx, actor, id)
    const { quote } = held
    if (isOpenQuote(quote.state) && quote.sentBy === actor.id && quote.version === version + 1) return quote
    const offer = offerOf(quote.content)
    const worth = await measuredWorth(tx, quote)
    const { discountShare } = offer
    const approved = await isApproved(tx, quote)
    const judged = { ...held, facts: { ...held.facts, ...worth, discountShare, approved } }
    await judge(tx, 'send', actor, judged, version, now)
    assertWhole(quote.content, offer, now)
    assertMetresMeant(quote.content, confirmed.metres)
    if (confirmed.catalogue) await assertCatalogueSeen(tx, quote.content, confirmed.catalogue)
    if (quote.kind === 'extra_work') await assertOpenInstallation(tx, quote)
    else {
      assertNotBegun(held)
      await assertItsBenefit(tx, quote)
    }
    const replaced = await makePlace(tx, actor, held, confirmed.replaces ?? '', now)
    const moved = await transitionQuote(tx, actor, judged, 'send', now, {
      ...offer,
      ...worth,
      ...(await addressed(tx, quote)),
      sentAt: now,
      sentBy: actor.id,
      validUntil: endOfDay(quote.content.validUntil),
    })
    await closeTasks(tx, actor, moved, now)
    // A version that took another's place stays: that one has ended.
    const tell = replaced > 0 ? withoutDelay : unlessUndone(moved)
    await tell(tx, 'letter', { letter: 'quote_sent', quoteId: id, to: 'customer' })
    return moved
  })
  announce(db, { people: quoteAffectedUserIds(sent) })
  return sent
}

const outAlready = 'El aviso al cliente ya salió. Si algo está mal, retírala o envía otra versión.'

type Sent = Pick<QuoteRow, 'id' | 'version'>

/**
 * Makes a quote that its sender just sent their draft again, as long as its customer has not seen it and its letter
 * waits, which is dropped. What sending closed is open again. Sent twice, it is taken back once.
 */
export async function unsendQuote(db: Db, actor: Actor, { id, version }: Sent, now: Date): Promise<void> {
  if (!writesQuotes(actor)) refuse('permission-denied')
  const draft = await transaction(db, async (tx) => {
    const held = await lockQuote(tx, actor, id)
    const { quote } = held
    if (quote.state === 'draft' && quote.version === version + 1) return quote
    if (quote.sentBy !== actor.id) refuse('failed-precondition', 'Solo quien la envió puede deshacerlo.')
    await judge(tx, 'unsend', actor, held, version, now)
    if (await hasDraftBeside(tx, quote)) refuse('failed-precondition', begunAnew)
    if (!(await dropFollowing(tx, [quote]))) refuse('failed-precondition', outAlready)
    const moved = await transitionQuote(tx, actor, held, 'unsend', now, unsent)
    await reopenTasks(tx, actor, quote)
    await keepApproval(tx, { id, before: version - 1, after: moved.version })
    return moved
  })
  announce(db, { people: quoteAffectedUserIds(draft) })
}

const begunAnew = 'Ya empezaron otra versión. Descártala para recuperar esta como borrador, o envía esa otra.'

/** Whether another version of a quote was begun; a project has one draft of a kind. */
async function hasDraftBeside(db: Queryable, { kind, projectId }: Pick<QuoteRow, 'kind' | 'projectId'>) {
  const own = and(eq(quotes.projectId, projectId), eq(quotes.kind, kind), eq(quotes.state, 'draft'))
  return (await db.$count(quotes, own)) > 0
}

/** What a quote has only once it was sent. */
const unsent = {
  addressee: null,
  address: null,
  digest: null,
  sentAt: null,
  sentBy: null,
  validUntil: null,
} satisfies Partial<QuoteRow>

/** For how many seconds the actor can still take back a quote that they sent; zero where they can't. */
export async function unsendableFor(
  db: Db,
  actor: Actor,
  quote: Pick<QuoteRow, 'id' | 'kind' | 'projectId' | 'sentBy' | 'state' | 'version'>,
): Promise<number> {
  const isOwn = quote.sentBy === actor.id && quoteMachine.from('unsend').includes(quote.state)
  const waits = isOwn ? await followingWaits(db, [quote]) : 0
  return waits > 0 && !(await hasDraftBeside(db, quote)) ? waits : 0
}

function assertWhole(
  { options, validUntil }: QuoteContent,
  { lowestTotal }: { lowestTotal: number },
  now: Date,
): void {
  if (options.length === 0 || lowestTotal <= 0)
    refuse(
      'failed-precondition',
      options.some(isGivenAway)
        ? 'Los descuentos, con el código del cliente, cubren una opción completa. Quita esa opción o cambia sus partidas.'
        : 'Cada opción necesita al menos una partida con precio.',
    )
  if (endOfDay(validUntil) <= now)
    refuse('failed-precondition', 'Su vigencia ya pasó. Elige otra fecha y guarda antes de enviar.')
}

/** Lines that do not stand for the metres promised are sent by a second press only. */
function assertMetresMeant(content: QuoteContent, confirmed: string | undefined): void {
  const doubt = metresDoubt(content)
  if (!doubt || doubt.sign === confirmed) return
  throw new Refusal('failed-precondition', {
    title: 'Los metros no coinciden con las partidas',
    description: `${doubt.words} Recalcúlalas o cambia los metros. Si es a propósito, envía otra vez.`,
    details: { metres: doubt.sign },
  })
}

/** A catalogue that changed while the page was open is said before a draft that differs from it is sent. */
async function assertCatalogueSeen(tx: Tx, content: QuoteContent, seen: string): Promise<void> {
  const catalogue = await activeCatalogue(tx)
  if (catalogueSign(catalogue) === seen) return
  const doubt = catalogueDoubt(typedOf(content).options, catalogue)
  if (!doubt) return
  throw new Refusal('failed-precondition', {
    title: 'El catálogo cambió mientras la hacías',
    description: `${doubt}. Revísala. Si va así, envía otra vez.`,
  })
}

function isGivenAway(option: QuoteOption): boolean {
  const { subtotal, total } = totalsOfOption(option)
  return subtotal > 0 && total === 0
}

/** Refuses to send a quote without the benefit of its customer's code, or with a benefit that is no longer theirs. */
async function assertItsBenefit(tx: Tx, quote: QuoteRow): Promise<void> {
  if (!isDeepStrictEqual(await fittingBenefit(tx, quote), quote.content))
    refuse(
      'failed-precondition',
      'El descuento del código de este cliente cambió. Vuelve a abrir el borrador, guárdalo y revisa sus totales.',
    )
}

/**
 * Ends the version before this one. One that its customer may still accept ends only if its author read that it does;
 * one accepted meanwhile stands, and is said first. Returns how many ended.
 */
async function makePlace(
  tx: Tx,
  actor: Actor,
  { project, quote }: LockedQuote,
  replaces: string,
  now: Date,
): Promise<number> {
  let ended = 0
  const before = await tx
    .select()
    .from(quotes)
    .where(
      and(
        eq(quotes.projectId, project.id),
        eq(quotes.kind, quote.kind),
        ne(quotes.id, quote.id),
        inArray(quotes.state, [...leaving]),
      ),
    )
    .for('update')
  if (replaces && !before.some(({ id }) => id === replaces)) refuse('aborted', answeredMeanwhile)
  for (const one of before) {
    const facts = await factsOfQuote(tx, one, project)
    const held = await expireIfOver(tx, { quote: one, project, facts }, now)
    if (isOpenQuote(held.quote.state) && one.id !== replaces)
      refuse('failed-precondition', stillOpen(one.revision))
    // A version that was never sent is not replaced.
    if (!one.sentAt || !quoteMachine.can('supersede', actor, held.facts, now)) continue
    await transitionQuote(tx, actor, held, 'supersede', now, { endedAt: held.quote.endedAt ?? now })
    ended++
  }
  return ended
}

const leaving = [
  ...(['sent', 'viewed', 'rejected', 'withdrawn'] as const),
  ...(['changes_requested', 'expired', 'lapsed'] as const),
]

const stillOpen = (revision: number) =>
  `El cliente todavía puede aceptar la versión ${revision}. Si esta la sustituye, envía otra vez.`

const answeredMeanwhile =
  'El cliente contestó la versión anterior mientras escribías. Revisa qué pasó y envía otra vez si todavía conviene.'

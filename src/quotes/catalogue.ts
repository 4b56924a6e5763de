import { createHash } from 'node:crypto'
import { asc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { catalogueItems } from '../platform/database/schema/payments.ts'
import { events } from '../platform/database/schema/projects.ts'
import { refuseVersion } from '../platform/database/versions.ts'
import { announce } from '../platform/live/announcements.ts'
import { answersOf } from '../reports/prefilled.ts'
import { isSection, settingsEntity } from '../settings/queries.ts'
import { configures } from '../settings/rules/settings.ts'
import { unitPrice as formatUnitPrice } from '../shared/format.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { type CatalogueItem, isLeap } from './rules/content.ts'
import {
  type Margin,
  marginsOf,
  type PricedItem,
  proposeOptions,
  type Worth,
  worthOf,
} from './rules/proposal.ts'
import { seesMargins } from './rules/quote.ts'
import type { CatalogueInput } from './rules/schema.ts'
import type { QuoteRow } from './transition.ts'

type Item = typeof catalogueItems.$inferSelect

/**
 * Changes an item as the manager wants it; `version` is the one its form was shown with. Existing quotes keep their
 * copies.
 */
export async function editItem(
  db: Db,
  actor: Actor,
  { code, sure, version, ...input }: CatalogueInput & { code: string; version: number },
): Promise<void> {
  assertManager(actor)
  await transaction(db, async (tx) => {
    const [held] = await tx.select().from(catalogueItems).where(eq(catalogueItems.code, code)).for('update')
    if (!held) refuse('not-found')
    const changes = differences(held, input)
    if (Object.keys(changes).length === 0) return
    if (held.version !== version)
      await refuseVersion(tx, actor, { entity: 'settings', id: settingsEntity, within: isOf(code) })
    assertMeant(held, input.unitPrice, sure)
    await tx
      .update(catalogueItems)
      .set({ ...input, version: version + 1 })
      .where(eq(catalogueItems.id, held.id))
    await trace(tx, actor, code, changes)
  })
  announce(db, { people: [], desk: true })
}

/** That an event is of one item: what it changed is named by the item's code. */
const isOf = (code: string) =>
  sql`${isSection('catalogue')} and strpos((${events.data} -> 'changes')::text, ${`"${code} `}) > 0`

/** Adds an item, last in the list. */
export async function addItem(
  db: Db,
  actor: Actor,
  { code, sure: _, ...input }: CatalogueInput & { code: string },
): Promise<void> {
  assertManager(actor)
  await transaction(db, async (tx) => {
    const [made] = await tx
      .insert(catalogueItems)
      .values({ ...input, code, position: sql`(select coalesce(max(position), 0) + 1 from catalogue_items)` })
      .onConflictDoNothing()
      .returning()
    if (!made) refuse('already-exists', takenCode, { errors: { code: takenCode } })
    await trace(tx, actor, code, { description: { from: '', to: input.description } })
  })
  announce(db, { people: [], desk: true })
}

const takenCode = 'Ya hay una partida con esa clave.'

/** Prices are part of the service's configuration: the manager's. */
function assertManager(actor: Actor): void {
  if (!configures(actor)) refuse('permission-denied')
}

type Changes = Record<string, { from: unknown; to: unknown }>

/** A price that changes a lot must be confirmed by a second press. */
function assertMeant({ unitPrice }: Item, wished: number, sure: number | null): void {
  if (!isLeap(unitPrice, wished) || sure === wished) return
  throw new Refusal('failed-precondition', {
    title: 'Revisa el precio',
    description: `Cambia de ${formatUnitPrice(unitPrice)} a ${formatUnitPrice(wished)} (${changeInWords(unitPrice, wished)}). Si es correcto, guarda otra vez.`,
    details: { confirm: { amount: wished } },
  })
}

/** "+900 %" */
const changeInWords = (from: number, to: number) =>
  `${to > from ? '+' : '−'}${Math.round((Math.abs(to - from) * 100) / from)}\u00a0%`

function differences(before: Item, after: Omit<CatalogueInput, 'sure'>): Changes {
  const fields = Object.entries(after).map(
    ([field, to]) => [field, { from: before[field as keyof Omit<CatalogueInput, 'sure'>], to }] as const,
  )
  return Object.fromEntries(fields.filter(([, { from, to }]) => from !== to))
}

/** Records the changes in the history of the settings, each field under its item's code. */
async function trace(tx: Tx, actor: Actor, code: string, changes: Changes): Promise<void> {
  const named = Object.entries(changes).map(([field, change]) => [`${code} ${field}`, change])
  const data = { section: 'catalogue', changes: Object.fromEntries(named) }
  await record(tx, { entity: 'settings', entityId: settingsEntity, actorId: actor.id, name: 'update', data })
}

/** Measures an offer by the current catalogue and, for an installation, by its visit's report. */
export async function measuredWorth(
  db: Queryable,
  { appointmentId, content, kind }: Pick<QuoteRow, 'appointmentId' | 'content' | 'kind'>,
): Promise<Worth> {
  const catalogue = await pricedCatalogue(db)
  const answers = kind === 'installation' ? await answersOf(db, appointmentId) : {}
  return worthOf(content, catalogue, proposeOptions(answers, catalogue)?.options ?? [])
}

/** What each option of a quote leaves at today's costs; null for all but those who read costs. */
export const marginsFor = async (
  db: Queryable,
  actor: Actor,
  { acceptedAddOns, content }: Pick<QuoteRow, 'acceptedAddOns' | 'content'>,
): Promise<Margin[] | null> =>
  seesMargins(actor) ? marginsOf(content, await pricedCatalogue(db), acceptedAddOns) : null

const { code, description, iva, kind, satProduct, satUnit, unit, unitPrice } = catalogueItems

const item = { code, description, kind, unit, unitPrice, iva, satProduct, satUnit }

const inOrder = [asc(catalogueItems.position), asc(catalogueItems.code)]

/** The items for new lines, at today's prices. The caller checks that the actor writes quotes. */
export const activeCatalogue = (db: Queryable): Promise<CatalogueItem[]> =>
  db
    .select(item)
    .from(catalogueItems)
    .where(eq(catalogueItems.active, true))
    .orderBy(...inOrder)

/** A sign of the catalogue as a page showed it: it tells whether it has changed since. */
export const catalogueSign = (items: readonly CatalogueItem[]): string =>
  createHash('sha256').update(JSON.stringify(items)).digest('base64url').slice(0, 16)

/** All items with their cost, to measure quotes by: never shown to authors of quotes. */
const pricedCatalogue = (db: Queryable): Promise<PricedItem[]> =>
  db
    .select({ ...item, unitCost: catalogueItems.unitCost })
    .from(catalogueItems)
    .orderBy(...inOrder)

/** An item as the manager edits it. */
export type EditedItem = PricedItem & { active: boolean; version: number }

/** The whole catalogue, for the manager. */
export const editedCatalogue = (db: Db): Promise<EditedItem[]> =>
  db
    .select({
      ...item,
      unitCost: catalogueItems.unitCost,
      active: catalogueItems.active,
      version: catalogueItems.version,
    })
    .from(catalogueItems)
    .orderBy(...inOrder)

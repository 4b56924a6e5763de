import { asc, eq } from 'drizzle-orm'
import type { CatalogueItem } from '../../domain/quotes/content.ts'
import type { PricedItem } from '../../domain/quotes/worth.ts'
import type { Db, Queryable } from '../platform/database/database.ts'
import { catalogueItems } from '../platform/database/schema/money-schema.ts'

const { code, description, iva, kind, satProduct, satUnit, unit, unitPrice } = catalogueItems
const item = { code, description, kind, unit, unitPrice, iva, satProduct, satUnit }
const inOrder = [asc(catalogueItems.position), asc(catalogueItems.code)]

/** What a new line may be made of, at today's prices. Whoever shows it asks first whether quotes are theirs to write. */
export const activeCatalogue = (db: Queryable): Promise<CatalogueItem[]> =>
  db
    .select(item)
    .from(catalogueItems)
    .where(eq(catalogueItems.active, true))
    .orderBy(...inOrder)

/** All of it with what it costs, to measure quotes by: never shown to whoever writes them. */
export const pricedCatalogue = (db: Queryable): Promise<PricedItem[]> =>
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

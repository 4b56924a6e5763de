import type { PgTable } from 'drizzle-orm/pg-core'
import { expect } from 'vitest'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { world } from './open.ts'
import { expectLocation, expectPage, expectWords, readable, rowIn, trailOf } from './reading.ts'
import type { Visitor } from './visitor.ts'

/** Where a navigation leads a visitor; null where the screen is theirs. */
export const ledTo = async (path: string, as?: Visitor) => (await world.data(path, as)).location

/** Expects where a navigation leads a visitor; null where the screen is theirs. */
export const expectLed = async (path: string, as: Visitor | undefined, to: string | null) =>
  expectLocation(await world.data(path, as), to)

/** Expects a screen to be shown with some words, in its text or its markup. */
export async function expectShown(path: string, as: Visitor | undefined, ...words: string[]) {
  const page = await world.visit(path, as)
  expectPage(page, 200)
  expectWords(`${page.text}\n${readable(page)}`, ...words)
}

/** Expects the first row of a table that has some values to have others too. */
export const expectRow = async <Table extends PgTable>(
  table: Table,
  where: Partial<Table['$inferSelect']>,
  values: object,
) => expect(await rowIn(world, table, where)).toMatchObject(values)

/** The same of an account, by its id or e-mail. */
export const expectUser = (of: { id: string } | { email: string }, values: object) =>
  expectRow(users, 'id' in of ? { id: of.id } : { email: of.email }, values)

/** Expects the names of what happened to a row, in order; of one kind of row where one id names several. */
export const expectTrail = async (row: string | { id: string }, names: string[], entity?: string) =>
  expect(await trailOf(world, row, entity)).toEqual(names)

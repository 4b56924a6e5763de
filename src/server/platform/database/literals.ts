import { type SQL, sql } from 'drizzle-orm'

/** A closed list of names as SQL literals ("'a', 'b'"): with parameters PostgreSQL would not use the partial indexes. */
export function literals(names: readonly string[]): string {
  const strange = names.find((name) => !/^[a-z_]+$/.test(name))
  if (strange !== undefined) throw new Error(`Not a name of ours: ${strange}`)
  return names.map((name) => `'${name}'`).join(', ')
}

/** The same for Drizzle's template. */
export const listed = (names: readonly string[]): SQL => sql.raw(literals(names))

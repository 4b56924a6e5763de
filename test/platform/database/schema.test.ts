import { is, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../../src/platform/database/client.ts'
import { freshDatabase, leave } from '../../kit/fresh-database.ts'
import { sourcesOf } from '../../sources.ts'

// The Drizzle tables against the migrated database, both ways: neither has a table or a column that the other has not.

type Column = { of: string; type: string; nullable: boolean; default: boolean }

/** Tables, and columns of others, that only SQL reads and writes. */
const onlySql = [
  'limits',
  'migrations',
  'open_slots',
  'roster_version',
  'rounds',
  'stage_checks',
  'used_totp_codes',
  'write_probe',
  'appointments.words',
  'tasks.code_id',
  'users.searchable',
]

let db: Db
let tables: readonly PgTable[]

beforeAll(async () => {
  db = await freshDatabase(2)
  const files = sourcesOf('server').filter(({ text }) => /\bpgTable\(/.test(text))
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map(({ file }) => import(`../../../src/${file}`)),
  )
  tables = modules.flatMap((module) => Object.values(module).filter((one) => is(one, PgTable)))
})
afterAll(() => leave(db))

async function ofDrizzle(): Promise<Column[]> {
  const columns = tables.flatMap((table) => {
    const { name, columns } = getTableConfig(table)
    return columns.map((column) => ({
      of: `${name}.${column.name}`,
      type: column.getSQLType(),
      // What is worked out from other columns is never declared not null in the database: its expression says so.
      nullable: !column.notNull && column.generated === undefined,
      default: [column.default, column.generated, column.generatedIdentity].some((one) => one !== undefined),
    }))
  })
  const types = [...new Set(columns.map(({ type }) => type))]
  const { rows } = await db.execute<{ written: string; type: string }>(sql`
    select written, format_type(to_regtype(written), to_regtypemod(written)) as type
    from unnest(${sql.param(types)}::text[]) written`)
  const spelled = new Map(rows.map(({ written, type }) => [written, type]))
  return columns.map((column) => ({ ...column, type: spelled.get(column.type) ?? column.type }))
}

async function ofDatabase(): Promise<Column[]> {
  const { rows } = await db.execute<Column>(sql`
    select c.relname || '.' || a.attname as of, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull and a.attgenerated = '' as nullable, a.atthasdef or a.attidentity <> '' as default
    from pg_attribute a
      join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`)
  return rows
}

const written = (column: Column) =>
  `${column.of}: ${column.type}${column.nullable ? ', may be null' : ''}${column.default ? ', with a default' : ''}`

/** What only one of the two has; a column that differs stands on both sides. */
async function differences() {
  const drizzle = (await ofDrizzle()).map(written)
  const database = (await ofDatabase()).map(written)
  const isOnlySql = (column: string) =>
    onlySql.some((one) => column.startsWith(`${one}.`) || column.startsWith(`${one}:`))
  return {
    drizzle: drizzle.filter((column) => !database.includes(column)).toSorted(),
    database: database.filter((column) => !drizzle.includes(column) && !isOnlySql(column)).toSorted(),
  }
}

test('the Drizzle tables are the tables of the migrated database, column by column', async () => {
  expect(tables.length).toBeGreaterThan(50)
  expect(await differences()).toEqual({ drizzle: [], database: [] })
})

test('tables for SQL only exist and are not in Drizzle', async () => {
  const database = (await ofDatabase()).map(({ of }) => of)
  const drizzle = new Set((await ofDrizzle()).map(({ of }) => of))
  for (const name of onlySql) {
    const columns = database.filter((of) => of === name || of.startsWith(`${name}.`))
    expect(columns, name).not.toEqual([])
    expect(columns.filter((of) => drizzle.has(of))).toEqual([])
  }
})

test('finds new, missing and changed columns', async () => {
  const before = await differences()
  await db.$client.query(`
    alter table quotes add extra text, alter kind drop default, alter folio drop not null;
    alter table addresses rename street to road; alter table catalogue_items alter position type bigint`)
  const after = await differences()
  const added = (side: 'drizzle' | 'database') =>
    after[side].filter((column) => !before[side].includes(column)).map((column) => column.split(':')[0])
  const changed = ['catalogue_items.position', 'quotes.folio', 'quotes.kind']
  expect(added('drizzle')).toEqual(['addresses.street', ...changed])
  expect(added('database')).toEqual(['addresses.road', 'quotes.extra', ...changed].toSorted())
})

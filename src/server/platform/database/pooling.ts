import pg from 'pg'

/** What a connection of our own asks for when it is opened; a pooler lets nobody ask for these. */
export const sessionSettings = {
  idle_in_transaction_session_timeout: 15_000,
  statement_timeout: 15_000,
  options: '-c timezone=UTC',
}

/**
 * Has a client send every statement without its name: behind a pooler the next transaction has another connection, which
 * knows nothing of what was named on this one. PgBouncer translates names since 1.21 only, and only when it is told to.
 */
export function withoutNames(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const unnamed = (asked: unknown, ...rest: unknown[]) =>
    query(isNamed(asked) ? { ...asked, name: undefined } : asked, ...rest)
  client.query = unnamed as typeof client.query
}

const isNamed = (asked: unknown): asked is { name: string } =>
  typeof asked === 'object' && asked !== null && 'name' in asked

const roleSettings = {
  timezone: 'UTC',
  statement_timeout: `${sessionSettings.statement_timeout}ms`,
  idle_in_transaction_session_timeout: `${sessionSettings.idle_in_transaction_session_timeout}ms`,
}

/** Gives the role, in this database, what its connections can't ask for through a pooler. The caller holds a lock: two at once would fail. */
export async function settleRole(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ database: string; settings: string[] }>(
    `select current_database() as database, coalesce((select setconfig from pg_db_role_setting
       join pg_database on pg_database.oid = setdatabase and datname = current_database()
       join pg_roles on pg_roles.oid = setrole and rolname = current_user), '{}') as settings`,
  )
  const { database = '', settings = [] } = rows[0] ?? {}
  const name = client.escapeIdentifier(database)
  for (const [setting, value] of Object.entries(roleSettings))
    if (!settings.some((one) => one.toLowerCase() === `${setting}=${value}`.toLowerCase()))
      await client.query(
        `alter role current_user in database ${name} set ${setting} = ${pg.escapeLiteral(value)}`,
      )
}

/** Throws one line when the pooler still hands out connections that were opened before the role was settled. */
export async function checkPooler(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ utc: boolean; limit: string }>(
    `select extract(timezone from now()) = 0 as utc, current_setting('statement_timeout') as limit`,
  )
  if (rows[0]?.utc && rows[0].limit !== '0') return
  throw new Error(
    'El pooler de DATABASE_URL tiene conexiones de antes de que el rol quedara en UTC: ciérralas (RECONNECT en PgBouncer) y vuelve a arrancar.',
  )
}

import type { Db } from '../../src/platform/database/client.ts'

/** What a refused request may touch: what counts tries, the sessions that visits move on, and who read what the page behind the refusal shows. */
const counters = ['limits', 'rate_limits', 'sign_in_failures', 'sessions', 'data_reads']

/** The question is long, and asked of one database hundreds of times: it is written, and planned, once. */
const written = new WeakMap<object, string>()

/** For each table how many rows it has and the sum of their hashes, and of the jobs that wait: equal before and after, nothing has changed. */
export async function fingerprint({ $client }: Db): Promise<Record<string, string>> {
  const text = written.get($client) ?? (await questionFor($client))
  written.set($client, text)
  const { rows } = await $client.query<{ name: string; hash: string }>({ name: 'fingerprint', text })
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}

async function questionFor(client: Db['$client']): Promise<string> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema = 'public' and not table_name = any($1)`,
    [counters],
  )
  return [...tables.map(({ name }) => [name, 't::text']), ['pgboss.job', 't.name || t.data::text']]
    .map(
      ([name, row]) =>
        `select '${name}' as name, count(*) || ' ' || sum(hashtextextended(${row}, 0)) as hash from ${name} t`,
    )
    .join(' union all ')
}

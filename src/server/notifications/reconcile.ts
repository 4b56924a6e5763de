import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { withData } from '../app/commands.ts'
import { type Db, isId } from '../platform/database/client.ts'

/** The rows that e-mails are about, by the name of their id in the log. */
const tables: Record<string, string> = {
  appointmentId: 'appointments',
  quoteId: 'quotes',
  paymentId: 'payments',
  refundId: 'refunds',
  invoiceId: 'invoices',
  projectId: 'projects',
  caseId: 'cfe_cases',
}

/** A line of the log about an e-mail that left; only ids. */
type Sent = { at: Date; job: string; letter: string; readerId: string | null; table: string; id: string }

function sentOf(text: string): Sent[] {
  const from = text.indexOf('{')
  if (from < 0 || !text.includes('"e-mail sent"')) return []
  let line: Record<string, unknown>
  try {
    line = JSON.parse(text.slice(from))
  } catch {
    return []
  }
  const { job, letter, reader, time } = line
  if (line.msg !== 'e-mail sent' || typeof time !== 'number') return []
  const about = { at: new Date(time), job: String(job), letter: String(letter) }
  return Object.entries(tables).flatMap(([name, table]) => {
    const id = line[name]
    if (typeof id !== 'string' || !isId(id)) return []
    return [{ ...about, readerId: typeof reader === 'string' && isId(reader) ? reader : null, table, id }]
  })
}

/** Of e-mails in a log, those about rows that the database does not have, the oldest first, and how many were looked at. */
export async function emailsWithoutRows({ $client }: Db, lines: AsyncIterable<string>) {
  const sent: Sent[] = []
  for await (const line of lines) sent.push(...sentOf(line))
  const lost: Sent[] = []
  for (const [table, some] of Map.groupBy(sent, (one) => one.table)) {
    const text = `select asked.id from unnest($1::uuid[]) as asked (id)
      where not exists (select from ${table} where ${table}.id = asked.id)`
    const { rows } = await $client.query<{ id: string }>({ text, values: [some.map(({ id }) => id)] })
    const gone = new Set(rows.map(({ id }) => id))
    lost.push(...some.filter(({ id }) => gone.has(id)))
  }
  const { rows: people } = await $client.query<{ id: string; who: string }>({
    text: `select id, concat_ws(', ', nullif(full_name, ''), email, phone) as who from users where id = any($1::uuid[])`,
    values: [lost.flatMap(({ readerId }) => readerId ?? [])],
  })
  const who = new Map(people.map((person) => [person.id, person.who]))
  const found = lost
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map((one) => ({ ...one, who: (one.readerId && who.get(one.readerId)) ?? null }))
  return { looked: sent.length, found }
}

async function* linesOf(files: readonly string[]) {
  for (const file of files) yield* createInterface({ input: createReadStream(file) })
}

/**
 * `npm run reconcile-emails -- worker.log`: after a failover, which e-mails name rows that were lost with it. E-mails are
 * read from the log, since their records were in the same database.
 */
export const reconcileEmails = (source: NodeJS.ProcessEnv, files: readonly string[]) =>
  withData(source, async (db) => {
    const { found, looked } = await emailsWithoutRows(db, linesOf(files))
    const lines = found.map(({ at, id, job, letter, readerId, table, who }) => {
      const messageId = readerId ? `${job}.${readerId}` : job
      return `${at.toISOString()}  ${letter}  ${who ?? `unknown: look for Message-ID ${messageId} in the mail server's log`}  ${table} ${id}`
    })
    return [...lines, `${looked} e-mails read, ${found.length} about rows that are not there.`].join('\n')
  })

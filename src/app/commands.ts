import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { peopleImport } from '../integrations/firebase-import/commands.ts'
import { makeBackup } from '../platform/backup/backup.ts'
import { restoreBackup } from '../platform/backup/restore.ts'
import { type Db, isId, openDatabase } from '../platform/database/client.ts'
import { startEmbedded } from '../platform/database/embedded/cluster.ts'
import { secretFile } from '../platform/http/sealing.ts'
import { missingFiles, openDrive } from '../platform/storage/drive.ts'
import { importPostalList } from '../projects/postal-list.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { removeSecondFactorOf } from '../users/commands.ts'
import { inviteManager, withoutSecondFactor } from '../users/invite.ts'
import { invitationDays } from '../users/rules/user.ts'
import { type Env, parseEnv } from './env.ts'
import { openData } from './start.ts'

/**
 * `npm run manager -- email@example.com`: prints a link that makes its holder a manager; with `--without-second-factor`,
 * removes the second factor of a manager who lost it. Running it needs access to the server.
 */
export const makeManager = (source: NodeJS.ProcessEnv, email = '', option?: string) =>
  withData(source, async (db, { baseUrl }) => {
    if (option !== undefined && option !== withoutSecondFactor)
      refuse('invalid-argument', `Unknown option: ${option}`)
    if (option) {
      await removeSecondFactorOf(db, email)
      return `Removed the second factor of ${email} and ended all sessions. The account signs in with its password.`
    }
    const link = await inviteManager(db, email, baseUrl, new Date())
    return `Whoever opens this link and accepts becomes a manager. It works once, for ${invitationDays} days:\n${link}`
  })

/** `npm run postal -- CPdescarga.txt`: loads the postal service's official list in place of the built-in ranges. */
export const loadPostalList = (source: NodeJS.ProcessEnv, file = '') =>
  withData(source, async (db) => {
    const count = await importPostalList(db, await readFile(file))
    return `Postal codes loaded: ${count} settlements.`
  })

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
type Sent = { at: Date; job: string; kind: string; readerId: string | null; table: string; id: string }

function sentOf(text: string): Sent[] {
  const from = text.indexOf('{')
  if (from < 0 || !text.includes('"e-mail sent"')) return []
  let line: Record<string, unknown>
  try {
    line = JSON.parse(text.slice(from))
  } catch {
    return []
  }
  const { job, letter: kind, reader, time } = line
  if (line.msg !== 'e-mail sent' || typeof time !== 'number') return []
  const about = { at: new Date(time), job: String(job), kind: String(kind) }
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
    const lines = found.map(({ at, id, job, kind, readerId, table, who }) => {
      const messageId = readerId ? `${job}.${readerId}` : job
      return `${at.toISOString()}  ${kind}  ${who ?? `unknown: look for Message-ID ${messageId} in the mail server's log`}  ${table} ${id}`
    })
    return [...lines, `${looked} e-mails read, ${found.length} about rows that are not there.`].join('\n')
  })

/** Brings a Firebase project's people over. */
export const importPeople = async (source: NodeJS.ProcessEnv, args: readonly string[]) =>
  withData(source, await peopleImport(args))

/** Opens the data, through the server of a running app if there is one, and prints what was done. */
async function withData(source: NodeJS.ProcessEnv, run: (db: Db, env: Env) => Promise<string>) {
  const env = parseEnv(source)
  const { db, close } = await openData(env, { join: true })
  try {
    console.log(await run(db, env))
  } catch (error) {
    // Nothing was changed: prints the message only; the exit code is not zero.
    throw error instanceof Refusal ? new Error(error.description) : error
  } finally {
    await close()
  }
}

/** `npm run backup`: writes database and files into a new folder, whether the app runs or not. */
export async function backup(source: NodeJS.ProcessEnv): Promise<void> {
  const env = parseEnv(source)
  const { bytes, files, folder, key } = await makeBackup(env, new Date())
  console.log(`Backup written to ${folder}: ${files} files, ${Math.ceil(bytes / 1_000_000)} MB.`)
  if (key?.kept === 'apart')
    console.log(
      `The key is not inside: keep ${env.AUTH_SECRET ? 'AUTH_SECRET' : secretFile(env.dataDir)} separately. Without it second factors cannot be decrypted.`,
    )
}

const withoutKey = '--without-key'

/** `npm run restore -- folder`: restores a backup into an empty place and checks the result; with `--without-key`, where its key was lost. */
export async function restore(source: NodeJS.ProcessEnv, folder = '', option?: string): Promise<void> {
  if (!folder) throw new Error('Name the backup folder: npm run restore -- data/backups/2026-01-31T060000Z')
  if (option !== undefined && option !== withoutKey) throw new Error(`Unknown option: ${option}`)
  const env = parseEnv(source)
  const { at } = await restoreBackup(env, path.resolve(folder), { withoutKey: option === withoutKey })
  const { missing, people } = await lookAt(env)
  console.log(`Restored the state of ${at}: ${people} people in the database.`)
  if (missing.length > 0)
    console.warn(
      `${missing.length} files are missing; they were being deleted during the backup: ${missing.slice(0, 5).join(', ')}`,
    )
}

/** Starts the restored database, so that it recovers, and counts its rows and files. No migration runs. */
async function lookAt(env: Env) {
  const embedded = env.DATABASE_URL ? undefined : await startEmbedded(env.dataDir)
  const connection = embedded
    ? { ...embedded.connection, database: 'carga' }
    : { connectionString: env.external?.sessions }
  const db = openDatabase(connection, 3)
  try {
    const { rows } = await db.$client.query<{ count: number }>('select count(*)::int as count from users')
    return { people: rows[0]?.count ?? 0, missing: await missingFiles(db, openDrive(env.storage)) }
  } finally {
    await db.$client.end()
    await embedded?.stop()
  }
}

// npm run db, db:reset, db:new: the database of DATA_DIR or DATABASE_URL, without the application.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { parseEnv } from '../src/app/env.ts'
import {
  type EmbeddedConnection,
  ensureDatabase,
  startEmbedded,
} from '../src/platform/database/embedded/cluster.ts'

const database = 'carga'
const [command, ...operands] = process.argv.slice(2)
try {
  if (command === 'new') newMigration(operands[0] ?? '')
  else if (command === 'reset') await reset()
  else await shell(operands)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

/** psql with its options where it is installed, else our own prompt; beside a running app, through the app's server. */
async function shell(options: string[]) {
  const { dataDir, external } = parseEnv(process.env)
  const embedded = external ? undefined : await startEmbedded(dataDir, { join: true })
  try {
    const url = external ? (external.direct ?? external.url) : urlOf(embedded!.connection)
    if (embedded) await ensureDatabase(embedded.connection, database)
    if (spawnSync('psql', ['--version']).status === 0) await psql(url, options)
    else await prompt(url)
  } finally {
    await embedded?.stop()
  }
}

function urlOf({ host, port, user }: EmbeddedConnection): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

async function psql(url: string, options: string[]) {
  // psql handles Ctrl-C: it cancels a query.
  process.on('SIGINT', () => undefined)
  const [code] = await once(spawn('psql', [url, ...options], { stdio: 'inherit' }), 'exit')
  process.exitCode = code ?? 1
}

/** Statements end with a semicolon; rows are shown as a table. */
async function prompt(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: `${database}> ` })
  let text = ''
  const ask = () => process.stdin.isTTY && lines.prompt()
  ask()
  for await (const line of lines) {
    text += `${line}\n`
    if (text.trimEnd().endsWith(';')) {
      await run(client, text)
      text = ''
    }
    ask()
  }
  await client.end()
}

async function run(client: pg.Client, text: string) {
  try {
    for (const { command, rowCount, rows } of [await client.query(text)].flat()) {
      if (rows.length > 0) console.table(rows)
      console.log(`${command} ${rowCount ?? ''}`)
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  }
}

/**
 * Drops the embedded database of a demo world; the next start creates it again. Refused while the app runs, and for
 * other data.
 */
async function reset() {
  const { dataDir, demo, external } = parseEnv(process.env)
  if (external || !demo) throw new Error('db:reset drops the embedded database of a demo world only')
  const embedded = await startEmbedded(dataDir)
  const client = new pg.Client({ ...embedded.connection, database: 'postgres' })
  try {
    await client.connect()
    await client.query(`drop database if exists ${database} with (force)`)
    console.log(`Dropped. npm run dev or npm start makes it again with the demo world (${dataDir}).`)
  } finally {
    await client.end()
    await embedded.stop()
  }
}

/** Creates the next migration with its hash line; for a migration that is not in git yet, updates its hash line. */
function newMigration(name: string) {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new Error('Name it in snake_case: npm run db:new -- visit_reports')
  const [folder = ''] = globSync('src/**/migrations')
  const [hashes = ''] = globSync('test/**/migration-hashes.ts')
  const merged = spawnSync('git', ['ls-files', folder], { encoding: 'utf8' }).stdout.split('\n')
  const all = readdirSync(folder).sort()
  const own = all.find((file) => file.endsWith(`_${name}.sql`) && !merged.includes(path.join(folder, file)))
  const file = own ?? `${String(Number(all.at(-1)?.slice(0, 4)) + 1).padStart(4, '0')}_${name}.sql`
  const place = path.join(folder, file)
  if (!existsSync(place)) writeFileSync(place, `-- ${name.replaceAll('_', ' ')}\n`)
  const hash = createHash('sha256').update(readFileSync(place)).digest('hex')
  const lines = readFileSync(hashes, 'utf8').split('\n')
  const others = lines.filter((line) => !line.includes(`'${file}'`))
  writeFileSync(hashes, others.toSpliced(others.lastIndexOf('}'), 0, `  '${file}': '${hash}',`).join('\n'))
  console.log(`${place}\nRun it again once the SQL is written: it brings the hash in ${hashes} up to date.`)
}

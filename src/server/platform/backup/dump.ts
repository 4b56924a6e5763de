import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type pg from 'pg'

/** Major version of the PostgreSQL that answers. */
export async function serverMajor(client: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  return Math.floor(Number(rows[0]?.server_version_num) / 10_000)
}

/** One consistent picture of a database, by the operator's own pg_dump of the server's major version. */
export async function dumpDatabase(program: string, url: string, major: number, file: string) {
  await demandMajor(program, major)
  await run(program, ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`], url)
}

/** Fills an empty database with a dump, in one transaction. */
export async function restoreDump(program: string, url: string, major: number, file: string) {
  await demandMajor(program, major)
  await run(program, ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', file], url)
}

async function demandMajor(program: string, major: number) {
  const said = await run(program, ['--version']).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error(`Falta ${program} de PostgreSQL ${major}: instálalo, o di dónde está con PG_BIN`)
  })
  const found = Number(/\) (\d+)/.exec(said)?.[1])
  if (found !== major)
    throw new Error(
      `La base de datos es PostgreSQL ${major} y ${program} es de la versión ${found}: usa el de la misma`,
    )
}

/** The address without its password, which every user of the machine could read there, and the password by itself. */
function reaching(address: string) {
  const url = new URL(address)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { dbname: `--dbname=${url}`, env: password ? { PGPASSWORD: password } : {} }
}

/** What a program said; throws with the end of its complaint. */
async function run(program: string, args: readonly string[], address?: string): Promise<string> {
  const { dbname, env } = address ? reaching(address) : { env: {} }
  const child = spawn(program, [...(dbname ? [dbname] : []), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let complaint = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (complaint = (complaint + text).slice(-2_000)))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} no terminó bien (${code}): ${complaint.trim()}`)
  return said
}

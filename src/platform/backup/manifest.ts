import { spawn } from 'node:child_process'
import { createHash, randomBytes, scryptSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { seal, secretFile, unseal } from '../http/sealing.ts'
import {
  anyFormat,
  type BackedUpKey,
  type BackupEnv,
  firstManifest,
  type Manifest,
  type NewManifest,
  sealedKey,
  secondManifest,
} from './schema.ts'

const newest = 2

export const manifestName = 'manifest.json'
const nameOf = (folder: string) => path.join(folder, manifestName)

/** A digest of the whole manifest: a removed entry is noticed. */
const digestOf = (said: object) => createHash('sha256').update(JSON.stringify(said)).digest('hex')

/** Written last: a folder without it is not a backup. */
export const writeManifest = (folder: string, made: NewManifest) => {
  const text = JSON.stringify({ ...made, digest: digestOf(made) }, null, 1)
  return writeFile(nameOf(folder), `${text}\n`, { flush: true, mode: 0o600 })
}

/** Reads a backup's manifest; throws an explanation for other folders. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(nameOf(folder), 'utf8').catch(() => null)
  if (text === null) throw new Error(`${folder} is not a complete backup: ${manifestName} is missing`)
  const said = json(text)
  const { format } = anyFormat.safeParse(said).data ?? {}
  if (format && format > newest)
    throw new Error(
      `The backup in ${folder} was made by a newer version of the program: restore it with that version or a later one`,
    )
  const read = format === 1 ? ofFirst(said) : ofSecond(said)
  return read ?? fail(`The backup in ${folder} cannot be read: its ${manifestName} is damaged or was changed`)
}

function ofFirst(said: unknown): Manifest | null {
  const { data } = firstManifest.safeParse(said)
  return data ? { ...data, key: data.secret ? { kept: 'plain' } : null } : null
}

function ofSecond(said: unknown): Manifest | null {
  const { data } = secondManifest.safeParse(said)
  const { digest, ...rest } = Object(said) as { digest?: unknown }
  return data && digest === digestOf(rest) ? data : null
}

function fail(words: string): never {
  throw new Error(words)
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type Place = Pick<BackupEnv, 'AUTH_SECRET' | 'BACKUP_PASSPHRASE' | 'dataDir'>

const sealedName = 'auth-secret.sealed'

/** A fingerprint that identifies the key without revealing it. */
const printOf = (secret: string) =>
  createHash('sha256').update(`backup of ${secret}`).digest('hex').slice(0, 16)

/** The key: the environment's, or the one beside the data; null where there is none yet. */
function keyOf({ AUTH_SECRET, dataDir }: Place): string | null {
  if (AUTH_SECRET) return AUTH_SECRET
  const file = secretFile(dataDir)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

/** scrypt's cost: half a second and 128 MB for each guess. */
const opened = (passphrase: string, salt: string) =>
  scryptSync(passphrase.normalize('NFC'), Buffer.from(salt, 'base64url'), 32, {
    N: 2 ** 17,
    r: 8,
    p: 1,
    maxmem: 2 ** 28,
  })

/**
 * The part of the database's encryption key in a backup: only its fingerprint, or the key itself encrypted with
 * BACKUP_PASSPHRASE. Never in clear: a finder of one copy would have both.
 */
export async function backUpKey(place: Place, part: string): Promise<BackedUpKey | null> {
  const secret = keyOf(place)
  if (!secret) return null
  const { BACKUP_PASSPHRASE: passphrase } = place
  if (passphrase) {
    const salt = randomBytes(16).toString('base64url')
    const text = JSON.stringify({ salt, sealed: seal(opened(passphrase, salt), secret) })
    await writeFile(path.join(part, sealedName), text, { mode: 0o600, flush: true })
  }
  return { print: printOf(secret), kept: passphrase ? 'sealed' : 'apart' }
}

const lost = 'If it is lost, add --without-key: second factors and webhook secrets have to be set up again'

/** The key that a restore has to write beside the data; null where it exists. Throws an explanation where it is missing. */
export async function keyToRestore(place: Place, folder: string, { key }: Manifest): Promise<string | null> {
  if (!key) return null
  const own = keyOf(place)
  if (key.kept === 'plain')
    return plainKey(place, own, await readFile(path.join(folder, 'auth-secret'), 'utf8'))
  if (own) {
    if (printOf(own) === key.print) return null
    if (!place.AUTH_SECRET) return refuseOther(place)
    throw new Error(`AUTH_SECRET is not the key of this backup. Set the original one. ${lost}`)
  }
  if (key.kept === 'apart')
    throw new Error(
      `The backup does not contain its key: copy the original auth-secret file to ${place.dataDir}, or set AUTH_SECRET. ${lost}`,
    )
  if (!place.BACKUP_PASSPHRASE)
    throw new Error(`The key of this backup is encrypted: set the original BACKUP_PASSPHRASE. ${lost}`)
  const { salt, sealed } = sealedKey.parse(JSON.parse(await readFile(path.join(folder, sealedName), 'utf8')))
  const secret = unseal(opened(place.BACKUP_PASSPHRASE, salt), sealed)
  if (!secret)
    throw new Error('BACKUP_PASSPHRASE does not decrypt the key of this backup: set the original one')
  return secret
}

/** Backups of the first format contain the key in clear. */
function plainKey(place: Place, own: string | null, inside: string): string | null {
  if (place.AUTH_SECRET || own === inside.trim()) return null
  return own ? refuseOther(place) : inside.trim()
}

/** An existing key may be in use: data encrypted with it could not be read without it. */
function refuseOther({ dataDir }: Place): never {
  throw new Error(
    `${dataDir} already holds another key (auth-secret): restore into an empty folder (DATA_DIR)`,
  )
}

/** The major version of the PostgreSQL server. */
export async function serverMajor(client: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  return Math.floor(Number(rows[0]?.server_version_num) / 10_000)
}

/** A consistent dump, by the operator's pg_dump of the server's major version. */
export async function dumpDatabase(program: string, url: string, major: number, file: string) {
  await assertMajor(program, major)
  await run(program, ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`], url)
}

/** Restores a dump into an empty database, in one transaction. */
export async function restoreDump(program: string, url: string, major: number, file: string) {
  await assertMajor(program, major)
  await run(program, ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', file], url)
}

async function assertMajor(program: string, major: number) {
  const said = await run(program, ['--version']).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error(`${program} of PostgreSQL ${major} is missing: install it, or set PG_BIN to its folder`)
  })
  const found = Number(/\) (\d+)/.exec(said)?.[1])
  if (found !== major)
    throw new Error(
      `The database is PostgreSQL ${major} and ${program} is version ${found}: use the same version`,
    )
}

/** The URL without its password, which other users could read in the process list, and the password. */
function reaching(address: string) {
  const url = new URL(address)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { dbname: `--dbname=${url}`, env: password ? { PGPASSWORD: password } : {} }
}

/** The output of a program; throws with the end of its error output. */
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
  if (code !== 0) throw new Error(`${program} failed (exit code ${code}): ${complaint.trim()}`)
  return said
}

import { createHash, randomBytes, scryptSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { seal, unseal } from '../../accounts/seal.ts'
import { secretFile } from '../../accounts/secret.ts'
import type { Env } from '../../app/env.ts'
import type { BackedUpKey, Manifest } from './manifest.ts'

type Place = Pick<Env, 'AUTH_SECRET' | 'BACKUP_PASSPHRASE' | 'dataDir'>

const sealedName = 'auth-secret.sealed'
const sealedKey = z.object({ salt: z.string(), sealed: z.string() })

/** Says which key it was, and nothing of it. */
const printOf = (secret: string) =>
  createHash('sha256').update(`backup of ${secret}`).digest('hex').slice(0, 16)

/** The key of a place: the environment's, or the one beside the data; null where there is none yet. */
function keyOf({ AUTH_SECRET, dataDir }: Place): string | null {
  if (AUTH_SECRET) return AUTH_SECRET
  const file = secretFile(dataDir)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

/** Half a second and 128 MB a guess. */
const opened = (passphrase: string, salt: string) =>
  scryptSync(passphrase.normalize('NFC'), Buffer.from(salt, 'base64url'), 32, {
    ...{ N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 },
  })

/**
 * What a backup has of the key that opens what the database seals: its print only, or the key itself under
 * BACKUP_PASSPHRASE. Never in clear: whoever finds one copy would have both.
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

const lost =
  'Si se perdió, agrega --sin-clave: los segundos factores y los secretos de webhooks se configuran de nuevo'

/** The key that a restore has to write beside the data; null where it is there. Throws, in words, what is missing. */
export async function keyToRestore(place: Place, folder: string, { key }: Manifest): Promise<string | null> {
  if (!key) return null
  const own = keyOf(place)
  if (key.kept === 'plain')
    return plainKey(place, own, await readFile(path.join(folder, 'auth-secret'), 'utf8'))
  if (own) {
    if (printOf(own) === key.print) return null
    if (!place.AUTH_SECRET) return refuseOther(place)
    throw new Error(`AUTH_SECRET no es la clave de este respaldo. Da la de entonces. ${lost}`)
  }
  if (key.kept === 'apart')
    throw new Error(
      `El respaldo no lleva su clave: copia a ${place.dataDir} el archivo auth-secret de entonces, o da AUTH_SECRET. ${lost}`,
    )
  if (!place.BACKUP_PASSPHRASE)
    throw new Error(`La clave de este respaldo está cerrada: da BACKUP_PASSPHRASE, la de entonces. ${lost}`)
  const { salt, sealed } = sealedKey.parse(JSON.parse(await readFile(path.join(folder, sealedName), 'utf8')))
  const secret = unseal(opened(place.BACKUP_PASSPHRASE, salt), sealed)
  if (!secret) throw new Error('BACKUP_PASSPHRASE no abre la clave de este respaldo: da la de entonces')
  return secret
}

/** Backups of the first format have it in clear. */
function plainKey(place: Place, own: string | null, inside: string): string | null {
  if (place.AUTH_SECRET || own === inside.trim()) return null
  return own ? refuseOther(place) : inside.trim()
}

/** One that is there may be in use: whoever lost it could open nothing that was sealed with it. */
function refuseOther({ dataDir }: Place): never {
  throw new Error(`En ${dataDir} ya hay otra clave (auth-secret): restaura en una carpeta vacía (DATA_DIR)`)
}

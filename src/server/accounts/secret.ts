import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Where the key made at the first start is kept. */
export const secretFile = (dataDir: string) => path.join(dataDir, 'auth-secret')

/** The key that signs sessions: the environment's, or one made at the first start and kept beside the data. */
export function authSecret(given: string | undefined, dataDir: string): string {
  if (given) return given
  const file = secretFile(dataDir)
  mkdirSync(dataDir, { recursive: true })
  try {
    // "wx" lets only one of two processes that start at once write it.
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

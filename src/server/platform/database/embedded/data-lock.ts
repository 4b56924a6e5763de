import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Referenced here too, since a collected handle would give its lock away. */
const held = new Set<DatabaseSync>()

export type DataLock = { release(): void }

/** Takes a data folder for this process, or says, after waiting so long, which process has it. Free again when its holder ends, however it ends. */
export function lockData(dataDir: string, waitMs: number): DataLock | { holder: string } {
  const lockFile = path.join(dataDir, 'app.lock')
  const holderFile = path.join(dataDir, 'app.pid')
  // On a file it may only read, SQLite would say yes and hold nothing.
  for (const file of [dataDir, lockFile, holderFile]) mustWrite(file)
  // SQLite's file lock is the kernel's: no number to believe, nothing stale after kill -9 or in another container.
  const file = new DatabaseSync(lockFile, { timeout: waitMs })
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    if (!isBusy(error)) throw error
    return { holder: readFileSync(holderFile, { encoding: 'utf8', flag: 'a+' }).trim() || '?' }
  }
  held.add(file)
  writeFileSync(holderFile, `${process.pid}\n`)
  return {
    release() {
      if (held.delete(file)) file.close()
    },
  }
}

function mustWrite(file: string) {
  try {
    if (existsSync(file)) accessSync(file, constants.W_OK)
  } catch {
    throw new Error(`No se puede escribir en ${file}: arranca con el usuario al que pertenece, o con root`)
  }
}

const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === 5

import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { log } from '../../telemetry/log.ts'
import { serverUser } from './postmaster.ts'

/** Referenced here too, since a collected handle would give its lock away. */
const held = new Set<DatabaseSync>()

type DataLock = { release(): void }

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
    throw new Error(`Cannot write to ${file}: start as the user who owns it, or as root`)
  }
}

const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === 5

const markIn = (dataDir: string) => path.join(dataDir, 'restoring')

/** Whether an unfinished restore began here. */
export const isHalfRestored = (dataDir: string) => existsSync(markIn(dataDir))

/** Marks a target folder from the first byte until the database is in place. */
export const markUnfinished = (dataDir: string, folder: string) =>
  writeFileSync(markIn(dataDir), `${folder}\n`, { mode: 0o600, flush: true })

/** Removes the mark once the restore is complete. */
export const markFinished = (dataDir: string) => rmSync(markIn(dataDir), { force: true })

/** What a start and a command say where a restore began and did not end. */
const halfRestored =
  'A restore is running here, or was interrupted: run npm run restore again with the same folder, then start'

/** Refuses the remains of a killed restore. The database comes last: where it exists, only the mark is left. */
export function assertRestored(dataDir: string, hasDatabase: boolean): void {
  if (!hasDatabase) throw new Error(halfRestored)
  markFinished(dataDir)
}

const ownerOnly = { folder: 0o700, file: 0o600 }

/** As root, the server runs as another user, whose group alone may pass to its cluster: lists and reads nothing. */
function passingGroup(dataDir: string): number | undefined {
  return process.getuid?.() === 0 ? serverUser(path.join(dataDir, 'postgres')).gid : undefined
}

function close(folder: string, group: number | undefined) {
  if (group === undefined) return restrict(folder, ownerOnly.folder)
  chownSync(folder, statSync(folder).uid, group)
  chmodSync(folder, 0o710)
}

/**
 * Creates the data folder, or closes an existing one to all other users of the machine, and with it all below. Returns the
 * first folder that was created. `isEmbedded`: the database is in it.
 */
export function closeData(dataDir: string, isEmbedded = true): string | undefined {
  const made = mkdirSync(dataDir, { recursive: true })
  const group = isEmbedded ? passingGroup(dataDir) : undefined
  for (
    let folder = path.resolve(dataDir);
    made?.length && folder.length >= made.length;
    folder = path.dirname(folder)
  )
    close(folder, group)
  close(dataDir, group)
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    // The server closes its own cluster.
    if (entry.name === 'postgres' || entry.name.startsWith('postgres.')) continue
    if (entry.isDirectory()) restrict(path.join(dataDir, entry.name), ownerOnly.folder)
    else if (entry.isFile()) restrict(path.join(dataDir, entry.name), ownerOnly.file)
  }
  return made
}

/** Removes rights and adds none. A folder of another user is logged and left as it is. */
function restrict(place: string, most: number) {
  // A running server's probe of the folder may be gone since it was listed.
  const { mode = 0 } = lstatSync(place, { throwIfNoEntry: false }) ?? {}
  if ((mode & 0o777 & ~most) === 0) return
  try {
    chmodSync(place, mode & most)
  } catch (err) {
    log.warn({ err, place }, 'data folder is readable by other users and its permissions cannot be changed')
  }
}

import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { log } from '../../app/log.ts'

/** Root's server is another user, who has to get through to the cluster; nobody else does. */
const mayPass = 0o711
const ownerOnly = { folder: 0o700, file: 0o600 }

/**
 * Makes the data folder, or closes one that is there, to every other user of the machine. What lies deeper is behind folders
 * that are closed. Answers the first folder that was made.
 */
export function closeData(dataDir: string): string | undefined {
  const made = mkdirSync(dataDir, { recursive: true })
  const mode = process.getuid?.() === 0 ? mayPass : ownerOnly.folder
  for (
    let folder = path.resolve(dataDir);
    made?.length && folder.length >= made.length;
    folder = path.dirname(folder)
  )
    chmodSync(folder, mode)
  restrict(dataDir, mode)
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    // The cluster is its server's own, and closed by it.
    if (entry.name === 'postgres' || entry.name.startsWith('postgres.')) continue
    if (entry.isDirectory()) restrict(path.join(dataDir, entry.name), ownerOnly.folder)
    else if (entry.isFile()) restrict(path.join(dataDir, entry.name), ownerOnly.file)
  }
  return made
}

/** Takes rights away and gives none. Where it is somebody else's, that is said and left to them. */
function restrict(place: string, most: number) {
  const { mode } = lstatSync(place)
  if ((mode & 0o777 & ~most) === 0) return
  try {
    chmodSync(place, mode & most)
  } catch (err) {
    log.warn({ err, place }, 'others may read the data, and it is not ours to close')
  }
}

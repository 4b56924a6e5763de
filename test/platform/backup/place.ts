import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const memory = '/dev/shm'

/** A folder that PostgreSQL's user gets into; in memory where there is room: a disk takes longer to write and to remove a cluster. */
export function newPlace(name: string): string {
  const { bavail, bsize } = existsSync(memory) ? statfsSync(memory) : { bavail: 0, bsize: 0 }
  const place = mkdtempSync(path.join(bavail * bsize > 2 ** 30 ? memory : tmpdir(), name))
  chmodSync(place, 0o755)
  return place
}

import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Db } from '../database/database.ts'
import { hasCluster } from '../database/embedded/cluster.ts'

const markIn = (dataDir: string) => path.join(dataDir, 'restoring')

/** Whether a restore began here that did not come to its end. */
export const isUnfinished = (dataDir: string) => existsSync(markIn(dataDir))

/** From its first byte until the database stands, a place that is restored is marked. */
export const markUnfinished = (dataDir: string, folder: string) =>
  writeFileSync(markIn(dataDir), `${folder}\n`, { mode: 0o600, flush: true })

/** What is restored is whole: only then the mark goes. */
export const markFinished = (dataDir: string) => rmSync(markIn(dataDir), { force: true })

const half =
  'Aquí se está restaurando un respaldo, o se quedó a medias: vuelve a correr npm run restore con la misma carpeta y arranca después'

/** Refuses data that a killed restore left half there. The database came last: where it stands, only the mark was left. */
export function demandWhole(dataDir: string): void {
  if (isUnfinished(dataDir)) decide(dataDir, hasCluster(dataDir))
}

/** The same for a database of the operator's, before it gets its schema. */
export async function demandWholeDatabase(dataDir: string, db: Db): Promise<void> {
  if (!isUnfinished(dataDir)) return
  const found = await db.$client.query("select from pg_tables where schemaname = 'public' limit 1")
  decide(dataDir, found.rowCount !== 0)
}

function decide(dataDir: string, isThere: boolean) {
  if (!isThere) throw new Error(half)
  markFinished(dataDir)
}

import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { log } from '../telemetry/log.ts'
import { type Db, transaction } from './client.ts'

const readOnly = new WeakSet<pg.Pool>()

/** Whether the last probe could write; true before the first. */
export const isWritable = (db: Db): boolean => !readOnly.has(db.$client)

/** From one probe to the next, and after a failed one; how long one may take, in milliseconds. */
const usual = { everyMs: 10_000, againMs: 2_000, patienceMs: 5_000 }

/**
 * Changes a row, and sorts more than memory holds: on a full disk a row of known size still has room in its page, what
 * needs a new one has none.
 */
const probe = `insert into write_probe (at) values (now()) on conflict (id) do update set at = excluded.at;
  select count(*) from (select n from generate_series(1, 5000) n order by md5(n::text)) as sorted`

async function write(db: Db, folder: string | undefined): Promise<void> {
  await transaction(db, (tx) => tx.$client.query(probe), `set local work_mem = '64kB'`)
  if (!folder) return
  const file = path.join(folder, `.probe-${process.pid}`)
  try {
    await writeFile(file, randomBytes(16_384), { mode: 0o600, flush: true })
  } finally {
    await rm(file, { force: true })
  }
}

/** Tries now and then to write to the database, and to a folder if files are kept in one. The returned function stops it. */
export function startWriteProbe(db: Db, folder: string | undefined, times = usual): () => void {
  let ended = false
  let timer: NodeJS.Timeout | undefined
  const note = (error?: unknown) => {
    if (ended || isWritable(db) === !error) return
    if (error) readOnly.add(db.$client)
    else readOnly.delete(db.$client)
    if (error) log.error({ err: error }, 'nothing can be written')
    else log.warn('writing is possible again')
  }
  const look = async () => {
    const late = Promise.withResolvers<never>()
    const patience = setTimeout(() => late.reject(new Error('a write took too long')), times.patienceMs)
    await Promise.race([write(db, folder), late.promise]).then(() => note(), note)
    clearTimeout(patience)
    if (!ended) timer = setTimeout(look, isWritable(db) ? times.everyMs : times.againMs).unref()
  }
  void look()
  return () => {
    ended = true
    clearTimeout(timer)
    readOnly.delete(db.$client)
  }
}

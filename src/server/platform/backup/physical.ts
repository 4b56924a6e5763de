import { randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import type { EmbeddedConnection } from '../database/embedded/embedded.ts'
import { copyFile, eachOf } from './copy.ts'

/** What PostgreSQL makes anew at its start (its manual, "Making a Base Backup Using the Low Level API"). */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const left =
  /^(postmaster\.(pid|opts)|server\.log.*|\.s\.PGSQL.*|backup_label.*|tablespace_map.*|pg_internal\.init.*|pgsql_tmp.*)$/

/** Folders a server does not start without, empty as they may be. */
type Tree = { folders: string[]; files: string[] }

/**
 * Copies a running cluster into an empty folder, with the write-ahead log that makes the copy whole: the database as it
 * was when the copying ended. Nobody waits for it; a slot keeps the log's segments from being recycled meanwhile.
 */
export async function copyCluster(connection: EmbeddedConnection, cluster: string, target: string) {
  const client = new pg.Client({ ...connection, database: 'postgres', application_name: 'backup' })
  await client.connect()
  try {
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [
      // Two containers may give both of theirs the same number of a process.
      `backup_${randomBytes(8).toString('hex')}`,
    ])
    await client.query(`select pg_backup_start('carga-en-casa', true)`)
    const { files, folders } = await treeOf(cluster)
    for (const folder of folders) await mkdir(path.join(target, folder), { recursive: true, mode: 0o700 })
    await eachOf(files, async (name) => {
      await copyFile(path.join(cluster, name), path.join(target, name))
    })
    const [end] = (
      await client.query<{ label: string; last: string }>(
        'select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
      )
    ).rows
    await writeFile(path.join(target, 'backup_label'), end!.label, { mode: 0o600, flush: true })
    await copyLog(cluster, target, firstSegment(end!.label), end!.last)
  } finally {
    // The slot is temporary, and an unfinished copy is given up, with the connection.
    await client.end()
  }
}

const firstSegment = (label: string) => {
  const found = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1]
  if (!found) throw new Error('PostgreSQL did not name the first segment of the log')
  return found
}

async function copyLog(cluster: string, target: string, first: string, last: string) {
  const names = await readdir(path.join(cluster, 'pg_wal'))
  const needed = names.filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last)
  if (!needed.includes(first) || !needed.includes(last))
    throw new Error('segments of the write-ahead log are missing')
  const histories = names.filter((name) => name.endsWith('.history'))
  for (const name of [...needed, ...histories])
    await copyFile(path.join(cluster, 'pg_wal', name), path.join(target, 'pg_wal', name))
}

async function treeOf(cluster: string): Promise<Tree> {
  const tree: Tree = { folders: [], files: [] }
  const walk = async (folder: string) => {
    for (const entry of await readdir(path.join(cluster, folder), { withFileTypes: true })) {
      const name = path.join(folder, entry.name)
      if (left.test(entry.name)) continue
      if (entry.isFile()) tree.files.push(name)
      if (!entry.isDirectory()) continue
      tree.folders.push(name)
      if (folder === '' && emptied.has(entry.name)) continue
      await walk(name)
    }
  }
  await walk('')
  return tree
}

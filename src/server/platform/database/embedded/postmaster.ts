import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { commandOf, cwdOf, processesIn, signal } from './processes.ts'

export type Postmaster = { pid: number; socketFolder: string; ready: boolean }

/** The living server of this cluster. The pid file alone proves nothing: a dead, zombie or recycled number does not count. */
export function livingPostmaster(folder: string): Postmaster | undefined {
  const lines = pidFile(folder).split('\n')
  const pid = Number(lines[0])
  if (!(pid > 0) || !isPostmaster(pid, folder)) return undefined
  return { pid, socketFolder: lines[4] ?? '', ready: lines[7]?.startsWith('ready') ?? false }
}

/** From polite to certain: sessions that are just closing end by themselves, then they are ended, then it crashes and recovers. */
const stopSignals = [
  ['SIGTERM', 0.5],
  ['SIGINT', 60],
  ['SIGQUIT', 10],
] as const

/** Asks a server to stop and waits until it is gone. */
export async function stopPostmaster(folder: string, pid: number) {
  for (const [name, seconds] of stopSignals) {
    if (isPostmaster(pid, folder)) signal(pid, name)
    if (await until(() => !isPostmaster(pid, folder), seconds)) return
  }
  throw new Error(`PostgreSQL (proceso ${pid}) no termina`)
}

/** Clears the way after a server that died: its number is no longer believed and its orphans end. */
export async function disarm({ folder, user }: Cluster) {
  const file = path.join(folder, 'postmaster.pid')
  if (!existsSync(file)) return
  const text = pidFile(folder)
  if (!text) return rmSync(file)
  // The rest of the file stays: by its shared-memory line PostgreSQL knows whether an orphan still writes.
  writeFileSync(file, text.replace(/^-?\d+/, String(2 ** 31 - 2)))
  const socket = text.split('\n')[4]
  if (socket) rmSync(path.join(socket, '.s.PGSQL.5432.lock'), { force: true })
  const orphans = processesIn(folder, user).filter(isOrphan)
  for (const pid of orphans) signal(pid, 'SIGQUIT')
  await until(() => !orphans.some(isOrphan), 10)
}

/** Whether it came true within that many seconds; looks every 10 ms. */
export async function until(condition: () => boolean, seconds: number): Promise<boolean> {
  const end = performance.now() + seconds * 1000
  while (!condition()) {
    if (performance.now() > end) return false
    await sleep(10)
  }
  return true
}

function pidFile(folder: string): string {
  const file = path.join(folder, 'postmaster.pid')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function isPostmaster(pid: number, folder: string): boolean {
  const command = commandOf(pid)
  if (!command || path.basename(command.program) !== 'postgres') return false
  return ` ${command.rest} `.includes(` ${folder} `) || cwdOf(pid) === folder
}

const isOrphan = (pid: number) => commandOf(pid)?.program.startsWith('postgres:') ?? false

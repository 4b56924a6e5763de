import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { type Cluster, serverEnv, socketFolder } from './cluster.ts'
import { livingPostmaster, until } from './postmaster.ts'

/** Starts the server of this cluster and waits until it answers; answers its socket's folder, throws with the end of its log. */
export async function launch(cluster: Cluster, binaries: string, settings: Record<string, string>) {
  const host = socketFolder(cluster)
  const log = openLog(cluster.folder)
  // Detached: Ctrl-C in the terminal reaches only us, and we stop the server after our own last query.
  const child = spawn(path.join(binaries, 'bin/postgres'), serverArguments(cluster.folder, host, settings), {
    ...cluster.user,
    cwd: '/',
    env: serverEnv,
    detached: true,
    stdio: ['ignore', log.file, log.file],
  })
  closeSync(log.file)
  let failure: string | undefined
  child.once('error', (error) => (failure = error.message))
  // Its end is heard of much later too, when nobody asks and the log may be gone.
  child.once('exit', (code, signal) => (failure ??= `código ${code ?? signal}`))
  const isUp = () => livingPostmaster(cluster.folder)?.ready ?? false
  const done = await until(() => failure !== undefined || isUp(), 120)
  child.unref()
  if (failure !== undefined) throw new Error(`PostgreSQL no arrancó: ${failure}\n${log.news()}`)
  if (!done || !child.pid)
    throw new Error(`PostgreSQL sigue recuperándose; espera y vuelve a arrancar\n${log.news()}`)
  return host
}

function serverArguments(folder: string, host: string, settings: Record<string, string>): string[] {
  const all = {
    listen_addresses: '',
    unix_socket_directories: `"${host.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    // Without these the log repeats the values of refused rows, and those are people's data.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    ...settings,
  }
  return ['-D', folder, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** The server's log, started anew at 5 MB, and what was added to it since. */
function openLog(folder: string) {
  const name = path.join(folder, 'server.log')
  const size = statSync(name, { throwIfNoEntry: false })?.size ?? 0
  if (size > 5_000_000) renameSync(name, `${name}.1`)
  const start = size > 5_000_000 ? 0 : size
  const file = openSync(name, 'a', 0o600)
  return { file, news: () => readFileSync(name).subarray(start).toString().trim() }
}

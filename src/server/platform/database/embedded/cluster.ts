import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { outsideFolder, outsideShelf } from './postgres-binaries.ts'
import { type ServerUser, serverUser, userCan } from './postgres-user.ts'

export type Cluster = { folder: string; user: ServerUser }

/** A clock that was moved (`npm run test:clocks`) is moved for every process that is given an environment of its own. */
export const movedClock = process.env.FAKETIME
  ? Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(LD_PRELOAD|FAKETIME)/.test(name)))
  : {}

/** A process of PostgreSQL's sees nothing of our environment: its variables (PG*, LANG, TZ) would change the server. */
export const serverEnv = {
  ...{ PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  ...movedClock,
}

/** Where this data folder's cluster is, or will be: inside, or outside when the server's user can't get in. */
export function locateCluster(dataDir: string): Cluster {
  const inside = insideOf(dataDir)
  const outside = path.join(outsideShelf, short(dataDir), 'postgres')
  const found = existsSync(inside) ? realpathSync(inside) : existsSync(outside) ? outside : undefined
  const user = serverUser(found ?? inside)
  if (!found) {
    if (lstatSync(inside, { throwIfNoEntry: false }))
      throw new Error(`${inside} apunta a una carpeta que ya no existe`)
    return { folder: userCan(user, '-x', dataDir) ? inside : outside, user }
  }
  if (!userCan(user, '-x', path.dirname(found)))
    throw new Error(`El usuario de PostgreSQL (uid ${user.uid}) ya no puede entrar a ${path.dirname(found)}`)
  return { folder: found, user }
}

/** Whether a data folder's cluster has been made. */
export const hasCluster = (dataDir: string): boolean =>
  existsSync(dataDir) && existsSync(path.join(locateCluster(realpathSync(dataDir)).folder, 'PG_VERSION'))

/** Makes the cluster if there is none yet. */
export function initCluster(cluster: Cluster, dataDir: string, binaries: string, sync: boolean) {
  const { folder, user } = cluster
  if (existsSync(path.join(folder, 'PG_VERSION'))) return claim(folder, user)
  const part = beginCluster(cluster, dataDir)
  const args = ['-D', part, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--data-checksums']
  args.push('--no-instructions', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  if (!sync) args.push('--no-sync')
  const made = spawnSync(path.join(binaries, 'bin/initdb'), args, {
    ...user,
    cwd: '/',
    env: serverEnv,
    encoding: 'utf8',
  })
  if (made.status !== 0) {
    rmSync(part, { recursive: true, force: true })
    throw new Error(`No se pudo crear la base de datos: ${made.error?.message ?? made.stderr.trim()}`)
  }
  finishCluster(cluster, dataDir, part)
}

/** An empty folder, the server's own, to make a cluster in. What is killed half-way leaves only a part, never half a cluster. */
export function beginCluster({ folder, user }: Cluster, dataDir: string): string {
  if (existsSync(folder))
    throw new Error(`${folder} no es una base de datos: muévela a otro lugar y vuelve a arrancar`)
  if (folder !== insideOf(dataDir)) outsideFolder(short(dataDir))
  for (const left of globSync('postgres.new-*', { cwd: path.dirname(folder) }))
    rmSync(path.join(path.dirname(folder), left), { recursive: true, force: true })
  const part = mkdtempSync(`${folder}.new-`)
  claim(part, user)
  return part
}

/** Puts a cluster that is whole in its place. */
export function finishCluster({ folder, user }: Cluster, dataDir: string, part: string) {
  claim(part, user)
  renameSync(part, folder)
  // Shows people where their data went, and is followed if the checkout moves.
  if (folder !== insideOf(dataDir)) symlinkSync(folder, insideOf(dataDir))
}

const insideOf = (dataDir: string) => path.join(dataDir, 'postgres')

/** The folder of the server's socket: a socket's path may not pass 107 bytes, so a deep cluster gets a short one. */
export function socketFolder({ folder, user }: Cluster): string {
  const name = `carga-${short(folder)}`
  const candidates = [folder, path.join(os.tmpdir(), name), path.join('/tmp', name)]
  const chosen = candidates.find((dir) => Buffer.byteLength(`${dir}/.s.PGSQL.5432`) <= 103) ?? folder
  if (chosen === folder) return folder
  mkdirSync(chosen, { recursive: true, mode: 0o700 })
  const made = lstatSync(chosen)
  if (made.isDirectory() && made.uid === process.getuid?.()) claim(chosen, user)
  // Anybody may write to a temporary folder: one that somebody else prepared there is not ours to trust.
  else if (!made.isDirectory() || made.uid !== user.uid)
    throw new Error(`${chosen} es de otro usuario; bórrala`)
  return chosen
}

const short = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

function claim(folder: string, { uid, gid }: ServerUser) {
  if (uid === undefined || gid === undefined || isOwn(folder, uid)) return
  if (existsSync(path.join(folder, 'PG_VERSION'))) spawnSync('chown', ['-R', `${uid}:${gid}`, folder])
  chownSync(folder, uid, gid)
}

/** The file is asked too, where it is there: a copy made by root lies in a folder that is the server's already. */
const isOwn = (folder: string, uid: number) =>
  [folder, path.join(folder, 'PG_VERSION')].every(
    (place) => (statSync(place, { throwIfNoEntry: false })?.uid ?? uid) === uid,
  )

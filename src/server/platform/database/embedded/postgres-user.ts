import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

/** Who the server runs as, in the form that spawn takes; empty is ourselves. */
export type ServerUser = { uid?: number; gid?: number }

/** PostgreSQL refuses root: root hands over to the folder's owner, to `postgres` or to `nobody`. No user is ever created. */
export function serverUser(folder: string): ServerUser {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid
  if (process.getuid?.() === 0) return passwd(owner) ?? passwd('postgres') ?? passwd('nobody') ?? noUser()
  if (owner !== undefined && owner !== process.getuid?.())
    throw new Error(`${folder} es de otro usuario (uid ${owner}): arranca con ese usuario o con root`)
  return {}
}

/** Whether that user passes a `test` of the shell: -x to run a file or to enter a folder. */
export const userCan = (user: ServerUser, test: '-x' | '-w', file: string) =>
  spawnSync('/bin/sh', ['-c', `test ${test} "$1"`, 'sh', file], { ...user, cwd: '/' }).status === 0

function passwd(who: string | number | undefined): ServerUser | undefined {
  if (who === undefined || who === 0) return undefined
  const field = typeof who === 'number' ? 2 : 0
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const found = lines.map((line) => line.split(':')).find((parts) => parts[field] === String(who))
  return found && { uid: Number(found[2]), gid: Number(found[3]) }
}

function noUser(): never {
  throw new Error(
    'PostgreSQL no corre como root y aquí no existen los usuarios postgres ni nobody; usa DATABASE_URL',
  )
}

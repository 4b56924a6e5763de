import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import type { ServerUser } from './postgres-user.ts'

// Small images have no ps, macOS has no /proc.
const proc = existsSync('/proc/self/cmdline')

/** A process's program and the rest of its command line; undefined for one that is gone or a zombie. */
export function commandOf(pid: number): { program: string; rest: string } | undefined {
  if (!proc) return commandByPs(pid)
  const words = (attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '')
    .split('\0')
    .filter(Boolean)
  return words[0] ? { program: words[0], rest: words.slice(1).join(' ') } : undefined
}

/** Where a process stands; undefined where we may not know. */
export const cwdOf = (pid: number) => (proc ? attempt(() => readlinkSync(`/proc/${pid}/cwd`)) : undefined)

/** The processes standing in a folder, seen as that user: in a container even root may not look at others'. */
export function processesIn(folder: string, user: ServerUser): number[] {
  if (!proc) return []
  // One command for all of them: after a crash nobody waits for a process for each.
  const env = { PATH: process.env.PATH, LC_ALL: 'C' }
  const all = ['-c', 'ls -l /proc/[0-9]*/cwd 2>/dev/null']
  const found = spawnSync('/bin/sh', all, { ...user, cwd: '/', env, encoding: 'utf8' })
  return (found.stdout ?? '').split('\n').flatMap((line) => {
    const [link = '', place] = line.split('/cwd -> ', 2)
    return place === folder ? Number(link.slice(link.lastIndexOf('/') + 1)) : []
  })
}

/** Sends a signal; a process that has just ended is no error. */
export function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function commandByPs(pid: number) {
  const ps = spawnSync('ps', ['-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' })
  const line = (ps.stdout ?? '').trim()
  const [state, command] = [line, line.slice(line.search(/\s/) + 1).trim()]
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

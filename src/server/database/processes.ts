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
  const script = 'cd /proc; for p in [0-9]*; do [ "$(readlink "$p/cwd")" = "$1" ] && echo "$p"; done'
  const found = spawnSync('/bin/sh', ['-c', script, 'sh', folder], { ...user, cwd: '/', encoding: 'utf8' })
  return (found.stdout ?? '').split('\n').filter(Boolean).map(Number)
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
  const [, state, command] = /^\s*(\S+)\s+(.*)$/m.exec(ps.stdout ?? '') ?? []
  if (!command || state?.startsWith('Z')) return undefined
  const at = `${command} -D `.indexOf(' -D ')
  return { program: command.slice(0, at), rest: command.slice(at + 1) }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

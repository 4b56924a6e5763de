import { readdirSync, readFileSync } from 'node:fs'

const ticks = 100

/** Fields of /proc/{pid}/stat from the third on; null for a process that is gone. */
function statOf(pid: number | string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return null
  }
}

/** Seconds of processor a process has used, with those of its children that ended. */
const secondsOf = (stat: string[]) => stat.slice(11, 15).reduce((sum, part) => sum + Number(part), 0) / ticks

const childrenOf = (pid: number) =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(statOf(name)?.[1]) === pid)

/** Seconds of processor that a process and all its living children have used so far. */
export const cpuOfTree = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce<number>((sum, one) => sum + secondsOf(statOf(one) ?? []), 0)

/** The process that started this one. */
export const parentOf = (pid: number): number => Number(statOf(pid)?.[1])

/** Seconds of processor that the whole machine has used, and how many processors there are. */
export function machine(): { used: number; processors: number } {
  const lines = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, soft = 0] = lines[0]!.split(/\s+/).slice(1).map(Number)
  return {
    used: (user + nice + system + irq + soft) / ticks,
    processors: lines.filter((line) => /^cpu\d/.test(line)).length,
  }
}

/** Megabytes that processes hold. */
export const memoryOf = (pids: readonly (number | string)[]): number =>
  Math.round(
    pids.reduce<number>(
      (sum, pid) => sum + Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
      0,
    ) / 1024,
  )

/** Looks at the memory of a process and its children every second until it is asked for what was seen. */
export function watchMemory(pid: number) {
  const family = [pid, ...childrenOf(pid)]
  const seen = [memoryOf(family)]
  const timer = setInterval(() => seen.push(memoryOf(family)), 1000)
  return () => {
    clearInterval(timer)
    return seen
  }
}

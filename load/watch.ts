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

/** Seconds of processor that a process and all its living children have used so far. */
export function cpuOfTree(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat !== null && Number(stat[1]) === pid)
  return [statOf(pid), ...children].reduce((sum, stat) => sum + (stat ? secondsOf(stat) : 0), 0)
}

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

/** Megabytes a process holds. */
export const memoryOf = (pid: number): number =>
  Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

/** Looks at a process's memory every second until it is asked for what was seen. */
export function watchMemory(pid: number) {
  const seen = [memoryOf(pid)]
  const timer = setInterval(() => seen.push(memoryOf(pid)), 1000)
  return () => {
    clearInterval(timer)
    return seen
  }
}

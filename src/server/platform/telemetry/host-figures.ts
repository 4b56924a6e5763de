import { readFile, statfs } from 'node:fs/promises'
import path from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { z } from 'zod'
import { epochSeconds } from '../../../domain/shared/calendar.ts'

/** Bytes that are free for us where the data are, and of how many. */
export async function diskFigures(dataDir: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(dataDir)
  return { free: bavail * bsize, size: blocks * bsize }
}

const backup = z.object({ at: z.iso.datetime({ offset: true }), ok: z.boolean() })

/** When the last good backup was made, in seconds since 1970; 0 where there is none. */
export async function lastBackup(folder: string): Promise<number> {
  const text = await readFile(path.join(folder, 'last.json'), 'utf8').catch(() => '{}')
  const { data } = backup.safeParse(json(text))
  return data?.ok ? epochSeconds(new Date(data.at)) : 0
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const resolution = 10

/** How late the event loop is, in seconds by quantile, over the last while; and the share of time in which it works. */
export function watchLoop(window = 15_000) {
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  // What is measured is the time between two looks, and these are so far apart by themselves.
  const late = (percentile: number) =>
    Math.max(0, histogram.percentile(percentile) / 1e9 - resolution / 1e3) || 0
  const look = () => ({ '0.5': late(50), '0.99': late(99), '1': late(100) })
  let before = performance.eventLoopUtilization()
  let last = { late: look(), busy: 0 }
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    last = { late: look(), busy: performance.eventLoopUtilization(now, before).utilization }
    before = now
    histogram.reset()
  }, window).unref()
  return {
    figures: () => last,
    stop: () => {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

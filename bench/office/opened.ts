import type { BrowserContext } from '@playwright/test'
import { findShell } from '../../bin/system-tools.mjs'
import { launch } from '../browser.ts'
import { isFast, type Line, sized } from '../report.ts'
import { isTakenOver } from '../vitals.ts'

/** Milliseconds until a manager can work with a screen: the median of several openings with an empty cache. */
const goal = 1000
const rounds = sized(5, 1)
const desk = { width: 1440, height: 900 }

/**
 * Opens screens in a browser, as somebody whose cookie it is, and says how long each takes from the request until its
 * scripts have all of it. The first opening is not counted. A short run without a browser measures nothing.
 */
export async function openedInBrowser(origin: string, cookie: string, paths: readonly string[]) {
  if (sized(false, !findShell())) return [{ what: 'in a browser: not measured here' }]
  const browser = await launch()
  const [name, value] = cookie.split(/=(.*)/) as [string, string]
  try {
    const lines: Line[] = []
    for (const path of sized(paths, paths.slice(0, 2))) {
      const times: number[] = []
      for (let round = -1; round < rounds; round++) {
        const context = await browser.newContext({ baseURL: origin, viewport: desk, locale: 'es-MX' })
        await context.addCookies([{ name, value, url: origin }])
        const ms = await opened(context, path)
        if (round >= 0) times.push(ms)
        await context.close()
      }
      lines.push(lineOf(path, times))
    }
    return lines
  } finally {
    await browser.close()
  }
}

async function opened(context: BrowserContext, path: string): Promise<number> {
  const page = await context.newPage()
  const answer = await page.goto(path, { waitUntil: 'commit' })
  if (answer?.status() !== 200) throw new Error(`${path} answered ${answer?.status()}`)
  await page.waitForFunction(isTakenOver)
  return page.evaluate(() => performance.now())
}

function lineOf(path: string, times: number[]): Line {
  const sorted = times.map(Math.round).sort((a, b) => a - b)
  const ms = sorted[sorted.length >> 1]!
  return {
    what: `${path} in a browser`,
    ms,
    least: sorted[0],
    most: sorted.at(-1),
    ratio: Math.round((ms / goal) * 100) / 100,
    goal: `<= ${goal} ms until it is taken over at ${desk.width} x ${desk.height}, median of ${rounds}`,
    met: isFast(ms <= goal),
  }
}

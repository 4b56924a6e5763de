import type { BrowserContext, CDPSession, Page } from '@playwright/test'

/**
 * One load of a page on a slow phone: milliseconds, the sum of shifts, and the compressed bytes that came before anything
 * was touched. What is touched before the page was taken over is answered the way of pages without scripts, or late:
 * INP is of the touches after, and when that is stands beside it.
 */
export type Load = {
  lcp: number
  takenOver: number
  inp: number
  cls: number
  scriptAndStyle: number
  everything: number
}

/** A phone four times slower than this machine, on 1.6 Mbit/s with 150 ms. */
const slow = { cpu: 4, latency: 150, down: 1_600_000 / 8, up: 750_000 / 8 }

/** Opens a page with an empty cache, does what somebody does there first, and tells what it was like. */
export async function loadSlowly(
  context: BrowserContext,
  path: string,
  act: (page: Page) => Promise<unknown>,
): Promise<Load> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const bytes = await slowed(cdp)
  await page.addInitScript(watch)
  await page.goto(path, { waitUntil: 'load' })
  await page.waitForFunction(isTakenOver)
  const takenOver = await page.evaluate(() => performance.now())
  await page.waitForLoadState('networkidle')
  const first = { ...bytes }
  await act(page)
  // What the last touch caused is told with the frames after it.
  await page.waitForTimeout(400)
  const seen = await page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals)
  await page.close()
  return { ...seen, takenOver, ...first }
}

async function slowed(cdp: CDPSession) {
  const bytes = { scriptAndStyle: 0, everything: 0 }
  const counted = new Set<string>()
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: slow.latency,
    downloadThroughput: slow.down,
    uploadThroughput: slow.up,
  })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slow.cpu })
  cdp.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script' || type === 'Stylesheet') counted.add(requestId)
  })
  // Bodies as they came, compressed; headers are not counted.
  cdp.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    bytes.everything += encodedDataLength
    if (counted.has(requestId)) bytes.scriptAndStyle += encodedDataLength
  })
  return bytes
}

/** Runs in the page: whether its scripts have all of it, and not only begun. */
export function isTakenOver(): boolean {
  const own = (node: object, start: string) => Object.keys(node).find((key) => key.startsWith(start))
  const container = own(document, '__reactContainer')
  if (!container) return false
  type Root = { stateNode: { current: { memoizedState: { isDehydrated: boolean } } } }
  const root = (document as unknown as Record<string, Root>)[container]
  return root?.stateNode.current.memoizedState.isDehydrated === false
}

type Vitals = { lcp: number; inp: number; cls: number }

/** Runs in the page: the largest picture or text so far, the slowest answer to a touch, the worst second of shifts. */
export function watch() {
  const vitals: Vitals = { lcp: 0, inp: 0, cls: 0 }
  Object.assign(window, { vitals })
  const on = (type: string, see: (entry: PerformanceEntry & Record<string, number>) => void, more = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) see(entry as PerformanceEntry & Record<string, number>)
    }).observe({ type, buffered: true, ...more })
  on('largest-contentful-paint', ({ startTime }) => {
    vitals.lcp = startTime
  })
  on(
    'event',
    ({ duration, interactionId }) => {
      if (interactionId) vitals.inp = Math.max(vitals.inp, duration)
    },
    { durationThreshold: 16 },
  )
  // Shifts count together while they follow one another within a second, for five seconds at most.
  let [sum, first, last] = [0, 0, 0]
  on('layout-shift', ({ startTime, value = 0, hadRecentInput }) => {
    if (hadRecentInput) return
    const isSame = startTime - last < 1000 && startTime - first < 5000
    if (!isSame) [sum, first] = [0, startTime]
    ;[sum, last] = [sum + value, startTime]
    vitals.cls = Math.max(vitals.cls, sum)
  })
}

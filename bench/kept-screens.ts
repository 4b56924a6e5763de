import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Browser, Page } from '@playwright/test'
import { signedIn } from './browser.ts'
import { isFast, type Line } from './report.ts'
import { isTakenOver, watch } from './vitals.ts'

/** Milliseconds: what a kept screen may take on a slow network, and without an answer. */
const goals = { slow: 2500, dead: 1000 }
/** 400 ms there and back, 400 kbit/s; one that never answers; and one as the machine is. */
const networks = {
  good: { delay: 0, rate: Number.POSITIVE_INFINITY },
  slow: { delay: 200, rate: 50_000 },
  dead: { delay: Number.POSITIVE_INFINITY, rate: 1 },
} as const
type Name = keyof typeof networks
/** By screen, milliseconds: the median, and the longest. */
type Took = Record<string, { ms: number; longest: number }>

/** A phone four times slower than this machine. */
const cpu = 4
const visit = /^\/admin\/appointments-pending\/[0-9a-f-]{36}$/

/**
 * What a technician waits for whose phone keeps the day: each screen by reload and the visit by link, on each network.
 * Median of `times`.
 */
export async function keptScreens(browser: Browser, origin: string, times: number): Promise<Line[]> {
  const network = await startPaced(Number(new URL(origin).port))
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    locale: 'es-MX',
    baseURL: network.origin,
    storageState: await signedIn(browser, network.origin, 'tecnico@demo.mx'),
  })
  const page = await context.newPage()
  try {
    await page.addInitScript(watch)
    const paths = ['/admin', '/admin/appointments-pending', ...(await keepDay(page)).slice(0, 1)]
    const cdp = await context.newCDPSession(page)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu })
    const took = {} as Record<Name, Took>
    for (const name of ['good', 'slow', 'dead'] as const) {
      network.become(name)
      took[name] = await measured(page, paths, times)
    }
    return judged(took)
  } finally {
    await context.close()
    await network.stop()
  }
}

/** Opens the app and waits until the phone has the day; answers the paths of the visits in it. */
async function keepDay(page: Page): Promise<string[]> {
  await page.goto('/admin')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const kept = () =>
    page.evaluate(async () => {
      const names = (await (await caches.open('pages')).keys()).map(({ url }) => new URL(url).pathname)
      return names.filter((name) => names.includes(`${name}.data`))
    })
  for (let tries = 0; tries < 120; tries++) {
    const paths = (await kept()).filter((path) => visit.test(path))
    if (paths.length > 0) return paths
    await page.waitForTimeout(500)
  }
  throw new Error('The phone keeps no visit')
}

/** The LCP of each screen opened anew, and how long the visit takes from the list by a tap. */
async function measured(page: Page, paths: readonly string[], times: number) {
  const all = new Map<string, number[]>()
  const note = (what: string, ms: number) => all.set(what, [...(all.get(what) ?? []), ms])
  for (let nth = 0; nth < times; nth++)
    for (const path of paths) {
      await page.goto(path, { waitUntil: 'commit' })
      await page.waitForFunction(isTakenOver)
      await page.waitForTimeout(300)
      note(`${shown(path)} anew`, await page.evaluate(lcp))
      const to = paths.at(-1)
      if (path === '/admin/appointments-pending' && to) note('a visit by link', await taps(page, to))
    }
  return Object.fromEntries(
    [...all].map(([what, list]) => [what, { ms: median(list), longest: Math.max(...list) }]),
  )
}

const shown = (path: string) => (visit.test(path) ? 'a visit' : path)
const lcp = () => (window as unknown as { vitals: { lcp: number } }).vitals.lcp

/** Milliseconds, by the page's own clock, from the press of a link to the address that it leads to. */
const taps = (page: Page, to: string) =>
  page.evaluate(async (path) => {
    const from = performance.now()
    document.querySelector<HTMLElement>(`main a[href="${path}"]`)?.click()
    while (location.pathname !== path) await new Promise((resolve) => setTimeout(resolve, 10))
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    return performance.now() - from
  }, to)

const median = (list: readonly number[]) =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

const none = { ms: Number.NaN, longest: Number.NaN }

/** Beside what the screen takes where the network answers at once: that much is the machine's. */
function judged(took: Record<Name, Took>): Line[] {
  return Object.keys(took.good).flatMap((what) =>
    (['slow', 'dead'] as const).map((name): Line => {
      const { longest, ms } = took[name][what] ?? none
      const own = took.good[what]?.ms ?? Number.NaN
      // A machine that is busy takes its own time longer: the network's part is what is promised.
      const limit = Math.max(goals[name], goals[name] - 300 + own)
      return {
        what: `${what}, ${name} network, ms`,
        median: Math.round(ms),
        longest: Math.round(longest),
        'answered at once': Math.round(own),
        'of the limit': Math.round((100 * (name === 'dead' ? longest : ms)) / limit) / 100,
        goal: `<= ${Math.round(limit)}`,
        // The first ones that find a network dead wait longer than those that know it.
        met: isFast((name === 'dead' ? longest : ms) <= limit),
      }
    }),
  )
}

/** A way to the server at `to` whose network can become another one; what is on its way in a dead one is lost. */
async function startPaced(to: number) {
  const sockets = new Set<Socket>()
  let { delay, rate }: { delay: number; rate: number } = networks.good
  const pass = (from: Socket, other: Socket) => {
    let free = 0
    sockets.add(from)
    from
      .on('error', () => from.destroy())
      .on('close', () => {
        sockets.delete(from)
        other.destroy()
      })
    from.on('data', (data) => {
      if (delay === Number.POSITIVE_INFINITY) return
      free = Math.max(free, Date.now()) + (1000 * data.length) / rate
      setTimeout(() => other.write(data), Math.max(0, free - Date.now()) + delay)
    })
  }
  const server = createServer((from) => {
    const there = connect(to, '127.0.0.1')
    pass(from, there)
    pass(there, from)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    become(name: Name) {
      ;({ delay, rate } = networks[name])
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

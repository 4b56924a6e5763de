import type { Page } from '@playwright/test'
import { openDemo, signedIn } from './browser.ts'
import { keptScreens } from './kept-screens.ts'
import { type Line, report } from './report.ts'
import { type Load, loadSlowly } from './vitals.ts'

const goals = { lcp: 2500, inp: 200, cls: 0.05, scriptAndStyle: 170_000 }
const words = {
  lcp: 'LCP, ms',
  takenOver: 'taken over, ms',
  inp: 'INP, ms',
  cls: 'CLS',
  scriptAndStyle: 'script and style, bytes',
}
const times = Number(process.argv[2] ?? 5)
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'es-MX' }

/** The screens that people open first, by whom, and what they touch there. */
const screens: { path: string; who: string | null; act: (page: Page) => Promise<unknown> }[] = [
  { path: '/signin', who: null, act: writesAndSends },
  { path: '/', who: 'cliente@demo.mx', act: opensMenu },
  { path: '/agenda-technics-visit', who: 'cliente@demo.mx', act: choosesDay },
  { path: '/admin/appointments-pending', who: 'gerente@demo.mx', act: opensMenu },
]

async function writesAndSends(page: Page) {
  await page.getByLabel('Correo electrónico').tap()
  await page.keyboard.type('nadie@')
  await page.getByRole('button', { name: 'Iniciar sesión' }).tap()
}

async function opensMenu(page: Page) {
  await page.getByLabel('Abrir el menú').tap()
  await page.getByRole('dialog').waitFor()
  await page.getByLabel('Cerrar el menú').last().tap()
}

async function choosesDay(page: Page) {
  await page
    .getByRole('link', { name: /horarios? libres?/ })
    .last()
    .tap()
  await page.waitForLoadState('networkidle')
}

const demo = await openDemo()
const lines: Line[] = []
let kept: Line[] = []
try {
  for (const { path, who, act } of screens) {
    const storageState = await signedIn(demo.browser, demo.origin, who)
    const loads: Load[] = []
    // The first one finds a server that has not made this page yet: it is not counted.
    for (let nth = 0; nth <= times; nth++) {
      const context = await demo.browser.newContext({ ...phone, baseURL: demo.origin, storageState })
      const load = await loadSlowly(context, path, act)
      if (nth > 0) loads.push(load)
      await context.close()
    }
    lines.push(...judged(path, loads))
  }
  kept = await keptScreens(demo.browser, demo.origin, times)
} finally {
  await demo.close()
}
report('budgets', `A slow phone, empty cache, median of ${times} loads`, lines)
report('kept-screens', `A technician's slow phone that keeps the day, median of ${times} loads`, kept)

function judged(path: string, loads: readonly Load[]): Line[] {
  return (Object.keys(words) as (keyof typeof words)[]).map((name) => {
    const all = loads.map((load) => load[name]).sort((a, b) => a - b)
    const median = all[Math.floor(all.length / 2)] ?? Number.POSITIVE_INFINITY
    const shown = (value: number) => (name === 'cls' ? Math.round(value * 1000) / 1000 : Math.round(value))
    return {
      what: `${path} ${words[name]}`,
      median: shown(median),
      best: shown(all[0] ?? 0),
      worst: shown(all.at(-1) ?? 0),
      ...(name !== 'takenOver' && { goal: `<= ${goals[name]}`, met: median <= goals[name] }),
    }
  })
}

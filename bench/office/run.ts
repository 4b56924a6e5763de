import type { Browser } from '@playwright/test'
import { rules, violations } from '../../e2e/kit/axe.ts'
import { busyOffice, fullDay } from '../../e2e/kit/crew.ts'
import { modules } from '../../src/domain/access/routes.ts'
import { openDemo, type State, signedIn } from '../browser.ts'
import { type Line, report } from '../report.ts'
import { type Effort, handOn, type Way, ways } from './hand.ts'
import { tasks, type World } from './tasks.ts'

const desk = { width: 1440, height: 900 }
/** How many people of a full day have to stand on the board's first screen. */
const PEOPLE = 12

// npm run tasks -- keyboard: only that way.
const only = process.argv.slice(2)
const asked = ways.filter((way) => only.length === 0 || only.includes(way))
const lines: Line[] = []
const broken = new Set<string>()
for (const way of asked) await inOffice(way)
report('tasks', 'The tasks of the office: by mouse, by keyboard alone, and without scripts', lines)
for (const found of broken) console.log(found)
process.exitCode = lines.every(({ met }) => met !== false) ? 0 : 1

/** Each way has a world of its own: the tasks use up what waits in it. */
async function inOffice(way: Way) {
  const demo = await openDemo({ MODULES: modules.join(',') })
  process.env.E2E_DATA_DIR = demo.folder
  try {
    const world = { ...(await busyOffice()), full: await fullDay(0) }
    const storageState = await signedIn(demo.browser, demo.origin, 'gerente@demo.mx')
    const office = { browser: demo.browser, origin: demo.origin, storageState, way, world }
    if (way === 'mouse') lines.push(await peopleOnBoard(office))
    for (const task of tasks) lines.push(await measured(task, office))
  } finally {
    await demo.close()
  }
}

type Office = { browser: Browser; origin: string; storageState: State; way: Way; world: World }

async function newPage({ browser, origin, storageState, way }: Office) {
  const context = await browser.newContext({
    baseURL: origin,
    storageState,
    viewport: desk,
    locale: 'es-MX',
    reducedMotion: 'reduce',
    javaScriptEnabled: way !== 'plain',
  })
  context.setDefaultTimeout(20_000)
  return context.newPage()
}

async function measured(task: (typeof tasks)[number], office: Office): Promise<Line> {
  const page = await newPage(office)
  const { best, before, bound, name } = task
  try {
    await page.goto(task.from(office.world))
    const seen: string[] = []
    const look = async () => seen.push(...(await faultsOn()))
    const hand = handOn(page, office.way, look)
    await hand.ready()
    await task.act(hand, office.world)
    await look()
    for (const fault of seen) broken.add(`${name}: ${fault}`)
    const { effort } = hand
    const most = mostOf(bound, office.way)
    const within = isWithin(effort, most)
    return {
      what: `${name} (${office.way})`,
      before,
      best,
      ...effort,
      axe: seen.length,
      goal: goalOf(most),
      met: within && seen.length === 0,
    }
  } catch (error) {
    broken.add(`${name} (${office.way}): ${(error as Error).message}`)
    return { what: `${name} (${office.way})`, before, best, goal: 'can be done', met: false }
  } finally {
    await page.context().close()
  }

  /** axe needs scripts; the screens are the same. */
  async function faultsOn(): Promise<string[]> {
    return office.way === 'plain' ? [] : violations(page, rules.light)
  }
}

/** What counts is the mouse; by keys nothing is pressed, and without scripts it can be done. */
function mostOf(bound: Partial<Effort>, way: Way): Partial<Effort> {
  if (way === 'plain') return {}
  return way === 'mouse' ? bound : { clicks: 0 }
}

function isWithin(effort: Effort, bound: Partial<Effort>) {
  return (Object.keys(bound) as (keyof Effort)[]).every((what) => effort[what] <= bound[what]!)
}

function goalOf(bound: Partial<Effort>) {
  const most = Object.entries(bound).map(([what, number]) => `<= ${number} ${what}`)
  return most.length > 0 ? most.join(', ') : 'can be done'
}

/** How many people of a full day stand on the board's first screen. */
async function peopleOnBoard(office: Office): Promise<Line> {
  const page = await newPage(office)
  const { date } = office.world.full
  await page.goto(`/admin/assignations?dia=${date}&zona=milpa-alta`)
  let people = 0
  for (const head of await page.locator('[data-board] li:has([data-lane]) h3').all()) {
    const box = await head.boundingBox()
    if (box && box.y + box.height <= desk.height) people++
  }
  await page.context().close()
  return {
    what: `People on the board at ${desk.width} x ${desk.height}`,
    before: '3.5',
    best: '12',
    people,
    goal: `>= ${PEOPLE}`,
    met: people >= PEOPLE,
  }
}

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test'
import { findShell } from '../../bin/system-tools.mjs'
import { rules, violations } from '../../e2e/kit/axe.ts'
import { withDatabase } from '../../e2e/kit/database.ts'
import { startOwnServer } from '../../e2e/kit/own-server.ts'
import { entersAs } from '../../e2e/kit/steps.ts'
import { fullDay } from '../../e2e/kit/team.ts'
import { modules } from '../../src/access/rules/routes.ts'
import { paperKey } from '../../src/platform/storage/drive.ts'
import { type Line, report } from '../report.ts'
import { freePort, root } from '../stack.ts'
import { busyOffice } from './busy-office.ts'
import { type Effort, handOn, type Way, ways } from './hand.ts'
import { type Fixture, tasks } from './tasks.ts'

const desk = { width: 1440, height: 900 }
/** How many people of a full day have to stand on the board's first screen. */
const PEOPLE = 12
/** The most keys that anything a task needs may take to be reached. */
const FARTHEST = 40

/** The table of the last run that was kept: `--write` keeps this one. */
const kept = path.join(root, 'docs/office-tasks.md')
/** `npm run tasks -- keyboard "Review a proof"`: only that way and that task. The fixture is made for all of them, in their order. */
const given = process.argv.slice(2)
const known = [...ways, ...tasks.map(({ name }) => name)]
const wrong = given.find((word) => word !== '--write' && !known.includes(word))
if (wrong !== undefined || (given.includes('--write') && given.length > 1)) {
  console.error(`${wrong ?? '--write'}: give --write alone, or some of\n${known.join('\n')}`)
  process.exit(2)
}
const asked = <Name extends string>(names: readonly Name[]) => {
  const some = names.filter((name) => given.includes(name))
  return some.length > 0 ? some : names
}

const taken = new Map<string, Partial<Record<Way, Taken>>>()
const lines: Line[] = []
let people: number | undefined
for (const way of asked(ways)) await inOffice(way)
report('tasks', 'The tasks of the office: by mouse, by keyboard alone, and without scripts', lines)
for (const [name, by] of taken)
  for (const [way, { faults, problem }] of Object.entries(by))
    for (const found of [...(problem ? [problem] : []), ...faults]) console.log(`${name} (${way}): ${found}`)
if (given.includes('--write')) {
  writeFileSync(kept, table())
  execFileSync(path.join(root, 'node_modules/.bin/biome'), ['format', '--write', kept])
}

/** Each way has a fixture of its own: the tasks use up what waits in it. */
async function inOffice(way: Way) {
  const server = await startOwnServer(await freePort(), { DEMO: 'true', MODULES: modules.join(',') })
  process.env.E2E_DATA_DIR = server.folder
  const executablePath = findShell()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const fixture = { ...(await busyOffice()), full: await fullDay(0) }
    await photographProofs(server.folder)
    const manager = await browser.newPage({ baseURL: server.origin })
    await entersAs(manager, 'gerente@demo.mx')
    const storageState = await manager.context().storageState()
    const office = { browser, origin: server.origin, storageState, way, fixture }
    if (way === 'mouse') lines.push(await peopleOnBoard(office))
    const wanted = asked(tasks.map(({ name }) => name))
    for (const task of tasks.filter(({ name }) => wanted.includes(name))) {
      const done = await doneBy(task, office)
      taken.set(task.name, { ...taken.get(task.name), [way]: done })
      const line = lineOf(task, way, done)
      console.log(`${line.met ? '✓' : '✗'} ${line.what}`)
      lines.push(line)
    }
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** The demo fixture's proofs are PDF files, which a page does not show: here somebody took pictures of them. */
async function photographProofs(folder: string) {
  const { default: sharp } = await import('sharp')
  const create = { width: 600, height: 900, channels: 3 as const, background: '#dde' }
  const picture = await sharp({ create }).png().toBuffer()
  const { rows } = await withDatabase((client) =>
    client.query<{ id: string }>(
      `update documents set type = 'image/png', name = 'comprobante.png', bytes = $1
       where id in (select proof_id from payments where state = 'in_review') returning id`,
      [picture.length],
    ),
  )
  for (const { id } of rows) writeFileSync(path.join(folder, 'files', paperKey({ id })), picture)
}

type Office = Required<Pick<BrowserContextOptions, 'storageState'>> & {
  browser: Browser
  origin: string
  way: Way
  fixture: Fixture
}

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

type Task = (typeof tasks)[number]
/** What a task took, what axe found on its way, and why it could not be done. */
type Taken = Effort & { faults: string[]; problem?: string }

async function doneBy(task: Task, office: Office): Promise<Taken> {
  const page = await newPage(office)
  const faults: string[] = []
  // axe needs scripts; the screens are the same.
  const look = async () => {
    if (office.way === 'plain') return
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      faults.push(...(await violations(page, rules[colorScheme])).map((rule) => `${colorScheme}: ${rule}`))
    }
  }
  const hand = await handOn(page, office.way, look)
  try {
    await hand.stand(task.from(office.fixture))
    await task.act(hand, office.fixture)
    await look()
    return { ...hand.effort, faults }
  } catch (error) {
    return { ...hand.effort, faults, problem: (error as Error).message }
  } finally {
    await page.context().close()
  }
}

function lineOf({ before, best, bound, name }: Task, way: Way, { faults, problem, ...effort }: Taken): Line {
  const most = mostOf(bound, way)
  const isWithin = (Object.keys(most) as (keyof Effort)[]).every((what) => effort[what] <= most[what]!)
  const goal = Object.entries(most).map(([what, number]) => `<= ${number} ${what}`)
  return {
    what: `${name} (${way})`,
    before,
    best,
    ...effort,
    axe: faults.length,
    goal: ['can be done', ...goal].join(', '),
    met: !problem && isWithin && faults.length === 0,
  }
}

/** By mouse as a good tool does it; by keys without any pointer and with nothing far away; without scripts it can be done. */
function mostOf(bound: Partial<Effort>, way: Way): Partial<Effort> {
  if (way === 'plain') return {}
  return way === 'mouse' ? bound : { clicks: 0, farthest: FARTHEST }
}

/** How many people of a full day stand on the board's first screen. */
async function peopleOnBoard(office: Office): Promise<Line> {
  const page = await newPage(office)
  const { date } = office.fixture.full
  await page.goto(`/admin/assignations?dia=${date}&zona=milpa-alta`)
  people = 0
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

function table(): string {
  const rows = tasks.map(({ best, name }) => {
    const { keyboard, mouse, plain } = taken.get(name)!
    const faults = [mouse, keyboard].reduce((sum, one) => sum + (one?.faults.length ?? 0), 0)
    const byMouse = mouse?.problem
      ? ['not done', '', '', '']
      : [mouse?.clicks, mouse?.keys, mouse?.loads, mouse?.screens]
    const byKeys = keyboard?.problem ? ['not done', ''] : [keyboard?.keys, keyboard?.farthest]
    const cells = [name, best, ...byMouse, ...byKeys, plain?.problem ? 'no' : 'yes', faults]
    return `| ${cells.join(' | ')} |`
  })
  const missed = lines.filter(({ met }) => met === false).map(({ goal, what }) => `${what}, ${goal}`)
  return `# What the office's tasks take

Written by \`npm run tasks -- --write\` on ${new Date().toISOString().slice(0, 10)}, in Chromium at ${desk.width} x ${desk.height}, each way on a demo world of its own. Without \`--write\` it ends with 1 when a task takes more than its bound in \`bench/office/tasks.ts\`, when a step needs more than ${FARTHEST} keys or any pointer in the run by keys, when a task can't be done without scripts, or when axe finds anything.

- **Clicks, keys, loads, screens**: by mouse where one presses and by keys where one writes. Keys include each Tab between fields. A load is a document, or data of another address, also where only its query differs. A screen is a load of another path: "1 panel" is one screen, and the one it leads back to.
- **By keys alone**: all keys of the task, and the most that one control took to be reached: by Tab, backwards where nearer; by arrows on the board, by j in a list.
- **axe**: its findings in light and dark on everything on the way.

${people} people of a full day stand on the board's first screen; ${PEOPLE} are the goal.

| task | best | clicks | keys | loads | screens | keys alone | farthest | without scripts | axe |
| --- | --- | --: | --: | --: | --: | --: | --: | --- | --: |
${rows.join('\n')}

Goals not met: ${missed.join('; ') || 'none'}.
`
}

import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { modules, screenAt } from '../src/domain/access/routes.ts'
import { checks, type Finding, findingsOn } from './audit-checks.ts'
import { openDemo, signedIn } from './browser.ts'
import { isTakenOver } from './vitals.ts'

/** Everybody the screens are made for, as the demo world has them; customers at several points of their way. */
const people: Record<string, string | null> = {
  'nobody signed in': null,
  'customer at the beginning': 'cliente@demo.mx',
  'customer with a visit': 'cliente2@demo.mx',
  'customer who may install': 'cliente3@demo.mx',
  'customer with a quote': 'cliente4@demo.mx',
  'customer who pays': 'cliente5@demo.mx',
  manager: 'gerente@demo.mx',
  analyst: 'analista@demo.mx',
  technician: 'tecnico@demo.mx',
  gester: 'gestor@demo.mx',
  ally: 'aliado@demo.mx',
}
const starts: Record<string, readonly string[]> = {
  null: ['/signin', '/signup', '/approach', '/recover-password', '/not-here'],
  customer: ['/', '/cuenta', '/agenda-technics-visit', '/agenda-installation', '/agenda-videocall'],
  staff: ['/admin', '/admin/account'],
}
/** 1280 px at 400 %, and a desk. */
const windows = { phone: { width: 320, height: 640 }, desk: { width: 1280, height: 900 } }
/** A part of a screen that has an address of its own. */
const parts = ['parte', 'seccion', 'servicio']

type Looked = { who: string; window: string; screen: string; findings: Finding[] }

// npm run audit -- manager phone: only these people, only this window.
const only = process.argv.slice(2)
const wanted = <Name extends string>(names: readonly Name[]) => {
  const some = names.filter((name) => only.includes(name))
  return some.length > 0 ? some : names
}
const demo = await openDemo({ MODULES: modules.join(',') })
const looked: Looked[] = []
try {
  for (const who of wanted(Object.keys(people)))
    for (const window of wanted(['phone', 'desk'] as const)) await lookAs(who, people[who] ?? null, window)
} finally {
  await demo.close()
}
tell()

/** Opens every screen that links lead to, each of its kind once. */
async function lookAs(who: string, email: string | null, window: keyof typeof windows) {
  const storageState = await signedIn(demo.browser, demo.origin, email)
  const context = await demo.browser.newContext({
    viewport: windows[window],
    reducedMotion: 'reduce',
    locale: 'es-MX',
    baseURL: demo.origin,
    storageState,
  })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const kind = email === null ? 'null' : email.startsWith('cliente') ? 'customer' : 'staff'
  const seen = new Set<string>()
  const queue = [...starts[kind]!]
  for (const address of queue) {
    const screen = screenOf(address)
    if (seen.has(screen)) continue
    seen.add(screen)
    await page.goto(address)
    await page.waitForFunction(isTakenOver)
    await page.waitForLoadState('networkidle')
    if (screenOf(page.url()) !== screen) continue
    queue.push(...(await linksOn(page)))
    const findings = await findingsOn(page, cdp)
    looked.push({ who, window, screen, findings })
    console.log(`${findings.length === 0 ? '✓' : '✗'} ${who}, ${window}: ${screen}`)
    for (const { check, what } of findings) console.log(`    ${check}: ${what}`)
  }
  await context.close()
}

/** The screen of an address as the table of screens names it, with the part that its query asks for. */
function screenOf(address: string): string {
  const { pathname, searchParams } = new URL(address, demo.origin)
  const part = parts
    .filter((name) => searchParams.has(name))
    .map((name) => `${name}=${searchParams.get(name)}`)
  const known = screenAt(pathname)?.path
  const isPart = known?.split('/').length !== pathname.split('/').length
  const path = known && !isPart ? known : pathname.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '{id}')
  return part.length > 0 ? `${path}?${part.join('&')}` : path
}

async function linksOn(page: Page): Promise<string[]> {
  const found = await page.evaluate(() =>
    [...document.querySelectorAll('a[href]')].map((a) => (a as HTMLAnchorElement).href),
  )
  return found.filter((href) => {
    const { origin, pathname } = new URL(href)
    return (
      origin === demo.origin &&
      !/\.\w+$|^\/(files|documents|papers|calendar|session|account|signout)/.test(pathname)
    )
  })
}

function tell() {
  const counted = checks.map((check) => ({
    check,
    pages: looked.length,
    findings: looked.flatMap(({ findings }) => findings).filter((one) => one.check === check).length,
  }))
  console.log(
    `\n${new Set(looked.map(({ screen }) => screen)).size} screens, ${looked.length} pages looked at`,
  )
  console.table(counted)
  if (process.env.AUDIT_REPORT) writeFileSync(process.env.AUDIT_REPORT, JSON.stringify(looked, null, 2))
  process.exitCode = counted.every(({ findings }) => findings === 0) ? 0 : 1
}

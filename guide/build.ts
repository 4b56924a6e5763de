import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Browser, chromium, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import { findChromium } from '../bin/system-tools.mjs'
import { startOwnServer } from '../e2e/kit/own-server.ts'
import { isTakenOver } from '../e2e/kit/steps.ts'
import { modules } from '../src/domain/access/routes.ts'
import { pages } from './pages.ts'
import { drawPictures } from './pictures.ts'
import type { GuidePage, Section, Step } from './shape.ts'
import { contents, pictureOf, written } from './write.ts'

const folder = path.resolve('docs/guia')
const sizes = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 800 } }
const password = 'carga-en-casa'

const port = Number(process.env.PORT ?? 3217)
const server = await startOwnServer(port, { DEMO: 'true', MODULES: modules.join(',') })
const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  await mkdir(path.join(folder, 'imagenes'), { recursive: true })
  const named = process.argv.slice(2)
  if (named.length === 0) await drawPictures()
  for (const page of pages.filter(({ file }) => named.length === 0 || named.includes(file))) await tell(page)
  await writeFile(path.join(folder, 'README.md'), contents(pages))
} finally {
  await browser.close()
  await server.stop()
}

/** Goes through a role's page step by step. A step that can't be done, or has no picture, ends the whole run. */
async function tell(page: GuidePage) {
  for (const section of page.sections) {
    const tab = await signedIn(browser, page, section.as ?? page.as)
    for (const [at, step] of section.steps.entries()) {
      const picture = await pictured(tab, step).catch((cause) => {
        throw new Error(`${page.file}, ${section.item}, paso ${at + 1}: no se pudo hacer o retratar`, {
          cause,
        })
      })
      await writeFile(path.join(folder, pictureOf(page, section, at)), picture)
    }
    await tab.context().close()
  }
  await writeFile(path.join(folder, `${page.file}.md`), written(page))
  console.log(`${page.file}: ${page.sections.flatMap(({ steps }: Section) => steps).length} steps`)
}

async function signedIn(from: Browser, { size }: GuidePage, email: string): Promise<Page> {
  const context = await from.newContext({
    baseURL: server.origin,
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    viewport: sizes[size],
    reducedMotion: 'reduce',
    colorScheme: 'light',
  })
  context.setDefaultTimeout(30_000)
  const tab = await context.newPage()
  await tab.goto('/signin')
  await tab.getByLabel('Correo electrónico').fill(email)
  await tab.getByLabel('Contraseña').fill(password)
  await tab.getByRole('button', { name: 'Iniciar sesión' }).click()
  await tab.waitForURL((url) => url.pathname !== '/signin')
  return tab
}

async function pictured(tab: Page, { act, at, follow, show }: Step): Promise<Buffer> {
  if (at) {
    const answer = await tab.goto(at)
    if (answer?.status() !== 200) throw new Error(`${at} contestó ${answer?.status()}`)
  }
  if (follow) {
    const from = tab.url()
    await follow(tab).click()
    await tab.waitForURL(({ href }) => href !== from)
  }
  await isTakenOver(tab)
  await act?.(tab)
  await tab.waitForLoadState('networkidle')
  const framed = show?.(tab).first()
  if (framed) await frame(framed)
  const png = await tab.screenshot({ animations: 'disabled', caret: 'hide' })
  await framed?.evaluate((element) => {
    ;(element as HTMLElement).style.outline = ''
  })
  return sharp(png).webp({ quality: 72 }).toBuffer()
}

/** A screen that refreshes itself may put another element in its place just then: a few tries. */
async function frame(framed: Locator, tries = 4): Promise<void> {
  try {
    await framed.evaluate((element) => {
      const { style } = element as HTMLElement
      style.outline = '3px solid #d97706'
      style.outlineOffset = '4px'
      element.scrollIntoView({ block: 'center' })
    })
  } catch (error) {
    if (tries < 2) throw error
    await frame(framed, tries - 1)
  }
}

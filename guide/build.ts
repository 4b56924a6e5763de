import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { isTakenOver } from '../e2e/kit/steps.ts'
import { modules } from '../src/access/rules/routes.ts'
import { openDemo, signedIn } from './browser.ts'
import { pages } from './pages.ts'
import { drawPictures } from './pictures.ts'
import type { GuidePage, Step } from './shape.ts'
import { contents, pictureOf, written } from './write.ts'

const folder = path.resolve('docs/guia')
const sizes = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 800 } }

const demo = await openDemo({ MODULES: modules.join(',') })
try {
  await mkdir(path.join(folder, 'imagenes'), { recursive: true })
  const named = process.argv.slice(2)
  if (named.length === 0) await drawPictures()
  for (const page of pages) if (named.length === 0 || named.includes(page.file)) await tell(page)
  await writeFile(path.join(folder, 'README.md'), contents(pages))
} finally {
  await demo.close()
}

/** Goes through a role's page step by step. A step that can't be done, or has no picture, ends the whole run. */
async function tell(page: GuidePage) {
  for (const section of page.sections) {
    const context = await demo.browser.newContext({
      baseURL: demo.origin,
      storageState: await signedIn(demo.browser, demo.origin, section.as ?? page.as),
      locale: 'es-MX',
      timezoneId: 'America/Mexico_City',
      viewport: sizes[page.size],
      reducedMotion: 'reduce',
      colorScheme: 'light',
    })
    const tab = await context.newPage()
    for (const [at, step] of section.steps.entries()) {
      const picture = await pictured(tab, step).catch((cause) => {
        throw new Error(`${page.file}, ${section.item}, step ${at + 1} has no picture`, { cause })
      })
      await writeFile(path.join(folder, pictureOf(page, section, at)), picture)
    }
    await context.close()
  }
  await writeFile(path.join(folder, `${page.file}.md`), written(page))
  console.log(page.file)
}

async function pictured(tab: Page, { act, at, follow, press, show }: Step): Promise<Buffer> {
  if (at) {
    const answer = await tab.goto(at)
    if (answer?.status() !== 200) throw new Error(`${at} answered ${answer?.status()}`)
  }
  if (follow) {
    const from = tab.url()
    await follow(tab).click()
    await tab.waitForURL(({ href }) => href !== from)
  }
  await isTakenOver(tab)
  await press?.(tab).click()
  await act?.(tab)
  await tab.waitForLoadState('networkidle')
  const framed = show?.(tab)
  if (framed) await frame(framed)
  const png = await tab.screenshot({ animations: 'disabled', caret: 'hide' })
  await framed?.evaluate(({ style }) => {
    style.outline = ''
  })
  return sharp(png).webp({ quality: 72 }).toBuffer()
}

/** A screen that refreshes itself may put another element in its place just then: a few tries. */
async function frame(framed: Locator, tries = 4): Promise<void> {
  try {
    await framed.evaluate((element) => {
      element.style.outline = '3px solid #d97706'
      element.style.outlineOffset = '4px'
      element.scrollIntoView({ block: 'center' })
    })
  } catch (error) {
    if (tries < 2) throw error
    await frame(framed, tries - 1)
  }
}

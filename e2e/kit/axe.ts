import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

export type AxeRules = typeof rules
const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Only the colours are others in the dark. */
export const rules = {
  light: { type: 'tag', values: levels },
  dark: { type: 'rule', values: ['color-contrast'] },
} satisfies Record<string, axe.RunOnly>

/** 7:1. */
const sun: axe.RunOnly = { type: 'rule', values: ['color-contrast-enhanced'] }

const source = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/** What axe finds on the page as it stands, in light and in dark. */
export async function findsNothing(page: Page, what = page.url()) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await breaksNone(page, rules[colorScheme], `${what}, ${colorScheme}`)
  }
}

/** The same in every palette: where more contrast is asked for, too. On site, text keeps 7:1 in each. */
export async function findsNothingInAny(page: Page, what = page.url(), isOnSite = false) {
  await findsNothing(page, what)
  for (const contrast of isOnSite ? (['no-preference', 'more'] as const) : (['more'] as const))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, contrast })
      await breaksNone(page, sun, `${what}, ${colorScheme}, contrast ${contrast}`)
    }
  await page.emulateMedia({ contrast: 'no-preference' })
}

async function breaksNone(page: Page, runOnly: axe.RunOnly, what: string) {
  let found = await violations(page, runOnly)
  // On a busy machine colours may still be those of the other preference: what is wrong stays wrong.
  for (let again = 0; found.length > 0 && again < 4; again++) found = await violations(page, runOnly)
  expect(found, what).toEqual([])
}

/** The rules that a page breaks as it stands, each with its elements. */
export async function violations(page: Page, runOnly: axe.RunOnly): Promise<string[]> {
  await settle(page)
  // A page keeps it until another is loaded: half a megabyte is sent and read once.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(
    async (options) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    },
    { runOnly, resultTypes: ['violations'] } satisfies axe.RunOptions,
  )
}

/** Colours change with the next frames after the preference did. */
const settle = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))

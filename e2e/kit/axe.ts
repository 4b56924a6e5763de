import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

export type AxeRules = Record<'light' | 'dark', axe.RunOptions>
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const only = (...values: string[]): axe.RunOptions => ({ runOnly: { type: 'rule', values } })
/** Only the colours are others in the dark. */
export const rules: AxeRules = {
  light: { runOnly: { type: 'tag', values: tags } },
  dark: only('color-contrast'),
}
/** 7:1. */
const sun = only('color-contrast-enhanced')
/** On site text keeps 7:1, and so what is asked elsewhere: its contrast is looked at once. */
const onSite: AxeRules = {
  light: {
    ...rules.light,
    rules: { 'color-contrast': { enabled: false }, 'color-contrast-enhanced': { enabled: true } },
  },
  dark: sun,
}
const schemes = ['light', 'dark'] as const

const source = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/** What axe finds on the page as it stands, in light and in dark. */
export async function findsNothing(page: Page, what = page.url(), asked = rules) {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await breaksNone(page, asked[colorScheme], `${what}, ${colorScheme}`)
  }
}

/** The same in every palette: where more contrast is asked for, too. On site, text keeps 7:1 in each. */
export async function findsNothingInAny(page: Page, what = page.url(), isOnSite = false) {
  await findsNothing(page, what, isOnSite ? onSite : rules)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, contrast: 'more' })
    await breaksNone(page, sun, `${what}, ${colorScheme}, more contrast`)
  }
  await page.emulateMedia({ contrast: 'no-preference' })
}

async function breaksNone(page: Page, asked: axe.RunOptions, what: string) {
  let found = await violations(page, asked)
  // On a busy machine colours may still be those of the other preference: what is wrong stays wrong.
  for (let again = 0; found.length > 0 && again < 4; again++) found = await violations(page, asked)
  expect(found, what).toEqual([])
}

/** The rules that a page breaks as it stands, each with its elements. */
export async function violations(page: Page, asked: axe.RunOptions): Promise<string[]> {
  await settle(page)
  // A page keeps it until another is loaded: half a megabyte is sent and read once.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(
    async (options) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    },
    { ...asked, resultTypes: ['violations'] } satisfies axe.RunOptions,
  )
}

/** Colours change with the next frames after the preference did. */
const settle = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))

import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { count } from '../../test/kit/count.ts'

export type AxeRules = Record<'light' | 'dark', axe.RunOptions>
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const only = (...values: string[]): axe.RunOptions => ({ runOnly: { type: 'rule', values } })
/** All rules of level AA; in the dark only the colours differ. */
export const rules: AxeRules = {
  light: { runOnly: { type: 'tag', values: tags } },
  dark: only('color-contrast'),
}
/** Contrast of 7:1. */
export const enhancedContrast = only('color-contrast-enhanced')
/** For screens that are read in the sun: the same rules with a contrast of 7:1. */
export const onSiteRules: AxeRules = {
  light: {
    ...rules.light,
    rules: { 'color-contrast': { enabled: false }, 'color-contrast-enhanced': { enabled: true } },
  },
  dark: enhancedContrast,
}

const source = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/** For a state that only a longer test reaches; the usual states of screens are in e2e/accessibility.spec.ts. */
export async function findsNothing(page: Page, what: string, asked = rules.light) {
  expect(await violations(page, asked), what).toEqual([])
}

/** The rules that a page breaks as it stands, each with its elements. */
export async function violations(page: Page, asked: axe.RunOptions): Promise<string[]> {
  count('axe')
  // Colours change with the next frames after the preference did.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
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

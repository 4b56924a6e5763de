import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds on the page as it stands, in light and in dark. */
export async function findsNothing(page: Page, what = page.url()) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    let found = await violations(page, colorScheme)
    // On a busy machine colours may still be those of the other preference: what is wrong stays wrong.
    for (let again = 0; found.length > 0 && again < 4; again++) found = await violations(page, colorScheme)
    expect(found, `${what}, ${colorScheme}`).toEqual([])
  }
}

async function violations(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await settle(page)
  const { violations } = await axe(page, colorScheme).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/**
 * The builder names the page's type by another copy of playwright-core than the runner's; the pages are the same.
 * Ours hold no frames, for which it would open one more page each time: hence the legacy mode.
 */
function axe(page: Page, colorScheme: 'light' | 'dark') {
  const builder = new AxeBuilder({ page: page as never }).setLegacyMode()
  // Only the colours are others in the dark.
  return colorScheme === 'light' ? builder.withTags(levels) : builder.withRules(['color-contrast'])
}

/** Colours change with the next frames after the preference did. */
const settle = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))

import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds on the page as it stands, in light and in dark. */
export async function findsNothing(page: Page, what = page.url()) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // On a busy machine colours may still be those of the other preference: what is wrong stays wrong.
    await expect(async () => {
      await settle(page)
      const { violations } = await axe(page).analyze()
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      expect(found, `${what}, ${colorScheme}`).toEqual([])
    }).toPass({ timeout: 8_000 })
  }
}

/**
 * The builder names the page's type by another copy of playwright-core than the runner's; the pages are the same.
 * Ours hold no frames, for which it would open one more page each time: hence the legacy mode.
 */
const axe = (page: Page) => new AxeBuilder({ page: page as never }).withTags(levels).setLegacyMode()

/** Colours change with the next frames after the preference did. */
const settle = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))

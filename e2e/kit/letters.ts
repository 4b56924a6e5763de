import { expect, type Page } from '@playwright/test'

/** Opens the last letter of that subject to somebody in the demo's outbox, where letters arrive a moment later; answers the link in it. */
export async function linkInLetterTo(page: Page, email: string, subject: string): Promise<string> {
  const theirs = page.getByRole('listitem').filter({ hasText: email })
  const letter = theirs.getByRole('link', { name: subject }).first()
  await expect(async () => {
    await page.goto('/dev/correo')
    await expect(letter).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 15_000 })
  await letter.click()
  const text = (await page.locator('pre').textContent()) ?? ''
  return /https?:\/\/\S+/.exec(text)![0]
}

import { expect, type Page } from '@playwright/test'
import { everyScreenHears } from './database.ts'

/** Somebody else changes something meanwhile, and the page reads itself anew; `folder` is of a server of the story's own. */
export async function isRefreshed(page: Page, folder?: string) {
  // Until its stream is open a page hears nothing.
  await expect(async () => {
    const answer = page.waitForResponse(/\.data/, { timeout: 1_000 })
    await everyScreenHears(folder)
    await answer
  }).toPass({ timeout: 20_000 })
  await expect(page.getByText('La información se actualizó')).toBeAttached()
}

/** Somebody else changes something while this page is written in: it is not read anew before that is sent. */
export async function isLeftAlone(page: Page) {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await everyScreenHears()
  // Well over the pause between two refreshes.
  await page.waitForTimeout(1000)
  expect(asked.filter((url) => url.includes('.data'))).toEqual([])
}

import { expect, type Page } from '@playwright/test'
import { everyScreenHears } from './database.ts'

/** Announces another person's change and waits until the page has read its data again; `folder`: of the test's own server. */
export async function isReadAgain(page: Page, folder?: string) {
  // Until its stream is open a page hears nothing.
  await expect(async () => {
    await Promise.all([page.waitForResponse(/\.data/, { timeout: 1_000 }), everyScreenHears(folder)])
  }).toPass({ timeout: 20_000 })
}

/** The same of a page that says so to screen readers. */
export async function isRefreshed(page: Page, folder?: string) {
  await isReadAgain(page, folder)
  await expect(page.getByText('La información se actualizó')).toBeAttached()
}

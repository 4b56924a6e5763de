import { expect, type Page } from '@playwright/test'
import { everyScreenHears } from './database.ts'

/** Somebody else changes something meanwhile, and the page reads itself again; `folder` is of a server of the test's own. */
export async function isReadAgain(page: Page, folder?: string) {
  // Until its stream is open a page hears nothing.
  await expect(async () => {
    await Promise.all([page.waitForResponse(/\.data/, { timeout: 1_000 }), everyScreenHears(folder)])
  }).toPass({ timeout: 20_000 })
}

/** It says so too. */
export async function isRefreshed(page: Page, folder?: string) {
  await isReadAgain(page, folder)
  await expect(page.getByText('La información se actualizó')).toBeAttached()
}

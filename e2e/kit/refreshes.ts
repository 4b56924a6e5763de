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

/** Somebody else changes something while this page is written in: it is not read anew before that is sent. */
export async function isLeftAlone(page: Page) {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const other = await page.context().newPage()
  await other.goto('/')
  // Twice: by then the pause between two refreshes is over here too.
  for (let times = 0; times < 2; times++) await isRefreshed(other)
  await other.close()
  expect(asked.filter((url) => url.includes('.data'))).toEqual([])
}

import { expect, type Page } from '@playwright/test'

type Stored = { answers: object[]; files: object[]; moves: object[]; blobs: { id: string; blob: string }[] }

/** Lays rows into the phone's database as another version of the app left them; pictures as base64. Their page is open. */
export const layRows = (page: Page, rows: Stored) =>
  page.evaluate(async ({ blobs, ...rows }) => {
    const opened = indexedDB.open('carga-onsite')
    await new Promise((resolve) => opened.addEventListener('success', resolve))
    const change = opened.result.transaction(['answers', 'files', 'moves', 'blobs'], 'readwrite')
    for (const name of ['answers', 'files', 'moves'] as const)
      for (const row of rows[name]) change.objectStore(name).put(row)
    for (const { id, blob } of blobs) {
      const bytes = Uint8Array.from(atob(blob), (character) => character.charCodeAt(0))
      change.objectStore('blobs').put({ id, blob: new Blob([bytes], { type: 'image/jpeg' }) })
    }
    await new Promise((resolve) => change.addEventListener('complete', resolve))
    opened.result.close()
  }, rows)

/** Until the service worker has this page, and the day ahead. */
export async function isKept(page: Page, path: string) {
  const kept = () =>
    page.evaluate(async (data) => {
      return navigator.serviceWorker.controller !== null && (await caches.match(data)) !== undefined
    }, `${path}.data`)
  await expect.poll(kept, { timeout: 20_000 }).toBe(true)
}

/** How many rows of answers, photos and steps the phone holds. */
export const rowsIn = (page: Page) => countIn(page, ['answers', 'files', 'moves', 'blobs'])

/** Of how many people the phone says that it has their unsent work. */
export const ownersIn = (page: Page) => countIn(page, ['owners'])

const countIn = (page: Page, stores: readonly string[]) =>
  page.evaluate(
    async (names) => {
      const opened = indexedDB.open('carga-onsite')
      await new Promise((resolve) => opened.addEventListener('success', resolve))
      const read = opened.result.transaction(names)
      const counts = await Promise.all(
        names.map((name) => {
          const counted = read.objectStore(name).count()
          return new Promise<number>((resolve) =>
            counted.addEventListener('success', () => resolve(counted.result)),
          )
        }),
      )
      opened.result.close()
      return counts.reduce((sum, count) => sum + count, 0)
    },
    [...stores],
  )

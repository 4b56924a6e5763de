import { expect, type Page } from '@playwright/test'
import type { Side } from './call-test.ts'

/** Enters the room the usual way, past the look at oneself. */
export async function enters({ page, room }: Side) {
  await page.goto(room)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await isIn(page)
}

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Controles de la llamada' })

/** In the room, alone or with the other side. */
export const isIn = (page: Page) => expect(bar(page)).toBeVisible()

/** Presses a button of the bar. */
export const pressInBar = (page: Page, name: string) => bar(page).getByRole('button', { name }).click()

/** The other side's picture: there is never more than one. */
export const theirPicture = (page: Page) => page.getByLabel(/^Imagen de /)

/** Writes a line of the chat, which has to be open. */
export async function says(page: Page, words: string) {
  const field = page.getByLabel('Escribe un mensaje')
  await field.fill(words)
  await field.press('Enter')
}

/** A line of the chat, of either side, once the server has it. */
export const heard = (page: Page, words: string, timeout = 5_000) =>
  expect(page.getByRole('log').getByRole('listitem').filter({ hasText: words })).not.toContainText(
    'Enviando…',
    { timeout },
  )

/** What is wrong right now, as it stands over the picture. */
export const trouble = (page: Page, words: string | RegExp) =>
  page.getByRole('listitem').filter({ hasText: words })

import { createHmac } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { becomesManager } from './database.ts'
import { newPerson, password } from './steps.ts'

const bits = (letter: string) =>
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')

/** The code an authenticator shows for a secret, `steps` of thirty seconds from now. */
export function codeOf(secret: string, steps = 0): string {
  const bytes = [...secret]
    .map(bits)
    .join('')
    .match(/.{8}/g)!
    .map((byte) => Number.parseInt(byte, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  return String((digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

export const secondFactor = (page: Page) => page.getByRole('region', { name: 'Segundo factor' })

/** A manager of this test's own; answers the e-mail. */
export async function newManager(page: Page): Promise<string> {
  const email = await newPerson(page)
  await becomesManager(email)
  await page.goto('/admin/account')
  return email
}

/** Turns the second factor on from the secret that the page shows; answers it and the recovery codes. */
export async function enrols(page: Page) {
  const card = secondFactor(page)
  await card.getByLabel('Tu contraseña').fill(password)
  await card.getByRole('button', { name: 'Activar' }).click()
  await expect(card.getByRole('img', { name: 'Código QR de tu segundo factor' })).toBeVisible()
  const secret = ((await card.locator('code').textContent()) ?? '').replace(/\s/g, '')
  await card.getByLabel('2. Escribe el código de 6 dígitos que muestra').fill(codeOf(secret))
  await card.getByRole('button', { name: 'Confirmar y activar' }).click()
  const shown = page.getByRole('region', { name: 'Códigos de recuperación' }).getByRole('listitem')
  await expect(shown).toHaveCount(10)
  return { secret, codes: await shown.allInnerTexts() }
}

import { expect, type Page } from '@playwright/test'
import { codeOf } from '../../test/kit/totp.ts'
import { becomesManager } from './database.ts'
import { newPerson, password } from './steps.ts'

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

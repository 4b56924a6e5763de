import type { Page } from '@playwright/test'
import { entersAs, isTakenOver, newCustomer } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

const manager = 'gerente@demo.mx'

/** Opens the search; what listens for it comes after the screen. */
const opens = (page: Page, press: () => Promise<unknown> = () => page.keyboard.press('Control+k')) =>
  expect(async () => {
    await press()
    await expect(page.getByRole('combobox')).toBeFocused({ timeout: 1_000 })
  }).toPass()

test('a manager who types on after Enter opens only what they chose', async ({ page }) => {
  await entersAs(page, manager)
  await page.goto('/admin')
  await isTakenOver(page)
  // The answer to the first words never comes.
  await page.route(/buscar\.json\?q=concesionarias$/, () => undefined)
  await opens(page)
  const box = page.getByRole('combobox')
  await box.fill('concesionarias')
  await box.press('Enter')
  await box.fill('usuarios')
  await expect(page.getByRole('option', { name: 'Usuarios' })).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('resultado')
  await expect(page).toHaveURL('/admin')
  await box.press('Enter')
  await expect(page).toHaveURL('/admin/users')
})

test('a manager who goes on to another customer leaves the typed note behind', async ({ arrive }) => {
  const [first, second, page] = [await arrive(), await arrive(), await arrive()]
  const emails = [await newCustomer(first), await newCustomer(second)] as const
  await entersAs(page, manager)
  await page.goto('/admin')
  await isTakenOver(page)
  const goesTo = async (email: string, ...keys: string[]) => {
    await opens(page)
    await page.getByRole('combobox').fill(email)
    await expect(page.getByRole('dialog').getByRole('status')).toHaveText('1 resultado')
    for (const key of [...keys, 'Enter']) await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.locator('#contenido').getByText(email).first()).toBeVisible()
  }
  const [note, fold] = [
    page.getByLabel('¿En qué quedaron?'),
    page.getByText('Anotar una llamada', { exact: true }),
  ]
  await goesTo(emails[0])
  await fold.click()
  await note.fill('Prefiere por la tarde')
  await goesTo(emails[1])
  await expect(note).toBeHidden()
  await fold.click()
  await expect(note).toHaveValue('')
  const notes = page.getByLabel('Notas')
  await goesTo(emails[0], 'ArrowRight')
  await expect(page).toHaveURL(/nueva\?cliente=/)
  await notes.fill('Portón verde')
  await goesTo(emails[1], 'ArrowRight')
  await expect(notes).toHaveValue('')
})

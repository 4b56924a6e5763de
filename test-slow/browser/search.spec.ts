import type { Page } from '@playwright/test'
import { isAt, linkIn, openScreen, openScreenAs, reads } from '../../e2e/kit/parts.ts'
import { phone } from '../../e2e/kit/sizes.ts'
import { newCustomer, openMenu } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

const manager = 'gerente@demo.mx'

/** Opens the search; what listens for it comes after the screen. */
const opens = (page: Page, press: () => Promise<unknown> = () => page.keyboard.press('Control+k')) =>
  expect(async () => {
    await press()
    await expect(page.getByRole('combobox')).toBeFocused({ timeout: 1_000 })
  }).toPass()

test('a manager opens an action by its name before the results arrive', async ({ page }) => {
  await openScreenAs(page, manager, '/admin')
  await opens(page)
  await page.getByRole('combobox').fill('optimizar manana')
  await page.keyboard.press('Enter')
  await isAt(page, /\/admin\/assignations\/plan\?dia=/)
  // A slash that is typed into a field stays there.
  await openScreen(page, '/admin/agencies')
  await page.getByLabel('Buscar', { exact: true }).pressSequentially('a/b')
  await expect(page.getByLabel('Buscar', { exact: true })).toHaveValue('a/b')
  await expect(page.getByRole('combobox')).toHaveCount(0)
})

test('a manager who types on after Enter opens only what they chose', async ({ page }) => {
  await openScreenAs(page, manager, '/admin')
  // The answer to the first words never comes.
  await page.route(/buscar\.json\?q=concesionarias$/, () => undefined)
  await opens(page)
  const box = page.getByRole('combobox')
  await box.fill('concesionarias')
  await box.press('Enter')
  await box.fill('usuarios')
  await expect(page.getByRole('option', { name: 'Usuarios' })).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('resultado')
  await isAt(page, '/admin')
  await box.press('Enter')
  await isAt(page, '/admin/users')
})

test('a manager who goes on to another customer leaves the typed note behind', async ({ arrive }) => {
  const first = await arrive()
  const second = await arrive()
  const page = await arrive()
  const emails = [await newCustomer(first), await newCustomer(second)] as const
  await openScreenAs(page, manager, '/admin')
  const goesTo = async (email: string, ...keys: string[]) => {
    await opens(page)
    await page.getByRole('combobox').fill(email)
    await expect(page.getByRole('dialog').getByRole('status')).toHaveText('1 resultado')
    for (const key of [...keys, 'Enter']) await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.locator('#contenido').getByText(email).first()).toBeVisible()
  }
  const note = page.getByLabel('¿En qué quedaron?')
  const fold = page.getByText('Anotar una llamada', { exact: true })
  await goesTo(emails[0])
  await fold.click()
  await note.fill('Prefiere por la tarde')
  await goesTo(emails[1])
  await expect(note).toBeHidden()
  await fold.click()
  await expect(note).toHaveValue('')
  const notes = page.getByLabel('Notas')
  await goesTo(emails[0], 'ArrowRight')
  await isAt(page, /nueva\?cliente=/)
  await notes.fill('Portón verde')
  await goesTo(emails[1], 'ArrowRight')
  await expect(notes).toHaveValue('')
})

test('a manager on a phone searches from the bar and from the menu', async ({ arrive }) => {
  const page = await arrive(phone)
  await openScreenAs(page, manager, '/admin')
  // A link that is followed before leads to the page, which has one too.
  await opens(page, () => linkIn(page, 'Busca en todo').first().click({ timeout: 1_000 }))
  await page.getByRole('combobox').fill('carlos demo')
  await expect(page.getByRole('option', { name: /^Carlos Demo/ })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.getByRole('combobox').fill('zzzz')
  await reads(page.getByRole('dialog'), 'No encontramos nada con «zzzz»')
  await page.keyboard.press('Escape')
  await expect(await openMenu(page, true)).toBeVisible()
  await linkIn(page, 'Busca en todo').first().click()
  await page.getByRole('combobox').fill('pagos')
  await page.getByRole('combobox').fill('usuarios')
  await page.getByRole('option', { name: 'Usuarios' }).click()
  await isAt(page, '/admin/users')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

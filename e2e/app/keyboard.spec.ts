import type { Locator, Page } from '@playwright/test'
import { dayOf, entersAs, isTakenOver, newCustomer, password, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('everything by keyboard: sign in, the menu, a booking', { tag: '@inHand' }, async ({ arrive }, info) => {
  const email = await newCustomer(await arrive())
  const page = await arrive()
  await signsIn(page, email)
  await usesTheSheet(page)
  await tabTo(page, page.getByRole('link', { name: 'Agendar visita' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('¿Cuándo te visitamos?')
  await chooses(page, dayOf('keyboard', info.project.name))
  await tabTo(page, page.getByRole('button', { name: 'Agendar visita' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/technics-visit?agendada')
  await tabTo(page, page.getByRole('button', { name: 'Avísame si se abre antes' }))
  await page.keyboard.press('Enter')
  await expect(toastOn(page, 'Te avisamos si se abre antes')).toBeVisible()
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: 'Avisos (F8)' }).getByRole('list')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(toastOn(page, 'Te avisamos si se abre antes')).toBeHidden()
})

test('a tab keeps the focus, and so does a search', { tag: '@once' }, async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  const main = page.locator('#contenido')
  await page.goto('/admin/agencies')
  await isTakenOver(page)
  await page.getByLabel('Buscar', { exact: true }).fill('Demo')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/text=Demo/)
  await expect(page.getByLabel('Buscar', { exact: true })).toBeFocused()
  await page.getByRole('row').getByRole('link', { name: 'Concesionaria Demo' }).click()
  await expect(main).toBeFocused()
  const tab = (name: string) => main.getByRole('link', { name, exact: true })
  await tab('Códigos').focus()
  await page.keyboard.press('Enter')
  await expect(tab('Códigos')).toHaveAttribute('aria-current', 'page')
  await expect(tab('Códigos')).toBeFocused()
  await page.goBack()
  await expect(tab('Resumen')).toHaveAttribute('aria-current', 'page')
  await expect(main).toBeFocused()
})

async function signsIn(page: Page, email: string) {
  await page.goto('/signin')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Saltar al contenido' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Correo electrónico')).toBeFocused()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hola, Ana')
}

/** The sheet holds the focus, Escape closes it and gives the focus back; following a link closes it too. */
async function usesTheSheet(page: Page) {
  const opener = page.getByRole('button', { name: 'Abrir el menú' })
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Menú' })
  await expect(sheet).toBeVisible()
  const stops = await sheet.locator('a[href], button').count()
  for (let stop = 0; stop <= stops; stop += 1) {
    await expect(sheet.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, sheet.getByRole('link', { name: 'Inicio' }))
  await page.keyboard.press('Enter')
  await expect(sheet).toBeHidden()
}

async function chooses(page: Page, nth: number) {
  const day = page.getByRole('link', { name: /horarios libres/ }).nth(nth)
  await tabTo(page, day)
  await page.keyboard.press('Enter')
  await expect(day).toHaveAttribute('aria-current', 'date')
  const slots = page.getByRole('radio')
  await tabTo(page, slots.first())
  await page.keyboard.press('Space')
  await expect(slots.first()).toBeChecked()
  await page.keyboard.press('ArrowRight')
  await expect(slots.nth(1)).toBeChecked()
  await expect(slots.nth(1)).toBeFocused()
}

/** Presses Tab until it is there, and sees that the place of the focus shows. */
async function tabTo(page: Page, target: Locator) {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reaches ${target}`)
}

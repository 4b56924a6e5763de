import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { entersAs, isTakenOver, newCustomer, openMenu } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

const manager = 'gerente@demo.mx'
const phone = '+52 1 555 555 0201'

/** Opens the search; what listens for it comes after the screen. */
const opens = (page: Page, press: () => Promise<unknown> = () => page.keyboard.press('Control+k')) =>
  expect(async () => {
    await press()
    await expect(page.getByRole('combobox')).toBeFocused({ timeout: 1_000 })
  }).toPass()

test('by keyboard alone: a caller’s number opens their page, and leads to a booking', {
  tag: '@once',
}, async ({ page }) => {
  await entersAs(page, manager)
  await page.goto('/admin/agencies')
  await isTakenOver(page)
  const opener = page.getByRole('link', { name: 'Próximas citas' })
  await opener.focus()
  await opens(page)
  const box = page.getByRole('combobox', { name: 'Busca en todo' })
  await expect(box).toBeFocused()
  await expect(page.getByRole('group', { name: 'Acciones' }).getByRole('option').first()).toHaveText(
    'Nueva cita',
  )
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()
  await expect(opener).toBeFocused()

  await page.keyboard.press('/')
  await expect(box).toBeFocused()
  await page.keyboard.type(phone)
  const found = page.getByRole('option', { name: /^Carlos Demo/ })
  await expect(found).toHaveAttribute('aria-selected', 'true')
  await expect(found).toContainText('555 555 02 01')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('option', { name: 'Agendar para Carlos Demo' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/cliente$/)
  await expect(page.locator('#contenido')).toBeFocused()

  // What was opened is kept on this device, until the sign-out.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('group', { name: 'Recientes' }).getByRole('option')).toHaveCount(2)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/nueva\?cliente=/)
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await expect(page).toHaveURL(/signin/)
  expect(await page.evaluate(() => localStorage.getItem('carga.recents'))).toBeNull()
})

test('an action by its name, and typed faster than the answer comes', { tag: '@once' }, async ({ page }) => {
  await entersAs(page, manager)
  await page.goto('/admin')
  await isTakenOver(page)
  await opens(page)
  await page.getByRole('combobox').fill('optimizar manana')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin\/assignations\/plan\?dia=/)
  // A slash that is typed into a field stays there.
  await page.goto('/admin/agencies')
  await isTakenOver(page)
  await page.getByLabel('Buscar', { exact: true }).pressSequentially('a/b')
  await expect(page.getByLabel('Buscar', { exact: true })).toHaveValue('a/b')
  await expect(page.getByRole('combobox')).toHaveCount(0)
})

test('what is typed after Enter is looked for, and opens nothing by itself', { tag: '@once' }, async ({
  page,
}) => {
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

test('what is typed about one customer does not go along to the next', { tag: '@once' }, async ({
  arrive,
}) => {
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

test('with a finger, from the bar and from the menu', async ({ page, onPhone }) => {
  await entersAs(page, manager)
  await page.goto('/admin')
  await isTakenOver(page)
  const field = () => page.getByRole(onPhone ? 'link' : 'searchbox', { name: 'Busca en todo' }).first()
  // A link that is followed before leads to the page, which has one too.
  await opens(page, () => field().click({ timeout: 1_000 }))
  await page.getByRole('combobox').fill('carlos demo')
  const found = page.getByRole('option', { name: /^Carlos Demo/ })
  await expect(found).toBeVisible()
  await findsNothing(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.getByRole('combobox').fill('zzzz')
  await expect(page.getByRole('dialog').getByText('No encontramos nada con «zzzz»')).toBeVisible()
  await page.keyboard.press('Escape')
  const menu = await openMenu(page, onPhone)
  await expect(menu).toBeVisible()
  await page
    .getByRole(onPhone ? 'link' : 'searchbox', { name: 'Busca en todo' })
    .first()
    .click()
  await page.getByRole('combobox').fill('pagos')
  await page.getByRole('combobox').fill('usuarios')
  await page.getByRole('option', { name: 'Usuarios' }).click()
  await expect(page).toHaveURL('/admin/users')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('as a page, without JavaScript too', { tag: '@plain' }, async ({ page, onPhone }) => {
  await entersAs(page, manager)
  await page.goto('/admin/buscar')
  const main = page.locator('#contenido')
  await main.getByLabel('¿Qué buscas?').fill('044 555 555 0201')
  await main.getByRole('button', { name: 'Buscar' }).click()
  await expect(main.getByRole('link', { name: /^Carlos Demo/ })).toBeVisible()
  await main.getByRole('link', { name: 'Agendar para Carlos Demo' }).click()
  await expect(page).toHaveURL(/nueva\?cliente=/)
  await expect((await openMenu(page, onPhone)).first()).toBeVisible()
})

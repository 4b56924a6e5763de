import { findsNothing } from '../kit/axe.ts'
import { entersAs } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('an appointment is found by its folio, narrowed away and found again, by keyboard', {
  tag: ['@plain', '@once'],
}, async ({ page }) => {
  await entersAs(page, 'analista@demo.mx')
  await page.goto('/admin/appointments-done')
  // The customer's name is a link too.
  const folios = page.getByRole('row').getByRole('link', { name: /^[A-Z]+-\d+-\d+/ })
  const [folio = ''] = ((await folios.first().textContent()) ?? '').match(/^\w+-\d+-\d+/) ?? []

  const search = page.getByLabel('Buscar', { exact: true })
  await search.fill(folio.toLowerCase())
  await search.press('Enter')
  await expect(page.getByText('1 cita', { exact: true })).toBeVisible()
  await expect(folios).toHaveText([new RegExp(folio)])

  const filters = page.getByText('Filtros', { exact: true })
  await filters.press('Enter')
  await page.getByLabel('Año').selectOption('2024')
  await page.getByRole('button', { name: 'Filtrar' }).press('Enter')
  await expect(page.getByText('No hay citas con estos filtros.')).toBeVisible()
  await expect(page.getByLabel('Año')).toHaveValue('2024')
  await expect(search).toHaveValue(folio.toLowerCase())
  await page.getByRole('link', { name: 'Quitar filtros' }).press('Enter')
  await expect(page).toHaveURL('/admin/appointments-done')
  await expect(search).toHaveValue('')
  await expect(folios.first()).toContainText(folio)
})

test('a figure of the manager’s home is the list that it leads to, which can be taken away', {
  tag: '@once',
}, async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  // Other stories book meanwhile.
  await expect(async () => {
    await page.goto('/admin')
    const figure = page.getByRole('link', { name: /^\d+ próximas citas$/ })
    const [count] = ((await figure.textContent()) ?? '').match(/^\d+/) ?? []
    await figure.click()
    await expect(page.getByText(`${count} citas`, { exact: true })).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await page.getByRole('link', { name: 'Esta semana' }).click()
  await expect(page.getByRole('link', { name: /^Esta semana\s*: quitar este filtro$/ })).toHaveAttribute(
    'aria-current',
    'true',
  )
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Exportar CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^proximas-citas-\d{4}-\d\d-\d\d\.csv$/)
  await page.getByText('Filtros', { exact: true }).click()
  await findsNothing(page, 'a list with its filters open')
  await page.goto('/admin')
  await findsNothing(page, 'the manager’s home')
})

import { findsNothing } from '../kit/axe.ts'
import { entersAs } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('an appointment is found by its folio, narrowed away and found again, by keyboard', {
  tag: ['@plain', '@once'],
}, async ({ javaScriptEnabled, page }) => {
  await entersAs(page, 'analista@demo.mx')
  await page.goto('/admin/appointments-done')
  const folios = page.locator('.row-link')
  const [folio = ''] = ((await folios.first().textContent()) ?? '').match(/^\w+-\d+-\d+/) ?? []

  const search = page.getByLabel('Buscar', { exact: true })
  await search.fill(folio.toLowerCase())
  await search.press('Enter')
  await expect(page.getByText('1 cita', { exact: true })).toBeVisible()
  await expect(folios).toHaveText([new RegExp(folio)])

  const filters = page.getByText('Filtros', { exact: true })
  await filters.press('Enter')
  await page.getByLabel('Año').selectOption('2024')
  // With JavaScript a choice applies at once.
  if (javaScriptEnabled === false) await page.getByRole('button', { name: 'Filtrar' }).press('Enter')
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

test('the rows of a list are reached by j and k and opened by Enter, and its pages lead forth and back', {
  tag: '@once',
}, async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/appointments-pending')
  const links = page.locator('.row-link')
  await expect(page.getByRole('button', { name: 'Teclas ?' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(links.nth(0)).toBeFocused()
  await page.keyboard.press('j')
  await expect(links.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await expect(links.nth(0)).toBeFocused()

  const search = page.getByLabel('Buscar', { exact: true })
  await search.fill('')
  await search.press('j')
  await expect(search).toHaveValue('j')
  await search.fill('')
  await search.blur()

  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Teclas de la lista' })
  await expect(help).toBeVisible()
  await findsNothing(page, 'the keys of a list')
  await page.keyboard.press('j')
  await expect(links.nth(0)).not.toBeFocused()
  await help.getByLabel('Usar atajos de una sola tecla en este equipo').uncheck()
  await help.getByRole('button', { name: 'Cerrar' }).click()
  await page.keyboard.press('j')
  await expect(links.nth(0)).not.toBeFocused()
  await page.getByRole('button', { name: 'Teclas ?' }).click()
  await help.getByLabel('Usar atajos de una sola tecla en este equipo').check()
  await page.keyboard.press('Escape')

  await search.blur()
  await page.keyboard.press('j')
  const to = await links.nth(0).getAttribute('href')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(to!)

  // The whole row is the link.
  await page.goto('/admin/appointments-pending')
  await page.getByRole('row').nth(1).getByRole('cell').nth(1).click({ force: true })
  await expect(page).toHaveURL(/appointments?-pending(-videocall)?\/./)
})

test('the menu folds to its icons, stays so on the device, and unfolds', { tag: '@once' }, async ({
  page,
}) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto('/admin')
  const menu = page.getByRole('complementary', { name: 'Menú y cuenta' })
  const width = async () => (await menu.boundingBox())?.width
  await page.getByRole('button', { name: 'Plegar el menú' }).press('Enter')
  await expect.poll(width).toBe(72)
  await findsNothing(page, 'a page beside a folded menu')
  await page.reload({ waitUntil: 'commit' })
  // Nothing is drawn before the styles have come.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
  expect(await width()).toBe(72)
  await menu.getByRole('link', { name: 'Usuarios' }).click()
  await expect(page.getByRole('heading', { name: 'Usuarios', level: 1 })).toBeVisible()
  expect(await width()).toBe(72)
  await page.getByRole('button', { name: 'Desplegar el menú' }).press('Enter')
  await expect.poll(width).toBe(320)
})

test('rows are ticked by key, by press and by page for one act, and each that cannot take it says why', {
  tag: ['@plain', '@once'],
}, async ({ javaScriptEnabled, page }) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/appointments-pending?state=assigned')
  const boxes = page.getByRole('checkbox', { name: /^Marcar [A-Z]/ })
  const confirm = page.getByRole('button', { name: 'Confirmar', exact: true })
  const rows = await boxes.count()
  expect(rows).toBeGreaterThan(1)
  await expect(confirm).toBeHidden()
  await boxes.first().check()
  await expect(confirm).toBeVisible()
  if (javaScriptEnabled !== false) {
    await expect(page.getByText('1 marcada')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Marcar toda la página' }).check()
    await expect(page.getByText(`${rows} marcadas`)).toBeVisible()
    await findsNothing(page, 'a list with ticked rows')
    await page.getByRole('button', { name: 'Quitar marcas' }).click()
    await expect(confirm).toBeHidden()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect(boxes.first()).toBeChecked()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Exportar', exact: true }).click()
    expect((await download).suggestedFilename()).toMatch(/^proximas-citas-.*\.csv$/)
  }
  await confirm.click()
  await expect(page.getByText('Ninguna quedó lista. Esta sigue como estaba:')).toBeInViewport()
  await expect(page.getByText('Su persona ya está confirmada.')).toBeVisible()
  if (javaScriptEnabled !== false) {
    await expect(boxes.first()).toBeChecked()
    await expect(page.getByRole('alert')).toBeFocused()
  }
})

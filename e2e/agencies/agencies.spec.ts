import { randomUUID } from 'node:crypto'
import { findsNothing } from '../kit/axe.ts'
import { entersAs, isSought, openMenu, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('the manager adds an agency, finds it without accents, edits it and switches it off', {
  tag: '@plain',
}, async ({ page, onPhone }) => {
  const name = `Óptimo ${randomUUID().slice(0, 8)}`
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin')
  await (await openMenu(page, onPhone)).getByRole('link', { name: 'Consecionarias' }).click()
  await page.getByRole('link', { name: 'Nueva concesionaria' }).click()

  const send = page.getByRole('button', { name: 'Registrar concesionaria' })
  await page.getByLabel('Valor de la comisión').fill('muchísimo')
  await page.getByLabel('Notas internas').fill('Cierra los lunes')
  await send.click()
  await isSought(page, page.getByLabel('Nombre'))
  await expect(page.getByLabel('Nombre')).toHaveAccessibleDescription(
    'Escribe el nombre de la concesionaria.',
  )
  await expect(page.getByLabel('Valor de la comisión')).toHaveAccessibleDescription(
    /Escribe el porcentaje como 12\.5\./,
  )
  await expect(page.getByLabel('Notas internas')).toHaveValue('Cierra los lunes')
  await page.getByLabel('Nombre').fill(name)
  await page.getByLabel('Valor de la comisión').fill('5.5')
  await page.getByLabel('Límite de los códigos').selectOption('Descuento en pesos')
  await page.getByLabel('Beneficio máximo').fill('1,500')
  await send.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)

  await page.goto('/admin/agencies')
  await page.getByLabel('Buscar', { exact: true }).fill(name.replace('Ó', 'o'))
  await page.getByRole('button', { name: 'Buscar' }).click()
  await expect(page.getByText('1 concesionaria', { exact: true })).toBeVisible()
  await page.getByRole('row').getByRole('link', { name }).click()

  await page.getByRole('link', { name: 'Datos' }).click()
  await expect(page.getByLabel('Beneficio máximo')).toHaveValue('$1,500.00')
  await page.getByLabel('Teléfono').fill('55 1234 5678')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(toastOn(page, 'Guardamos los cambios')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Historial' })).toContainText(
    'Teléfono: nada → 551 234 56 78',
  )

  await page.getByText('Desactivar', { exact: true }).click()
  await expect(page.getByText(/Ninguno de sus aliados tiene la sesión abierta\./)).toBeVisible()
  await page.getByRole('button', { name: 'Sí, desactivar' }).click()
  await expect(toastOn(page, 'Concesionaria desactivada')).toBeVisible()
  await page.getByRole('button', { name: 'Activar concesionaria' }).click()
  await expect(toastOn(page, 'Concesionaria activada')).toBeVisible()
})

test('the others read; who adds one is said', { tag: '@plain' }, async ({ page }) => {
  await entersAs(page, 'aliado@demo.mx')
  await page.goto('/admin/agencies')
  await expect(page.getByText('1 concesionaria', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Nueva concesionaria' })).toHaveCount(0)
  await page.getByRole('row').getByRole('link', { name: 'Concesionaria Demo' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Concesionaria Demo')
  // What it is paid by, and what its codes may give, is not theirs to read.
  await page.getByRole('link', { name: 'Datos' }).click()
  await expect(page.getByRole('link', { name: 'Datos' })).toHaveAttribute('aria-current', 'page')
  for (const terms of ['Comisión', 'Límite de los códigos', 'Notas internas'])
    await expect(page.getByText(terms)).toHaveCount(0)
  await page.goto('/admin/agencies/add')
  await expect(page.getByText('Solo la gerencia da de alta concesionarias')).toBeVisible()
})

test('axe finds nothing', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  for (const path of ['/admin/agencies', '/admin/agencies/add']) {
    await page.goto(path)
    await findsNothing(page)
  }
  await page.goto('/admin/agencies?active=yes')
  await page.locator('.row-link').first().click()
  await expect(page.getByRole('link', { name: 'Resumen' })).toHaveAttribute('aria-current', 'page')
  await findsNothing(page, 'the summary')
  await page.getByRole('link', { name: 'Datos' }).click()
  await page.getByRole('button', { name: 'Desactivar' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await findsNothing(page, 'the question before switching off')
  await page.goto('/admin/agencies/add')
  await page.getByRole('button', { name: 'Registrar concesionaria' }).click()
  await expect(page.getByLabel('Nombre')).toHaveAttribute('aria-invalid', 'true')
  await findsNothing(page, 'a form with errors')
})

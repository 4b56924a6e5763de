import { findsNothing } from '../kit/axe.ts'
import { entersAs, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('an ally makes a code beyond the limit; the manager approves it; it is shared, printed, paused', {
  tag: ['@plain', '@once'],
}, async ({ page, arrive, javaScriptEnabled }) => {
  await entersAs(page, 'aliado@demo.mx')
  await page.goto('/admin/alliate/codes')
  await page.getByText('Nuevo código', { exact: true }).first().click()
  const code = await page.getByLabel('Código', { exact: true }).inputValue()
  expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
  await page.getByLabel('Para qué es').fill('Feria de la ciudad')
  await page.getByLabel('Beneficio').selectOption('Porcentaje de descuento')
  await page.getByLabel('Cuánto', { exact: true }).fill('muchísimo')
  await page.getByRole('button', { name: 'Crear y activar' }).click()
  await expect(page.getByLabel('Cuánto', { exact: true })).toHaveAccessibleDescription(
    /Escribe el porcentaje como 12\.5\./,
  )
  await expect(page.getByLabel('Para qué es')).toHaveValue('Feria de la ciudad')
  if (javaScriptEnabled) await findsNothing(page, 'a new code typed wrong')
  await page.getByLabel('Cuánto', { exact: true }).fill('25')
  await page.getByRole('button', { name: 'Crear y activar' }).click()
  await expect(toastOn(page, `Guardamos el código ${code}`)).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: code })
  await expect(row).toContainText('Por aprobar')

  const manager = await arrive()
  await entersAs(manager, 'gerente@demo.mx')
  await manager.goto('/admin/agencies')
  await manager.getByRole('row').getByRole('link', { name: 'Concesionaria Demo' }).click()
  await manager.getByRole('link', { name: 'Códigos' }).click()
  await manager.getByRole('button', { name: `Aprobar ${code}`, exact: true }).click()
  await expect(toastOn(manager, `Aprobaste el código ${code}`)).toBeVisible()
  if (javaScriptEnabled) await findsNothing(manager, 'the codes of an agency')

  await page.goto(`/admin/alliate/codes?text=${code}`)
  await expect(row).toContainText('Activo')
  await row.getByText(`Compartir ${code}`).click()
  const card = await page.getByRole('link', { name: 'Tarjeta para el mostrador (PDF)' }).getAttribute('href')
  expect((await page.request.get(card!)).headers()['content-type']).toBe('application/pdf')
  await page.goto(`/admin/alliate/codes?text=${code}`)
  await row.getByText(`Cambiar ${code}`).click()
  await page.getByRole('button', { name: 'Pausar' }).click()
  await expect(toastOn(page, `El código ${code} quedó en pausa`)).toBeVisible()
})

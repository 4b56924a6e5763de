import { randomInt, randomUUID } from 'node:crypto'
import { completeProfile, entersAs, password } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

test('an ally corrects a code beyond the limit, the manager approves it, the ally prints and pauses it', async ({
  page,
  arrive,
}) => {
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
  await page.getByLabel('Cuánto', { exact: true }).fill('25')
  await page.getByRole('button', { name: 'Crear y activar' }).click()
  await expectToast(page, `Guardamos el código ${code}`)
  const row = page.getByRole('row').filter({ hasText: code })
  await expect(row).toContainText('Por aprobar')
  const manager = await arrive()
  await entersAs(manager, 'gerente@demo.mx')
  await manager.goto('/admin/agencies')
  await manager.getByRole('row').getByRole('link', { name: 'Concesionaria Demo' }).click()
  await manager.getByRole('link', { name: 'Códigos' }).click()
  await manager.getByRole('button', { name: `Aprobar ${code}`, exact: true }).click()
  await expectToast(manager, `Aprobaste el código ${code}`)
  await page.goto(`/admin/alliate/codes?text=${code}`)
  await expect(row).toContainText('Activo')
  await row.getByText(`Compartir ${code}`).click()
  const card = await page.getByRole('link', { name: 'Tarjeta para el mostrador (PDF)' }).getAttribute('href')
  expect((await page.request.get(card!)).headers()['content-type']).toBe('application/pdf')
  await page.goto(`/admin/alliate/codes?text=${code}`)
  await row.getByText(`Cambiar ${code}`).click()
  await page.getByRole('button', { name: 'Pausar' }).click()
  await expectToast(page, `El código ${code} quedó en pausa`)
})

test('an ally registers a client after an error, and sees that the client signed up', async ({
  page,
  arrive,
}) => {
  const name = `Inés ${randomUUID().replaceAll(/[^a-f]/g, '')}`
  await entersAs(page, 'aliado@demo.mx')
  await page.goto('/admin/alliate/clients')
  await page.getByRole('link', { name: 'Registrar cliente' }).click()
  await page.getByLabel('Nombre').fill(name)
  await page.getByLabel('Teléfono').fill('55 12')
  await page.getByLabel('Código').selectOption({ index: 0 })
  await page.getByRole('button', { name: 'Registrar y crear enlace' }).click()
  await expect(page.getByLabel('Teléfono')).toBeFocused()
  await expect(page.getByLabel('Nombre')).toHaveValue(name)
  await page.getByLabel('Teléfono').fill(`5588${randomInt(100_000, 999_999)}`)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Registrar y crear enlace' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} quedó en tu lista`)
  const link = (await page.getByText(/\/approach\?/).textContent())!
  await page.goto(`/admin/alliate/clients?text=${encodeURIComponent(name)}`)
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('Invitado')
  const customer = await arrive({ viewport: { width: 360, height: 740 }, hasTouch: true })
  await customer.goto(link)
  await customer
    .getByRole('link', { name: /^Agendar mi visita/ })
    .first()
    .click()
  await customer.getByLabel('Correo electrónico').fill(`persona-${randomUUID()}@example.mx`)
  await customer.getByLabel('Contraseña').fill(password)
  await customer.getByRole('button', { name: 'Crear cuenta' }).click()
  await expect(customer).toHaveURL('/completion')
  await completeProfile(customer, name, 'Del Mostrador')
  await page.reload()
  await expect(row).toContainText('Registro')
  await expect(row).not.toContainText('Mostrador')
  await row.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { name: 'En qué va' })).toBeVisible()
  await expect(page.getByText('Paso 1 de 6')).toBeVisible()
})

test('an ally reads their agency without its terms, and is refused to add one', async ({ page }) => {
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

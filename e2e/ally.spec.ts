import { randomInt, randomUUID } from 'node:crypto'
import {
  exact,
  fillForm,
  follow,
  headingIn,
  isAt,
  isTitled,
  linkIn,
  press,
  reads,
  rowWith,
  showsValue,
  visitAs,
} from './kit/parts.ts'
import { completeProfile, password } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

test('an ally corrects a code beyond the limit, the manager approves it, the ally prints and pauses it', async ({
  page,
  arrive,
}) => {
  await visitAs(page, 'aliado@demo.mx', '/admin/alliate/codes')
  await page.getByText('Nuevo código', { exact: true }).first().click()
  const code = await page.getByLabel('Código', { exact: true }).inputValue()
  expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
  await fillForm(page, { 'Para qué es': 'Feria de la ciudad', Beneficio: 'Porcentaje de descuento' })
  await page.getByLabel('Cuánto', { exact: true }).fill('muchísimo')
  await press(page, 'Crear y activar')
  await expect(page.getByLabel('Cuánto', { exact: true })).toHaveAccessibleDescription(
    /Escribe el porcentaje como 12\.5\./,
  )
  await showsValue(page, 'Para qué es', 'Feria de la ciudad')
  await page.getByLabel('Cuánto', { exact: true }).fill('25')
  await press(page, 'Crear y activar')
  await expectToast(page, `Guardamos el código ${code}`)
  const row = rowWith(page, code)
  await expect(row).toContainText('Por aprobar')
  const manager = await arrive()
  await visitAs(manager, 'gerente@demo.mx', '/admin/agencies')
  await follow(manager.getByRole('row'), 'Concesionaria Demo')
  await follow(manager, 'Códigos')
  await press(manager, `Aprobar ${code}`, exact)
  await expectToast(manager, `Aprobaste el código ${code}`)
  await page.goto(`/admin/alliate/codes?text=${code}`)
  await expect(row).toContainText('Activo')
  await row.getByText(`Compartir ${code}`).click()
  const card = await linkIn(page, 'Tarjeta para el mostrador (PDF)').getAttribute('href')
  expect((await page.request.get(card!)).headers()['content-type']).toBe('application/pdf')
  await page.goto(`/admin/alliate/codes?text=${code}`)
  await row.getByText(`Cambiar ${code}`).click()
  await press(page, 'Pausar')
  await expectToast(page, `El código ${code} quedó en pausa`)
})

test('an ally registers a client after an error, and sees that the client signed up', async ({
  page,
  arrive,
}) => {
  const name = `Inés ${randomUUID().replaceAll(/[^a-f]/g, '')}`
  await visitAs(page, 'aliado@demo.mx', '/admin/alliate/clients')
  await follow(page, 'Registrar cliente')
  await fillForm(page, { Nombre: name, Teléfono: '55 12' })
  await page.getByLabel('Código').selectOption({ index: 0 })
  await press(page, 'Registrar y crear enlace')
  await expect(page.getByLabel('Teléfono')).toBeFocused()
  await showsValue(page, 'Nombre', name)
  await page.getByLabel('Teléfono').fill(`5588${randomInt(100_000, 999_999)}`)
  await page.getByRole('checkbox').check()
  await press(page, 'Registrar y crear enlace')
  await isTitled(page, `${name} quedó en tu lista`)
  const link = (await page.getByText(/\/approach\?/).textContent())!
  await page.goto(`/admin/alliate/clients?text=${encodeURIComponent(name)}`)
  const row = rowWith(page, name)
  await expect(row).toContainText('Invitado')
  const customer = await arrive({ viewport: { width: 360, height: 740 }, hasTouch: true })
  await customer.goto(link)
  await linkIn(customer, /^Agendar mi visita/)
    .first()
    .click()
  await fillForm(customer, {
    'Correo electrónico': `persona-${randomUUID()}@example.mx`,
    Contraseña: password,
  })
  await press(customer, 'Crear cuenta')
  await isAt(customer, '/completion')
  await completeProfile(customer, name, 'Del Mostrador')
  await page.reload()
  await expect(row).toContainText('Registro')
  await expect(row).not.toContainText('Mostrador')
  await follow(row, name)
  await expect(headingIn(page, 'En qué va')).toBeVisible()
  await reads(page, 'Paso 1 de 6')
})

test('an ally reads their agency without its terms, and is refused to add one', async ({ page }) => {
  await visitAs(page, 'aliado@demo.mx', '/admin/agencies')
  await expect(page.getByText('1 concesionaria', { exact: true })).toBeVisible()
  await expect(linkIn(page, 'Nueva concesionaria')).toHaveCount(0)
  await follow(page.getByRole('row'), 'Concesionaria Demo')
  await isTitled(page, 'Concesionaria Demo')
  // What it is paid by, and what its codes may give, is not theirs to read.
  await follow(page, 'Datos')
  await expect(linkIn(page, 'Datos')).toHaveAttribute('aria-current', 'page')
  for (const terms of ['Comisión', 'Límite de los códigos', 'Notas internas'])
    await expect(page.getByText(terms)).toHaveCount(0)
  await page.goto('/admin/agencies/add')
  await reads(page, 'Solo la gerencia da de alta concesionarias')
})

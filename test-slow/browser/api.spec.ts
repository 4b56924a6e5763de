import { fillForm, follow, linkIn, openScreenAs, press, regionIn, showsValue } from '../../e2e/kit/parts.ts'
import { expect, test } from '../../e2e/kit/test.ts'

test('a manager creates a test key, and a visitor tries an operation of the API with it', async ({
  page,
  arrive,
}) => {
  await openScreenAs(page, 'gerente@demo.mx', '/admin/agencies')
  await linkIn(page, 'Concesionaria Demo').first().click()
  await follow(page, 'Integración')
  await page.getByText('Nueva llave', { exact: true }).click()
  await page.getByLabel('Para qué sistema').fill('Pruebas del CRM')
  await page.getByLabel('Es de prueba').check()
  await press(page, 'Crear llave')
  const key = (await page.getByText(/^cec_prueba_[\w-]{43}$/).textContent())!
  const visitor = await arrive()
  await visitor.goto('/api/v1#listCodes')
  const operation = regionIn(visitor, 'Ver tus códigos')
  await operation.getByText('Probar', { exact: true }).click()
  const form = operation.getByRole('form', { name: 'Probar: Ver tus códigos' })
  await press(form, 'Enviar')
  await expect(form.getByRole('status')).toContainText('key_missing')
  await fillForm(form, { 'Tu llave': key, limit: '1000' })
  await press(form, 'Enviar')
  await expect(form.getByRole('status')).toContainText('limit debe ser de 1 a 100')
  await form.getByLabel('limit').fill('10')
  await press(form, 'Enviar')
  await expect(form.getByRole('status')).toContainText('Respuesta: 200')
  await expect(form.getByRole('status')).toContainText('VERDE26')
  // The key is there for the next one too.
  const registering = regionIn(visitor, 'Registrar un cliente')
  await registering.getByText('Probar', { exact: true }).click()
  await showsValue(registering, 'Tu llave', key)
  await press(registering, 'Enviar')
  await expect(registering.getByRole('status')).toContainText('Respuesta: 201')
})

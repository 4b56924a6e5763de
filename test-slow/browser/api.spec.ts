import { entersAs } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

test('a manager creates a test key, and a visitor tries an operation of the API with it', async ({
  page,
  arrive,
}) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/agencies')
  await page.getByRole('link', { name: 'Concesionaria Demo' }).first().click()
  await page.getByRole('link', { name: 'Integración' }).click()
  await page.getByText('Nueva llave', { exact: true }).click()
  await page.getByLabel('Para qué sistema').fill('Pruebas del CRM')
  await page.getByLabel('Es de prueba').check()
  await page.getByRole('button', { name: 'Crear llave' }).click()
  const key = (await page.getByText(/^cec_prueba_[\w-]{43}$/).textContent())!
  const visitor = await arrive()
  await visitor.goto('/api/v1#listCodes')
  const operation = visitor.getByRole('region', { name: 'Ver tus códigos' })
  await operation.getByText('Probar', { exact: true }).click()
  const form = operation.getByRole('form', { name: 'Probar: Ver tus códigos' })
  await form.getByRole('button', { name: 'Enviar' }).click()
  await expect(form.getByRole('status')).toContainText('key_missing')
  await form.getByLabel('Tu llave').fill(key)
  await form.getByLabel('limit').fill('1000')
  await form.getByRole('button', { name: 'Enviar' }).click()
  await expect(form.getByRole('status')).toContainText('limit debe ser de 1 a 100')
  await form.getByLabel('limit').fill('10')
  await form.getByRole('button', { name: 'Enviar' }).click()
  await expect(form.getByRole('status')).toContainText('Respuesta: 200')
  await expect(form.getByRole('status')).toContainText('VERDE26')
  // The key is there for the next one too.
  const registering = visitor.getByRole('region', { name: 'Registrar un cliente' })
  await registering.getByText('Probar', { exact: true }).click()
  await expect(registering.getByLabel('Tu llave')).toHaveValue(key)
  await registering.getByRole('button', { name: 'Enviar' }).click()
  await expect(registering.getByRole('status')).toContainText('Respuesta: 201')
})

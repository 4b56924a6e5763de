import { randomInt, randomUUID } from 'node:crypto'
import { findsNothing } from '../kit/axe.ts'
import { completeProfile, entersAs, password } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('an ally registers somebody at the counter, who follows the link, signs up, and moves on in the list', {
  tag: '@once',
}, async ({ page, arrive }) => {
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
  await findsNothing(page, 'a client typed wrong')
  await page.getByLabel('Teléfono').fill(`5588${randomInt(100_000, 999_999)}`)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Registrar y crear enlace' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} quedó en tu lista`)
  const link = (await page.getByText(/\/approach\?/).textContent())!
  await findsNothing(page, 'the link of a client')
  await page.goto(`/admin/alliate/clients?text=${encodeURIComponent(name)}`)
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('Invitado')
  await findsNothing(page, 'the clients of an ally')

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
  await findsNothing(page, 'one client')
})

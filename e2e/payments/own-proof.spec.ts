import { findsNothing } from '../kit/axe.ts'
import { withDatabase } from '../kit/database.ts'
import { isTakenOver, newCustomer } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('a transfer is proved in two steps; the proof is changed and taken back while it waits', {
  tag: '@plain',
}, async ({ arrive, javaScriptEnabled }) => {
  const hasScript = javaScriptEnabled !== false
  const customer = await arrive()
  await isAsked(await newCustomer(customer))
  await customer.goto('/payments')
  await expect(customer.getByText('Te toca pagar $1,250.00.')).toBeVisible()
  for (const step of ['Transfiere', 'Sube tu comprobante'])
    await expect(customer.getByRole('heading', { name: step })).toBeVisible()
  for (const what of ['A nombre de', 'Banco', 'CLABE', 'Concepto', 'Monto'])
    await expect(customer.getByRole('button', { name: `Copiar ${what}` })).toHaveCount(hasScript ? 1 : 0)
  if (hasScript) {
    await isTakenOver(customer)
    await findsNothing(customer, 'a charge')
  }

  await customer.getByLabel('Comprobante', { exact: true }).setInputFiles('test/photos/sharp-facade.jpg')
  if (hasScript) await expect(customer.locator('img[src^="blob:"]')).toBeVisible()
  await customer.getByLabel('Banco desde el que pagaste').selectOption('012')
  const key = `E2E${Date.now()}`
  await customer.getByLabel('Clave de rastreo').fill(key)
  await customer.getByRole('button', { name: 'Enviar comprobante' }).click()
  // A picture is re-encoded in a process of its own, which a busy machine starts slowly.
  await expect(customer.getByText('Estamos revisando tu transferencia')).toBeVisible({ timeout: 20_000 })
  await expect(customer.getByText('Revisamos tu comprobante de $1,250.00.')).toBeVisible()
  if (hasScript) await findsNothing(customer, 'a proof that waits')

  await customer.getByText('Cambiar mi comprobante').click()
  await expect(customer.getByLabel('Clave de rastreo')).toHaveValue(key)
  await customer.getByLabel('Clave de rastreo').fill(`${key}X`)
  await customer.getByRole('button', { name: 'Cambiar comprobante' }).click()
  await expect(customer.getByText(`Buscamos la clave de rastreo ${key}X`)).toBeVisible()

  await customer.getByRole('button', { name: 'Retirar mi comprobante' }).click()
  await expect(customer.getByText('Te toca pagar $1,250.00.')).toBeVisible()
  await expect(customer.getByRole('heading', { name: 'Sube tu comprobante' })).toBeVisible()
})

/** Something to be paid by somebody. */
const isAsked = (email: string) =>
  withDatabase((client) =>
    client.query(
      `insert into payments (folio, project_id, customer_id, concept, amount)
       select next_folio('PAG', 2026), projects.id, users.id, 'cfe_paperwork', 125000
       from users join projects on projects.customer_id = users.id where users.email = $1`,
      [email],
    ),
  )

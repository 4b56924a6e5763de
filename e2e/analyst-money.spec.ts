import type { Page } from '@playwright/test'
import { withDatabase } from './kit/database.ts'
import {
  buttonIn,
  exact,
  fillForm,
  follow,
  headingIn,
  isAt,
  press,
  reads,
  regionIn,
  showsValue,
  visitAs,
} from './kit/parts.ts'
import { isHeld, newCustomer } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'
import { wasVisited } from './kit/visited.ts'

test('an analyst builds a quote in one grid by keyboard, previews it and sends it', async ({ arrive }) => {
  const customer = await arrive()
  const page = await arrive()
  const visit = await wasVisited(await newCustomer(customer))
  await visitAs(page, 'analista@demo.mx', `/admin/appointments-done/${visit}`)
  await follow(page, 'Cotizar', exact)
  const totals = page
    .getByRole('table', { name: 'Totales de cada opción' })
    .getByRole('row', { name: 'Total con IVA' })
  await expect(totals).toContainText('$27,483.60')
  const cable = row(page, 'Cable de cobre THW calibre 8 AWG, m')
  await cable.getByLabel('Precio sin IVA').fill('40')
  await expect(totals).toContainText('$27,692.40')
  await showsValue(cable, 'AWG, Completa', '45')
  await cable.getByLabel('AWG, Esencial').press('Enter')
  await expect(page.getByLabel('para tierra, Esencial')).toBeFocused()
  await cable.locator('summary').click()
  await buttonIn(cable, /^Bajar/).press('Enter')
  await expect(buttonIn(cable, /^Bajar/)).toBeFocused()
  await expect(page.getByText(/^Quedó en el lugar 2 de \d/)).toBeVisible()
  const suppressor = row(page, 'Supresor de picos').first()
  await buttonIn(suppressor, 'Agregar Supresor de picos para la línea del cargador a Esencial').press('Enter')
  await expect(suppressor.getByLabel(', Esencial')).toBeFocused()
  await suppressor.locator('summary').click()
  await press(suppressor, 'Quitar de Esencial')
  await expect(suppressor.getByLabel(', Esencial')).toHaveCount(0)
  const adding = page.getByLabel('Agrega escribiendo')
  await adding.fill('cargador 1')
  await adding.press('Enter')
  await expect(page.getByText('Hay varias partidas así. Elige cuál:')).toBeVisible()
  await adding.fill('descuento 5 %')
  await adding.press('Enter')
  await expect(adding).toHaveValue('')
  await expect(adding).toBeFocused()
  await row(page, 'Descuento').locator('summary').click()
  await press(row(page, 'Descuento'), /^Quitar Descuento/)
  await press(page, 'Vista previa')
  await expect(regionIn(page, 'Vista previa').getByText('$27,692.40').first()).toBeVisible()
  await press(page, 'Guardar borrador')
  await expectToast(page, 'Guardamos el borrador')
  await showsValue(cable, 'Precio sin IVA', '40.00')
  await press(page, 'Enviar')
  await isAt(page, /detail-quote/)
  await customer.goto('/quote')
  await expect(customer.getByText('$27,692.40').first()).toBeVisible()
})

test('an analyst asks for approval of a low price only with a reason, and keeps the draft', async ({
  arrive,
}) => {
  const customer = await arrive()
  const page = await arrive()
  const visit = await wasVisited(await newCustomer(customer))
  await visitAs(page, 'analista@demo.mx', `/admin/cotizations/add-quote/${visit}`)
  const cable = page.locator('[data-lines]').first()
  await cable.getByLabel('Precio sin IVA').fill('1')
  await press(page, 'Guardar borrador')
  await expectToast(page, 'Guardamos el borrador')
  const description = cable.getByLabel('Descripción')
  await cable.locator('summary').click()
  await description.fill('Cable hasta la azotea')
  await page.locator('summary', { hasText: 'Pedir autorización' }).click()
  const ask = buttonIn(page, 'Pedir autorización')
  await ask.click()
  await expect(page.getByText('Escribe por qué conviene, para la gerencia.').first()).toBeVisible()
  await expect(description).toHaveValue('Cable hasta la azotea')
  await page.getByLabel('¿Por qué conviene?').fill('Compra dos cargadores.')
  await ask.click()
  await expectToast(page, 'Pediste autorización')
  await expect(description).toHaveValue('Cable hasta la azotea')
})

const row = (page: Page, name: string) => page.locator('[data-lines]').filter({ hasText: name })

test('an analyst matches a bank statement with a proof and finds the payment in the ledger', async ({
  arrive,
}) => {
  const page = await arrive()
  // Of the demo: meanwhile other tests send proofs, and older ones come first.
  const folio = await withDatabase(async (client) => {
    const { rows } = await client.query<{ folio: string }>(
      `select folio from payments join users on users.id = customer_id
       where proof_id is not null and payments.state = 'in_review' and email like '%@demo.mx' limit 1`,
    )
    return rows[0]!.folio
  })
  await visitAs(page, 'analista@demo.mx', `/admin/payments?comprobante=${folio}`)
  const proof = regionIn(page, `Revisa la transferencia ${folio}`)
  const terms = (await proof.locator('dl').textContent())!
  const [, key = ''] = /Clave de rastreo([A-Z0-9]+?)Enviado/.exec(terms) ?? []
  const [, amount = ''] = /\$([\d,]+\.\d\d)/.exec(terms) ?? []
  const customer = (await proof.locator('dl').getByRole('link').first().textContent())!
  // The first page of its PDF, drawn.
  await expect(page.getByRole('img', { name: `Comprobante de ${folio}` })).toBeVisible()
  await follow(page, 'Banco')
  const csv = `Fecha;Concepto;Cargo;Abono;Clave de rastreo\n20/11/2026;SPEI RECIBIDO;;"${amount}";${key}\n21/11/2026;COMISION;58.00;;\n`
  await page
    .getByLabel('Archivo CSV')
    .setInputFiles({ name: 'nov.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await press(page, 'Subir archivo')
  await reads(page, '1 abono. Dejamos fuera 1 cargo')
  await page.getByLabel('Cuenta del banco').fill('1234')
  await press(page, 'Importar movimientos')
  await reads(page, 'Misma clave de rastreo y misma cantidad')
  await press(page, `Registrar pago de ${folio}`)
  await reads(page, 'No hay movimientos por aclarar.')
  await follow(page, 'Libro')
  await page.getByLabel('Buscar').fill(key)
  await press(page, 'Buscar')
  await reads(page.getByRole('row', { name: folio }), 'Pagado')
  await page.goto(`/admin/clients?text=${encodeURIComponent(customer)}`)
  await follow(page, customer)
  await expect(headingIn(page, customer)).toBeVisible()
  await expect(page.getByText(folio).first()).toBeVisible()
})

test('an analyst goes to the next proof by N and books one by Enter, and on a phone from a list', async ({
  arrive,
}) => {
  const emails = [await newCustomer(await arrive()), await newCustomer(await arrive())]
  const page = await arrive()
  const folios = await withDatabase(async (client) => {
    const { rows } = await client.query<{ folio: string }>(
      `insert into payments (folio, project_id, customer_id, concept, amount, state, method, proof_id, proof_sent_at, tracking_key)
       select next_folio('PAG', 2026), projects.id, users.id, 'cfe_paperwork', 125000, 'in_review', 'spei',
         (select id from documents limit 1), '2026-01-01', users.id from users
       join projects on projects.customer_id = users.id where users.email = any($1) returning folio`,
      [emails],
    )
    return rows.map(({ folio }) => folio)
  })
  await visitAs(page, 'analista@demo.mx', '/admin/payments')
  const list = page.getByRole('navigation', { name: 'Comprobantes por revisar' })
  const chosen = list.locator('[aria-current]')
  const first = (await chosen.getAttribute('href'))!
  await isHeld(chosen)
  await page.keyboard.press('n')
  await expect(chosen).not.toHaveAttribute('href', first)
  const second = (await chosen.getAttribute('href'))!
  expect([first, second].every((path) => folios.some((folio) => path.endsWith(folio)))).toBe(true)
  await expect(page.getByLabel('Comprobante elegido')).toBeFocused()
  // Until then, a key books nothing that has only just come.
  await page.waitForTimeout(700)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Pago registrado')
  await expect(list.locator(`[href="${second}"]`)).toHaveCount(0)
  const phone = await arrive()
  await phone.setViewportSize({ width: 360, height: 740 })
  await visitAs(phone, 'analista@demo.mx', '/admin/payments')
  await expect(buttonIn(phone, /^Llegó completo/)).toBeHidden()
  await phone.locator(`[href="${first}"]`).click()
  await expect(buttonIn(phone, /^Llegó completo/)).toBeVisible()
  await follow(phone, 'Todos los comprobantes')
  await expect(phone.locator(`[href="${first}"]`)).toBeVisible()
})

test('an analyst reminds a debtor; a manager is warned of a payment far too large and corrects it', async ({
  arrive,
}) => {
  const page = await arrive()
  await visitAs(page, 'analista@demo.mx', '/admin/payments')
  await follow(page, 'Por cobrar', exact)
  await expect(page.getByRole('table', { name: 'Pagos por cobrar' })).toBeVisible()
  await buttonIn(page, /^Recordar PAG/)
    .first()
    .click()
  await expectToast(page, 'Recordatorio enviado')
  await expect(page.getByText('hace un momento').first()).toBeVisible()
  const plain = await arrive({ javaScriptEnabled: false })
  await visitAs(plain, 'gerente@demo.mx', '/admin/payments/cobrar')
  await plain.locator('.row-link').first().click()
  await plain.getByText('Registrar un pago').click()
  await plain.getByLabel('Cantidad recibida').fill('9000000')
  await buttonIn(plain, 'Registrar pago').last().click()
  await expect(plain.getByText(/Son \$[\d,.]+ más de todo lo que debe/).last()).toBeVisible()
  await plain.getByLabel('Escribe otra vez la cantidad').fill('9000000')
  await press(plain, 'Sí, registrar $9,000,000.00')
  await reads(plain, 'Pago registrado')
  const wrong = plain.locator('details', { hasText: 'Está registrado de $9,000,000.00' })
  await wrong.locator('summary').click()
  await fillForm(wrong, { '¿Cuánto llegó en realidad?': '0', '¿Por qué se corrige?': 'Se tecleó de más.' })
  await press(wrong, 'Corregir pago')
  await reads(plain, 'Pago corregido')
  await expect(plain.getByText('Corregido', { exact: true }).first()).toBeVisible()
  await expect(plain.getByText('Retirado', { exact: true }).first()).toBeVisible()
})

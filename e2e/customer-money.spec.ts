import { digestOf } from '../src/quotes/benefit.ts'
import type { ChargedLine, QuoteContent, QuoteOption } from '../src/quotes/rules/content.ts'
import { addDays } from '../src/shared/calendar.ts'
import { drawnPdf } from '../test/documents/samples.ts'
import { withDatabase } from './kit/database.ts'
import {
  buttonIn,
  exact,
  fillForm,
  follow,
  headingIn,
  itemWith,
  openScreen,
  press,
  reads,
  regionIn,
  showsValue,
  visitAs,
} from './kit/parts.ts'
import { isTakenOver, newCustomer, newPerson, openMenu } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'
import { wasDone } from './kit/visited.ts'

test('a customer adds to a quote and accepts it with their full name', { tag: '@plain' }, async ({
  arrive,
  javaScriptEnabled,
  onPhone,
}) => {
  const hasScript = javaScriptEnabled !== false
  const customer = await arrive()
  const id = await wasSentTo(await newCustomer(customer))
  expect(await stateOf(id)).toBe('sent')
  if (hasScript) {
    // A link of the application loads no document.
    await openScreen(customer, '/')
    await follow(await openMenu(customer, onPhone), 'Cotización', exact)
  } else await customer.goto('/quote')
  await expect(customer.getByText('Tu cotización está lista.', { exact: false })).toBeVisible()
  await expect.poll(() => stateOf(id)).toBe('viewed')
  if (hasScript) {
    await isTakenOver(customer)
  }
  // Nothing was recommended: the first one is picked.
  await expect(customer.getByRole('radio', { name: 'Esencial' })).toBeChecked()
  await customer.getByRole('radio', { name: 'Completa' }).check()
  await customer.getByText('Qué incluye la Completa').click()
  await customer.getByRole('checkbox', { name: /Supresor/ }).check()
  if (hasScript) await expect(customer.getByText('$2,900.00').filter({ visible: true }).first()).toBeVisible()
  await press(customer, 'Revisar y aceptar')
  const step = hasScript ? customer.getByRole('dialog') : customer.getByRole('main')
  await reads(step, 'Opción Completa')
  await reads(step, 'Total con IVA')
  await expect(step.getByText('$2,900.00').first()).toBeVisible()
  const name = step.getByLabel('Tu nombre completo')
  await name.fill('Cecilia')
  await press(step, 'Aceptar cotización')
  await expect(step.getByText('Escribe tu nombre completo, como firmas.').first()).toBeVisible()
  if (hasScript) await expect(name).toBeFocused()
  await expect(name).toHaveValue('Cecilia')
  await name.fill('Camila Prueba')
  await step.getByRole('checkbox', { name: /Leí y acepto/ }).check()
  await press(step, 'Aceptar cotización')
  await reads(customer, 'La aceptaste')
  await expect(customer.getByText('Aceptaste la opción Completa', { exact: false })).toBeVisible()
  expect(await stateOf(id)).toBe('accepted')
})

const line = (id: string, description: string, pesos: number): ChargedLine => ({
  id,
  kind: 'material',
  description,
  unit: 'pieza',
  quantity: 1000,
  unitPrice: pesos * 10_000,
  iva: 16,
  satProduct: '26121600',
  satUnit: 'H87',
})

const option = (id: QuoteOption['id'], pesos: number): QuoteOption => ({
  id,
  summary: 'Lo que necesitas.',
  lines: [line('cable', 'Cable', pesos)],
  metres: null,
  addOns: [line('surge', 'Supresor de picos', 500)],
})

const stateOf = (id: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ state: string }>('select state from quotes where id = $1', [id])
    return rows[0]?.state
  })

/** A quote of two options that their customer was sent; answers its id. */
const wasSentTo = (email: string) =>
  withDatabase(async (client) => {
    const content: QuoteContent = {
      options: [option('essential', 1000), option('complete', 2000)],
      validUntil: addDays(new Date().toISOString().slice(0, 10), 15),
      depositPercent: 50,
      warrantyMonths: 12,
      exclusions: 'Obra civil.',
      refundTerms: 'Lo de siempre.',
      notes: '',
    }
    const visit = await wasDone(client, email, 'technical_visit')
    const folio = `COT-${email}`.slice(0, 40)
    const digest = digestOf({ folio, revision: 1, addressee: 'Camila Prueba', address: null, content })
    const { rows } = await client.query<{ id: string }>(
      `insert into quotes (folio, project_id, customer_id, appointment_id, state, content, digest, addressee, made_by, sent_by,
         sent_at, valid_until)
       select $2, project_id, customer_id, id, 'sent', $3, $4, 'Camila Prueba', assignee_id, assignee_id, now(),
         now() + interval '15 days' from appointments where id = $1 returning id`,
      [visit, folio, JSON.stringify(content), digest],
    )
    return rows[0]!.id
  })

test('a customer sends the proof of a transfer, changes it, withdraws it and is refused a locked PDF', {
  tag: '@plain',
}, async ({ arrive, javaScriptEnabled }) => {
  const hasScript = javaScriptEnabled !== false
  const customer = await arrive()
  await isAsked(await newCustomer(customer))
  await customer.goto('/payments')
  await reads(customer, 'Te toca pagar $1,250.00.')
  for (const step of ['Transfiere', 'Sube tu comprobante'])
    await expect(headingIn(customer, step)).toBeVisible()
  for (const what of ['A nombre de', 'Banco', 'CLABE', 'Concepto', 'Monto'])
    await expect(buttonIn(customer, `Copiar ${what}`)).toHaveCount(hasScript ? 1 : 0)
  const box = customer.getByLabel('Comprobante', { exact: true })
  if (hasScript) {
    await isTakenOver(customer)
    // Before anything is sent.
    const buffer = await drawnPdf({ userPassword: 'secreta' })
    await box.setInputFiles({ name: 'estado.pdf', mimeType: 'application/pdf', buffer })
    await reads(customer, 'Este PDF pide una contraseña. Mándanos una captura de la transferencia')
  }
  await box.setInputFiles('test/photos/sharp-facade.jpg')
  if (hasScript) await expect(customer.locator('img[src^="blob:"]')).toBeVisible()
  await customer.getByLabel('Banco desde el que pagaste').selectOption('012')
  const key = `E2E${Date.now()}`
  await customer.getByLabel('Clave de rastreo').fill(key)
  await press(customer, 'Enviar comprobante')
  // A picture is re-encoded in a process of its own, which a busy machine starts slowly.
  await expect(customer.getByText('Estamos revisando tu transferencia')).toBeVisible({ timeout: 20_000 })
  await reads(customer, 'Revisamos tu comprobante de $1,250.00.')
  await customer.getByText('Cambiar mi comprobante').click()
  await showsValue(customer, 'Clave de rastreo', key)
  await customer.getByLabel('Clave de rastreo').fill(`${key}X`)
  await press(customer, 'Cambiar comprobante')
  await reads(customer, `Buscamos la clave de rastreo ${key}X`)
  await press(customer, 'Retirar mi comprobante')
  await reads(customer, 'Te toca pagar $1,250.00.')
  await expect(headingIn(customer, 'Sube tu comprobante')).toBeVisible()
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

test('a customer gives the fiscal data that fit their RFC, and is refused without a postal code', async ({
  page,
}) => {
  await newPerson(page)
  await openScreen(page, '/fiscal')
  const offered = (label: string) => page.getByLabel(label).locator('option').allTextContents()
  await page.getByLabel('RFC', { exact: true }).fill('gode561231gr8')
  await page.getByLabel('Régimen fiscal').selectOption('605')
  expect((await offered('Régimen fiscal')).join()).not.toContain('601')
  expect((await offered('Uso de la factura')).join()).not.toContain('G03')
  await page.getByLabel('RFC', { exact: true }).fill('XAXX010101000')
  await reads(page, 'Con este RFC no hay factura individual')
  await expect(page.getByLabel('Régimen fiscal')).toHaveCount(0)
  await page.getByLabel('RFC', { exact: true }).fill('EKU9003173C9')
  await page.getByLabel('Nombre o razón social').fill('Escuela Kemper Urgate SA de CV')
  await reads(page, 'El SAT pide el nombre sin SA DE CV: lo quitamos al guardar.')
  await fillForm(page, { 'Régimen fiscal': '601', 'Uso de la factura': 'G03' })
  await press(page, 'Enviar a revisión')
  await expect(page.getByLabel('Código postal fiscal')).toBeFocused()
  await page.getByLabel('Código postal fiscal').fill('26015')
  await press(page, 'Enviar a revisión')
  await expectToast(page, 'Enviamos tus datos a revisión')
  await showsValue(page, 'Nombre o razón social', 'ESCUELA KEMPER URGATE')
  await reads(page, 'Falta tu Constancia')
})

const description = 'La luz roja parpadea y ya no carga.'

test('a customer reports a fault with a photo and is offered a visit', async ({ arrive }) => {
  const customer = await arrive()
  const manager = await arrive()
  const folio = await wasInstalledAt(await newCustomer(customer))
  await customer.goto('/installation')
  await expect(customer.getByText('WB-', { exact: false })).toBeVisible()
  await customer.getByText('Reportar una falla', { exact: true }).click()
  await press(customer, 'Enviar reporte')
  await expect(customer.getByText('Cuéntanos qué pasa, con al menos 10 caracteres.').first()).toBeVisible()
  await customer.getByLabel('¿Qué pasa?').fill(description)
  await customer.getByLabel('Elegir de la galería: Foto').setInputFiles('test/photos/sharp-meter.jpg')
  await expect(customer.getByRole('img', { name: 'Foto' })).toBeVisible()
  await press(customer, 'Enviar reporte')
  const report = regionIn(customer, 'Tu reporte de falla')
  await reads(report, description)
  await expect(report.getByText('Abierto', { exact: true })).toBeVisible()
  const picture = report.locator('img')
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  await follow(report, 'Agendar visita')
  await reads(customer, 'Es tu visita de garantía')
  await visitAs(manager, 'gerente@demo.mx', '/admin')
  await reads(itemWith(manager, `Garantía: falla reportada en la instalación ${folio}`), 'Urgente')
})

/** An installation of the customer's, done yesterday by the demo's technician; answers its folio. */
const wasInstalledAt = (email: string) =>
  withDatabase(async (client) => {
    const id = await wasDone(client, email, 'installation')
    await client.query(
      `insert into sheets (appointment_id, kind, state, submitted_at, submitted_by, reviewed_at, reviewed_by, warranty_until)
       select id, 'installation', 'approved', now(), assignee_id, now(), assignee_id, current_date + 300 from appointments where id = $1`,
      [id],
    )
    await client.query(
      `insert into sheet_answers (appointment_id, name, value, changed_at, changed_by)
       select id, 'chargerSerial', to_jsonb('WB-' || folio), now(), assignee_id from appointments where id = $1`,
      [id],
    )
    const { rows } = await client.query<{ folio: string }>('select folio from appointments where id = $1', [
      id,
    ])
    return rows[0]!.folio
  })

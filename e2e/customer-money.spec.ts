import type { ChargedLine, QuoteContent, QuoteOption } from '../src/domain/quotes/content.ts'
import { addDays } from '../src/domain/shared/calendar.ts'
import { digestOf } from '../src/server/quotes/benefit.ts'
import { withDatabase } from './kit/database.ts'
import { entersAs, isTakenOver, newCustomer, newPerson, openMenu } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

test('a customer adds to a quote and accepts it with their full name', { tag: '@plain' }, async ({
  arrive,
  javaScriptEnabled,
  onPhone,
}) => {
  const hasScript = javaScriptEnabled !== false
  const customer = await arrive()
  const email = await newCustomer(customer)
  const id = await wasSentTo(email)
  expect(await stateOf(id)).toBe('sent')
  if (hasScript) {
    // A link of the application loads no document.
    await customer.goto('/')
    await isTakenOver(customer)
    const menu = await openMenu(customer, onPhone)
    await menu.getByRole('link', { name: 'Cotización', exact: true }).click()
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
  await customer.getByRole('button', { name: 'Revisar y aceptar' }).click()
  const step = hasScript ? customer.getByRole('dialog') : customer.getByRole('main')
  await expect(step.getByText('Opción Completa')).toBeVisible()
  await expect(step.getByText('Total con IVA')).toBeVisible()
  await expect(step.getByText('$2,900.00').first()).toBeVisible()
  const name = step.getByLabel('Tu nombre completo')
  await name.fill('Cecilia')
  await step.getByRole('button', { name: 'Aceptar cotización' }).click()
  await expect(step.getByText('Escribe tu nombre completo, como firmas.').first()).toBeVisible()
  if (hasScript) await expect(name).toBeFocused()
  await expect(name).toHaveValue('Cecilia')
  await name.fill('Camila Prueba')
  await step.getByRole('checkbox', { name: /Leí y acepto/ }).check()
  await step.getByRole('button', { name: 'Aceptar cotización' }).click()
  await expect(customer.getByText('La aceptaste')).toBeVisible()
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
    const folio = `COT-${email}`.slice(0, 40)
    const digest = digestOf({ folio, revision: 1, addressee: 'Camila Prueba', address: null, content })
    const { rows } = await client.query<{ id: string }>(
      `with visit as (
         insert into appointments (folio, service, customer_id, project_id, assignee_id, starts_at, minutes, municipality, state,
           outcome, confirmed_at, started_at, finished_at, request_key, request_digest)
         select next_folio('VT', 2026), 'technical_visit', users.id, projects.id,
           (select id from users where email = 'tecnico@demo.mx'), now() - interval '30 days', 60, 'coyoacan', 'done',
           'completed', now(), now() - interval '30 days', now() - interval '29 days', gen_random_uuid(), ''
         from users join projects on projects.customer_id = users.id where users.email = $1 returning *)
       insert into quotes (folio, project_id, customer_id, appointment_id, state, content, digest, addressee, made_by, sent_by,
         sent_at, valid_until)
       select $2, project_id, customer_id, id, 'sent', $3, $4, 'Camila Prueba', assignee_id, assignee_id, now(),
         now() + interval '15 days' from visit returning id`,
      [email, folio, JSON.stringify(content), digest],
    )
    return rows[0]!.id
  })

test('a customer sends the proof of a transfer, changes it and withdraws it', { tag: '@plain' }, async ({
  arrive,
  javaScriptEnabled,
}) => {
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

test('a customer gives the fiscal data that fit their RFC, and is refused without a postal code', async ({
  page,
}) => {
  await newPerson(page)
  await page.goto('/fiscal')
  await isTakenOver(page)
  const offered = (label: string) => page.getByLabel(label).locator('option').allTextContents()
  await page.getByLabel('RFC', { exact: true }).fill('gode561231gr8')
  await page.getByLabel('Régimen fiscal').selectOption('605')
  expect((await offered('Régimen fiscal')).join()).not.toContain('601')
  expect((await offered('Uso de la factura')).map((use) => use.slice(0, 3))).toEqual([
    'Eli',
    'S01',
    'D01',
    'D02',
    'D03',
    'D04',
    'D05',
    'D06',
    'D07',
    'D08',
    'D09',
    'D10',
    'CP0',
    'CN0',
  ])
  await page.getByLabel('RFC', { exact: true }).fill('XAXX010101000')
  await expect(page.getByText('Con este RFC no hay factura individual')).toBeVisible()
  await expect(page.getByLabel('Régimen fiscal')).toHaveCount(0)
  await page.getByLabel('RFC', { exact: true }).fill('EKU9003173C9')
  await page.getByLabel('Nombre o razón social').fill('Escuela Kemper Urgate SA de CV')
  await expect(page.getByText('El SAT pide el nombre sin SA DE CV: lo quitamos al guardar.')).toBeVisible()
  await page.getByLabel('Régimen fiscal').selectOption('601')
  await page.getByLabel('Uso de la factura').selectOption('G03')
  await page.getByRole('button', { name: 'Enviar a revisión' }).click()
  await expect(page.getByLabel('Código postal fiscal')).toBeFocused()
  await page.getByLabel('Código postal fiscal').fill('26015')
  await page.getByRole('button', { name: 'Enviar a revisión' }).click()
  await expectToast(page, 'Enviamos tus datos a revisión')
  await expect(page.getByLabel('Nombre o razón social')).toHaveValue('ESCUELA KEMPER URGATE')
  await expect(page.getByText('Falta tu Constancia')).toBeVisible()
})

const description = 'La luz roja parpadea y ya no carga.'

test('a customer reports a fault with a photo and is offered a visit', async ({ arrive }) => {
  const [customer, manager] = [await arrive(), await arrive()]
  const folio = await wasInstalledAt(await newCustomer(customer))
  await customer.goto('/installation')
  await expect(customer.getByText('WB-', { exact: false })).toBeVisible()
  await customer.getByText('Reportar una falla', { exact: true }).click()
  await customer.getByRole('button', { name: 'Enviar reporte' }).click()
  await expect(customer.getByText('Cuéntanos qué pasa, con al menos 10 caracteres.').first()).toBeVisible()
  await customer.getByLabel('¿Qué pasa?').fill(description)
  await customer.getByLabel('Elegir de la galería: Foto').setInputFiles('test/photos/sharp-meter.jpg')
  await customer.getByRole('button', { name: 'Enviar reporte' }).click()
  const report = customer.getByRole('region', { name: 'Tu reporte de falla' })
  await expect(report.getByText(description)).toBeVisible()
  await expect(report.getByText('Abierto', { exact: true })).toBeVisible()
  const picture = report.locator('img')
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  await report.getByRole('link', { name: 'Agendar visita' }).click()
  await expect(customer.getByText('Es tu visita de garantía')).toBeVisible()
  await entersAs(manager, 'gerente@demo.mx')
  await manager.goto('/admin')
  const fault = `Garantía: falla reportada en la instalación ${folio}`
  const task = manager.getByRole('listitem').filter({ hasText: fault })
  await expect(task.getByText('Urgente')).toBeVisible()
})

/** An installation of the customer's, done yesterday by the demo's technician; answers its folio. */
const wasInstalledAt = (email: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string; folio: string }>(
      `insert into appointments (folio, service, customer_id, project_id, assignee_id, starts_at, minutes, municipality, state,
         outcome, confirmed_at, started_at, finished_at, request_key, request_digest)
       select next_folio('IN', 2026), 'installation', users.id, projects.id, (select id from users where email = 'tecnico@demo.mx'),
         now() - interval '1 day', 240, 'coyoacan', 'done', 'completed', now(), now() - interval '1 day', now() - interval '20 hours',
         gen_random_uuid(), ''
       from users join projects on projects.customer_id = users.id where users.email = $1 returning id, folio`,
      [email],
    )
    const [{ id, folio }] = rows as [{ id: string; folio: string }]
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
    return folio
  })

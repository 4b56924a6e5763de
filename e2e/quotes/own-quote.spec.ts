import type { ChargedLine, QuoteContent, QuoteOption } from '../../src/domain/quotes/content.ts'
import { addDays } from '../../src/domain/shared/calendar.ts'
import { digestOf } from '../../src/server/quotes/benefit.ts'
import { findsNothing } from '../kit/axe.ts'
import { withDatabase } from '../kit/database.ts'
import { isTakenOver, newCustomer, openMenu } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('a customer opens a quote, adds to an option, sees what it comes to and accepts it', {
  tag: '@plain',
}, async ({ arrive, javaScriptEnabled, onPhone }) => {
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
    await findsNothing(customer, 'a quote')
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
  if (hasScript) await findsNothing(customer, 'the last step before accepting')
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
  if (hasScript) await findsNothing(customer, 'an accepted quote')
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

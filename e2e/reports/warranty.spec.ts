import { findsNothing } from '../kit/axe.ts'
import { withDatabase } from '../kit/database.ts'
import { entersAs, newCustomer } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

const description = 'La luz roja parpadea y ya no carga.'

test('a fault is reported with a photo, and a visit for it is offered at once', { tag: '@plain' }, async ({
  arrive,
  javaScriptEnabled,
}) => {
  const [customer, manager] = [await arrive(), await arrive()]
  const folio = await wasInstalledAt(await newCustomer(customer))
  await customer.goto('/installation')
  await expect(customer.getByText('WB-', { exact: false })).toBeVisible()
  await customer.getByText('Reportar una falla', { exact: true }).click()
  await customer.getByRole('button', { name: 'Enviar reporte' }).click()
  await expect(customer.getByText('Cuéntanos qué pasa, con al menos 10 caracteres.').first()).toBeVisible()
  if (javaScriptEnabled !== false) await findsNothing(customer, 'a report of a fault')
  await customer.getByLabel('¿Qué pasa?').fill(description)
  await customer.getByLabel('Elegir de la galería: Foto').setInputFiles('test/photos/sharp-meter.jpg')
  await customer.getByRole('button', { name: 'Enviar reporte' }).click()

  const report = customer.getByRole('region', { name: 'Tu reporte de falla' })
  await expect(report.getByText(description)).toBeVisible()
  await expect(report.getByText('Abierto', { exact: true })).toBeVisible()
  const picture = report.locator('img')
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  if (javaScriptEnabled !== false) await findsNothing(customer, 'a fault that is open')
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

import { findsNothing } from '../kit/axe.ts'
import { startOwnServer, startTime } from '../kit/own-server.ts'
import { entersAs, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

// One worker tells all stories: their server is theirs alone.
test.describe.configure({ mode: 'default' })

const port = Number(process.env.E2E_PORT ?? 3210) + 1100
let server: Awaited<ReturnType<typeof startOwnServer>> | undefined
test.beforeAll(async () => {
  test.setTimeout(startTime())
  server = await startOwnServer(port, { DEMO: 'true', MODULES: 'clients,payments' })
})
test.afterAll(() => server?.stop())

test('an analyst compares the bank with a proof, finds the payment in the ledger, and follows its customer', async ({
  arrive,
}) => {
  const page = await arrive({ baseURL: server!.origin })
  await entersAs(page, 'analista@demo.mx')
  await page.goto('/admin/payments')
  const proof = page.locator('section', { hasText: 'Clave de rastreo' }).first()
  const heading = await proof.getByRole('heading').textContent()
  const folio = heading!.replace('Revisa la transferencia ', '')
  const terms = (await proof.locator('dl').textContent())!
  const [, key = ''] = /Clave de rastreo([A-Z0-9]+?)Enviado/.exec(terms) ?? []
  const [, amount = ''] = /\$([\d,]+\.\d\d)/.exec(terms) ?? []
  const customer = (await proof.locator('dl').getByRole('link').first().textContent())!
  await findsNothing(page, 'the queue of proofs')
  await page.getByRole('link', { name: 'Banco' }).click()
  const csv = `Fecha;Concepto;Cargo;Abono;Clave de rastreo\n20/11/2026;SPEI RECIBIDO;;"${amount}";${key}\n21/11/2026;COMISION;58.00;;\n`
  await page
    .getByLabel('Archivo CSV')
    .setInputFiles({ name: 'nov.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByRole('button', { name: 'Subir archivo' }).click()
  await expect(page.getByText('1 abono. Dejamos fuera 1 cargo')).toBeVisible()
  await findsNothing(page, 'the columns of a file')
  await page.getByRole('button', { name: 'Importar movimientos' }).click()
  await expect(page.getByText('Misma clave de rastreo y misma cantidad')).toBeVisible()
  await findsNothing(page, 'movements and payments')
  await page.getByRole('button', { name: `Registrar pago de ${folio}` }).click()
  await expect(page.getByText('No hay movimientos por aclarar.')).toBeVisible()
  await page.getByRole('link', { name: 'Libro' }).click()
  await page.getByLabel('Buscar').fill(key)
  await page.getByRole('button', { name: 'Buscar' }).click()
  const row = page.getByRole('row', { name: folio })
  await expect(row.getByText('Pagado')).toBeVisible()
  await findsNothing(page, 'the ledger')
  await page.goto(`/admin/clients?text=${encodeURIComponent(customer)}`)
  await findsNothing(page, 'customers')
  await page.getByRole('link', { name: customer }).click()
  await expect(page.getByRole('heading', { name: customer })).toBeVisible()
  await expect(page.getByText(folio).first()).toBeVisible()
  await findsNothing(page, 'a customer')
  for (const path of ['/admin/clients?parte=llamar', '/admin/cifras']) {
    await page.goto(path)
    await findsNothing(page, path)
  }
})

test('who owes is reminded; a payment far too large is said before it is booked, and put right after, without scripts', async ({
  arrive,
}) => {
  const page = await arrive({ baseURL: server!.origin })
  await entersAs(page, 'analista@demo.mx')
  await page.goto('/admin/payments')
  await page.getByRole('link', { name: 'Por cobrar' }).click()
  await expect(page.getByRole('table', { name: 'Pagos por cobrar' })).toBeVisible()
  await findsNothing(page, 'who owes what')
  await page
    .getByRole('button', { name: /^Recordar PAG/ })
    .first()
    .click()
  await expect(toastOn(page, 'Recordatorio enviado').first()).toBeVisible()
  await expect(page.getByText(/^Recordatorio enviado/).first()).toBeVisible()

  const plain = await arrive({ baseURL: server!.origin, javaScriptEnabled: false })
  await entersAs(plain, 'gerente@demo.mx')
  await plain.goto('/admin/payments/cobrar')
  await plain.locator('.row-link').first().click()
  await plain.getByText('Registrar un pago').click()
  await plain.getByLabel('Cantidad recibida').fill('9000000')
  await plain.getByRole('button', { name: 'Registrar pago' }).last().click()
  await expect(plain.getByText(/Son \$[\d,.]+ más de todo lo que debe/).last()).toBeVisible()
  await plain.getByLabel('Escribe otra vez la cantidad').fill('9000000')
  await plain.getByRole('button', { name: 'Sí, registrar $9,000,000.00' }).click()
  await expect(plain.getByText('Pago registrado')).toBeVisible()
  const wrong = plain.locator('details', { hasText: 'Está registrado de $9,000,000.00' })
  await wrong.locator('summary').click()
  await wrong.getByLabel('¿Cuánto llegó en realidad?').fill('0')
  await wrong.getByLabel('¿Por qué se corrige?').fill('Se tecleó de más.')
  await wrong.getByRole('button', { name: 'Corregir pago' }).click()
  await expect(plain.getByText('Pago corregido')).toBeVisible()
  await expect(plain.getByText('Corregido', { exact: true }).first()).toBeVisible()
  await expect(plain.getByText('Retirado', { exact: true }).first()).toBeVisible()
})

test('the figures of another month, with their charts, without scripts', async ({ arrive }) => {
  const page = await arrive({ baseURL: server!.origin, javaScriptEnabled: false })
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Ver Cifras' }).click()
  await page.getByRole('link', { name: 'Mes pasado' }).click()
  await expect(page).toHaveURL(/periodo=mes-anterior/)
  await expect(page.getByRole('img', { name: /^Gráfica de lo cobrado/ })).toBeVisible()
  await page.locator('summary', { hasText: 'Ver tabla de ingresos por mes' }).click()
  await expect(page.getByRole('table', { name: 'Ingresos por mes' })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV de ingresos por mes' }).click()
  expect((await download).suggestedFilename()).toMatch(/^ingresos-por-mes-.*\.csv$/)
})

test('a manager confirms from home what was proposed: one without scripts, and all by keyboard', async ({
  arrive,
}) => {
  const plain = await arrive({ baseURL: server!.origin, javaScriptEnabled: false })
  await entersAs(plain, 'gerente@demo.mx')
  await plain.goto('/admin')
  const one = plain.getByRole('button', { name: /^Confirmar\s*: / }).first()
  const name = (await one.textContent())!.replace(/^Confirmar\s*: /, '')
  await one.click()
  await expect(plain.getByText('Cita asignada')).toBeVisible()
  await expect(plain.getByText('Avisamos al cliente y a su técnico.')).toBeVisible()
  expect(name).not.toBe('')

  const page = await arrive({ baseURL: server!.origin })
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin')
  await expect(page.getByText(/^Tienes \d+ cosas por resolver\.$/)).toBeVisible()
  const work = page.getByRole('region', { name: 'Para hoy' })
  await findsNothing(page, 'the manager’s home')
  await work.locator('summary', { hasText: 'Confirmar todas' }).focus()
  await page.keyboard.press('Enter')
  const all = work.getByRole('button', { name: /^Confirmar las \d+$/ })
  await expect(all).toBeVisible()
  await findsNothing(page, 'what one press confirms')
  await page.keyboard.press('Tab')
  await expect(all).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^\d+ citas? asignadas?$/)).toBeVisible()
  await expect(all).toHaveCount(0)

  const desk = await arrive({ baseURL: server!.origin })
  await entersAs(desk, 'analista@demo.mx')
  await desk.goto('/admin')
  await findsNothing(desk, 'the analyst’s home')
  await desk
    .getByRole('region', { name: 'Para hoy' })
    .getByRole('link', { name: /^Cotizar\s*: / })
    .first()
    .click()
  await expect(desk).toHaveURL(/add-quote/)
})

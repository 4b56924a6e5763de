import type { Page } from '@playwright/test'
import { withDatabase } from './kit/database.ts'
import { isTakenOver, signIn } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'

test('a gester validates the papers that a customer hands in and files the case with CFE', async ({
  arrive,
}) => {
  const { email, id } = await gathering()
  const [customer, gester] = [await arrive(), await arrive()]
  await signIn(customer, email)
  await customer.goto('/installation')
  await isTakenOver(customer)
  await expect(customer.getByText('Se ve borroso.')).toBeVisible()
  await handsIn(customer, 'Recibo de CFE sin adeudo', 'Cambiar el archivo')
  await handsIn(customer, 'Escritura, predial o contrato de arrendamiento', 'Subir el archivo')
  await expect(
    customer.getByText('Seguimos con tu trámite ante CFE. No tienes que hacer nada.'),
  ).toBeVisible()
  await signIn(gester, 'gestor@demo.mx')
  await gester.goto('/admin/gesties?turn=gester')
  await isTakenOver(gester)
  await gester
    .getByRole('checkbox', { name: /^Marcar GES-/ })
    .first()
    .check()
  await gester.goto(`/admin/gesties/${id}`)
  await isTakenOver(gester)
  for (const left of [2, 1, 0]) {
    await gester.getByRole('button', { name: 'Validar' }).first().click()
    await expect(gester.getByRole('button', { name: 'Validar' })).toHaveCount(left)
  }
  await gester.getByRole('button', { name: 'Expediente completo' }).click()
  await gester.getByLabel('Número de solicitud que dio CFE').fill('SOL-2026-1')
  await gester.getByRole('button', { name: 'Ya lo ingresé' }).click()
  await expect(gester.getByRole('heading', { name: 'Le toca a: CFE' })).toBeVisible()
  await expect(customer.getByText('CFE está revisando tu trámite.')).toBeVisible()
  await expect(customer.getByText('Solicitud en CFE: SOL-2026-1')).toBeVisible()
})

test('a gester adds a paper that CFE asked for only with a name, and prints the cases', async ({
  arrive,
}) => {
  const id = await withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string }>(`select id from cfe_cases where state = 'observed'`)
    return rows[0]!.id
  })
  const page = await arrive()
  await signIn(page, 'gestor@demo.mx')
  await page.goto(`/admin/gesties/${id}`)
  await isTakenOver(page)
  await expect(page.getByRole('heading', { name: 'Te toca a ti' })).toBeVisible()
  await page.getByText('CFE pide otro documento').click()
  await page.getByLabel('¿Cuál?').selectOption('Otro')
  await page.getByRole('button', { name: 'Agregar a la lista' }).click()
  await expect(page.getByLabel('Si es otro, cómo se llama')).toHaveAccessibleDescription(/qué documento es/)
  await page.getByLabel('Si es otro, cómo se llama').fill('Plano de la cochera')
  await page.getByRole('button', { name: 'Agregar a la lista' }).click()
  const item = page
    .getByRole('listitem')
    .filter({ hasText: 'Plano de la cochera' })
    .filter({ hasText: 'Lo pidió CFE' })
  await expect(item.getByText('Falta', { exact: true })).toBeVisible()
  // Its row stands open: it is the next thing to do.
  await item.getByLabel('Plano de la cochera').setInputFiles(paperFile('Plano'))
  await item.getByRole('button', { name: 'Subir' }).click()
  await expect(item.getByText('Validado', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Ya se corrigió' }).click()
  await expect(page.getByRole('button', { name: 'CFE ya lo está revisando' })).toBeVisible()
  await page.goto('/admin/gesties')
  await isTakenOver(page)
  await page
    .getByRole('checkbox', { name: /^Marcar GES-/ })
    .first()
    .check()
  const opened = page.waitForRequest(/papers\/tramites\/ventanilla\.pdf\?/)
  await page.getByRole('button', { name: 'Imprimir para CFE' }).click()
  const printed = await page.request.get((await opened).url())
  expect(printed.headers()['content-type']).toBe('application/pdf')
})

const paperFile = (words: string) => ({
  name: 'papel.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from(`%PDF-1.7\n% ${words}\n%%EOF\n`),
})

/** The demo's change of name, of which papers are missing, and whose it is. */
const gathering = () =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string; email: string }>(
      `select cfe_cases.id, users.email from cfe_cases join users on users.id = cfe_cases.customer_id
       where cfe_cases.kind = 'name_change' and state = 'gathering'`,
    )
    return rows[0]!
  })

async function handsIn(page: Page, paper: string, summary: string) {
  const item = page.getByRole('listitem').filter({ hasText: paper })
  await item.getByText(summary).click()
  await item.getByLabel(paper).setInputFiles(paperFile(paper))
  await item.getByRole('button', { name: 'Entregar' }).click()
  await expect(item.getByText('Por revisar')).toBeVisible()
}

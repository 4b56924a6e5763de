import type { Page } from '@playwright/test'
import { pdf } from '../test/documents/samples.ts'
import { withDatabase } from './kit/database.ts'
import { buttonIn, headingIn, itemWith, openScreen, press, reads, showsError } from './kit/parts.ts'
import { signIn } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'

test('a gester validates the papers that a customer hands in and files the case with CFE', async ({
  arrive,
}) => {
  const { email, id } = await gathering()
  const customer = await arrive()
  const gester = await arrive()
  await signIn(customer, email)
  await openScreen(customer, '/installation')
  await reads(customer, 'Se ve borroso.')
  await handsIn(customer, 'Recibo de CFE sin adeudo', 'Cambiar el archivo')
  await handsIn(customer, 'Escritura, predial o contrato de arrendamiento', 'Subir el archivo')
  await reads(customer, 'Seguimos con tu trámite ante CFE. No tienes que hacer nada.')
  await signIn(gester, 'gestor@demo.mx')
  await openScreen(gester, '/admin/gesties?turn=gester')
  await gester
    .getByRole('checkbox', { name: /^Marcar GES-/ })
    .first()
    .check()
  await openScreen(gester, `/admin/gesties/${id}`)
  for (const left of [2, 1, 0]) {
    await buttonIn(gester, 'Validar').first().click()
    await expect(buttonIn(gester, 'Validar')).toHaveCount(left)
  }
  await press(gester, 'Expediente completo')
  await gester.getByLabel('Número de solicitud que dio CFE').fill('SOL-2026-1')
  await press(gester, 'Ya lo ingresé')
  await expect(headingIn(gester, 'Le toca a: CFE')).toBeVisible()
  await reads(customer, 'CFE está revisando tu trámite.')
  await reads(customer, 'Solicitud en CFE: SOL-2026-1')
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
  await openScreen(page, `/admin/gesties/${id}`)
  await expect(headingIn(page, 'Te toca a ti')).toBeVisible()
  await handsIn(page, 'Croquis de localización', 'Cambiar el archivo', 'Subir')
  await page.getByText('CFE pide otro documento').click()
  await page.getByLabel('¿Cuál?').selectOption('Otro')
  await press(page, 'Agregar a la lista')
  await showsError(page, 'Si es otro, cómo se llama', /qué documento es/)
  await page.getByLabel('Si es otro, cómo se llama').fill('Plano de la cochera')
  await press(page, 'Agregar a la lista')
  const item = itemWith(page, 'Plano de la cochera').filter({ hasText: 'Lo pidió CFE' })
  await expect(item.getByText('Falta', { exact: true })).toBeVisible()
  // Its row stands open: it is the next thing to do.
  await item.getByLabel('Plano de la cochera').setInputFiles(paperFile('Plano'))
  await press(item, 'Subir')
  await expect(item.getByText('Validado', { exact: true })).toBeVisible()
  await press(page, 'Ya se corrigió')
  await expect(buttonIn(page, 'CFE ya lo está revisando')).toBeVisible()
  await openScreen(page, '/admin/gesties')
  await page
    .getByRole('checkbox', { name: /^Marcar GES-/ })
    .first()
    .check()
  const opened = page.waitForRequest(/papers\/tramites\/ventanilla\.pdf\?/)
  await press(page, 'Imprimir para CFE')
  expect((await page.request.get((await opened).url())).headers()['content-type']).toBe('application/pdf')
})

const paperFile = (words: string) => ({
  name: 'papel.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.concat([pdf(), Buffer.from(`% ${words}\n`)]),
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

async function handsIn(page: Page, paper: string, summary: string, button = 'Entregar') {
  const item = itemWith(page, paper)
  await item.getByText(summary).click()
  await item.getByLabel(paper).setInputFiles(paperFile(paper))
  await press(item, button)
  await reads(item, button === 'Subir' ? 'Validado' : 'Por revisar')
}

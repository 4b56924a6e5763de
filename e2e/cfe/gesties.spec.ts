import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { withDatabase } from '../kit/database.ts'
import { startOwnServer } from '../kit/own-server.ts'
import { isTakenOver, signIn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

let server: Awaited<ReturnType<typeof startOwnServer>>
test.beforeAll(async () => {
  const port = Number(process.env.E2E_PORT ?? 3210) + 740
  server = await startOwnServer(port, { DEMO: 'true', MODULES: 'gesties' })
})
test.afterAll(() => server.stop())

test('a case with CFE: the customer hands in what is missing, the gester validates it and files it', {
  tag: '@once',
}, async ({ arrive }) => {
  const { email, id } = await gathering(server.folder)
  const [customer, gester] = [
    await arrive({ baseURL: server.origin }),
    await arrive({ baseURL: server.origin }),
  ]
  await signIn(customer, email)
  await customer.goto('/installation')
  await isTakenOver(customer)
  await expect(customer.getByText('Se ve borroso.')).toBeVisible()
  await handsIn(customer, 'Recibo de CFE sin adeudo', 'Cambiar el archivo')
  await handsIn(customer, 'Escritura, predial o contrato de arrendamiento', 'Subir el archivo')
  await expect(
    customer.getByText('Seguimos con tu trámite ante CFE. No tienes que hacer nada.'),
  ).toBeVisible()
  await findsNothing(customer, 'a case of one’s own')

  await signIn(gester, 'gestor@demo.mx')
  await gester.goto('/admin/gesties?turn=gester')
  await findsNothing(gester, 'the list of cases')
  await gester.goto(`/admin/gesties/${id}`)
  await isTakenOver(gester)
  for (const left of [2, 1, 0]) {
    await gester.getByRole('button', { name: 'Validar' }).first().click()
    await expect(gester.getByRole('button', { name: 'Validar' })).toHaveCount(left)
  }
  await findsNothing(gester, 'a case')
  await gester.getByRole('button', { name: 'Expediente completo' }).click()
  await gester.getByLabel('Número de solicitud que dio CFE').fill('SOL-2026-1')
  await gester.getByRole('button', { name: 'Ingresar en CFE' }).click()
  await expect(gester.getByRole('heading', { name: 'Le toca a: CFE' })).toBeVisible()

  await expect(customer.getByText('CFE está revisando tu trámite.')).toBeVisible()
  await expect(customer.getByText('Solicitud en CFE: SOL-2026-1')).toBeVisible()
})

/** The demo's change of name, of which papers are missing, and whose it is. */
const gathering = (folder: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string; email: string }>(
      `select cfe_cases.id, users.email from cfe_cases join users on users.id = cfe_cases.customer_id
       where cfe_cases.kind = 'name_change' and state = 'gathering'`,
    )
    return rows[0]!
  }, folder)

async function handsIn(page: Page, paper: string, summary: string) {
  const item = page.getByRole('listitem').filter({ hasText: paper })
  await item.getByText(summary).click()
  await item.getByLabel(paper).setInputFiles({
    name: 'papel.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(`%PDF-1.7\n% ${paper}\n%%EOF\n`),
  })
  await item.getByRole('button', { name: 'Entregar' }).click()
  await expect(item.getByText('Por revisar')).toBeVisible()
}

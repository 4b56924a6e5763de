import { withDatabase } from '../../e2e/kit/database.ts'
import { openScreen, openScreenAs, press, reads } from '../../e2e/kit/parts.ts'
import { newCustomer } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { expectToast } from '../../e2e/kit/toasts.ts'
import { wasVisited } from '../../e2e/kit/visited.ts'

test('an analyst goes through a report by keys, and turns the keys off', async ({ arrive }) => {
  const customer = await arrive()
  const page = await arrive()
  const visit = await wasVisited(await newCustomer(customer), { state: 'submitted' })
  await openScreenAs(page, 'analista@demo.mx', `/admin/appointments-done/${visit}`)
  await reads(page, 'recorren secciones y fotos')
  const headings = page.locator('#evidencia h2')
  await page.keyboard.press('j')
  await expect(headings.nth(0)).toBeFocused()
  await page.keyboard.press('j')
  await expect(headings.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await expect(headings.nth(0)).toBeFocused()
  await openScreen(page, '/admin/account')
  await page.getByLabel('Usar atajos de una sola tecla en este equipo').uncheck()
  await press(page, 'Guardar teclas')
  await expectToast(page, 'Apagamos los atajos de una sola tecla')
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await openScreen(page, `/admin/appointments-done/${visit}`)
  await page.keyboard.press('j')
  await expect(headings.nth(0)).not.toBeFocused()
  await expect(page.getByText('recorren secciones y fotos')).toHaveCount(0)
})

test('a manager sees no photo of a report cover its answers', async ({ page }) => {
  const visit = await withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select appointment_id as id from files join sheets using (appointment_id)
       where sheets.kind = 'visit' group by 1 order by count(*) desc limit 1`,
    )
    return rows[0]!.id
  })
  await openScreenAs(page, 'gerente@demo.mx', `/admin/appointments-done/${visit}`)
  const rows = page.locator('#evidencia div:has(> ul):has(> dl)')
  await expect(rows.first()).toBeVisible()
  const covered = await rows.evaluateAll(
    (all) =>
      all.filter((row) => {
        const photo = row.querySelector('li')!
        const answers = row.querySelector('dl')!
        return photo.getBoundingClientRect().right > answers.getBoundingClientRect().left
      }).length,
  )
  expect(covered).toBe(0)
})

import { withDatabase } from '../../e2e/kit/database.ts'
import { entersAs, isTakenOver, newCustomer, toastOn } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { wasVisited } from '../../e2e/kit/visited.ts'

test('an analyst reviews a report by keys, and turns the keys off', async ({ arrive }) => {
  const [customer, page] = [await arrive(), await arrive()]
  const visit = await wasVisited(await newCustomer(customer), { state: 'submitted' })
  await entersAs(page, 'analista@demo.mx')
  await page.goto(`/admin/appointments-done/${visit}`)
  await isTakenOver(page)
  await expect(page.getByText('recorren secciones y fotos')).toBeVisible()
  const headings = page.locator('#evidencia h2')
  await page.keyboard.press('j')
  await expect(headings.nth(0)).toBeFocused()
  await page.keyboard.press('j')
  await expect(headings.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await expect(headings.nth(0)).toBeFocused()
  await page.keyboard.press('d')
  const quote = page.getByRole('button', { name: 'Aprobar y cotizar' })
  await expect(quote).toBeFocused()
  await expect(quote).toBeInViewport()
  await page.keyboard.press('k')
  await expect(headings.last()).toBeFocused()
  await page.keyboard.press('j')
  await expect(quote).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toContainText('Antes de aprobarlo, corrige')
  await page.goto('/admin/account')
  await isTakenOver(page)
  await page.getByLabel('Usar atajos de una sola tecla en este equipo').uncheck()
  await page.getByRole('button', { name: 'Guardar teclas' }).click()
  await expect(toastOn(page, 'Apagamos los atajos de una sola tecla')).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto(`/admin/appointments-done/${visit}`)
  await isTakenOver(page)
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
  await entersAs(page, 'gerente@demo.mx')
  await page.goto(`/admin/appointments-done/${visit}`)
  const rows = page.locator('#evidencia div:has(> ul):has(> dl)')
  await expect(rows.first()).toBeVisible()
  const covered = await rows.evaluateAll(
    (all) =>
      all.filter((row) => {
        const [photo, answers] = [row.querySelector('li')!, row.querySelector('dl')!]
        return photo.getBoundingClientRect().right > answers.getBoundingClientRect().left
      }).length,
  )
  expect(covered).toBe(0)
})

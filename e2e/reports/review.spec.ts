import { findsNothing } from '../kit/axe.ts'
import { withDatabase } from '../kit/database.ts'
import { entersAs, isTakenOver, newCustomer, toastOn } from '../kit/steps.ts'
import { wasVisited } from '../kit/visited.ts'
import { expect, test } from '../kit/world.ts'

test('a report is judged by what it contradicts, and the press that quotes it says what it still lacks', {
  tag: '@plain',
}, async ({ arrive, javaScriptEnabled }) => {
  const [customer, page] = [await arrive(), await arrive()]
  const answers = { notes: 'Falta la administración del condominio.' }
  const visit = await wasVisited(await newCustomer(customer), { answers, state: 'submitted' })
  await entersAs(page, 'analista@demo.mx')
  await page.goto(`/admin/appointments-done/${visit}`)
  if (javaScriptEnabled !== false) await isTakenOver(page)
  await expect(page.getByText('Revisa antes de aprobar')).toBeVisible()
  await expect(page.getByText('El permiso del condominio dice No, y el reporte dice').first()).toBeVisible()
  if (javaScriptEnabled !== false) await findsNothing(page, 'the review of a report')
  await page.getByRole('link', { name: 'Ir a la decisión' }).click()
  await expect(page.getByRole('button', { name: 'Aprobar y cotizar' })).toBeInViewport()
  await page.getByRole('button', { name: 'Aprobar y cotizar' }).click()
  // It has no photos: nothing is approved, and nothing quoted.
  await expect(page.getByRole('main')).toContainText('Antes de aprobarlo, corrige')
})

test('a report is gone through and decided by keys, which can be switched off', {
  tag: '@once',
}, async ({ arrive }) => {
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

test('a report with photos is gone through by keys, approved into its quote, and the next one is a press away', {
  tag: '@once',
}, async ({ arrive }) => {
  const [customer, other, page] = [await arrive(), await arrive(), await arrive()]
  const visit = await wasVisited(await newCustomer(customer), { photos: true, state: 'submitted' })
  await wasVisited(await newCustomer(other), { state: 'submitted' })
  await entersAs(page, 'analista@demo.mx')
  await page.goto(`/admin/appointments-done/${visit}`)
  // The keys say themselves once they act.
  await expect(page.getByText('recorren secciones y fotos')).toBeVisible()
  const photo = page.locator('#evidencia a[href^="/files/"]').first()
  const isThere = () => photo.evaluate((link) => link === document.activeElement)
  for (let presses = 0; presses < 5 && !(await isThere()); presses++) await page.keyboard.press('j')
  await expect(photo).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(photo).toBeFocused()
  await page.keyboard.press('d')
  await expect(page.getByRole('button', { name: 'Aprobar y cotizar' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/admin/cotizations/add-quote/${visit}`)
  await expect(toastOn(page, 'Aprobado')).toBeVisible()
  await expect(page.getByText('Propusimos estas partidas con el reporte de la visita')).toBeVisible()
  await page.goto(`/admin/appointments-done/${visit}`)
  await page.getByRole('link', { name: /^Siguiente por revisar/ }).click()
  await expect(page.getByRole('button', { name: 'Aprobar', exact: true })).toBeVisible()
  expect(page.url()).not.toContain(visit)
})

test('no photo of a report covers the answers beside it', async ({ page }) => {
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

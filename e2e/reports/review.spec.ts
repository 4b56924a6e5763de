import { findsNothing } from '../kit/axe.ts'
import { entersAs, isTakenOver, newCustomer } from '../kit/steps.ts'
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

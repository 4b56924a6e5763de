import { onServer } from '../../e2e/kit/onsite-rows.ts'
import { buttonIn, openScreen, openScreenAs, press, reads, showsValue } from '../../e2e/kit/parts.ts'
import { tooLarge } from '../../e2e/kit/sheet-steps.ts'
import { entersAs, isHeld, isTakenOver } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { visitToday } from './kit/today.ts'

test('a technician’s incomplete answers stay on the phone and are not called saved', async ({
  page,
  team,
}) => {
  const { folio, here } = await visitToday(team)
  await entersAs(page, team.email)
  await openScreen(page, `${here}?seccion=cargas`)
  const group = page.locator('#loads')
  const rows = group.locator('[data-row]').filter({ visible: true })
  await isHeld(buttonIn(group, 'Otro aparato'))
  for (const named of ['Minisplit 1 t', 'Bomba ½ hp', 'Otro aparato']) await press(group, named)
  await rows.nth(0).getByLabel('Watts').fill('1500')
  await rows.nth(1).getByLabel('Watts').fill('750')
  await reads(page, 'Falta completar un aparato')
  await expect(page.getByText('Guardado', { exact: true })).toHaveCount(0)
  await page.reload()
  await expect(rows).toHaveCount(3)
  await showsValue(rows.nth(1), 'Watts', '750')
  await rows.nth(0).getByLabel('Watts').fill('1800')
  await reads(page, 'Falta completar un aparato')
  await expect
    .poll(async () => (await onServer(folio)).answers.loads, { timeout: 15_000 })
    .toEqual([
      { kind: 'cooling', name: 'Minisplit 1 t', watts: 1800, quantity: 1 },
      { kind: 'other', name: 'Bomba ½ hp', watts: 750, quantity: 1 },
    ])
  await openScreen(page, `${here}?seccion=tablero`)
  await page.getByLabel('Polos libres').fill('999')
  await reads(page, 'Falta completar 2 datos')
  await page.reload()
  await showsValue(page, 'Polos libres', '999')
  await reads(page, 'Escribe un número de 0 a 42 polos.')
  await page.getByLabel('Polos libres').fill('2')
  await page.getByLabel('Polos libres').blur()
  await reads(page, 'Falta completar un aparato')
  // From here on only what is typed next can be on its way.
  await expect.poll(async () => (await onServer(folio)).answers.sparePoles, { timeout: 15_000 }).toBe(2)
  await page.goto(`${here}?seccion=cargas`)
  await showsValue(rows.nth(0), 'Watts', '1800')
  await isTakenOver(page)
  await rows.nth(2).getByRole('textbox', { name: 'Aparato' }).fill('Horno')
  await rows.nth(2).getByRole('combobox').selectOption('other')
  await rows.nth(2).getByLabel('Watts').fill('3000')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible({ timeout: 15_000 })
  const { loads, sparePoles } = (await onServer(folio)).answers
  expect(sparePoles).toBe(2)
  expect(loads).toHaveLength(3)
  // Each key is written while the one before still is.
  await rows.nth(2).getByLabel('Watts').fill('10')
  await rows.nth(2).getByLabel('Watts').pressSequentially('00')
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible({ timeout: 15_000 })
})

test('a technician sees nothing move when an error replaces the help of a field', async ({ page, team }) => {
  const { here } = await visitToday(team)
  await entersAs(page, team.email)
  await opens('medidor')
  await page.locator('#cfeServiceNumber > details > summary').click()
  await leaves('#cfeServiceNumber', '12345', 'Escribe los 12 dígitos.')
  await leaves('#poleDistance', '400', 'Escribe un número de 0 a 300 m.')
  await opens('tablero')
  await leaves('#mainBreaker', '60.5', 'Escríbelo sin decimales.')
  await leaves('#sparePoles', '999', 'Escribe un número de 0 a 42 polos.')
  await leaves('#voltsL1N', '127.55', 'Escríbelo sin centésimas.')
  await opens('cargas')
  await isHeld(buttonIn(page, 'Otro aparato'))
  await press(page, 'Otro aparato')
  await leaves(
    '#loads [data-row]:has([data-part=watts]:focus, [data-part=name]:focus)',
    'Horno',
    'Watts de Horno',
  )
  async function opens(section: string) {
    await openScreen(page, `${here}?seccion=${section}`)
  }
  async function leaves(field: string, wrong: string, message: string) {
    const foot = page.getByText(/^Todas las secciones/)
    const whereIsFoot = () => foot.evaluate((it) => Math.round(it.getBoundingClientRect().top + scrollY))
    const box = page.locator(field).getByRole('textbox').first()
    // Before React has it, nothing is told of what is left.
    await isHeld(box)
    await box.fill(wrong)
    const before = await whereIsFoot()
    await page.getByRole('heading', { level: 1 }).focus()
    await reads(page.locator('form#preguntas'), message)
    expect(await whereIsFoot(), message).toBe(before)
  }
})

test('a technician whose phone has no room or memory reads so as long as it lasts', async ({
  page,
  team,
}) => {
  const { folio, here } = await visitToday(team)
  await page.addInitScript(() => {
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...row: Parameters<typeof put>) {
      if (sessionStorage.getItem('full')) throw new DOMException('full', 'QuotaExceededError')
      return put.apply(this, row)
    }
  })
  await openScreenAs(page, team.email, `${here}?seccion=tablero`)
  await page.evaluate(() => sessionStorage.setItem('full', '1'))
  await page.getByLabel('Marca del tablero').fill('Square D')
  await expect(page.getByText('Lo último no se guardó', { exact: true })).toBeVisible()
  await page.evaluate(() => sessionStorage.removeItem('full'))
  await page.getByLabel('Marca del tablero').fill('Square D QO')
  await expect(page.getByText('Lo último no se guardó', { exact: true })).toHaveCount(0)
  await expect.poll(async () => (await onServer(folio)).answers.panelBrand).toBe('Square D QO')
  // A photo that no server takes is made smaller; without the memory to draw it that is said, and the one before it stays.
  const photo = page.locator('#panel_closed')
  const gallery = photo.getByLabel('Elegir de la galería')
  await gallery.setInputFiles(tooLarge('test/photos/sharp-panel.jpg'))
  await expect(photo.getByText('Enviada', { exact: true })).toBeVisible({ timeout: 15_000 })
  await page.evaluate(() => {
    HTMLCanvasElement.prototype.toBlob = (take) => take(null)
  })
  await gallery.setInputFiles(tooLarge('test/photos/sharp-garage.jpg'))
  await reads(photo, /^Esta foto pesa más de 12\sMB\. Tómala con menos resolución/)
  await expect(photo.getByText('Enviada', { exact: true })).toBeVisible()
  await expect(page.locator('[data-outbox]')).toHaveText('Nada por enviar')
})

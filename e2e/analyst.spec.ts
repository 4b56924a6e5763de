import { analystOf } from './kit/call-desk.ts'
import { aloneFor, callInAnHour, isRightAfterMidnight } from './kit/left-waiting.ts'
import {
  buttonIn,
  exact,
  fillForm,
  follow,
  isAt,
  itemWith,
  linkIn,
  mainSays,
  openScreenAs,
  press,
  reads,
  regionIn,
  showsValue,
  visitAs,
} from './kit/parts.ts'
import { entersAs, newCustomer, newPerson } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'
import { wasVisited } from './kit/visited.ts'

test('an analyst finds an appointment by folio, filters it out and finds it again', {
  tag: '@plain',
}, async ({ javaScriptEnabled, page }) => {
  await visitAs(page, 'analista@demo.mx', '/admin/appointments-done')
  const folios = page.locator('.row-link')
  const [folio = ''] = ((await folios.first().textContent()) ?? '').match(/^\w+-\d+/) ?? []
  const search = page.getByLabel('Buscar', { exact: true })
  await search.fill(folio.toLowerCase())
  await search.press('Enter')
  await expect(page.getByText('1 cita', { exact: true })).toBeVisible()
  await expect(folios).toHaveText([new RegExp(folio)])
  await page.getByText('Filtros', { exact: true }).press('Enter')
  await page.getByLabel('Año').selectOption('2024')
  // With JavaScript a choice applies at once.
  if (javaScriptEnabled === false) await buttonIn(page, 'Filtrar').press('Enter')
  await reads(page, 'No hay citas con estos filtros.')
  await showsValue(page, 'Año', '2024')
  await expect(search).toHaveValue(folio.toLowerCase())
  await linkIn(page, 'Quitar filtros').press('Enter')
  await isAt(page, '/admin/appointments-done')
  await expect(search).toHaveValue('')
  // Others end appointments meanwhile.
  await expect(folios.filter({ hasText: folio })).toBeVisible()
  await expect(folios.nth(1)).toBeVisible()
})

test('an analyst who approves a report without photos reads what it lacks', async ({ arrive }) => {
  const customer = await arrive()
  const page = await arrive()
  const answers = { notes: 'Falta la administración del condominio.' }
  const visit = await wasVisited(await newCustomer(customer), { answers, state: 'submitted' })
  await openScreenAs(page, 'analista@demo.mx', `/admin/appointments-done/${visit}`)
  await reads(page, 'Revisa antes de aprobar')
  await expect(page.getByText('El permiso del condominio dice No, y el reporte dice').first()).toBeVisible()
  await follow(page, 'Ir a la decisión')
  await isAt(page, /#decision$/)
  await press(page, 'Aprobar y cotizar')
  // It has no photos: nothing is approved, and nothing quoted.
  await mainSays(page, 'Antes de aprobarlo, corrige')
})

test('an analyst approves a report with photos by keyboard and begins its quote', async ({ arrive }) => {
  const customer = await arrive()
  const other = await arrive()
  const page = await arrive()
  const visit = await wasVisited(await newCustomer(customer), { photos: true, state: 'submitted' })
  await wasVisited(await newCustomer(other), { state: 'submitted' })
  await visitAs(page, 'analista@demo.mx', `/admin/appointments-done/${visit}`)
  // The keys say themselves once they act.
  await reads(page, 'recorren secciones y fotos')
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
  await expect(buttonIn(page, 'Aprobar y cotizar')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/admin/cotizations/add-quote/${visit}`)
  await expectToast(page, 'Aprobado')
  await reads(page, 'Propusimos estas partidas con el reporte de la visita')
  await page.goto(`/admin/appointments-done/${visit}`)
  await follow(page, /^Siguiente por revisar/)
  await expect(buttonIn(page, 'Aprobar', exact)).toBeVisible()
  expect(page.url()).not.toContain(visit)
})

test('an analyst takes notes of a call, and ends it with a summary that the customer reads', async ({
  page,
  browser,
}) => {
  test.skip(isRightAfterMidnight(), 'nobody can have waited for two minutes in a room of today')
  const call = await callInAnHour(await newPerson(page))
  // Not among those whose console is watched: a lost network is told there.
  const desk = await browser.newPage({ extraHTTPHeaders: { 'x-forwarded-for': '10.9.8.7' } })
  await entersAs(desk, await analystOf(call))
  await aloneFor(call, 2)
  await desk.goto('/admin')
  const waiting = regionIn(desk, 'Clientes en la sala')
  await expect(itemWith(waiting, 'Es tuya')).toContainText('Espera desde hace 2 min')
  await itemWith(waiting, 'Es tuya').getByRole('link').first().click()
  await expect(regionIn(desk, 'El cliente espera desde hace 2 min')).toContainText('Entrar a la llamada')
  await desk.getByText('Hacerla por teléfono').click()
  await press(desk, 'Iniciar por teléfono')
  await expect(buttonIn(desk, 'Terminar asesoría')).toBeVisible()
  const notes = desk.getByLabel('Mientras hablas')
  await notes.fill('Medidor afuera\n  tablero viejo')
  await expect(desk.getByText('Guardado', { exact: true })).toBeVisible()
  await desk.context().setOffline(true)
  await notes.pressSequentially(', ojo')
  await notes.blur()
  await reads(desk, 'Sin guardar: se guarda al volver la conexión')
  await desk.context().setOffline(false)
  await expect(desk.getByText('Guardado', { exact: true })).toBeVisible()
  await desk.reload()
  await expect(notes).toHaveValue(/^Medidor afuera\n {2}tablero viejo/)
  await fillForm(desk, {
    Resumen: 'Corto',
    'Qué sigue': 'Agenda tu visita técnica.\nTen a la mano tu recibo.',
  })
  await press(desk, 'Terminar asesoría')
  await expect(desk.getByText('Cuenta de qué hablaron, con al menos 10 caracteres.').first()).toBeVisible()
  await showsValue(desk, 'Qué sigue', /Ten a la mano tu recibo\./)
  await desk.getByLabel('Resumen').fill('Hablamos de la instalación y de tu tablero.')
  await press(desk, 'Terminar asesoría')
  await expect(desk).toHaveURL(`/admin/appointment-done-videocall/${call}`)
  await expect(regionIn(desk, 'Notas')).toContainText('tablero viejo')
  await page.goto('/videocall')
  await reads(page, 'Hablamos de la instalación y de tu tablero.')
  await reads(page, 'Ten a la mano tu recibo.')
  await expect(page.getByText('tablero viejo')).toHaveCount(0)
})

import type { Locator } from '@playwright/test'
import { visitReport } from '../src/reports/rules/visit-report.ts'
import { completeAnswers } from '../test/kit/complete-sheet.ts'
import { theDayComes } from './kit/database.ts'
import { keptOf, onServer } from './kit/onsite-rows.ts'
import {
  buttonIn,
  follow,
  isTitled,
  linkIn,
  mainSays,
  press,
  reads,
  regionIn,
  showsValue,
  visitAs,
} from './kit/parts.ts'
import { answersSection, takesPictures } from './kit/sheet-steps.ts'
import { isTakenOver } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'

const picture = 'test/photos/sharp-facade.jpg'

test('a technician corrects a wrong distance, fills in the whole report and ends the visit', async ({
  page,
  team: { email, folios },
}) => {
  const [folio] = folios
  await theDayComes(folio)
  const { id } = await onServer(folio)
  await visitAs(page, email, `/admin/appointments-pending/${id}`)
  await press(page, 'Iniciar')
  await mainSays(page, 'En curso')
  await follow(page, 'Llenar reporte')
  for (const [nth, section] of visitReport.entries()) {
    await isTitled(page, section.title)
    if (nth > 0) await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await answersSection(page, section, completeAnswers.visit)
    if (section.id === 'medidor') await mistypes()
    if (section.id === 'calculo') await calculates()
    await takesPictures(page, section, picture)
    if (section.id !== 'firmas') await press(page, 'Siguiente')
  }
  await press(page, 'Enviar reporte y terminar')
  await expect(page).toHaveURL(`/admin/appointments-done/${id}`, { timeout: 20_000 })
  const { answers, files, sheets, state } = await onServer(folio)
  expect([state, sheets[0]?.state, files.length]).toEqual(['done', 'submitted', 15])
  expect(answers).toMatchObject({ chargerDistance: 22.5, conductor: '8', loads: completeAnswers.visit.loads })
  /** A mistake is told when its field is left, and holds on to the section. */
  async function mistypes() {
    const distance = page.getByLabel('Distancia del poste al medidor')
    const message = page.locator('form#preguntas').getByText('Escribe un número de 0 a 300 m.')
    await distance.fill('400')
    await expect(message).toHaveCount(0)
    await press(page, 'Siguiente')
    await expect(message).toBeVisible()
    await expect(distance).toBeFocused()
    const told = (await message.boundingBox())!
    const bar = (await page.locator('[data-action-bar]').boundingBox())!
    expect(told.y + told.height, 'above the bar').toBeLessThanOrEqual(bar.y)
    await expect(page.locator('[data-action-bar]')).toContainText(
      'Primero corrige «Distancia del poste al medidor».',
    )
    await distance.fill('18,5')
    await expect(message).toHaveCount(0)
  }
  async function calculates() {
    const figures = regionIn(page, 'Lo que sale de las medidas')
    for (const words of ['40 A', '8 AWG', '1.68 %', 'NOM-001-SEDE'])
      await expect(figures).toContainText(words)
    await expect(page.getByRole('radio', { name: /^10\sAWG/ })).toBeDisabled()
  }
})

test('a technician without JavaScript corrects a section and adds a photo', async ({
  arrive,
  team: { email, folios },
}) => {
  const page = await arrive({ javaScriptEnabled: false })
  const [folio] = folios
  await theDayComes(folio)
  const { id } = await onServer(folio)
  await visitAs(page, email, `/admin/appointments-pending/${id}?seccion=ruta`)
  await page.getByLabel('Recorrido del cable, del tablero al cargador').fill('500')
  await page.getByRole('radio', { name: 'Visible' }).check()
  await press(page, 'Siguiente')
  await expect(page.getByText('Escribe un número de 0 a 300 m.').first()).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Visible' })).toBeChecked()
  await page.getByLabel('Recorrido del cable, del tablero al cargador').fill('22,5')
  await press(page, 'Siguiente')
  await isTitled(page, 'Auto y cargador')
  await press(page, 'Anterior')
  await showsValue(page, 'Recorrido del cable, del tablero al cargador', '22.5')
  const place = regionIn(page, 'Lugar del cargador')
  await place.locator('input[name=photo]').setInputFiles(picture)
  await press(place, 'Guardar foto')
  await expect(place.locator('img')).toBeVisible()
  expect((await onServer(folio)).files).toMatchObject([{ slot: 'charger_place' }])
})

const sample = (name: string) => `test/photos/${name}.jpg`

test('a technician keeps a blurred photo only with a reason, and the customer signs with a finger', async ({
  page,
  team: { email, folios },
}) => {
  await theDayComes(folios[0])
  await visitAs(page, email, `/admin/appointments-pending/${(await onServer(folios[0])).id}?seccion=medidor`)
  const meter = page.locator('#meter')
  await expect(meter).toContainText('Que se vea: el número del medidor.')
  await meter.getByLabel('Tomar foto').setInputFiles(sample('blurred-meter'))
  await reads(meter, 'Se ve movida o desenfocada')
  // Chosen, and the page is gone before it was checked.
  await page.evaluate(() => {
    globalThis.createImageBitmap = () => new Promise(() => {})
  })
  const pole = page.locator('#pole')
  await pole.getByLabel('Elegir de la galería').setInputFiles(sample('sharp-facade'))
  await expect(page.locator('[data-outbox]')).toHaveText('2 por enviar')
  await page.reload()
  await reads(meter, 'Se ve movida o desenfocada')
  await press(page, 'Siguiente')
  await expect(buttonIn(meter, 'Usarla de todos modos')).toBeFocused()
  // No dead button: the bar says what it waits for.
  await expect(page.locator('[data-action-bar]')).toContainText('Primero decide la foto «Medidor de CFE»')
  await press(meter, 'Usarla de todos modos')
  await press(meter, 'Guardar así')
  await reads(meter, 'Di por qué la conservas.')
  await press(meter, 'No puedo acercarme más')
  await press(meter, 'Guardar así')
  await expect(meter.getByText('Enviada', { exact: true })).toBeVisible()
  await expect(meter).toContainText('Conservada: No puedo acercarme más')
  await expect(pole.getByText('Enviada', { exact: true })).toBeVisible()
  await follow(pole, 'Ver Poste más cercano')
  await expect(page.getByRole('dialog').getByRole('img', { name: 'Poste más cercano' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(linkIn(pole, 'Ver Poste más cercano')).toBeFocused()
  await page.goto(`${new URL(page.url()).pathname}?seccion=firmas`)
  const signature = page.locator('#signature_customer')
  // Its code comes after the screen around it.
  await isTakenOver(page)
  await page.waitForLoadState('networkidle')
  await press(signature, 'Firmar')
  const window = page.getByRole('dialog', { name: /^Firma de quien recibe/ })
  await expect(window).toBeFocused()
  await expect(window).toContainText('Firmo que me visitaron')
  await expect(window).toContainText('Lo que sigue')
  const paper = window.getByRole('img', { name: /^Firma de/ })
  await draws(paper, [[0.5, 0.5]])
  const done = buttonIn(window, 'Firmo de enterado')
  await done.click()
  await reads(window, 'Es muy pequeña para ser una firma.')
  await draws(paper, [
    [0.2, 0.3],
    [0.4, 0.7],
    [0.6, 0.3],
    [0.8, 0.7],
  ])
  await done.click()
  await expect(window).toHaveCount(0)
  await expect(signature).toBeFocused()
  await expect(signature.getByText('Enviada', { exact: true })).toBeVisible()
  expect(await keptOf(folios[0])).toEqual([
    ['meter', 'No puedo acercarme más'],
    ['pole', null],
    ['signature_customer', null],
  ])
})

/** Draws a stroke with a finger, through places given as parts of the paper. */
async function draws(paper: Locator, places: [number, number][]) {
  await paper.scrollIntoViewIfNeeded()
  const box = (await paper.boundingBox())!
  const points = places.map(([x, y]) => ({ x: box.x + x * box.width, y: box.y + y * box.height }))
  const finger = await paper.page().context().newCDPSession(paper.page())
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: typeof points) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', points.slice(0, 1))
  for (const point of points.slice(1)) await touch('touchMove', [point])
  await touch('touchEnd', [])
  await finger.detach()
}

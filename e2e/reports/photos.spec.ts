import type { Locator } from '@playwright/test'
import { findsNothing, findsNothingInAny } from '../kit/axe.ts'
import { theDayComes } from '../kit/database.ts'
import { keptOf, onServer } from '../kit/onsite-rows.ts'
import { isLargeEnough } from '../kit/sizes.ts'
import { entersAs, isTakenOver } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

const sample = (name: string) => `test/photos/${name}.jpg`

test('a technician’s photos are looked at before they are kept, and the customer signs with a finger', async ({
  page,
  crew: { email, folios },
}) => {
  await theDayComes(folios[0])
  await entersAs(page, email)
  await page.goto(`/admin/appointments-pending/${(await onServer(folios[0])).id}?seccion=medidor`)
  const meter = page.locator('#meter')
  await expect(meter).toContainText('Que se vea: el número del medidor.')
  await meter.getByLabel('Tomar foto').setInputFiles(sample('blurred-meter'))
  await expect(meter.getByText('Se ve movida o desenfocada')).toBeVisible()
  await page.getByRole('button', { name: 'Siguiente' }).click()
  await expect(meter.getByRole('button', { name: 'Usarla de todos modos' })).toBeFocused()
  // No dead button: the bar says what it waits for.
  await expect(page.locator('[data-action-bar]')).toContainText('Primero decide la foto «Medidor de CFE»')
  await meter.getByRole('button', { name: 'Usarla de todos modos' }).click()
  await meter.getByRole('button', { name: 'Guardar así' }).click()
  await expect(meter.getByText('Di por qué la conservas.')).toBeVisible()
  await findsNothing(page, 'a doubtful photo')
  await meter.getByRole('button', { name: 'No puedo acercarme más' }).click()
  await meter.getByRole('button', { name: 'Guardar así' }).click()
  await expect(meter.getByText('Enviada', { exact: true })).toBeVisible()
  await expect(meter).toContainText('Conservada: No puedo acercarme más')

  const pole = page.locator('#pole')
  await pole.getByLabel('Elegir de la galería').setInputFiles(sample('sharp-facade'))
  await expect(pole.getByText('Enviada', { exact: true })).toBeVisible()
  await pole.getByRole('link', { name: 'Ver Poste más cercano' }).click()
  await expect(page.getByRole('dialog').getByRole('img', { name: 'Poste más cercano' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(pole.getByRole('link', { name: 'Ver Poste más cercano' })).toBeFocused()

  await page.goto(`${new URL(page.url()).pathname}?seccion=firmas`)
  const signature = page.locator('#signature_customer')
  // Its code comes after the screen around it.
  await isTakenOver(page)
  await page.waitForLoadState('networkidle')
  await signature.getByRole('button', { name: 'Firmar' }).click()
  const window = page.getByRole('dialog', { name: /^Firma de quien recibe/ })
  await expect(window).toBeFocused()
  await expect(window).toContainText('Firmo que me visitaron')
  await expect(window).toContainText('Lo que sigue')
  const paper = window.getByRole('img', { name: /^Firma de/ })
  await draws(paper, [[0.5, 0.5]])
  const done = window.getByRole('button', { name: 'Recibí de conformidad' })
  await done.click()
  await expect(window.getByText('Es muy pequeña para ser una firma.')).toBeVisible()
  await draws(paper, [
    [0.2, 0.3],
    [0.4, 0.7],
    [0.6, 0.3],
    [0.8, 0.7],
  ])
  await isLargeEnough(page, 'a signature')
  await findsNothingInAny(page, 'a signature', true)
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

import { copyFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { findChromium } from '../../bin/system-tools.mjs'
import { findsNothing, onSiteRules } from '../../e2e/kit/axe.ts'
import { theDayComes } from '../../e2e/kit/database.ts'
import { keptOf, onServer } from '../../e2e/kit/onsite-rows.ts'
import { ofItsOwn } from '../../e2e/kit/sheet-steps.ts'
import { entersAs } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { newPlace } from '../../test/platform/backup/place.ts'

const sample = (name: string) => `test/photos/${name}.jpg`

/** A film of one picture: what the camera sees, always the same. */
const film = path.join(newPlace('carga-film-'), 'meter.mjpeg')

copyFileSync(sample('sharp-meter'), film)

const executablePath = findChromium()

test.use({
  permissions: ['camera'],
  launchOptions: {
    ...(executablePath && { executablePath }),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream=fps=5',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  },
})

test('a technician takes photo after photo with one camera, and decides on doubtful ones', async ({
  page,
  crew: { email, folios },
}) => {
  await theDayComes(folios[0])
  await entersAs(page, email)
  const walk = await opens(page, folios[0])
  await expect(walk.getByText('Que se vea: el número del medidor.')).toBeVisible()
  const shutter = walk.getByRole('button', { name: /^Tomar/ })
  await expect(shutter).toBeFocused()
  await sees(walk)
  // By keys alone.
  await page.keyboard.press('Enter')
  await expect(walk.getByRole('heading', { name: 'Acometida' })).toBeVisible()
  await expect(walk.getByRole('button', { name: 'Medidor de CFE (ya está)' })).toBeVisible()
  await expect(walk.getByText('1 de 12')).toBeVisible()
  // The camera still sees the same: nothing is kept silently, nothing is refused silently.
  await shutter.click()
  await expect(walk.getByText('Es la misma foto que «Medidor de CFE».')).toBeVisible()
  await walk.getByRole('button', { name: 'Saltar' }).click()
  await swipes(walk)
  await expect(walk.getByRole('heading', { name: 'Recibo de CFE' })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(walk.getByRole('heading', { name: 'Poste más cercano' })).toBeVisible()
  await findsNothing(page, 'the camera', onSiteRules.light)
  // A doubtful one asks, and waits.
  await walk.getByLabel('Elegir de la galería').setInputFiles(sample('blurred-facade'))
  await expect(walk.getByText('Se ve movida o desenfocada')).toBeVisible()
  await expect(walk.getByRole('button', { name: 'Tomar otra', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(walk.getByText('Primero decide esta foto: toma otra, o déjala así.').last()).toBeVisible()
  await findsNothing(page, 'a doubtful photo of the camera')
  await walk.getByRole('button', { name: 'Dejarla así' }).click()
  await walk.getByRole('button', { name: 'No puedo acercarme más' }).click()
  await walk.getByRole('button', { name: 'Guardar así' }).click()
  await expect(walk.getByText('2 de 12')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /^Tomar las fotos seguidas/ })).toBeFocused()
  await expect(page.locator('#pole').getByText('Enviada', { exact: true })).toBeVisible()
  expect(await keptOf(folios[0])).toEqual([
    ['meter', null],
    ['pole', 'No puedo acercarme más'],
  ])
})

test('a technician assigns gallery pictures by tap or drag, also after a reload', async ({
  page,
  crew: { email, folios },
}) => {
  await theDayComes(folios[0])
  await entersAs(page, email)
  let walk = await opens(page, folios[0], 'NotAllowedError')
  await expect(walk.getByText(/^Esta página no tiene permiso para usar la cámara\./)).toBeVisible()
  await isNoDeadEnd(walk)
  await findsNothing(page, 'a camera that nobody may use')
  const some = ['a', 'b', 'c'].map((name) => ofItsOwn(sample('sharp-facade'), name))
  await walk.getByLabel('Elegir de la galería').setInputFiles(some)
  const tray = walk.getByRole('list', { name: 'Fotos por acomodar' })
  await expect(tray.getByRole('button')).toHaveCount(3)
  await findsNothing(page, 'the tray')
  await walk.getByRole('button', { name: 'Fachada', exact: true }).click()
  await expect(walk.getByRole('button', { name: 'Fachada, ya tiene foto' })).toBeVisible()
  await drags(page, tray.getByRole('button').first(), walk.getByRole('button', { name: 'Acometida' }))
  await expect(walk.getByRole('button', { name: 'Acometida, ya tiene foto' })).toBeVisible()
  await expect(tray.getByRole('button')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByText('Queda 1 foto sin acomodar').first()).toBeVisible()
  walk = await opens(page, folios[0], 'NotFoundError')
  await expect(walk.getByText(/^No pudimos abrir la cámara aquí\./)).toBeVisible()
  await isNoDeadEnd(walk)
  await walk.getByRole('button', { name: 'Acomodar (1)' }).click()
  await expect(walk.getByRole('list', { name: 'Fotos por acomodar' }).getByRole('button')).toHaveCount(1)
  await walk.getByRole('button', { name: 'Después' }).click()
  // Plugged in, or allowed, meanwhile.
  await page.evaluate(() => {
    delete (navigator.mediaDevices as Partial<MediaDevices>).getUserMedia
  })
  await walk.getByRole('button', { name: 'Intentar otra vez' }).click()
  await sees(walk)
  await expect(walk.getByRole('button', { name: 'Tomar foto: Medidor de CFE' })).toBeVisible()
})

test('a technician draws an arrow and words on a photo', async ({ page, crew: { email, folios } }) => {
  await theDayComes(folios[0])
  await entersAs(page, email)
  const walk = await opens(page, folios[0])
  await sees(walk)
  await page.keyboard.press('Enter')
  await walk.getByRole('button', { name: 'Medidor de CFE (ya está)' }).click()
  const before = await walk.getByRole('img', { name: 'Medidor de CFE' }).getAttribute('src')
  await walk.getByRole('button', { name: 'Dibujar' }).click()
  const paper = walk.getByRole('application', { name: /^Dibujar sobre Medidor de CFE/ })
  const keep = walk.getByRole('button', { name: 'Guardar dibujo' })
  await paper.press('Enter')
  await expect(keep).toBeEnabled()
  await walk.getByRole('button', { name: 'Deshacer' }).click()
  await expect(keep).toBeDisabled()
  await paper.press('Enter')
  await walk.getByRole('button', { name: 'Texto' }).click()
  await walk.getByLabel('Texto sobre la foto').fill('Aquí')
  await paper.locator('canvas').click()
  await findsNothing(page, 'drawing')
  await keep.click()
  await expect(walk.getByRole('img', { name: 'Medidor de CFE' })).not.toHaveAttribute('src', before!)
  await page.keyboard.press('Escape')
  await expect(page.locator('#meter').getByText('Enviada', { exact: true })).toBeVisible()
  expect(await keptOf(folios[0])).toEqual([['meter', null]])
})

/** Opens the camera from the section of the meter, or tries to where the browser says that it can't. */
async function opens(page: Page, folio: string, problem?: string): Promise<Locator> {
  await page.goto(`/admin/appointments-pending/${(await onServer(folio)).id}?seccion=medidor`)
  await page.waitForLoadState('networkidle')
  if (problem)
    await page.evaluate((name) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', name))
    }, problem)
  await page.getByRole('button', { name: /^Tomar las fotos seguidas/ }).click()
  const walk = page.getByRole('dialog', { name: 'Fotos' })
  await expect(walk.getByRole('heading', { name: 'Medidor de CFE' })).toBeVisible()
  return walk
}

/** Without a picture of its own the walk leads to the phone's camera, and to the gallery. */
async function isNoDeadEnd(walk: Locator) {
  await expect(walk.getByLabel('Tomar foto: Medidor de CFE')).toHaveAttribute('capture', 'environment')
  await expect(walk.getByRole('button', { name: 'Intentar otra vez' })).toBeVisible()
}

/** Waits until the camera shows something. */
const sees = (walk: Locator) =>
  expect
    .poll(() => walk.locator('video').evaluate((video) => (video as HTMLVideoElement).videoWidth))
    .toBeGreaterThan(0)

async function swipes(walk: Locator) {
  const page = walk.page()
  const { x, y, width, height } = (await walk.locator('video').boundingBox())!
  const finger = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    finger.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: at === undefined ? [] : [{ x: x + at * width, y: y + height / 2 }],
    })
  await touch('touchStart', 0.8)
  await touch('touchMove', 0.3)
  await touch('touchEnd')
  await finger.detach()
}

async function drags(page: Page, what: Locator, to: Locator) {
  const middle = async (place: Locator) => {
    const { x, y, width, height } = (await place.boundingBox())!
    return [x + width / 2, y + height / 2] as const
  }
  await page.mouse.move(...(await middle(what)))
  await page.mouse.down()
  await page.mouse.move(...(await middle(to)), { steps: 5 })
  await page.mouse.up()
}

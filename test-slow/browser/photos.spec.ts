import { copyFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { findChromium } from '../../bin/system-tools.mjs'
import { findsNothing, onSiteRules } from '../../e2e/kit/axe.ts'
import { keptOf } from '../../e2e/kit/onsite-rows.ts'
import { buttonIn, exact, fingerOn, headingIn, press, reads } from '../../e2e/kit/parts.ts'
import { ofItsOwn } from '../../e2e/kit/sheet-steps.ts'
import { entersAs } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { newPlace } from '../../test/platform/backup/place.ts'
import { visitToday } from './kit/today.ts'

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
  team,
}) => {
  const { folio, here } = await visitToday(team)
  await entersAs(page, team.email)
  const walk = await opens(page, here)
  await reads(walk, 'Que se vea: el número del medidor.')
  const shutter = buttonIn(walk, /^Tomar/)
  await expect(shutter).toBeFocused()
  await sees(walk)
  // By keys alone.
  await page.keyboard.press('Enter')
  await expect(headingIn(walk, 'Acometida')).toBeVisible()
  await expect(buttonIn(walk, 'Medidor de CFE (ya está)')).toBeVisible()
  await reads(walk, '1 de 13')
  // The camera still sees the same: nothing is kept silently, nothing is refused silently.
  await shutter.click()
  await reads(walk, 'Es la misma foto que «Medidor de CFE».')
  await press(walk, 'Saltar')
  await swipes(walk)
  await expect(headingIn(walk, 'Recibo de CFE')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(headingIn(walk, 'Poste más cercano')).toBeVisible()
  await findsNothing(page, 'the camera', onSiteRules.light)
  // A doubtful one asks, and waits.
  await walk.getByLabel('Elegir de la galería').setInputFiles(sample('blurred-facade'))
  await reads(walk, 'Se ve movida o desenfocada')
  await expect(buttonIn(walk, 'Tomar otra', exact)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(walk.getByText('Primero decide esta foto: toma otra, o déjala así.').last()).toBeVisible()
  await findsNothing(page, 'a doubtful photo of the camera')
  await press(walk, 'Dejarla así')
  await press(walk, 'No puedo acercarme más')
  await press(walk, 'Guardar así')
  await reads(walk, '2 de 13')
  await page.keyboard.press('Escape')
  await expect(buttonIn(page, /^Tomar las fotos seguidas/)).toBeFocused()
  await expect(page.locator('#pole').getByText('Enviada', { exact: true })).toBeVisible()
  expect(await keptOf(folio)).toEqual([
    ['meter', null],
    ['pole', 'No puedo acercarme más'],
  ])
})

test('a technician assigns gallery pictures by tap or drag, also after a reload', async ({ page, team }) => {
  const { here } = await visitToday(team)
  await entersAs(page, team.email)
  let walk = await opens(page, here, 'NotAllowedError')
  await reads(walk, /^Esta página no tiene permiso para usar la cámara\./)
  await isNoDeadEnd(walk)
  await findsNothing(page, 'a camera that nobody may use')
  const some = ['a', 'b', 'c'].map((name) => ofItsOwn(sample('sharp-facade'), name))
  await walk.getByLabel('Elegir de la galería').setInputFiles(some)
  const tray = walk.getByRole('list', { name: 'Fotos por acomodar' })
  await expect(tray.getByRole('button')).toHaveCount(3)
  await findsNothing(page, 'the tray')
  await press(walk, 'Fachada', exact)
  await expect(buttonIn(walk, 'Fachada, ya tiene foto')).toBeVisible()
  await drags(page, tray.getByRole('button').first(), buttonIn(walk, 'Acometida'))
  await expect(buttonIn(walk, 'Acometida, ya tiene foto')).toBeVisible()
  await expect(tray.getByRole('button')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByText('Queda 1 foto sin acomodar').first()).toBeVisible()
  walk = await opens(page, here, 'NotFoundError')
  await reads(walk, /^No pudimos abrir la cámara aquí\./)
  await isNoDeadEnd(walk)
  await press(walk, 'Acomodar (1)')
  await expect(walk.getByRole('list', { name: 'Fotos por acomodar' }).getByRole('button')).toHaveCount(1)
  await press(walk, 'Después')
  // Plugged in, or allowed, meanwhile.
  await page.evaluate(() => {
    delete (navigator.mediaDevices as Partial<MediaDevices>).getUserMedia
  })
  await press(walk, 'Intentar otra vez')
  await sees(walk)
  await expect(buttonIn(walk, 'Tomar foto: Medidor de CFE')).toBeVisible()
})

test('a technician draws an arrow and words on a photo', async ({ page, team }) => {
  const { folio, here } = await visitToday(team)
  await entersAs(page, team.email)
  const walk = await opens(page, here)
  await sees(walk)
  await page.keyboard.press('Enter')
  await press(walk, 'Medidor de CFE (ya está)')
  const before = await walk.getByRole('img', { name: 'Medidor de CFE' }).getAttribute('src')
  await press(walk, 'Dibujar')
  const paper = walk.getByRole('application', { name: /^Dibujar sobre Medidor de CFE/ })
  const keep = buttonIn(walk, 'Guardar dibujo')
  await paper.press('Enter')
  await expect(keep).toBeEnabled()
  await press(walk, 'Deshacer')
  await expect(keep).toBeDisabled()
  await paper.press('Enter')
  await press(walk, 'Texto')
  await walk.getByLabel('Texto sobre la foto').fill('Aquí')
  await paper.locator('canvas').click()
  await findsNothing(page, 'drawing')
  await keep.click()
  await expect(walk.getByRole('img', { name: 'Medidor de CFE' })).not.toHaveAttribute('src', before!)
  await page.keyboard.press('Escape')
  await expect(page.locator('#meter').getByText('Enviada', { exact: true })).toBeVisible()
  expect(await keptOf(folio)).toEqual([['meter', null]])
})

/** Opens the camera from the section of the meter, or tries to where the browser says that it can't. */
async function opens(page: Page, here: string, problem?: string): Promise<Locator> {
  await page.goto(`${here}?seccion=medidor`)
  await page.waitForLoadState('networkidle')
  if (problem)
    await page.evaluate((name) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', name))
    }, problem)
  await press(page, /^Tomar las fotos seguidas/)
  const walk = page.getByRole('dialog', { name: 'Fotos' })
  await expect(headingIn(walk, 'Medidor de CFE')).toBeVisible()
  return walk
}

/** Without a picture of its own the walk leads to the phone's camera, and to the gallery. */
async function isNoDeadEnd(walk: Locator) {
  await expect(walk.getByLabel('Tomar foto: Medidor de CFE')).toHaveAttribute('capture', 'environment')
  await expect(buttonIn(walk, 'Intentar otra vez')).toBeVisible()
}

/** Waits until the camera shows something. */
const sees = (walk: Locator) =>
  expect
    .poll(() => walk.locator('video').evaluate((video) => (video as HTMLVideoElement).videoWidth))
    .toBeGreaterThan(0)

async function swipes(walk: Locator) {
  const { x, y, width, height } = (await walk.locator('video').boundingBox())!
  const touch = await fingerOn(walk.page())
  await touch('touchStart', x + 0.8 * width, y + height / 2)
  await touch('touchMove', x + 0.3 * width, y + height / 2)
  await touch('touchEnd')
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

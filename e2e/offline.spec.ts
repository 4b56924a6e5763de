import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { findsNothing } from './axe.ts'
import { theDayComes } from './database.ts'
import { onServer } from './onsite-rows.ts'
import { layRows } from './phone-rows.ts'
import { entersAs, openMenu, signIn, toastOn } from './steps.ts'
import { expect, test } from './world.ts'

test.use({ losesNetwork: true })

const badge = (page: Page) => page.locator('[data-outbox]')

/** Until the service worker has this page, and the day ahead. */
async function isKept(page: Page, path: string) {
  const kept = () =>
    page.evaluate(async (data) => {
      const isControlled = navigator.serviceWorker.controller !== null
      return isControlled && (await caches.match(data)) !== undefined
    }, `${path}.data`)
  await expect.poll(kept, { timeout: 20_000 }).toBe(true)
}

test('what an earlier version left in a phone is sent by this one', async ({ page, crew }) => {
  const folio = crew.folios[0]
  await theDayComes(folio)
  const { id } = await onServer(folio)
  const picture = readFileSync('test/photos/sharp-facade.jpg')
  const at = new Date(Date.now() - 60_000).toISOString()
  const frozen = readFileSync('e2e/outbox-format-1.json', 'utf8')
    .replaceAll('PERSON', crew.id)
    .replaceAll('APPOINTMENT', id)
    .replaceAll('FOLIO', folio)
    .replaceAll('"AT"', JSON.stringify(at))
    .replaceAll('FILE', randomUUID())
    .replaceAll('MOVE', randomUUID())
    .replaceAll('PICTURE', picture.toString('base64'))
    .replaceAll('SHA256', createHash('sha256').update(picture).digest('hex'))
  await entersAs(page, crew.email)
  await page.goto('/admin')
  await expect(badge(page)).toHaveText('Todo está enviado')
  await layRows(page, JSON.parse(frozen))
  await page.reload()
  await expect(badge(page)).toHaveText('Todo está enviado')
  await expect.poll(() => onServer(folio)).toMatchObject({ files: [{ slot: 'facade' }] })
  const { answers, files, moves, state } = await onServer(folio)
  expect(answers).toMatchObject({
    panelBrand: 'Square D',
    loads: [{ name: 'Bomba', watts: 750, quantity: 1 }],
  })
  expect(files[0]?.captured_at).toEqual(new Date(at))
  expect([state, moves.at(-1)?.name]).toEqual(['en_route', 'setOut'])
})

const lost = 'Sin red. Lo que hagas se guarda en tu teléfono.'

test('who leaves the phone to somebody else finds there what was not sent', async ({
  page,
  crew,
  onPhone,
}) => {
  const folio = crew.folios[0]
  await theDayComes(folio)
  const { id } = await onServer(folio)
  const here = `/admin/appointments-pending/${id}`
  await entersAs(page, crew.email)
  await page.goto('/admin')
  await isKept(page, here)
  const network = page.context()
  await network.setOffline(true)
  await page.goto('/admin/appointments-pending')
  await expect(page.getByText(lost)).toBeVisible()
  await page
    .getByRole('region', { name: 'Tu día' })
    .getByRole('link', { name: /m\. Ana Prueba/ })
    .click()
  const before = Date.now()
  await page.getByRole('button', { name: 'En camino' }).click()
  await expect(toastOn(page, 'Vas en camino')).toBeVisible()
  await expect(badge(page)).toContainText('1 por enviar')
  await findsNothing(page, 'a screen without a network')

  await openMenu(page, onPhone)
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  const left = page.getByRole('heading', { name: 'Cerraste tu sesión' })
  await expect(left).toBeVisible()
  await page.goto(here)
  await expect(left).toBeVisible()

  await network.setOffline(false)
  await signIn(page, 'tecnico2@demo.mx')
  await expect(badge(page)).toHaveText('Todo está enviado')
  await badge(page).click()
  await expect(page.getByRole('dialog', { name: 'Todo está enviado' })).toBeVisible()
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => caches.match('/admin').then((kept) => kept?.text()))).not.toContain(
    'Tania',
  )
  expect((await onServer(folio)).state).toBe('assigned')

  await openMenu(page, onPhone)
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await expect(page).toHaveURL('/signin')
  await signIn(page, crew.email)
  await expect(badge(page)).toHaveText('Todo está enviado')
  await expect.poll(async () => (await onServer(folio)).state).toBe('en_route')
  const { moves } = await onServer(folio)
  const pressed = Date.parse(moves.at(-1)?.pressed ?? '')
  expect([pressed >= before, pressed < before + 5_000]).toEqual([true, true])
})

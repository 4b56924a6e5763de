import type { Page } from '@playwright/test'
import { theDayComes } from '../../e2e/kit/database.ts'
import { isRightAfterMidnight } from '../../e2e/kit/left-waiting.ts'
import { answered, officeChanges, onServer } from '../../e2e/kit/onsite-rows.ts'
import { isKept, rowsIn } from '../../e2e/kit/phone-rows.ts'
import { tooLarge } from '../../e2e/kit/sheet-steps.ts'
import { entersAs, entersHere, isTakenOver, toastOn } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { startNetwork } from './kit/network.ts'

test.use({ losesNetwork: true })

test('a technician on a dead network starts and ends a visit, which is sent when it is back', async ({
  page,
  crew,
  baseURL,
}) => {
  const folio = crew.folios[0]
  await theDayComes(folio)
  const { id } = await onServer(folio)
  const network = await startNetwork(0, Number(new URL(baseURL!).port))
  const here = `/admin/appointments-pending/${id}`
  try {
    await page.goto(`${network.origin}/signin`)
    await entersHere(page, crew.email)
    await isKept(page, here)
    await page.goto(network.origin + here)
    await expect(page.locator('[data-outbox]')).toHaveText('Nada por enviar')
    network.lose()
    const pressed = Date.now()
    await page.getByRole('button', { name: 'Iniciar' }).click()
    await expect(toastOn(page, 'Cita iniciada')).toBeVisible()
    await expect(page.getByText('En curso, por enviar')).toBeVisible()
    expect(Date.now() - pressed, 'milliseconds until the screen went on').toBeLessThan(10_000)
    await page.getByText('Más acciones').click()
    await page.getByText('Si no se pudo completar').click()
    await page.getByLabel('¿Cómo terminó?').selectOption('Quedó incompleta')
    await page.getByLabel('Nota de cierre').fill('Falta un tramo de tubería.')
    // Without its reason nothing is kept, and nothing that was typed is lost.
    await page.getByRole('button', { name: 'Terminar' }).click()
    await expect(page.getByText('Elige por qué no se completó.').first()).toBeVisible()
    await expect(page.getByLabel('Nota de cierre')).toHaveValue('Falta un tramo de tubería.')
    await page.getByLabel('Motivo').first().selectOption('Falta material')
    await page.getByRole('button', { name: 'Terminar' }).click()
    await expect(page.getByText('Listo, ya terminaste')).toBeVisible()
    await page.reload()
    await expect(page.getByText('Listo, ya terminaste')).toBeVisible({ timeout: 15_000 })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana Prueba')
    await expect(page.locator('[data-outbox]')).toContainText('2 por enviar')
    expect((await onServer(folio)).state).toBe('assigned')
    network.find()
    await expect(page.locator('[data-outbox]')).toHaveText('Nada por enviar', { timeout: 60_000 })
    const { moves, state } = await onServer(folio)
    expect([state, ...moves.slice(-2).map(({ name }) => name)]).toEqual(['done', 'start', 'finish'])
    expect(Math.abs(Date.parse(moves.at(-2)?.pressed ?? '') - pressed)).toBeLessThan(10_000)
  } finally {
    network.find()
    await network.stop()
  }
})

test('a technician on a dead network opens kept screens at once, and gets newer answers when it is back', async ({
  page,
  crew,
  baseURL,
}) => {
  const folio = crew.folios[0]
  await theDayComes(folio)
  await answered(folio, { meterNumber: 'A11' })
  const { id } = await onServer(folio)
  const network = await startNetwork(0, Number(new URL(baseURL!).port))
  const here = `/admin/appointments-pending/${id}`
  try {
    await page.goto(`${network.origin}/signin`)
    await entersHere(page, crew.email)
    await isKept(page, here)
    await page.addInitScript(noteOrder)
    network.lose()
    await officeChanges(folio, 'meterNumber', 'C33')
    await page.goto(`${network.origin}/admin/appointments-pending`)
    await expect(page.getByText(lost)).toBeVisible()
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([
      'page',
      'lost',
    ])
    await page
      .getByRole('region', { name: 'Tu día' })
      .getByRole('link', { name: /m\. Ana Prueba/ })
      .click()
    await page.waitForURL((url) => url.pathname === here)
    await page.goto(`${network.origin}${here}?seccion=medidor`)
    const number = page.getByLabel('Número de medidor')
    await expect(number).toHaveValue('A11')
    network.find()
    await expect(number).toHaveValue('C33', { timeout: 30_000 })
  } finally {
    network.find()
    await network.stop()
  }
})

const lost = 'Sin señal. Lo que hagas se guarda en tu teléfono.'

/** Runs in the page: which came first, the screen or the words of a lost network. */
function noteOrder() {
  const seen: string[] = []
  Object.assign(window, { seen })
  const look = () => {
    if (!seen.includes('page') && document.querySelector('main h1')) seen.push('page')
    if (!seen.includes('lost') && document.body?.textContent?.includes('Sin señal.')) seen.push('lost')
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
}

test('a technician with two phones starts a visit once', async ({ page, arrive, crew }) => {
  const folio = crew.folios[0]
  await theDayComes(folio)
  const { id } = await onServer(folio)
  const here = `/admin/appointments-pending/${id}`
  await entersAs(page, crew.email)
  await page.goto(here)
  await isTakenOver(page)
  const badge = page.locator('[data-outbox]')
  await expect(badge).toHaveText('Nada por enviar')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Iniciar' }).click()
  await expect(badge).toContainText('1 por enviar')
  const second = await arrive()
  await entersAs(second, crew.email)
  await second.goto(here)
  await isTakenOver(second)
  await second.getByRole('button', { name: 'Iniciar' }).click()
  await expect.poll(async () => (await onServer(folio)).state).toBe('in_progress')
  await page.context().setOffline(false)
  await expect(badge).toHaveText('Nada por enviar')
  await expect(page.getByText('En curso', { exact: true })).toBeVisible()
  expect((await onServer(folio)).moves.filter(({ name }) => name === 'start')).toHaveLength(1)
})

test('a technician without a network keeps a no-show with its photo, once with two phones', async ({
  page,
  arrive,
  crew,
}) => {
  test.skip(isRightAfterMidnight(30), 'what began half an hour ago is of a day that no phone keeps')
  const folio = crew.folios[0]
  await theDayComes(folio, 30)
  const { id } = await onServer(folio)
  const here = `/admin/appointments-pending/${id}`
  const badge = page.locator('[data-outbox]')
  await entersAs(page, crew.email)
  await page.goto('/admin')
  await isKept(page, here)
  await page.goto(here)
  await isTakenOver(page)
  await expect(badge).toHaveText('Nada por enviar')
  const customer = (await page.getByRole('heading', { level: 1 }).textContent())!
  await page.context().setOffline(true)
  const opens = async (phone: Page) => {
    await phone.getByText('Más acciones').click()
    await phone.getByText('El cliente no se presentó').first().click()
    await phone.getByLabel('Nota').last().fill('Nadie abre.')
  }
  await opens(page)
  const send = page.getByRole('button', { name: 'El cliente no se presentó' })
  await send.click()
  await expect(page.getByText('Antes de cerrarla, intenta llamarle.').first()).toBeVisible()
  await expect(page.getByText('Toma una foto de la fachada.').first()).toBeVisible()
  const fillIn = async (phone: Page) => {
    await phone
      .getByLabel('Elegir de la galería: Foto de la fachada')
      .setInputFiles(tooLarge('test/photos/sharp-facade.jpg'))
    // What it shows pushes down what is below it.
    await expect(phone.getByRole('img', { name: 'Foto de la fachada' })).toBeVisible()
    await phone.getByLabel('Intenté llamarle y no contestó').check()
    await phone.getByLabel('¿A qué hora llamaste?').fill('00:01')
    await phone.getByRole('button', { name: 'El cliente no se presentó' }).click()
  }
  await fillIn(page)
  await expect(page.getByText('Listo, anotaste que no se presentó')).toBeVisible()
  await expect(badge).toContainText('2 por enviar')
  // Taken back before it is sent, it leaves nothing on the phone: its photo would say nothing without it.
  await badge.click()
  page.once('dialog', (question) => question.accept())
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(badge).toHaveText('Nada por enviar')
  expect(await rowsIn(page)).toBe(0)
  await page.keyboard.press('Escape')
  await opens(page)
  await fillIn(page)
  await expect(badge).toContainText('2 por enviar')
  await page.reload()
  await expect(page.getByText('Listo, anotaste que no se presentó')).toBeVisible()
  await badge.click()
  await expect(page.getByRole('dialog')).toContainText('El cliente no se presentó')
  const ofWhom = page.getByRole('dialog').getByRole('heading', { level: 3 })
  await expect(ofWhom).toHaveCount(1)
  await expect(ofWhom).toContainText(customer)
  await expect(ofWhom).toContainText(folio)
  await page.keyboard.press('Escape')
  expect(await onServer(folio)).toMatchObject({ state: 'assigned', files: [] })
  const second = await arrive()
  await entersAs(second, crew.email)
  await second.goto(here)
  await isTakenOver(second)
  await opens(second)
  await fillIn(second)
  await expect.poll(async () => (await onServer(folio)).state).toBe('no_show')
  await page.context().setOffline(false)
  await expect(badge).toHaveText('Nada por enviar', { timeout: 20_000 })
  await expect(page).toHaveURL(/appointments-done/)
  const { files, moves } = await onServer(folio)
  expect(files.map(({ slot }) => slot)).toEqual(['no_show_facade'])
  expect(moves.filter(({ name }) => name === 'noShow')).toHaveLength(1)
})

import { theDayComes } from '../kit/database.ts'
import { startNetwork } from '../kit/network.ts'
import { answered, officeChanges, onServer } from '../kit/onsite-rows.ts'
import { isKept } from '../kit/phone-rows.ts'
import { entersAs, entersHere, isTakenOver, keepsWords, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test.use({ losesNetwork: true })
test.describe.configure({ timeout: 120_000 })

test('on a network that is there and swallows everything a step goes on at once, and no form takes the screen away', {
  tag: '@inHand',
}, async ({ page, crew, baseURL }) => {
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
    await page.getByRole('button', { name: 'Terminar' }).click()
    await expect(page.getByText('Está tardando… Guardamos lo que escribiste.')).toBeVisible({
      timeout: 10_000,
    })
    await expect(page.getByLabel('Nota de cierre')).toHaveValue('Falta un tramo de tubería.')

    await page.reload()
    await expect(page.getByText('En curso, por enviar')).toBeVisible({ timeout: 15_000 })
    await expect(page.getByLabel('Nota de cierre')).toHaveValue('Falta un tramo de tubería.')
    expect((await onServer(folio)).state).toBe('assigned')

    network.find()
    await expect(page.locator('[data-outbox]')).toHaveText('Nada por enviar', { timeout: 60_000 })
    const { moves, state } = await onServer(folio)
    expect([state, moves.at(-1)?.name]).toEqual(['in_progress', 'start'])
    expect(Math.abs(Date.parse(moves.at(-1)?.pressed ?? '') - pressed)).toBeLessThan(10_000)
  } finally {
    network.find()
    await network.stop()
  }
})

test('on a network that swallows everything a kept screen stands before that is known, and takes over what is newer', {
  tag: '@inHand',
}, async ({ page, crew, baseURL }) => {
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

const lost = 'Sin red. Lo que hagas se guarda en tu teléfono.'

/** Runs in the page: which came first, the screen or the words of a lost network. */
function noteOrder() {
  const seen: string[] = []
  Object.assign(window, { seen })
  const look = () => {
    if (!seen.includes('page') && document.querySelector('main h1')) seen.push('page')
    if (!seen.includes('lost') && document.body?.textContent?.includes('Sin red.')) seen.push('lost')
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
}

test('a start that a second phone told of before is dropped, and nothing is held up', {
  tag: '@inHand',
}, async ({ page, arrive, crew }) => {
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

test('an end that needs the office waits in its form, and is sent once when the network is back', {
  tag: '@inHand',
}, async ({ page, crew }) => {
  const folio = crew.folios[0]
  await theDayComes(folio)
  const { id } = await onServer(folio)
  const here = `/admin/appointments-pending/${id}`
  await entersAs(page, crew.email)
  await page.goto(here)
  await isKept(page, here)
  await page.getByRole('button', { name: 'Iniciar' }).click()
  await expect.poll(async () => (await onServer(folio)).state).toBe('in_progress')
  await expect(page.locator('[data-outbox]')).toHaveText('Nada por enviar')
  await page.reload()
  await keepsWords(page)
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await page.context().setOffline(true)
  await page.getByText('Más acciones').click()
  await page.getByText('Si no se pudo completar').click()
  await page.getByLabel('¿Cómo terminó?').selectOption('Quedó incompleta')
  await page.getByLabel('Motivo').first().selectOption('Falta material')
  await page.getByLabel('Nota de cierre').fill('Falta un tramo de tubería.')
  await page.getByRole('button', { name: 'Terminar' }).click()
  await expect(page.getByText('Sin conexión. Guardamos lo que escribiste; lo enviamos')).toBeVisible()
  await expect(page.getByLabel('Nota de cierre')).toHaveValue('Falta un tramo de tubería.')
  await page.context().setOffline(false)
  await expect.poll(async () => (await onServer(folio)).state).toBe('done')
  expect((await onServer(folio)).moves.filter(({ name }) => name === 'finish')).toHaveLength(1)
})

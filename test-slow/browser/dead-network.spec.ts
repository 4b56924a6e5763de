import type { Page, Request } from '@playwright/test'
import sharp from 'sharp'
import { isRightAfterMidnight } from '../../e2e/kit/left-waiting.ts'
import { answered, officeChanges, onServer } from '../../e2e/kit/onsite-rows.ts'
import {
  buttonIn,
  fillForm,
  follow,
  isAt,
  isTitled,
  openScreen,
  openScreenAs,
  press,
  reads,
  regionIn,
} from '../../e2e/kit/parts.ts'
import { isKept, rowsIn } from '../../e2e/kit/phone-rows.ts'
import { tooLarge } from '../../e2e/kit/sheet-steps.ts'
import { entersHere } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { expectToast } from '../../e2e/kit/toasts.ts'
import { startNetwork } from './kit/network.ts'
import { visitToday } from './kit/today.ts'

test.use({ losesNetwork: true })

test('a technician on a dead network starts and ends a visit, which is sent when it is back', async ({
  page,
  team,
  baseURL,
}) => {
  const { folio, here } = await visitToday(team)
  const network = await startNetwork(0, Number(new URL(baseURL!).port))
  try {
    await page.goto(`${network.origin}/signin`)
    await entersHere(page, team.email)
    await isKept(page, here)
    await page.goto(network.origin + here)
    await expect(page.locator('[data-outbox]')).toHaveText('Nada por enviar')
    network.lose()
    const pressed = Date.now()
    await press(page, 'Iniciar')
    await expectToast(page, 'Cita iniciada')
    await reads(page, 'En curso, por enviar')
    expect(Date.now() - pressed, 'milliseconds until the screen went on').toBeLessThan(10_000)
    await page.getByText('Más acciones').click()
    await page.getByText('Si no se pudo completar').click()
    await fillForm(page, {
      '¿Cómo terminó?': 'Quedó incompleta',
      'Nota de cierre': 'Falta un tramo de tubería.',
    })
    await page.getByLabel('Motivo').first().selectOption('Falta material')
    await press(page, 'Terminar')
    await reads(page, 'Listo, ya terminaste')
    await page.reload()
    await expect(page.getByText('Listo, ya terminaste')).toBeVisible({ timeout: 15_000 })
    await isTitled(page, 'Ana Prueba')
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

test('a photo whose connection breaks is sent from where it broke', async ({ page, team, baseURL }) => {
  const { folio, here } = await visitToday(team)
  const network = await startNetwork(0, Number(new URL(baseURL!).port))
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.headers()['x-body-from']!)
  })
  try {
    await page.goto(`${network.origin}/signin`)
    await entersHere(page, team.email)
    await page.goto(network.origin + here)
    await press(page, 'Voy en camino')
    await press(page, 'Ya llegué: iniciar')
    await expect.poll(async () => (await onServer(folio)).state).toBe('in_progress')
    await page.goto(`${network.origin}${here}?seccion=medidor`)
    network.breakAfter(150_000)
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const create = { width: 1600, height: 1200, channels: 3, background: 'gray', noise } as const
    const buffer = await sharp({ create }).jpeg().toBuffer()
    await page
      .getByLabel('Elegir de la galería: Medidor de CFE')
      .setInputFiles({ name: 'medidor.jpg', mimeType: 'image/jpeg', buffer })
    // Chromium itself sends again where an older connection breaks.
    const isUpload = (request: Request) => request.method() === 'PUT'
    await page.waitForEvent('requestfailed', { predicate: isUpload, timeout: 40_000 })
    network.breakAfter(Number.POSITIVE_INFINITY)
    await expect.poll(async () => (await onServer(folio)).files.length, { timeout: 60_000 }).toBe(1)

    expect(sent[0]).toBe('0')
    expect(Number(sent.at(-1))).toBeGreaterThan(50_000)
  } finally {
    await network.stop()
  }
})

test('a technician on a dead network opens kept screens at once, and gets newer answers when it is back', async ({
  page,
  team,
  baseURL,
}) => {
  const { folio, here } = await visitToday(team)
  await answered(folio, { meterNumber: 'A11' })
  const network = await startNetwork(0, Number(new URL(baseURL!).port))
  try {
    await page.goto(`${network.origin}/signin`)
    await entersHere(page, team.email)
    await isKept(page, here)
    await page.addInitScript(noteOrder)
    network.lose()
    await officeChanges(folio, 'meterNumber', 'C33')
    await page.goto(`${network.origin}/admin/appointments-pending`)
    await reads(page, lost)
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([
      'page',
      'lost',
    ])
    await follow(regionIn(page, 'Tu día'), /m\. Ana Prueba/)
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

test('a technician without a network keeps a no-show with its photo, once with two phones', async ({
  page,
  arrive,
  team,
}) => {
  test.skip(isRightAfterMidnight(30), 'what began half an hour ago is of a day that no phone keeps')
  const { folio, here } = await visitToday(team, 30)
  const badge = page.locator('[data-outbox]')
  await openScreenAs(page, team.email, '/admin')
  await isKept(page, here)
  await openScreen(page, here)
  await expect(badge).toHaveText('Nada por enviar')
  const customer = (await page.getByRole('heading', { level: 1 }).textContent())!
  await press(page, 'Voy en camino')
  await press(page, 'Ya llegué: iniciar')
  await expect.poll(async () => (await onServer(folio)).state).toBe('in_progress')
  await page.context().setOffline(true)
  const opens = async (phone: Page) => {
    await phone.getByText('Más acciones').click()
    const absent = phone.locator('details', { hasText: 'El cliente no se presentó' }).last()
    await absent.locator('summary').first().click()
    await absent.getByLabel('Nota').fill('Nadie abre.')
  }
  await opens(page)
  await buttonIn(page, 'El cliente no se presentó').click()
  await expect(page.getByText('Antes de cerrarla, intenta llamarle.').first()).toBeVisible()
  await expect(page.getByText('Toma una foto de la fachada.').first()).toBeVisible()
  const fillIn = async (phone: Page) => {
    await phone
      .getByLabel('Tomar foto: Foto de la fachada')
      .setInputFiles(tooLarge('test/photos/sharp-facade.jpg'))
    const facade = phone.getByRole('img', { name: 'Foto de la fachada' })
    await expect(facade).toBeVisible()
    await phone.reload()
    // What it shows pushes down what is below it.
    await expect(facade).toBeVisible()
    await phone.getByLabel('Intenté llamarle y no contestó').check()
    // No program here takes the call.
    await phone.getByRole('link', { name: 'Llamar al' }).evaluate((link) => {
      link.addEventListener('click', (event) => event.preventDefault())
      link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    })
    await expect(phone.getByLabel('¿A qué hora llamaste?')).not.toHaveValue('')
    await press(phone, 'El cliente no se presentó')
  }
  await fillIn(page)
  await reads(page, 'Listo, anotaste que no se presentó')
  await expect(badge).toContainText('2 por enviar')
  // Taken back before it is sent, it leaves nothing on the phone: its photo would say nothing without it.
  await badge.click()
  page.once('dialog', (question) => question.accept())
  await press(page, 'Deshacer')
  await expect(badge).toHaveText('Nada por enviar')
  // The steps before were sent.
  expect(await rowsIn(page)).toBeLessThan(3)
  await page.keyboard.press('Escape')
  await opens(page)
  await fillIn(page)
  await expect(badge).toContainText('2 por enviar')
  await page.reload()
  await reads(page, 'Listo, anotaste que no se presentó')
  await badge.click()
  await expect(page.getByRole('dialog')).toContainText('El cliente no se presentó')
  const ofWhom = page.getByRole('dialog').getByRole('heading', { level: 3 })
  await expect(ofWhom).toHaveCount(1)
  await expect(ofWhom).toContainText(customer)
  await expect(ofWhom).toContainText(folio)
  await page.keyboard.press('Escape')
  expect(await onServer(folio)).toMatchObject({ state: 'in_progress', files: [] })
  const second = await arrive()
  await openScreenAs(second, team.email, here)
  await opens(second)
  await fillIn(second)
  await expect.poll(async () => (await onServer(folio)).state).toBe('no_show')
  await page.context().setOffline(false)
  await expect(badge).toHaveText('Nada por enviar', { timeout: 20_000 })
  await isAt(page, /appointments-done/)
  const { files, moves } = await onServer(folio)
  expect(files.map(({ slot }) => slot)).toEqual(['no_show_facade'])
  expect(moves.filter(({ name }) => name === 'noShow')).toHaveLength(1)
})

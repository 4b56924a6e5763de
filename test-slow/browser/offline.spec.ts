import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { findsNothing } from '../../e2e/kit/axe.ts'
import { endSessionsOf } from '../../e2e/kit/database.ts'
import { answered, officeChanges, onServer } from '../../e2e/kit/onsite-rows.ts'
import {
  fillForm,
  follow,
  headingIn,
  isAt,
  openScreen,
  openScreenAs,
  press,
  reads,
  regionIn,
  showsValue,
} from '../../e2e/kit/parts.ts'
import { isKept, layRows, ownersIn, rowsIn } from '../../e2e/kit/phone-rows.ts'
import { ofItsOwn, signsOn } from '../../e2e/kit/sheet-steps.ts'
import { entersHere, openMenu, signIn } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { expectToast } from '../../e2e/kit/toasts.ts'
import { completeAnswers } from '../../test/kit/complete-sheet.ts'
import { startLosingNetwork } from './kit/losing-network.ts'
import { buyPhone } from './kit/own-phone.ts'
import { visitToday } from './kit/today.ts'

test.use({ losesNetwork: true })

const badge = (page: Page) => page.locator('[data-outbox]')

test('a technician’s unsent work of an earlier version is sent', async ({ page, team }) => {
  const { folio, id } = await visitToday(team)
  const picture = readFileSync('test/photos/sharp-facade.jpg')
  const at = new Date(Date.now() - 60_000).toISOString()
  const frozen = readFileSync('test-slow/browser/kit/outbox-format-1.json', 'utf8')
    .replaceAll('PERSON', team.id)
    .replaceAll('APPOINTMENT', id)
    .replaceAll('FOLIO', folio)
    .replaceAll('"AT"', JSON.stringify(at))
    .replaceAll('FILE', randomUUID())
    .replaceAll('MOVE', randomUUID())
    .replaceAll('PICTURE', picture.toString('base64'))
    .replaceAll('SHA256', createHash('sha256').update(picture).digest('hex'))
  await openScreenAs(page, team.email, '/admin')
  await expect(badge(page)).toHaveText('Nada por enviar')
  await layRows(page, JSON.parse(frozen))
  await page.reload()
  await expect(badge(page)).toHaveText('Nada por enviar')
  await expect.poll(() => onServer(folio)).toMatchObject({ files: [{ slot: 'facade' }] })
  const { answers, files, moves, state } = await onServer(folio)
  expect(answers).toMatchObject({
    panelBrand: 'Square D',
    loads: [{ name: 'Bomba', watts: 750, quantity: 1 }],
  })
  expect(files[0]?.captured_at).toEqual(new Date(at))
  expect([state, moves.at(-1)?.name]).toEqual(['en_route', 'setOut'])
  // What the server has confirmed leaves the phone.
  await expect.poll(() => rowsIn(page), { timeout: 20_000 }).toBe(0)
})

const lost = 'Sin señal. Lo que hagas se guarda en tu teléfono.'

test('a technician who lends the phone finds their unsent work there, and nobody else does', async ({
  page,
  team,
  onPhone,
}) => {
  const { folio, here } = await visitToday(team)
  await openScreenAs(page, team.email, '/admin')
  await isKept(page, here)
  const network = page.context()
  await network.setOffline(true)
  await page.goto('/admin/appointments-pending')
  await reads(page, lost)
  await follow(regionIn(page, 'Tu día'), /m\. Ana Prueba/)
  // The list has that step too, and says what it did there.
  await expect(page).toHaveURL(here)
  const before = Date.now()
  await press(page, 'En camino')
  await expectToast(page, 'Vas en camino')
  await expect(badge(page)).toContainText('1 por enviar')
  await findsNothing(page, 'a screen without a network')
  await openScreen(page, `${here}?seccion=medidor`)
  await page.getByLabel('Número de medidor').fill('T77')
  await page.getByLabel('Elegir de la galería: Medidor de CFE').setInputFiles(samples[2]!)
  await reads(page, inPhone)
  await expect(badge(page)).toContainText('3 por enviar')
  await page.goto(here)
  await openMenu(page, onPhone)
  await press(page, 'Cerrar sesión')
  const asks = page.getByRole('dialog', { name: '3 por enviar' })
  await expect(asks).toContainText('Sin señal no se puede enviar ahora.')
  await findsNothing(page, 'the question before a sign-out')
  await press(asks, 'Salir; se quedan guardadas')
  const left = headingIn(page, 'Cerraste tu sesión')
  await expect(left).toBeVisible()
  await page.goto(here)
  await expect(left).toBeVisible()
  await network.setOffline(false)
  await page.goto('/signin')
  await reads(page, `3 cosas de Tania siguen guardadas aquí.`)
  await showsValue(page, 'Correo electrónico', '')
  await signIn(page, 'tecnico2@demo.mx')
  await expect(badge(page)).toHaveText('Nada por enviar')
  await badge(page).click()
  await expect(page.getByRole('dialog', { name: 'Nada por enviar' })).toBeVisible()
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => caches.match('/admin').then((kept) => kept?.text() ?? ''))).not.toContain(
    'Tania',
  )
  await page.goto(here)
  await expect(page.getByText('Medidor de CFE')).toHaveCount(0)
  await expect(badge(page)).toHaveText('Nada por enviar')
  expect(await onServer(folio)).toMatchObject({ state: 'assigned', answers: {}, files: [] })
  await openMenu(page, onPhone)
  await press(page, 'Cerrar sesión')
  await isAt(page, /\/signin(\?|$)/)
  await signIn(page, team.email)
  await expect(badge(page)).toHaveText('Nada por enviar')
  await expect
    .poll(() => onServer(folio), { timeout: 20_000 })
    .toMatchObject({ state: 'en_route', answers: { meterNumber: 'T77' }, files: [{ slot: 'meter' }] })
  const { moves } = await onServer(folio)
  const pressed = Date.parse(moves.at(-1)?.pressed ?? '')
  expect([pressed >= before, pressed < before + 5_000]).toEqual([true, true])
})

test('a technician whose session ended reads whose work the phone keeps, until it is sent', async ({
  page,
  team,
}) => {
  const { folio, here } = await visitToday(team)
  await openScreenAs(page, team.email, here)
  await expect(badge(page)).toHaveText('Nada por enviar')
  await page.context().setOffline(true)
  await press(page, 'En camino')
  await expect(badge(page)).toContainText('1 por enviar')
  await endSessionsOf(team.email)
  await page.context().setOffline(false)
  await expect(page.getByText(`1 cosa de Tania sigue guardada aquí.`)).toBeVisible({ timeout: 20_000 })
  await reads(page.getByRole('main'), 'Tu sesión terminó')
  await showsValue(page, 'Correo electrónico', team.email)
  await findsNothing(page, 'the sign-in of a phone with unsent work')
  await page.getByLabel('Contraseña').fill('carga-en-casa')
  await press(page, 'Iniciar sesión')
  await expect.poll(async () => (await onServer(folio)).state, { timeout: 20_000 }).toBe('en_route')
  await expect(badge(page)).toHaveText('Nada por enviar')
  await expect.poll(() => ownersIn(page)).toBe(0)
})

test('a technician who signs out sends unsent work first', async ({ page, team, onPhone }) => {
  const { folio, here } = await visitToday(team)
  await openScreenAs(page, team.email, here)
  await expect(badge(page)).toHaveText('Nada por enviar')
  const { promise: mayPass, resolve: pass } = Promise.withResolvers<void>()
  await page.context().route('**/onsite/*/moves', (route) => mayPass.then(() => route.continue()))
  await press(page, 'En camino')
  await expect(badge(page)).toContainText('1 por enviar')
  await openMenu(page, onPhone)
  await press(page, 'Cerrar sesión')
  const asks = page.getByRole('dialog', { name: '1 por enviar' })
  await press(asks, 'Quedarme')
  await expect(asks).toHaveCount(0)
  await press(page, 'Cerrar sesión')
  await press(asks, 'Enviar y salir')
  await reads(asks, 'Enviando…')
  pass()
  await isAt(page, /\/signin(\?|$)/)
  expect((await onServer(folio)).state).toBe('en_route')
})

/** A whole report but for its pictures and who received the technician. */
const { customerName: _, ...report } = completeAnswers.visit

const inTheMorning = {
  lugar: ['Fachada', 'Cajón de estacionamiento'],
  medidor: ['Medidor de CFE', 'Acometida', 'Poste más cercano', 'Recibo de CFE'],
  tablero: ['Tablero cerrado', 'Tablero abierto', 'Pastilla principal', 'Alimentador'],
}

const later = {
  ruta: ['Lugar del cargador', 'Recorrido: salida del tablero', 'Recorrido: llegada al cargador'],
  trabajo: ['Foto adicional 1', 'Foto adicional 2'],
}

const inPhone = 'Guardada en el teléfono'

const samples = ['facade', 'garage', 'meter', 'panel'].map((scene) => `test/photos/sharp-${scene}.jpg`)

/** Takes the photos of some sections, each of which is opened by its address. */
async function photographs(page: Page, here: string, sections: Record<string, string[]>) {
  for (const [section, labels] of Object.entries(sections)) {
    await openScreen(page, `${here}?seccion=${section}`)
    for (const [nth, label] of labels.entries())
      await page.getByLabel(`Elegir de la galería: ${label}`).setInputFiles(ofItsOwn(samples[nth]!, label))
    await expect(page.getByText(inPhone)).toHaveCount(labels.length)
  }
}

async function signs(page: Page, label: string) {
  const card = regionIn(page, label)
  await signsOn(page, card)
  await reads(card, inPhone)
}

test('a technician’s report without a network arrives once though the browser was killed', async ({
  team,
  baseURL,
}) => {
  test.setTimeout(180_000)
  const { folio, here: path } = await visitToday(team)
  await answered(folio, report)
  const network = await startLosingNetwork(Number(new URL(baseURL!).port))
  const here = network.origin + path
  const phone = await buyPhone()
  try {
    const office = await phone.open(false)
    await office.goto(`${network.origin}/signin`)
    await entersHere(office, team.email)
    await isKept(office, path)
    await phone.close(office)
    const site = await phone.open(true)
    const began = Date.now()
    await site.goto(`${network.origin}/admin/appointments-pending`)
    await reads(site, lost)
    await follow(site, /m\. Ana Prueba/)
    await press(site, 'Iniciar')
    await expectToast(site, 'Cita iniciada')
    await photographs(site, here, inTheMorning)
    await site.getByLabel('Marca del tablero').fill('Schneider')
    await expect(badge(site)).toContainText('12 por enviar')
    await phone.kill()
    const again = await phone.open(true)
    await again.goto(`${here}?seccion=tablero`)
    await showsValue(again, 'Marca del tablero', 'Schneider')
    await expect(again.getByText(inPhone)).toHaveCount(inTheMorning.tablero.length)
    await photographs(again, here, later)
    await openScreen(again, `${here}?seccion=firmas`)
    // What is known is a row, which opens to its field.
    await again.locator('#customerName summary').click()
    await again.getByLabel('Nombre de quien te recibió').fill('Ana Prueba')
    await signs(again, 'Firma del técnico')
    await signs(again, 'Firma de quien recibe')
    await press(again, 'Enviar reporte y terminar')
    await reads(again, 'Listo, ya terminaste')
    await expect(badge(again)).toContainText('20 por enviar')
    await again.goto(`${network.origin}/admin/appointments-pending`)
    const ended = again.getByText('Realizada, por enviar')
    await expect(ended.first()).toBeVisible()
    await expect(again.getByText('En curso').filter({ visible: true })).toHaveCount(0)
    await follow(again.getByRole('navigation', { name: 'Atajos' }), 'Hoy')
    await expect(headingIn(again, 'Terminadas')).toBeVisible()
    await expect(ended).toBeVisible()
    expect(await onServer(folio)).toMatchObject({ files: [], state: 'assigned' })
    network.lose(3)
    const found = Date.now()
    await again.context().setOffline(false)
    await expect(badge(again)).toHaveText('Nada por enviar', { timeout: 60_000 })
    expect(network.lost).toHaveLength(3)
    const arrived = await onServer(folio)
    expect(arrived).toMatchObject({ state: 'done', sheets: [{ state: 'submitted' }] })
    expect(arrived.answers).toMatchObject({ panelBrand: 'Schneider', customerName: 'Ana Prueba' })
    expect(new Set(arrived.files.map(({ slot }) => slot)).size).toBe(17)
    for (const { arrived_at, captured_at } of arrived.files) {
      expect([began < captured_at.getTime(), captured_at.getTime() < found]).toEqual([true, true])
      expect(arrived_at.getTime()).toBeGreaterThan(found)
    }
    // Answers of a report that was handed in are refused; the rest is heard as it was.
    expect(new Set(await network.again())).toEqual(new Set([200, 409]))
    expect(await onServer(folio)).toEqual(arrived)
  } finally {
    await phone.sell()
    await network.stop()
  }
})

test('a technician settles each answer that the office changed meanwhile', async ({ page, team }) => {
  const { folio, here } = await visitToday(team)
  await answered(folio, report)
  await openScreenAs(page, team.email, `${here}?seccion=medidor`)
  await expect(badge(page)).toHaveText('Nada por enviar')
  await page.context().setOffline(true)
  await fillForm(page, { 'Número de medidor': 'B22', 'Distancia del poste al medidor': '25' })
  await expect(badge(page)).toContainText('1 por enviar')
  await officeChanges(folio, 'meterNumber', 'C33')
  await officeChanges(folio, 'poleDistance', 30)
  await page.context().setOffline(false)
  const conflicts = page.getByText('La oficina lo cambió mientras tanto')
  await expect(conflicts).toHaveCount(2)
  expect((await onServer(folio)).answers).toMatchObject({ meterNumber: 'C33', poleDistance: 30 })
  await press(page.locator('#meterNumber'), 'Dejar lo mío')
  await press(page.locator('#poleDistance'), 'Dejar lo de la oficina')
  await expect(conflicts).toHaveCount(0)
  await showsValue(page, 'Distancia del poste al medidor', '30')
  await expect(badge(page)).toHaveText('Nada por enviar')
  expect((await onServer(folio)).answers).toMatchObject({ meterNumber: 'B22', poleDistance: 30 })
})

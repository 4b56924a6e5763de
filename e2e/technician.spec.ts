import type { Page } from '@playwright/test'
import { addDays, localDate, toMinutes } from '../src/shared/calendar.ts'
import { theDayComes, withDatabase } from './kit/database.ts'
import { onServer } from './kit/onsite-rows.ts'
import {
  buttonIn,
  fillForm,
  follow,
  inList,
  isAt,
  isTitled,
  linkIn,
  openScreenAs,
  press,
  reads,
  regionIn,
  showsValue,
  visitAs,
} from './kit/parts.ts'
import { isKept } from './kit/phone-rows.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

test('a technician sees the next stop, reports a delay and sets out', { tag: '@plain' }, async ({
  page,
  team: { email, folios },
}) => {
  await theDayComes(folios[0])
  await visitAs(page, email, '/admin')
  await isTitled(page, 'Ana Prueba')
  const stop = page.getByRole('article')
  await expect(stop).toContainText(folios[0])
  await expect(linkIn(stop, /^Llamar/)).toHaveAttribute('href', /^tel:\+52\d{10}$/)
  await press(stop, 'Voy tarde: 1 h')
  await expectToast(page, 'Anotamos el retraso')
  await isAt(page, '/admin')
  await expect(stop).toContainText('Le dijimos al cliente que llegas cerca de')
  await press(stop, 'A tiempo')
  await expect(stop).toContainText('¿Vas tarde?')
  await press(stop, 'Voy en camino')
  await expectToast(page, 'Vas en camino')
  await expect(buttonIn(stop, 'Ya llegué: iniciar')).toBeVisible()
  await expect.poll(async () => (await onServer(folios[0])).state).toBe('en_route')
  const bar = page.getByRole('navigation', { name: 'Atajos' })
  await expect(linkIn(bar, 'Hoy')).toHaveAttribute('aria-current', 'page')
  await follow(bar, 'Citas')
  await expect(linkIn(bar, 'Citas')).toHaveAttribute('aria-current', 'page')
})

test('a technician without a network takes steps, undoes one, and all is sent when it is back', async ({
  page,
  team: { email, folios },
}) => {
  await theDayComes(folios[0])
  await visitAs(page, email, '/admin')
  await isKept(page, '/admin')
  await reads(page, /^Tu día está en el teléfono/)
  await expect(page.locator('[data-outbox]')).toHaveText('Nada por enviar')
  await page.context().setOffline(true)
  // Of what waits, the screen says so, until it is taken back.
  await press(page, 'Voy tarde: 1 h')
  const late = page.getByText('1 h tarde, por enviar')
  await expect(late).toBeVisible()
  await page.locator('[data-outbox]').click()
  page.once('dialog', (question) => question.accept())
  await press(page, 'Deshacer')
  await expect(page.locator('[data-outbox]')).toHaveText('Nada por enviar')
  await page.keyboard.press('Escape')
  await expect(late).toHaveCount(0)
  await press(page, 'Voy en camino')
  await expectToast(page, 'Vas en camino')
  await expect(page.locator('[data-outbox]')).toHaveText('1 por enviar')
  await press(page, 'Ya llegué: iniciar')
  await expect(linkIn(page, 'Seguir con el reporte')).toBeVisible()
  await page.locator('[data-outbox]').click()
  await expect(page.getByRole('dialog')).toContainText(folios[0])
  // Pressed by mistake: the last of them can be taken back before it is sent.
  page.once('dialog', (question) => question.accept())
  await press(page, 'Deshacer')
  await expect(page.locator('[data-outbox]')).toHaveText('1 por enviar')
  await page.keyboard.press('Escape')
  await press(page, 'Ya llegué: iniciar')
  await expect(page.locator('[data-outbox]')).toHaveText('2 por enviar')
  expect((await onServer(folios[0])).state).toBe('assigned')
  await page.context().setOffline(false)
  await expect.poll(async () => (await onServer(folios[0])).state, { timeout: 20_000 }).toBe('in_progress')
  // A phone whose store does not answer, without a worker.
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => Object.assign(new Promise(() => {}), { addEventListener() {} }) as never
    Object.defineProperty(navigator.serviceWorker, 'controller', { value: null })
  })
  await page.goto(`/admin/appointments-pending/${(await onServer(folios[0])).id}`)
  await reads(page, 'Leyendo lo que guardaste…')
  await expect(page.getByText(/^Faltan /)).toBeHidden()
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { value: false })
    dispatchEvent(new Event('offline'))
  })
  await reads(page, 'No cierres ni recargues esta página.')
})

test('a technician turns on high contrast, which the device keeps', async ({ page, team: { email } }) => {
  await visitAs(page, email, '/admin/account')
  await page.getByLabel('Alto contraste en este equipo').check()
  await press(page, 'Guardar pantalla')
  await expectToast(page, 'Encendimos el alto contraste')
  await page.goto('/admin')
  await expect(page.locator('html')).toHaveAttribute('data-contrast')
})

declare global {
  interface Window {
    /** What the microphone hears now, or how it fails. */
    mouth: { says: (words: string) => void; fails: (error: string) => void }
  }
}

/** Runs in the page: it turns no speech into text. */
function cannotHear() {
  for (const name of ['SpeechRecognition', 'webkitSpeechRecognition'])
    delete (window as unknown as Record<string, unknown>)[name]
}

/** Runs in the page: it turns into text what the test says, where a browser's own would ask a server. */
function canHear() {
  class Listener {
    onresult?: (event: object) => void
    onerror?: (event: { error: string }) => void
    onend?: () => void
    start() {
      const says = (transcript: string) =>
        this.onresult?.({ resultIndex: 0, results: [{ isFinal: true, 0: { transcript } }] })
      const fails = (error: string) => {
        this.onerror?.({ error })
        this.onend?.()
      }
      window.mouth = { says, fails }
    }
    stop() {
      this.onend?.()
    }
    abort() {
      this.onend?.()
    }
  }
  Object.assign(window, { webkitSpeechRecognition: Listener })
}

/** Dictates the note of an end, after the microphone was refused once. */
async function dictates(page: Page, ...said: string[]) {
  const dictate = buttonIn(page, /^Dictar ?: Nota de cierre$/)
  await dictate.click()
  await page.evaluate(() => window.mouth.fails('not-allowed'))
  await reads(page, 'Esta página no tiene permiso para usar el micrófono.')
  await dictate.click()
  await reads(page, 'Te escucho…')
  for (const words of said) await page.evaluate((now) => window.mouth.says(now), words)
  await press(page, /^Detener ?: Nota de cierre$/)
  await expect(dictate).toBeVisible()
}

test('a technician undoes setting out, and ends a visit unfinished only with a reason', {
  tag: '@plain',
}, async ({ page, team: { email, folios }, javaScriptEnabled }) => {
  await theDayComes(folios[0])
  await page.addInitScript(cannotHear)
  await visitAs(page, email, '/admin/appointments-pending')
  const day = regionIn(page, 'Tu día')
  await expect(day.getByRole('article')).toHaveCount(1)
  await expect(day).toContainText('Al cliente le dijimos: entre')
  const tomorrow = linkIn(page, inList(folios[1]))
  await expect(tomorrow).toBeHidden()
  await page.getByText('Buscar y ver todas').click()
  await expect(tomorrow).toBeVisible()
  await follow(page, 'Tu semana')
  await expect(linkIn(regionIn(page, 'Tu semana'), /Ana Prueba/)).toHaveCount(1)
  await follow(page, 'Tu día')
  await press(day, 'Voy en camino')
  await expectToast(page, 'Vas en camino')
  await isAt(page, /appointments-pending(\?|$)/)
  await expect(buttonIn(day, 'Ya llegué: iniciar')).toBeVisible()
  await linkIn(day, /Ana Prueba/)
    .first()
    .click()
  await isTitled(page, 'Ana Prueba')
  await reads(page, folios[0])
  await page.getByText('Más acciones').click()
  await page.getByText('Deshacer «En camino»').click()
  await expect(page.locator('textarea')).not.toHaveCount(0)
  await expect(page.locator('button', { hasText: 'Dictar' })).toHaveCount(0)
  await press(page, 'Deshacer')
  await expectToast(page, 'Listo: ya no aparece en camino')
  await press(page, 'Iniciar')
  await expectToast(page, 'Cita iniciada')
  await page.addInitScript(canHear)
  await page.reload()
  await page.getByText('Más acciones').click()
  await page.getByText('Si no se pudo completar').click()
  await page.getByLabel('¿Cómo terminó?').selectOption('Quedó incompleta')
  if (javaScriptEnabled) await dictates(page, 'Falta un tramo ', ' de tubería.')
  else await page.getByLabel('Nota de cierre').fill('Falta un tramo de tubería.')
  await press(page, 'Terminar')
  await expect(page.getByText('Elige por qué no se completó.').first()).toBeVisible()
  await showsValue(page, 'Nota de cierre', 'Falta un tramo de tubería.')
  await page.getByLabel('Motivo').first().selectOption('Falta material')
  await press(page, 'Terminar')
  await isAt(page, /\/admin\/appointments-done\/[0-9a-f-]{36}$/)
  const ending = regionIn(page, 'Cómo terminó')
  for (const words of ['Quedó incompleta', 'Falta material', 'Falta un tramo de tubería.'])
    await expect(ending).toContainText(words)
})

const account = '/admin/account'

test('a technician who asks for days off twice is refused and deletes the request', async ({
  page,
  team,
}) => {
  const date = addDays(localDate(toMinutes(new Date())), 50)
  const badge = page.locator('[data-outbox]')
  await withDatabase((client) =>
    client.query(`insert into time_off (person_id, during) values ($1, tstzrange($2::date, $2::date + 3))`, [
      team.id,
      addDays(date, -1),
    ]),
  )
  await openScreenAs(page, team.email, account)
  await expect(badge).toHaveText('Nada por enviar')
  const card = regionIn(page, 'Permisos y vacaciones')
  await fillForm(card, { 'Desde el día': date, 'Hasta el día': date, Motivo: 'Una boda' })
  await press(card, 'Pedir permiso')
  await expect(badge).toHaveText(/1 no se aceptó/i)
  await reads(card, 'Ya tienes un permiso o una solicitud en esas fechas.')
  await badge.click()
  const list = page.getByRole('dialog')
  await expect(list).toContainText('Escribiste: «Una boda»')
  page.on('dialog', (asked) => void asked.accept())
  await press(list, 'Borrar')
  await page.keyboard.press('Escape')
  await expect(badge).toHaveText('Nada por enviar')
  await expect(card.getByText('No se aceptó')).toHaveCount(0)
})

import type { Page } from '@playwright/test'
import { addDays, localDate, toMinutes } from '../src/domain/shared/calendar.ts'
import { theDayComes, withDatabase } from './kit/database.ts'
import { onServer } from './kit/onsite-rows.ts'
import { isKept } from './kit/phone-rows.ts'
import { entersAs, isTakenOver } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

test('a technician sees the next stop, reports a delay and sets out', { tag: '@plain' }, async ({
  page,
  crew: { email, folios },
}) => {
  await theDayComes(folios[0])
  await entersAs(page, email)
  await page.goto('/admin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana Prueba')
  const stop = page.getByRole('article')
  await expect(stop).toContainText(folios[0])
  await expect(stop.getByRole('link', { name: /^Llamar/ })).toHaveAttribute('href', /^tel:\+52\d{10}$/)
  await stop.getByRole('button', { name: 'Voy tarde: 1 h' }).click()
  await expectToast(page, 'Anotamos el retraso')
  await expect(page).toHaveURL('/admin')
  await expect(stop).toContainText('Le dijimos al cliente que llegas cerca de')
  await stop.getByRole('button', { name: 'A tiempo' }).click()
  await expect(stop).toContainText('¿Vas tarde?')
  await stop.getByRole('button', { name: 'Voy en camino' }).click()
  await expectToast(page, 'Vas en camino')
  await expect(stop.getByRole('button', { name: 'Ya llegué: iniciar' })).toBeVisible()
  await expect.poll(async () => (await onServer(folios[0])).state).toBe('en_route')
  const bar = page.getByRole('navigation', { name: 'Atajos' })
  await expect(bar.getByRole('link', { name: 'Hoy' })).toHaveAttribute('aria-current', 'page')
  await bar.getByRole('link', { name: 'Citas' }).click()
  await expect(bar.getByRole('link', { name: 'Citas' })).toHaveAttribute('aria-current', 'page')
})

test('a technician without a network takes steps, undoes one, and all is sent when it is back', async ({
  page,
  crew: { email, folios },
}) => {
  await theDayComes(folios[0])
  await entersAs(page, email)
  await page.goto('/admin')
  await isKept(page, '/admin')
  await expect(page.locator('[data-outbox]')).toHaveText('Nada por enviar')
  await page.context().setOffline(true)
  // Of what waits, the screen says so, until it is taken back.
  await page.getByRole('button', { name: 'Voy tarde: 1 h' }).click()
  const late = page.getByText('1 h tarde, por enviar')
  await expect(late).toBeVisible()
  await page.locator('[data-outbox]').click()
  page.once('dialog', (question) => question.accept())
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.locator('[data-outbox]')).toHaveText('Nada por enviar')
  await page.keyboard.press('Escape')
  await expect(late).toHaveCount(0)
  await page.getByRole('button', { name: 'Voy en camino' }).click()
  await expectToast(page, 'Vas en camino')
  await expect(page.locator('[data-outbox]')).toHaveText('1 por enviar')
  await page.getByRole('button', { name: 'Ya llegué: iniciar' }).click()
  await expect(page.getByRole('link', { name: 'Seguir con el reporte' })).toBeVisible()
  await page.locator('[data-outbox]').click()
  await expect(page.getByRole('dialog')).toContainText(folios[0])
  // Pressed by mistake: the last of them can be taken back before it is sent.
  page.once('dialog', (question) => question.accept())
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.locator('[data-outbox]')).toHaveText('1 por enviar')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Ya llegué: iniciar' }).click()
  await expect(page.locator('[data-outbox]')).toHaveText('2 por enviar')
  expect((await onServer(folios[0])).state).toBe('assigned')
  await page.context().setOffline(false)
  await expect.poll(async () => (await onServer(folios[0])).state, { timeout: 20_000 }).toBe('in_progress')
})

test('a technician turns on high contrast, which the device keeps', async ({ page, crew: { email } }) => {
  await entersAs(page, email)
  await page.goto('/admin/account')
  await page.getByLabel('Alto contraste en este equipo').check()
  await page.getByRole('button', { name: 'Guardar pantalla' }).click()
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
  const dictate = page.getByRole('button', { name: /^Dictar ?: Nota de cierre$/ })
  await dictate.click()
  await page.evaluate(() => window.mouth.fails('not-allowed'))
  await expect(page.getByText('Esta página no tiene permiso para usar el micrófono.')).toBeVisible()
  await dictate.click()
  await expect(page.getByText('Te escucho…')).toBeVisible()
  for (const words of said) await page.evaluate((now) => window.mouth.says(now), words)
  await page.getByRole('button', { name: /^Detener ?: Nota de cierre$/ }).click()
  await expect(dictate).toBeVisible()
}

test('a technician undoes setting out, and ends a visit unfinished only with a reason', {
  tag: '@plain',
}, async ({ page, crew: { email, folios }, javaScriptEnabled }) => {
  await theDayComes(folios[0])
  await page.addInitScript(cannotHear)
  await entersAs(page, email)
  await page.goto('/admin/appointments-pending')
  const day = page.getByRole('region', { name: 'Tu día' })
  await expect(day.getByRole('article')).toHaveCount(1)
  await expect(day).toContainText('Al cliente le dijimos: entre')
  const tomorrow = page.getByRole('link', { name: folios[1] })
  await expect(tomorrow).toBeHidden()
  await page.getByText('Buscar y ver todas').click()
  await expect(tomorrow).toBeVisible()
  await page.getByRole('link', { name: 'Tu semana' }).click()
  await expect(
    page.getByRole('region', { name: 'Tu semana' }).getByRole('link', { name: /Ana Prueba/ }),
  ).toHaveCount(1)
  await page.getByRole('link', { name: 'Tu día' }).click()
  await day.getByRole('button', { name: 'Voy en camino' }).click()
  await expectToast(page, 'Vas en camino')
  await expect(page).toHaveURL(/appointments-pending(\?|$)/)
  await expect(day.getByRole('button', { name: 'Ya llegué: iniciar' })).toBeVisible()
  await day
    .getByRole('link', { name: /Ana Prueba/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana Prueba')
  await expect(page.getByText(folios[0])).toBeVisible()
  await page.getByText('Más acciones').click()
  await page.getByText('Deshacer «En camino»').click()
  await expect(page.locator('textarea')).not.toHaveCount(0)
  await expect(page.locator('button', { hasText: 'Dictar' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expectToast(page, 'Listo: ya no aparece en camino')
  await page.getByRole('button', { name: 'Iniciar' }).click()
  await expectToast(page, 'Cita iniciada')
  await page.addInitScript(canHear)
  await page.reload()
  await page.getByText('Más acciones').click()
  await page.getByText('Si no se pudo completar').click()
  await page.getByLabel('¿Cómo terminó?').selectOption('Quedó incompleta')
  if (javaScriptEnabled) await dictates(page, 'Falta un tramo ', ' de tubería.')
  else await page.getByLabel('Nota de cierre').fill('Falta un tramo de tubería.')
  await page.getByRole('button', { name: 'Terminar' }).click()
  await expect(page.getByText('Elige por qué no se completó.').first()).toBeVisible()
  await expect(page.getByLabel('Nota de cierre')).toHaveValue('Falta un tramo de tubería.')
  await page.getByLabel('Motivo').first().selectOption('Falta material')
  await page.getByRole('button', { name: 'Terminar' }).click()
  await expect(page).toHaveURL(/\/admin\/appointments-done\/[0-9a-f-]{36}$/)
  const ending = page.getByRole('region', { name: 'Cómo terminó' })
  for (const words of ['Quedó incompleta', 'Falta material', 'Falta un tramo de tubería.'])
    await expect(ending).toContainText(words)
})

const account = '/admin/account'

test('a technician who asks for days off twice is refused and deletes the request', async ({
  page,
  crew,
}) => {
  const date = addDays(localDate(toMinutes(new Date())), 50)
  const badge = page.locator('[data-outbox]')
  await withDatabase((client) =>
    client.query(`insert into time_off (person_id, during) values ($1, tstzrange($2::date, $2::date + 3))`, [
      crew.id,
      addDays(date, -1),
    ]),
  )
  await entersAs(page, crew.email)
  await page.goto(account)
  await isTakenOver(page)
  await expect(badge).toHaveText('Nada por enviar')
  const card = page.getByRole('region', { name: 'Permisos y vacaciones' })
  await card.getByLabel('Desde el día').fill(date)
  await card.getByLabel('Hasta el día').fill(date)
  await card.getByLabel('Motivo').fill('Una boda')
  await card.getByRole('button', { name: 'Pedir permiso' }).click()
  await expect(badge).toHaveText(/1 no se aceptó/i)
  await expect(card.getByText('Ya tienes un permiso o una solicitud en esas fechas.')).toBeVisible()
  await badge.click()
  const list = page.getByRole('dialog')
  await expect(list).toContainText('Escribiste: «Una boda»')
  page.on('dialog', (asked) => void asked.accept())
  await list.getByRole('button', { name: 'Borrar' }).click()
  await page.keyboard.press('Escape')
  await expect(badge).toHaveText('Nada por enviar')
  await expect(card.getByText('No se aceptó')).toHaveCount(0)
})

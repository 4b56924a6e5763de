import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { theDayComes } from '../kit/database.ts'
import { entersAs, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

declare global {
  interface Window {
    /** What is said now, or goes wrong. */
    mouth: { says: (words: string) => void; fails: (error: string) => void }
  }
}

/** Runs in the page: it turns no speech into text. */
function cannotHear() {
  for (const name of ['SpeechRecognition', 'webkitSpeechRecognition'])
    delete (window as unknown as Record<string, unknown>)[name]
}

/** Runs in the page: it turns into text what the story says, where a browser's own would ask a server. */
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

test('a technician’s day: the way there taken back, and a visit left half done', {
  tag: ['@plain', '@inHand'],
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
  if (javaScriptEnabled) await findsNothing(page, 'a technician’s day')
  await page.getByRole('link', { name: 'Tu semana' }).click()
  await expect(
    page.getByRole('region', { name: 'Tu semana' }).getByRole('link', { name: /Ana Prueba/ }),
  ).toHaveCount(1)
  await page.getByRole('link', { name: 'Tu día' }).click()
  await day.getByRole('button', { name: 'Voy en camino' }).click()
  await expect(toastOn(page, 'Vas en camino')).toBeVisible()
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
  if (javaScriptEnabled) await findsNothing(page, 'what is done now and then')
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(toastOn(page, 'Listo: ya no aparece en camino')).toBeVisible()
  await page.getByRole('button', { name: 'Iniciar' }).click()
  await expect(toastOn(page, 'Cita iniciada')).toBeVisible()

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
  if (javaScriptEnabled) await findsNothing(page, 'an end with its reason')
  await page.getByRole('button', { name: 'Terminar' }).click()
  await expect(page).toHaveURL(/\/admin\/appointments-done\/[0-9a-f-]{36}$/)
  const ending = page.getByRole('region', { name: 'Cómo terminó' })
  for (const words of ['Quedó incompleta', 'Falta material', 'Falta un tramo de tubería.'])
    await expect(ending).toContainText(words)
})

test('a technician is dismissed with visits, and none is left with them', { tag: '@once' }, async ({
  page,
  crew: { colleague, folios, id },
}) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto(`/admin/users/${id}`)
  await page.getByRole('button', { name: 'Desactivar cuenta' }).click()
  await expect(page.getByRole('heading', { name: '2 citas por resolver' })).toBeVisible()
  await page.getByLabel(`¿Qué hacemos con ${folios[0]}?`).selectOption({ label: colleague })
  await page
    .getByLabel(`¿Qué hacemos con ${folios[1]}?`)
    .selectOption('Dejarla sin persona y buscar a alguien más')
  await page.getByRole('button', { name: 'Desactivar cuenta' }).click()
  await expect(page.getByText('Cuenta inactiva')).toBeVisible()
  await page.goto('/admin/assignations?zona=milpa-alta')
  await expect(page.getByText(folios[1]).first()).toBeVisible()
  await expect(page.getByText(folios[0])).toHaveCount(0)
})

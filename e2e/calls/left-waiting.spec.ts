import { findsNothing } from '../kit/axe.ts'
import { aloneFor, callInAnHour, isRightAfterMidnight, waitedOnFor } from '../kit/left-waiting.ts'
import { newPerson, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('the analyst does not come: wait on, another time, or be phoned', {
  tag: ['@plain', '@inHand'],
}, async ({ page, javaScriptEnabled }) => {
  test.skip(isRightAfterMidnight(), 'nobody can have waited for ten minutes in a room of today')
  const call = await callInAnHour(await newPerson(page))
  await page.goto('/videocall')
  // Shortly before midnight it opens tomorrow.
  await expect(page.getByText(/^La sala abre (el .+ )?a la/)).toBeVisible()

  // Ten minutes alone are over in a moment: the page knows when.
  await aloneFor(call, 9.95)
  await page.reload()
  await expect(page.getByRole('link', { name: 'Volver a la sala' })).toBeVisible()
  if (!javaScriptEnabled) await aloneFor(call, 10)
  if (!javaScriptEnabled) await page.reload()
  const choices = page.getByRole('region', { name: 'Qué prefieres' })
  await expect(choices).toContainText('Tu analista no ha llegado', { timeout: 15_000 })
  if (javaScriptEnabled) await findsNothing(page, 'ways out')

  await choices.getByRole('button', { name: 'Seguir esperando' }).click()
  await expect(toastOn(page, 'Gracias por esperar')).toBeVisible()
  await expect(choices).toHaveCount(0)
  await waitedOnFor(call, 10)
  await page.reload()
  await choices.getByRole('link', { name: 'Otro horario' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Elige otro horario')
  await expect(page.getByRole('button', { name: 'Cambiar mi cita' })).toBeVisible()

  await page.goto('/videocall')
  await choices.getByRole('button', { name: 'Llámenme al 551 234 56 78' }).click()
  await expect(page.getByText('Te llamamos al 551 234 56 78 lo antes posible')).toBeVisible()
  await expect(choices).toHaveCount(0)
})

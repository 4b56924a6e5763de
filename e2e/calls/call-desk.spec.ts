import { findsNothing } from '../kit/axe.ts'
import { analystOf } from '../kit/call-desk.ts'
import { aloneFor, callInAnHour, isRightAfterMidnight } from '../kit/left-waiting.ts'
import { entersAs, newPerson } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('the analyst takes notes, and ends the call with what its customer reads then', {
  tag: ['@plain', '@once'],
}, async ({ page, browser, javaScriptEnabled }) => {
  test.skip(isRightAfterMidnight(), 'nobody can have waited for two minutes in a room of today')
  const call = await callInAnHour(await newPerson(page))
  // Not among those whose console is watched: a lost network is told there.
  const desk = await browser.newPage({ extraHTTPHeaders: { 'x-forwarded-for': '10.9.8.7' } })
  await entersAs(desk, await analystOf(call))
  await aloneFor(call, 2)
  await desk.goto('/admin')
  const waiting = desk.getByRole('region', { name: 'Clientes en la sala' })
  await expect(waiting.getByRole('listitem').filter({ hasText: 'Es tuya' })).toContainText(
    'Espera desde hace 2 min',
  )
  if (javaScriptEnabled) await findsNothing(desk, 'home with who waits')

  await waiting.getByRole('listitem').filter({ hasText: 'Es tuya' }).getByRole('link').first().click()
  await expect(desk.getByRole('region', { name: 'El cliente espera desde hace 2 min' })).toContainText(
    'Entrar a la llamada',
  )
  await desk.getByText('Hacerla por teléfono').click()
  await desk.getByRole('button', { name: 'Iniciar por teléfono' }).click()
  await expect(desk.getByRole('button', { name: 'Terminar asesoría' })).toBeVisible()

  const notes = desk.getByLabel('Mientras hablas')
  await notes.fill('Medidor afuera\n  tablero viejo')
  if (!javaScriptEnabled) {
    const answered = desk.waitForEvent('load')
    await desk.getByRole('button', { name: 'Guardar notas' }).click()
    await answered
  } else {
    await expect(desk.getByText('Guardado', { exact: true })).toBeVisible()
    await desk.context().setOffline(true)
    await notes.pressSequentially(', ojo')
    await notes.blur()
    await expect(desk.getByText('Sin guardar: se guarda al volver la conexión')).toBeVisible()
    await desk.context().setOffline(false)
    await expect(desk.getByText('Guardado', { exact: true })).toBeVisible()
    await findsNothing(desk, 'call to be held')
  }
  await desk.reload()
  await expect(notes).toHaveValue(/^Medidor afuera\n {2}tablero viejo/)

  await desk.getByLabel('Resumen').fill('Corto')
  await desk.getByLabel('Qué sigue').fill('Agenda tu visita técnica.\nTen a la mano tu recibo.')
  await desk.getByRole('button', { name: 'Terminar asesoría' }).click()
  await expect(desk.getByText('Cuenta de qué hablaron, con al menos 10 caracteres.').first()).toBeVisible()
  await expect(desk.getByLabel('Qué sigue')).toHaveValue(/Ten a la mano tu recibo\./)
  await desk.getByLabel('Resumen').fill('Hablamos de la instalación y de tu tablero.')
  await desk.getByRole('button', { name: 'Terminar asesoría' }).click()
  await expect(desk).toHaveURL(`/admin/appointment-done-videocall/${call}`)
  await expect(desk.getByRole('region', { name: 'Notas' })).toContainText('tablero viejo')
  if (javaScriptEnabled) await findsNothing(desk, 'call that is over')

  await page.goto('/videocall')
  await expect(page.getByText('Hablamos de la instalación y de tu tablero.')).toBeVisible()
  await expect(page.getByText('Ten a la mano tu recibo.')).toBeVisible()
  await expect(page.getByText('tablero viejo')).toHaveCount(0)
})

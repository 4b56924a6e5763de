import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { enters, heard, press, says } from '../kit/call-steps.ts'
import { expect, test } from '../kit/call-world.ts'
import { withDatabase } from '../kit/database.ts'
import { bothWays, comesIn, measured, stopsComingIn, tells } from '../kit/media.ts'
import { entersAs, newPerson } from '../kit/steps.ts'

// Longer than others: on a busy machine twice what is usual.
test.describe.configure({ timeout: 120_000 })

test('both see, hear and read each other, until the analyst ends it', async ({ newCall }) => {
  const { id, customer, analyst } = await newCall()
  const [hers, his] = [customer.page, analyst.page]
  await test.step('the customer waits, the analyst comes', async () => {
    await enters(customer)
    await expect(hers.getByRole('heading', { name: 'Sala de espera' })).toBeVisible()
    await enters(analyst)
    tells('both in the room', await bothWays([hers, his]))
    expect(await stateOf(id)).toBe('in_progress')
  })
  await test.step('a microphone is off, and on again', async () => {
    await press(his, 'Silenciar')
    await expect(hers.getByText('micrófono apagado')).toBeAttached()
    await stopsComingIn(hers, 'energy')
    await his.keyboard.press('m')
    await comesIn(hers, ['energy'])
    await expect(hers.getByText('micrófono apagado')).not.toBeAttached()
  })
  await test.step('a camera is off, and on again', async () => {
    await hers.keyboard.press('v')
    await expect(his.getByText('tiene la cámara apagada')).toBeVisible()
    await stopsComingIn(his, 'frames')
    await press(hers, 'Encender cámara')
    await comesIn(his, ['frames'])
  })
  await test.step('the other camera, over the same connection', async () => {
    const before = await cameraOf(hers)
    expect(before).toBeTruthy()
    const flip = hers.getByRole('button', { name: 'Voltear cámara' })
    await flip.click()
    await expect.poll(() => cameraOf(hers)).not.toBe(before)
    // Chromium's second camera measures depths, which no call sends.
    await flip.click()
    await expect.poll(() => cameraOf(hers)).toBe(before)
    await bothWays([hers, his])
  })
  await test.step('a screen is shared, and the camera comes back', async () => {
    const shows = async () => (await measured(his)).shows
    for (const ends of [() => his.keyboard.press('s'), () => endsSharingInBrowser(his)]) {
      await press(his, 'Compartir pantalla')
      await expect.poll(shows).toEqual(['screen'])
      await comesIn(hers, ['frames'])
      await ends()
      await expect.poll(shows).toEqual(['camera'])
      await comesIn(hers, ['frames'])
    }
  })
  await test.step('they write to each other', async () => {
    await his.keyboard.press('c')
    await says(hers, '¿Cabe en mi cochera?')
    await heard(his, '¿Cabe en mi cochera?')
    await says(his, 'Sí, con 3 m basta')
    await heard(hers, 'Sí, con 3 m basta')
  })
  await test.step('the customer leaves, and comes back', async () => {
    await press(hers, 'Salir de la llamada')
    await expect(his.getByRole('heading', { name: 'Esperamos a Ana Prueba' })).toBeVisible()
    await hers.getByRole('button', { name: 'Volver a entrar' }).click()
    await bothWays([hers, his])
    await heard(hers, 'Sí, con 3 m basta')
  })
  await test.step('the analyst finishes', async () => {
    await press(his, 'Más opciones')
    await his.getByRole('menuitem', { name: 'Notas y cierre' }).press('Enter')
    await expect(his.getByLabel('Mientras hablas')).toBeFocused()
    await his.getByLabel('Resumen').fill('El cargador cabe junto al medidor.')
    await his.getByLabel('Qué sigue').fill('Agendar la visita técnica.')
    await his.getByRole('button', { name: 'Terminar asesoría' }).click()
    await expect(hers.getByText('El cargador cabe junto al medidor.')).toBeVisible()
    await expect(hers.getByRole('main')).toBeFocused()
    expect((await measured(hers)).open).toBe(0)
    await expect(his).toHaveURL(/appointment-done-videocall/)
    expect(await stateOf(id)).toBe('done')
  })
})

test('to everybody else there is no such room', async ({ newCall, arrive }) => {
  const { customer, analyst } = await newCall()
  await enters(customer)
  const entrance = (page: Page) => page.getByRole('button', { name: /^Entrar/ })
  const stranger = await arrive()
  await newPerson(stranger)
  await stranger.goto(customer.room)
  await expect(stranger.getByRole('link', { name: 'Agendar asesoría' }).first()).toBeVisible()
  await expect(entrance(stranger)).toHaveCount(0)

  const none = analyst.room.replace(/[0-9a-f-]{36}/, randomUUID())
  for (const email of ['tecnico@demo.mx', 'gestor@demo.mx', null]) {
    const page = await arrive()
    if (email) await entersAs(page, email)
    const seen = async (room: string) => {
      const answer = await page.goto(room)
      return [answer?.status(), new URL(page.url()).pathname, await page.locator('main').textContent()]
    }
    expect(await seen(analyst.room), email ?? 'signed out').toEqual(await seen(none))
  }
  // Who may see the appointment, and who waits, may not see the room.
  for (const email of ['gerente@demo.mx', 'analista@demo.mx']) {
    const page = await arrive()
    await entersAs(page, email)
    await page.goto(analyst.room)
    await expect(page.getByText('Ana Prueba').first()).toBeVisible()
    await expect(entrance(page)).toHaveCount(0)
  }
})

const stateOf = (id: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ state: string }>('select state from appointments where id = $1', [
      id,
    ])
    return rows[0]?.state
  })

/** As the browser's own bar does it. */
const endsSharingInBrowser = (page: Page) =>
  page.evaluate(() => {
    for (const track of window.shared) {
      track.stop()
      track.dispatchEvent(new Event('ended'))
    }
  })

/** The name of the camera whose picture goes out. */
const cameraOf = (page: Page) =>
  page.evaluate(() => {
    const senders = window.connections.flatMap((connection) => connection.getSenders())
    return senders.find(({ track }) => track?.kind === 'video')?.track?.label
  })

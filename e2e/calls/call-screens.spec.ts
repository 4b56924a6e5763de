import { findsNothing } from '../kit/axe.ts'
import { isIn, press, says } from '../kit/call-steps.ts'
import { expect, test } from '../kit/call-world.ts'

test('without camera or microphone, by keyboard: what is wrong, the waiting room, its keys and its chat', async ({
  newCall,
  onPhone,
}) => {
  const { page, room } = (await newCall()).customer
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  await page.goto(room)
  await expect(heading('Antes de entrar')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('No encontramos tu cámara y tu micrófono')
  await expect(page.getByText('Tu conexión: buena')).toBeVisible()
  await expect(page.getByText('Nuestro servidor')).toBeHidden()
  await page.getByText('Detalles para soporte').click()
  await expect(page.getByText('Nuestro servidor')).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await findsNothing(page, 'before entering')
  await page.getByRole('button', { name: 'Entrar sin cámara ni micrófono' }).focus()
  await page.keyboard.press('Enter')
  await expect(heading('Sala de espera')).toBeFocused()
  await findsNothing(page, 'the waiting room')

  await page.getByRole('button', { name: 'Salir de la llamada' }).focus()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Atajos de teclado' })
  await expect(keys).toContainText('Silenciar o activar tu micrófono')
  await findsNothing(page, 'the keys')
  await page.keyboard.press('v')
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden()
  await expect(page.getByRole('button', { name: 'Salir de la llamada' })).toBeFocused()
  await page.getByRole('button', { name: 'Más opciones' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Cámara, micrófono y bocina' }).press('Enter')
  await page.getByRole('dialog').press('Escape')
  await expect(page.getByRole('button', { name: 'Más opciones' })).toBeFocused()

  const field = page.getByLabel('Escribe un mensaje')
  if (!onPhone) {
    await expect(field).toBeVisible()
    await page.keyboard.press('Escape')
  }
  await expect(field).toBeHidden()
  await page.keyboard.press('c')
  await says(page, 'cmv?')
  await expect(page.getByRole('log')).toContainText('cmv?')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await expect(page.getByRole('button', { name: 'Chat' })).toBeFocused()
  await page.keyboard.press('v')
  await expect(page.getByRole('dialog', { name: 'Sigue apagado' })).toContainText('No encontramos tu cámara')
  await page.keyboard.press('Escape')

  await page.reload()
  await isIn(page)
  await press(page, 'Salir de la llamada')
  await expect(heading('Saliste de la llamada')).toBeFocused()
  await findsNothing(page, 'after leaving')
  await page.getByRole('button', { name: 'Volver a entrar' }).press('Enter')
  await expect(heading('Sala de espera')).toBeFocused()
})

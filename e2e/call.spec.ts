import { enters, heard, press, says } from './kit/call-steps.ts'
import { expect, test } from './kit/call-test.ts'
import { bothWays, comesIn, measured, stopsComingIn } from './kit/media.ts'

test('a customer and an analyst see, hear and write to each other until the analyst ends the call', async ({
  newCall,
}) => {
  const { customer, analyst } = await newCall()
  const [hers, his] = [customer.page, analyst.page]
  await enters(customer)
  await expect(hers.getByRole('heading', { name: 'Sala de espera' })).toBeVisible()
  await enters(analyst)
  await bothWays([hers, his])
  await press(his, 'Silenciar')
  await expect(hers.getByText('micrófono apagado')).toBeAttached()
  await stopsComingIn(hers, 'energy')
  await his.keyboard.press('m')
  await comesIn(hers, ['energy'])
  await his.keyboard.press('c')
  await says(hers, '¿Cabe en mi cochera?')
  await heard(his, '¿Cabe en mi cochera?')

  await press(his, 'Más opciones')
  await his.getByRole('menuitem', { name: 'Notas y cierre' }).press('Enter')
  await his.getByRole('button', { name: 'Terminar asesoría' }).click()
  await expect(his.getByText('Cuenta de qué hablaron, con al menos 10 caracteres.').first()).toBeVisible()
  await his.getByLabel('Resumen').fill('El cargador cabe junto al medidor.')
  await his.getByLabel('Qué sigue').fill('Agendar la visita técnica.')
  await his.getByRole('button', { name: 'Terminar asesoría' }).click()
  await expect(hers.getByText('El cargador cabe junto al medidor.')).toBeVisible()
  expect((await measured(hers)).open).toBe(0)
  await expect(his).toHaveURL(/appointment-done-videocall/)
})

import { enters, heard, pressInBar, says } from './kit/call-steps.ts'
import { expect, test } from './kit/call-test.ts'
import { bothWays, comesIn, measured, stopsComingIn } from './kit/media.ts'
import { fillForm, headingIn, isAt, press, reads } from './kit/parts.ts'

test('a customer and an analyst see, hear and write to each other until the analyst ends the call', async ({
  newCall,
}) => {
  const { customer, analyst } = await newCall()
  const hers = customer.page
  const his = analyst.page
  await enters(customer)
  await expect(headingIn(hers, 'Sala de espera')).toBeVisible()
  await enters(analyst)
  await bothWays([hers, his])
  await pressInBar(his, 'Silenciar')
  await expect(hers.getByText('micrófono apagado')).toBeAttached()
  await stopsComingIn(hers, 'energy')
  await his.keyboard.press('m')
  await comesIn(hers, ['energy'])
  await his.keyboard.press('c')
  await says(hers, '¿Cabe en mi cochera?')
  await heard(his, '¿Cabe en mi cochera?')

  await pressInBar(his, 'Más opciones')
  await his.getByRole('menuitem', { name: 'Notas y cierre' }).press('Enter')
  await expect(his.getByLabel('Mientras hablas')).toBeFocused()
  await press(his, 'Terminar asesoría')
  await expect(his.getByText('Cuenta de qué hablaron, con al menos 10 caracteres.').first()).toBeVisible()
  await fillForm(his, {
    Resumen: 'El cargador cabe junto al medidor.',
    'Qué sigue': 'Agendar la visita técnica.',
  })
  await press(his, 'Terminar asesoría')
  await reads(hers, 'El cargador cabe junto al medidor.')
  await expect(hers.getByRole('main')).toBeFocused()
  expect((await measured(hers)).open).toBe(0)
  await isAt(his, /appointment-done-videocall/)
})

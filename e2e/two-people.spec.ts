import type { Page } from '@playwright/test'
import { withDatabase } from './kit/database.ts'
import { openScreen, press, reads, showsValue, visitAs } from './kit/parts.ts'
import { entersAs, newCustomer } from './kit/steps.ts'
import { technician } from './kit/team.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'
import { wasVisited } from './kit/visited.ts'

const saysWho = (page: Page) =>
  expect(page.getByRole('alert').filter({ hasText: / a las? \d/ })).toBeVisible()
const bothChanged = (page: Page) => page.getByRole('group', { name: /Los dos lo cambiaron|Anticipo/ })

/** Types once a save is sent, and before it is answered. */
async function savesWhileTyping(page: Page, button: string, label: string, text: string) {
  const typed = Promise.withResolvers<void>()
  await page.route('**/*.data*', async (route) => {
    if (route.request().method() === 'POST') await typed.promise
    await route.continue()
  })
  await press(page, button)
  await page.getByLabel(label).fill(text)
  typed.resolve()
}

test('a manager and an analyst in one draft keep what each changed, and choose where both did', async ({
  arrive,
}) => {
  const path = `/admin/cotizations/add-quote/${await wasVisited(await newCustomer(await arrive()))}`
  const manager = await arrive()
  const analyst = await arrive()
  await entersAs(manager, 'gerente@demo.mx')
  await entersAs(analyst, 'analista@demo.mx')
  await manager.goto(path)
  await press(manager, 'Guardar borrador')
  await expectToast(manager, 'Guardamos el borrador')
  await openScreen(analyst, path)
  await analyst.getByLabel('Notas para el cliente').fill('Incluye el permiso.')
  await manager.getByLabel('Anticipo (%)').fill('70')
  await savesWhileTyping(manager, 'Guardar borrador', 'Anticipo (%)', '80')
  await expectToast(manager, 'Guardamos el borrador')
  await showsValue(manager, 'Anticipo (%)', '80')
  await expect(bothChanged(manager)).toHaveCount(0)

  await saysWho(analyst)
  await showsValue(analyst, 'Anticipo (%)', '70')
  await showsValue(analyst, 'Notas para el cliente', 'Incluye el permiso.')
  await analyst.getByLabel('Anticipo (%)').fill('60')
  await press(manager, 'Guardar borrador')
  await bothChanged(analyst).getByLabel('Usar lo suyo').check()
  await showsValue(analyst, 'Anticipo (%)', '80')
  await press(analyst, 'Guardar borrador')
  await expectToast(analyst, 'Guardamos el borrador')
  await showsValue(manager, 'Notas para el cliente', 'Incluye el permiso.')
  await showsValue(manager, 'Anticipo (%)', '80')
})

test('two managers keep what each changed of a person and, without a live page, of a setting', async ({
  arrive,
}) => {
  const { id } = await withDatabase((client) => technician(client, 'Ñusta', 1))
  const first = await arrive()
  const second = await arrive()
  for (const page of [first, second]) {
    await visitAs(page, 'gerente@demo.mx', `/admin/users/${id}`)
    await page.getByText('Corregir nombre y teléfono').click()
  }
  await second.getByLabel('Apellidos').fill('Corregido')
  await first.getByLabel('Teléfono').fill('55 9800 1133')
  await press(first, 'Guardar datos')
  await saysWho(second)
  await showsValue(second, 'Apellidos', 'Corregido')
  await showsValue(second, 'Teléfono', '559 800 11 33')
  await press(second, 'Guardar datos')
  await reads(second, 'Ñusta Corregido')
  const stored = await withDatabase((client) =>
    client.query('select lastname, phone from users where id = $1', [id]),
  )
  expect(stored.rows).toEqual([{ lastname: 'Corregido', phone: '5598001133' }])

  const path = '/admin/account/configuracion/facturacion'
  const plain = await arrive({ javaScriptEnabled: false })
  const live = await arrive()
  await visitAs(live, 'gerente@demo.mx', path)
  await plain.context().addCookies(await live.context().cookies())
  await plain.goto(path)
  await live.getByLabel('Domicilio fiscal').fill('Calle Uno 1')
  await savesWhileTyping(live, 'Guardar', 'Domicilio fiscal', 'Calle Uno')
  await expectToast(live, 'Guardamos los cambios')
  await showsValue(live, 'Domicilio fiscal', 'Calle Uno')
  await plain.getByLabel('Domicilio fiscal').fill('Calle Dos 2')
  await press(plain, 'Guardar')
  await saysWho(plain)
  await showsValue(plain, 'Domicilio fiscal', 'Calle Dos 2')
  await bothChanged(plain).getByLabel('Usar lo suyo').check()
  await press(plain, 'Guardar')
  await showsValue(plain, 'Domicilio fiscal', 'Calle Uno 1')
})

import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { withDatabase } from '../kit/database.ts'
import { entersAs, isTakenOver, newCustomer, toastOn } from '../kit/steps.ts'
import { wasVisited } from '../kit/visited.ts'
import { expect, test } from '../kit/world.ts'

test('an analyst builds a quote by keyboard and drag, looks at it and sends it', { tag: '@once' }, async ({
  arrive,
}) => {
  const [customer, page] = [await arrive(), await arrive()]
  const visit = await wasVisited(await newCustomer(customer))
  await entersAs(page, 'analista@demo.mx')
  await page.goto(`/admin/appointments-done/${visit}`)
  await page.getByRole('link', { name: 'Cotizar', exact: true }).click()
  const essential = page.getByRole('region', { name: 'Esencial' })
  await expect(essential).toContainText('$27,483.60')
  const [first, second] = [await nameOf(page, 0), await nameOf(page, 1)]

  await line(page, 1).locator('summary').click()
  await line(page, 1).getByLabel('Precio sin IVA').fill('40')
  await expect(essential).toContainText('$27,692.40')
  await line(page, 1)
    .getByRole('button', { name: /^Subir/ })
    .press('Enter')
  expect([await nameOf(page, 0), await nameOf(page, 1)]).toEqual([second, first])
  // At the top there is nowhere further up: the focus goes on to the way back.
  await expect(line(page, 0).getByRole('button', { name: /^Bajar/ })).toBeFocused()
  await expect(page.getByText('Quedó en el lugar 1 de 9.')).toBeAttached()
  await line(page, 0)
    .getByRole('button', { name: /^Duplicar/ })
    .press('Enter')
  await expect(line(page, 1).getByLabel('Descripción')).toBeFocused()
  await expect(line(page, 1).getByLabel('Precio sin IVA')).toHaveValue('40')
  await line(page, 1)
    .getByRole('button', { name: /^Quitar/ })
    .click()
  const third = await nameOf(page, 2)
  await drag(page, 2, 1)
  expect([await nameOf(page, 1), await nameOf(page, 2)]).toEqual([third, first])
  await findsNothing(page, 'the builder of a quote')

  await page.getByRole('button', { name: 'Vista previa' }).click()
  const preview = page.getByRole('region', { name: 'Vista previa' })
  await expect(preview.getByText('$27,692.40').first()).toBeVisible()
  await page.getByRole('button', { name: 'Guardar borrador' }).click()
  await expect(toastOn(page, 'Guardamos el borrador')).toBeVisible()
  expect(await nameOf(page, 1)).toBe(third)
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page).toHaveURL(/detail-quote/)
  await customer.goto('/quote')
  await expect(customer.getByText('$27,692.40').first()).toBeVisible()
})

test('metres take their lines along, and a new version takes the place of the open one', {
  tag: '@plain',
}, async ({ arrive, javaScriptEnabled }) => {
  const [customer, page] = [await arrive(), await arrive()]
  const visit = await wasVisited(await newCustomer(customer))
  await entersAs(page, 'analista@demo.mx')
  await page.goto(`/admin/cotizations/add-quote/${visit}`)
  if (javaScriptEnabled !== false) await isTakenOver(page)
  const essential = page.getByRole('region', { name: 'Esencial' })
  const metres = essential.getByLabel('Metros de recorrido')
  const button = essential.getByRole('button', { name: 'Recalcular partidas' })
  const quantity = (nth: number) => line(page, nth).locator('input[name$=".quantity"]')
  await expect(quantity(1)).toHaveValue('45')
  await metres.fill('20')
  if (javaScriptEnabled === false) {
    await button.click()
  } else {
    await metres.press('Tab')
    await expect(button).toBeHidden()
  }
  await expect(quantity(1)).toHaveValue('40')
  await expect(quantity(2)).toHaveValue('20')
  await expect(metres).toHaveValue('20')
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page).toHaveURL(/detail-quote/)

  await page.getByRole('button', { name: 'Hacer una versión nueva' }).click()
  await expect(page).toHaveURL(/add-quote/)
  if (javaScriptEnabled !== false) await isTakenOver(page)
  const again = page.getByRole('region', { name: 'Recomendada' }).getByLabel('Metros de recorrido')
  await again.fill('10')
  // Without a script the lines stay as they are, and sending says so first.
  if (javaScriptEnabled === false) {
    await page.getByRole('button', { name: 'Enviar y sustituir la versión 1' }).click()
    await expect(page.getByRole('main')).toContainText('Los metros no coinciden con las partidas')
    await expect(again).toHaveValue('10')
    await page
      .getByRole('region', { name: 'Recomendada' })
      .getByRole('button', { name: 'Recalcular partidas' })
      .click()
  }
  await page.getByRole('button', { name: 'Enviar y sustituir la versión 1' }).click()
  await expect(page).toHaveURL(/detail-quote/)
  await expect(page.getByRole('main')).toContainText('Versión 2')
  await page.getByRole('link', { name: 'Historial' }).click()
  await expect(page.getByRole('main')).toContainText('Reemplazada')
  await customer.goto('/quote')
  await expect(customer.getByRole('main')).toContainText('Incluye 10\u00a0m de recorrido')
})

test('asking for approval leaves what is typed in the draft', { tag: '@once' }, async ({ arrive }) => {
  const [customer, page] = [await arrive(), await arrive()]
  const visit = await wasVisited(await newCustomer(customer))
  await entersAs(page, 'analista@demo.mx')
  await page.goto(`/admin/cotizations/add-quote/${visit}`)
  await line(page, 0).locator('summary').click()
  await line(page, 0).getByLabel('Precio sin IVA').fill('1')
  await page.getByRole('button', { name: 'Guardar borrador' }).click()
  await expect(toastOn(page, 'Guardamos el borrador')).toBeVisible()

  const description = line(page, 0).getByLabel('Descripción')
  if (!(await description.isVisible())) await line(page, 0).locator('summary').click()
  await description.fill('Cable hasta la azotea')
  await page.locator('summary', { hasText: 'Pedir autorización' }).click()
  const press = page.getByRole('button', { name: 'Pedir autorización' })
  await press.click()
  await expect(page.getByText('Escribe por qué conviene, para la gerencia.').first()).toBeVisible()
  await expect(description).toHaveValue('Cable hasta la azotea')
  await page.getByLabel('¿Por qué conviene?').fill('Compra dos cargadores.')
  await press.click()
  await expect(toastOn(page, 'Pediste autorización')).toBeVisible()
  await expect(description).toHaveValue('Cable hasta la azotea')
})

test('two people in one draft: who saves later is refused, again too, and undoes nothing', {
  tag: '@once',
}, async ({ arrive }) => {
  const [customer, manager, analyst] = [await arrive(), await arrive(), await arrive()]
  const visit = await wasVisited(await newCustomer(customer))
  const path = `/admin/cotizations/add-quote/${visit}`
  const deposit = (page: Page) => page.getByLabel('Anticipo (%)')
  const save = (page: Page) => page.getByRole('button', { name: 'Guardar borrador' }).click()
  await entersAs(manager, 'gerente@demo.mx')
  await entersAs(analyst, 'analista@demo.mx')
  await manager.goto(path)
  await save(manager)
  await expect(toastOn(manager, 'Guardamos el borrador')).toBeVisible()
  await analyst.goto(path)
  await isTakenOver(analyst)
  const before = await deposit(analyst).inputValue()

  const refreshed = analyst.waitForResponse(/add-quote.*\.data/, { timeout: 30_000 })
  // Twice: what one saved oneself is no reason to be refused.
  for (const [version, percent] of ['60', '70'].entries()) {
    await deposit(manager).fill(percent)
    await save(manager)
    await expect(manager.locator('form:has([name=depositPercent]) [name=version]')).toHaveValue(
      `${version + 2}`,
    )
  }
  await refreshed
  await expect(deposit(analyst)).toHaveValue(before)
  const notes = analyst.getByLabel('Notas para el cliente')
  await notes.fill('Incluye el permiso.')
  for (let presses = 0; presses < 2; presses++) {
    const answered = analyst.waitForResponse((answer) => answer.request().method() === 'POST')
    await save(analyst)
    expect((await answered).status()).toBe(409)
    await expect(analyst.getByRole('main')).toContainText('Vuelve a abrir la página para ver lo que cambió.')
    await expect(notes).toHaveValue('Incluye el permiso.')
  }
  const stored = await withDatabase((client) =>
    client.query(`select content ->> 'depositPercent' as percent from quotes where appointment_id = $1`, [
      visit,
    ]),
  )
  expect(stored.rows).toEqual([{ percent: '70' }])
})

/** A line of the first option. */
const line = (page: Page, nth: number) =>
  page.getByRole('region', { name: 'Esencial' }).locator('ol').first().locator('> li').nth(nth)
const nameOf = (page: Page, nth: number) => line(page, nth).getByLabel('Descripción').inputValue()

/** Takes a line by its grip to the place of another above it. */
async function drag(page: Page, from: number, to: number) {
  await line(page, to).scrollIntoViewIfNeeded()
  const grip = (await line(page, from).getByTitle('Arrastra para mover').boundingBox())!
  const target = (await line(page, to).boundingBox())!
  await page.mouse.move(grip.x + grip.width / 2, grip.y + 20)
  await page.mouse.down()
  await page.mouse.move(target.x + 10, target.y + target.height / 2, { steps: 4 })
  await page.mouse.move(target.x + 10, target.y + 4, { steps: 2 })
  await page.mouse.up()
}

test('no part of a quote’s page is longer than some four screens of a desk', { tag: '@once' }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const quote = await withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from quotes where state = 'accepted' order by length(content::text) desc, id limit 1`,
    )
    return rows[0]!.id
  })
  await entersAs(page, 'gerente@demo.mx')
  for (const part of ['contenido', 'cuenta', 'fiscal', 'historial']) {
    await page.goto(`/admin/cotizations/detail-quote/${quote}?parte=${part}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollHeight), part).toBeLessThan(4_000)
  }
})

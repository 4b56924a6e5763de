import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { withDatabase } from '../kit/database.ts'
import { entersAs, isTakenOver, newCustomer, password, toastOn } from '../kit/steps.ts'
import { wasVisited } from '../kit/visited.ts'
import { expect, test } from '../kit/world.ts'

test('a quote is rejected and redone: the next version says what changed, and is accepted', {
  tag: '@once',
}, async ({ arrive }) => {
  const [customer, desk] = [await arrive(), await arrive()]
  const quote = await quotedBy(desk, await newCustomer(customer))
  await customer.goto('/quote')
  await isTakenOver(customer)
  await customer.getByText('No me interesa').click()
  await customer.getByLabel('Motivo').selectOption('price')
  await customer.getByRole('button', { name: 'Rechazar cotización' }).click()
  await expect(toastOn(customer, 'La rechazaste').first()).toBeVisible()

  await desk.goto(quote)
  await desk.getByRole('button', { name: 'Hacer una versión nueva' }).click()
  await expect(desk).toHaveURL(/add-quote/)
  const essential = desk.getByRole('region', { name: 'Esencial' })
  const first = essential.locator('ol').first().locator('> li').first()
  await first.locator('summary').click()
  await first.getByLabel('Precio sin IVA').fill('9000')
  await desk.getByRole('button', { name: 'Enviar' }).click()
  await expect(desk).toHaveURL(/detail-quote/)

  await customer.goto('/quote')
  await expect(customer.getByRole('main')).toContainText('versión 2')
  await expect(customer.getByText('Qué cambió desde la versión 1')).toBeVisible()
  await accepts(customer)
})

test('a transfer $200 short leaves the rest to pay; cancelled in time, all of it goes back', {
  tag: '@once',
}, async ({ arrive }) => {
  const [customer, desk, manager] = [await arrive(), await arrive(), await arrive()]
  const email = await newCustomer(customer)
  const quote = await quotedBy(desk, email)
  await customer.goto('/quote')
  await accepts(customer)
  const deposit = await askedOf(email)

  await transfers(customer, 'A1', 'test/photos/sharp-facade.jpg')
  await desk.goto(`${quote}?parte=cuenta`)
  const picture = desk.getByRole('img', { name: /^Comprobante de PAG/ })
  await picture.scrollIntoViewIfNeeded()
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  await findsNothing(desk, 'a proof beside its review')
  await receives(desk, deposit - 200_00)
  await customer.goto('/payments')
  await expect(customer.getByRole('main')).toContainText('Te faltan $200.00 de tu anticipo.')
  await findsNothing(customer, 'the rest of a payment')
  await transfers(customer, 'A2')
  await desk.goto(`${quote}?parte=cuenta`)
  await desk.getByRole('button', { name: 'Llegó completo: $200.00' }).click()
  await expect(desk.getByRole('heading', { name: /Revisa la transferencia/ })).toBeHidden()
  await customer.goto('/payments')
  await expect(customer.getByRole('link', { name: /recibo/i })).toHaveCount(2)
  await customer.goto('/installation')
  await expect(customer.getByRole('main').getByRole('link', { name: /Agendar/ })).toBeVisible()

  await customer.goto('/quote')
  await isTakenOver(customer)
  await customer.getByText('Cancelar mi cotización').click()
  await customer.getByLabel('¿Por qué la cancelas?').fill('Me mudo.')
  await customer.getByRole('button', { name: 'Cancelar cotización' }).click()
  await expect.poll(() => refundOf(email)).toEqual({ state: 'requested', amount: deposit })
  await customer.goto('/payments')
  await customer.getByLabel('CLABE').fill('032180000118359719')
  await customer.getByLabel('A nombre de').fill('Ana Prueba')
  await customer.getByLabel('Tu contraseña').fill(password)
  // What the manager reads before it is kept is refused as changed.
  await Promise.all([
    customer.waitForResponse((answer) => answer.request().method() === 'POST'),
    customer.getByRole('button', { name: 'Guardar cuenta' }).click(),
  ])

  await entersAs(manager, 'gerente@demo.mx')
  await manager.goto(`${quote}?parte=cuenta`)
  await expect(manager.getByText('se devuelve todo', { exact: false })).toBeVisible()
  await manager.getByRole('button', { name: 'Aprobar reembolso' }).click()
  await manager.getByLabel(/Comprobante de la transferencia/).setInputFiles(paper('reembolso.pdf'))
  await manager.getByRole('button', { name: 'Registrar reembolso' }).click()
  await expect.poll(() => refundOf(email)).toEqual({ state: 'paid', amount: deposit })
  await customer.goto('/payments')
  await expect(customer.getByRole('main')).toContainText('Te lo enviamos el')
  expect(await askedOf(email)).toBe(0)
})

/** A quote as the rules propose it, sent by an analyst; answers the address of its screen. */
async function quotedBy(desk: Page, email: string): Promise<string> {
  const visit = await wasVisited(email)
  await entersAs(desk, 'analista@demo.mx')
  await desk.goto(`/admin/cotizations/add-quote/${visit}`)
  await isTakenOver(desk)
  await desk.getByRole('button', { name: 'Enviar' }).click()
  await expect(desk).toHaveURL(/detail-quote/)
  return new URL(desk.url()).pathname
}

async function accepts(customer: Page) {
  await isTakenOver(customer)
  await customer.getByRole('radio', { name: 'Esencial' }).check()
  await customer.getByRole('button', { name: 'Revisar y aceptar' }).click()
  await customer.getByLabel('Tu nombre completo').fill('Ana Prueba')
  await customer.getByRole('checkbox', { name: /Leí y acepto/ }).check()
  await customer.getByRole('button', { name: 'Aceptar cotización' }).click()
  await expect(customer.getByText('La aceptaste')).toBeVisible()
}

const paper = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(`%PDF-1.4\n% ${name} ${Math.random()}\n%%EOF\n`),
})

/** Their bank's paper of what is asked for, as it comes from a phone. */
async function transfers(
  customer: Page,
  key: string,
  file: string | ReturnType<typeof paper> = paper(`${key}.pdf`),
) {
  await customer.goto('/payments')
  await isTakenOver(customer)
  await customer.getByLabel('Banco desde el que pagaste').selectOption({ index: 1 })
  await customer.getByLabel('Clave de rastreo').fill(`${key}-${Date.now()}`)
  await customer.getByLabel(/Comprobante/).setInputFiles(file)
  await customer.getByRole('button', { name: 'Enviar comprobante' }).click()
  // A picture is re-encoded in a process of its own, which a busy machine starts slowly.
  await expect(customer.getByText('Estamos revisando tu transferencia')).toBeVisible({ timeout: 20_000 })
}

/** The office finds another amount in the account. */
async function receives(desk: Page, centavos: number) {
  await desk.getByText('Llegó otra cantidad, u otro día').click()
  await desk.getByLabel('Cantidad que llegó').fill((centavos / 100).toFixed(2))
  await desk.getByRole('button', { name: 'Registrar pago' }).click()
  await expect(desk.getByText(/Faltan \$200\.00 y queda un pago pendiente/).first()).toBeVisible()
  await desk.getByRole('button', { name: /^Sí, registrar/ }).click()
  await expect(desk.getByRole('heading', { name: /Revisa la transferencia/ })).toBeHidden()
}

/** Centavos that are asked of somebody now. */
const askedOf = (email: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ asked: number }>(
      `select coalesce(sum(amount), 0)::int as asked from payments join users on users.id = customer_id
       where email = $1 and state in ('pending', 'in_review')`,
      [email],
    )
    return rows[0]!.asked
  })

const refundOf = (email: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ state: string; amount: number }>(
      `select state, amount::int as amount from refunds join users on users.id = customer_id where email = $1`,
      [email],
    )
    return rows[0]
  })

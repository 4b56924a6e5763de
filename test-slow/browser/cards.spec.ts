import type { Page } from '@playwright/test'
import { findsNothing } from '../../e2e/kit/axe.ts'
import { withDatabase } from '../../e2e/kit/database.ts'
import { startOwnServer, startTime } from '../../e2e/kit/own-server.ts'
import { buttonIn, follow, headingIn, linkIn, mainSays, press } from '../../e2e/kit/parts.ts'
import { newPerson } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { type StripeServer, startStripe } from '../../test/integrations/stripe/server.ts'

// One application and one Stripe for all of them.
test.describe.configure({ mode: 'default' })

const port = Number(process.env.E2E_PORT ?? 3210) + 800

const here = `http://localhost:${port}`

test.use({ baseURL: here })

let stripe: StripeServer

let server: Awaited<ReturnType<typeof startOwnServer>>

test.beforeAll(async () => {
  test.setTimeout(startTime())
  stripe = await startStripe({ port: port + 10, hears: `${here}/stripe/webhook` })
  server = await startOwnServer(port, { ...stripe.environment, CARD_MSI: 'true' })
})

test.afterAll(async () => {
  await server?.stop()
  await stripe?.stop()
})

/** Somebody new who is asked for the fee of a visit, at the page of what they owe. */
async function asked(page: Page): Promise<string> {
  const email = await newPerson(page)
  const id = await withDatabase(async (db) => {
    const { rows } = await db.query(
      `with customer as (select id from users where email = $1),
         project as (insert into projects (customer_id) select id from customer returning id, customer_id)
       insert into payments (folio, project_id, customer_id, concept, amount)
       select 'PAG-' || $1, id, customer_id, 'visit_fee', 120000 from project returning id`,
      [email],
    )
    return rows[0].id as string
  }, server.folder)
  await page.goto('/payments')
  return id
}

const pay = (page: Page) => buttonIn(page, 'Pagar con tarjeta')

const pagesOf = (id: string) =>
  [...stripe.account.sessions.values()].filter(({ metadata }) => metadata.payment === id)

test('a customer leaves the card payment once and pays then', async ({ page }) => {
  const id = await asked(page)
  await mainSays(page, 'Hasta 12 meses sin intereses')
  await findsNothing(page, page.url())
  await pay(page).click()
  await expect(headingIn(page, 'Pagar $1200.00')).toBeVisible()
  await follow(page, 'Volver')
  await mainSays(page, 'No se te cobró nada')
  await pay(page).click()
  await expect(headingIn(page, 'Pagar $1200.00')).toBeVisible()
  expect(pagesOf(id)).toHaveLength(1)
  await press(page, 'Pagar $1200.00 con tarjeta')
  await mainSays(page, 'Recibimos tu pago de $1,200.00')
  await findsNothing(page, page.url())
})

test('a customer pays by OXXO, and the open page says so', async ({ page }) => {
  const id = await asked(page)
  await pay(page).click()
  await press(page, 'Pagar en OXXO')
  await mainSays(page, 'Esperando tu pago en OXXO')
  await expect(linkIn(page, 'Ver mi ficha de OXXO')).toBeVisible()
  await findsNothing(page, page.url())
  stripe.account.payVoucher(pagesOf(id)[0]!)
  await mainSays(page, 'Recibimos tu pago de $1,200.00')
  await stripe.told()
})

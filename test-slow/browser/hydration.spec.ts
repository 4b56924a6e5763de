import type { Locator, Page } from '@playwright/test'
import { withDatabase } from '../../e2e/kit/database.ts'
import {
  buttonIn,
  exact,
  isAt,
  linkIn,
  openScreen,
  openScreenAs,
  press,
  reads,
  regionIn,
} from '../../e2e/kit/parts.ts'
import { isReadAgain, isRefreshed } from '../../e2e/kit/refreshes.ts'
import {
  entersAs,
  hasIt,
  isHeld,
  isTakenOver,
  kept,
  newCustomer,
  newPerson,
  openSlowly,
} from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

test('a customer keeps what they typed before scripts loaded, also after a refresh', async ({ page }) => {
  await newCustomer(page)
  const street = page.getByLabel('Calle', { exact: true })
  await openSlowly(page, '/address?editar', () => street.fill('Calle de los Olvidos'))
  await expect.poll(() => kept(page)).toContain('Olvidos')
  await isReadAgain(page)
  await expect(street).toHaveValue('Calle de los Olvidos')
})

test('a manager goes on in a dialog that they opened before scripts loaded', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  const email = page.getByLabel('Correo electrónico')
  await openSlowly(page, '/admin/users', async () => {
    await page.getByText('Invitar', { exact: true }).click()
    await email.fill('no es correo')
  })
  await expect.poll(() => kept(page)).not.toBeNull()
  await press(page, 'Enviar invitación')
  await expect(email).toHaveAccessibleDescription(/Escribe un correo válido/)
  await expect(email).toHaveValue('no es correo')
  // Closed where it is, it opens as everywhere from then on.
  await page.getByText('Invitar', { exact: true }).click()
  await press(page, 'Invitar', exact)
  await expect(page.getByRole('dialog').getByLabel('Correo electrónico')).toBeVisible()
})

test('a customer whose page was slow to listen gets the change that it missed', async ({ page }) => {
  const email = await newCustomer(page)
  const asked = page.waitForResponse(/\.data/)
  // As another process announces it.
  await openSlowly(page, '/technics-visit', () =>
    withDatabase((client) =>
      client.query(`select pg_notify('changes', '#otro ' || id) from users where email = $1`, [email]),
    ),
  )
  await asked
})

test('a manager who presses while scripts load opens the dialog', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  const email = page.getByLabel('Correo electrónico')
  await openSlowly(page, '/admin/users', async () => {
    await page.getByText('Invitar', { exact: true }).hover()
    await page.mouse.down()
  })
  await page.mouse.up()
  await expect(email).toBeVisible()
})

test('a manager whose press hydrates the page opens the dialog', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  // React takes a page over when it is next idle, or at once at the first press on it.
  await page.addInitScript(() => {
    Object.assign(window, { setImmediate: () => 0 })
  })
  await page.goto('/admin/users')
  await page.getByText('Invitar', { exact: true }).click()
  await expect(page.getByLabel('Correo electrónico')).toBeVisible()
})

test('a technician sees late parts of a visit stay in place until their code loads', async ({ page }) => {
  await openScreenAs(page, 'tecnico@demo.mx', '/admin/appointments-pending?service=technical_visit')
  const visit = (await page.locator('.row-link').first().getAttribute('href'))!
  const { promise: code, resolve: come } = Promise.withResolvers<void>()
  await page.route(/(stop-reach|late-form|more-actions|bottom-bar)-[^/]*\.js$/, async (route) => {
    await code
    await route.continue()
  })
  await page.goto(visit, { waitUntil: 'commit' })
  const call = page.locator('main a[href^="tel:"]').first()
  const more = page.locator('summary', { hasText: 'Más acciones' })
  const parts = await Promise.all([call, more].map((part) => part.elementHandle()))
  const areTaken = () => Promise.all(parts.map((part) => part!.evaluate(hasIt)))
  await isTakenOver(page)
  // What React does not know yet, it would have thrown away by then.
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)))
  expect(await areTaken()).toEqual([false, false])
  come()
  await expect.poll(areTaken).toEqual([true, true])
  for (const part of parts) expect(await part!.isVisible()).toBe(true)
})

test('a customer who chooses a day cannot take an hour of the previous day meanwhile', async ({ page }) => {
  await newCustomer(page)
  // At the end of a month a desk may show one free day only; a phone's line goes on.
  await page.setViewportSize({ width: 360, height: 740 })
  await openScreen(page, '/agenda-technics-visit')
  const { promise: answer, resolve: come } = Promise.withResolvers<void>()
  await page.route(/agenda-technics-visit\.data/, (route) => answer.then(() => route.continue()))
  const day = linkIn(regionIn(page, 'Día'), /horarios? libres?/).last()
  await expect(day).not.toHaveAttribute('aria-current', 'date')
  await day.click()
  await expect(day).toHaveAttribute('aria-current', 'date')
  await expect(page.getByRole('radio').first()).toBeDisabled()
  come()
  await expect(page.getByRole('radio').first()).toBeEnabled()
  await expect(day).toHaveAttribute('aria-current', 'date')
})

test('a customer keeps the scrolled line of days when scripts load', async ({ page }) => {
  await newCustomer(page)
  await page.setViewportSize({ width: 360, height: 740 })
  const days = linkIn(regionIn(page, 'Día'), /horarios? libres?/)
  const scrolled = () => days.last().evaluate((day) => day.closest('.overflow-x-auto')!.scrollLeft)
  let before = 0
  await openSlowly(page, '/agenda-technics-visit', async () => {
    await days.last().scrollIntoViewIfNeeded()
    before = await scrolled()
  })
  await isHeld(days.last())
  expect(before).toBeGreaterThan(0)
  expect(await scrolled()).toBe(before)
  await days.last().click()
  await expect(days.last()).toHaveAttribute('aria-current', 'date')
  // The chosen one stays where it was pressed, and is there too when the page is read anew.
  expect(await scrolled()).toBe(before)
  await expect(page).toHaveURL(/dia=/)
  await page.reload()
  await expect.poll(scrolled).toBeGreaterThan(0)
})

test('a manager keeps a row ticked when scripts load and when the page refreshes', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  const box = page.getByRole('checkbox', { name: /^Marcar [A-Z]/ }).first()
  await openSlowly(page, '/admin/appointments-pending?state=assigned', () => box.check())
  await reads(page, '1 marcada')
  // A mark is nothing written, and stays.
  await isRefreshed(page)
  await reads(page, '1 marcada')
  await expect(box).toBeChecked()
})

/** Opens a page slowly; where `place` was before its scripts came, it is once they have brought `later`. */
async function staysInPlace(page: Page, path: string, later: Locator, place: () => Promise<unknown>) {
  let before: unknown
  await openSlowly(page, path, async () => {
    before = await place()
  })
  await expect(later).toBeVisible()
  expect(await place(), path).toEqual(before)
}

const desks = [1440, 360].map((width) => ({ width, height: 900 }))

test('a manager sees no row move when scripts load', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  const box = page.getByRole('checkbox', { name: /^Marcar [A-Z]/ }).first()
  const place = async () => [
    await box.evaluate((row) => row.getBoundingClientRect().top + scrollY),
    // The words of the first column, beside the box that ticks the page.
    await page
      .locator('thead th')
      .first()
      .evaluate((head) => {
        const words = document.createRange()
        words.selectNode(head.lastChild!)
        return words.getBoundingClientRect().left
      }),
  ]
  const later = page.getByRole('checkbox', { name: 'Marcar toda la página' })
  for (const desk of desks) {
    await page.setViewportSize(desk)
    for (const query of ['', '?state=assigned'])
      await staysInPlace(page, `/admin/appointments-pending${query}`, later, place)
  }
})

test('a manager sees their account not move when the browser has no notifications', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PushManager'))
  await entersAs(page, 'gerente@demo.mx')
  const tick = page.getByLabel('Usar atajos de una sola tecla en este equipo')
  const later = page.getByText('Tu navegador no los muestra')
  for (const desk of desks) {
    await page.setViewportSize(desk)
    await staysInPlace(page, '/admin/account', later, () =>
      tick.evaluate((box) => box.getBoundingClientRect().top + scrollY),
    )
  }
})

test('an ally sees no row of codes move when its buttons load', async ({ page }) => {
  await entersAs(page, 'aliado@demo.mx')
  const cells = page.locator('tbody td')
  const sizes = async () => {
    await cells.first().waitFor()
    return cells.evaluateAll((all) =>
      all.map((cell) => cell.getBoundingClientRect()).map((at) => [at.width, at.height]),
    )
  }
  // One of them: other tests make more meanwhile.
  const later = buttonIn(page, 'Compartir PRUEBA22')
  await staysInPlace(page, '/admin/alliate/codes?text=PRUEBA22', later, sizes)
  await expect(page.locator('tbody summary')).toHaveCount(0)
})

test('a manager who filtered before scripts loaded gets the filter once, not again by going back', async ({
  page,
}) => {
  await entersAs(page, 'gerente@demo.mx')
  const service = page.getByLabel('Servicio', { exact: true })
  await openSlowly(page, '/admin/appointments-pending', async () => {
    await page.getByText('Filtros', { exact: true }).click()
    await service.selectOption('Instalación')
  })
  await isAt(page, /service=installation/)
  await expect(service).toHaveValue('installation')
  await page.unroute(/entry\.client/)
  await page.goto('/admin')
  await page.goBack()
  await isHeld(service)
  await isAt(page, /service=installation/)
  await page.goBack()
  await isAt(page, /appointments-pending$/)
  await isHeld(service)
  await page.reload()
  await isHeld(service)
  await isAt(page, /appointments-pending$/)
})

test('a customer who typed a postal code before scripts loaded gets its answer', async ({ page }) => {
  await newPerson(page)
  await openSlowly(page, '/address', () => page.getByLabel('Código postal', { exact: true }).fill('64000'))
  await expect(page.getByText('Todavía no llegamos al 64000', { exact: true })).toBeVisible()
})

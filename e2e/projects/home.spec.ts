import { findsNothing } from '../kit/axe.ts'
import { entersAs, newPerson, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

const sizes = [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
]

/** One sentence, its one action in sight, and every step by its name. */
test('a home says what happens next, at the size of a phone and of a desk', { tag: '@once' }, async ({
  page,
}) => {
  await entersAs(page, 'cliente2@demo.mx')
  for (const size of sizes) {
    await page.setViewportSize(size)
    await page.goto('/')
    const turn = page.getByRole('region', { name: 'Qué sigue' })
    await expect(turn).toContainText(/^(Hoy|Mañana|El .+), (entre|a las?) .+(visit|Tu visita era)/)
    const action = turn.getByRole('link')
    await expect(action).toHaveCount(1)
    const box = (await action.boundingBox())!
    expect(box.y + box.height).toBeLessThan(size.height)
    for (const step of ['Registro', 'Visita técnica', 'Cotización', 'Anticipo', 'Instalación', 'Concluido'])
      await expect(turn.getByRole('listitem').filter({ hasText: step })).toBeInViewport()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
    await findsNothing(page, `home at ${size.width}`)
  }
  await page.getByRole('region', { name: 'Prepárate' }).getByRole('link').first().click()
  await expect(page).toHaveURL('/address?editar')
})

test('out of area: answered at the fifth digit, with three ways on', { tag: ['@plain', '@once'] }, async ({
  page,
  javaScriptEnabled,
}) => {
  await newPerson(page)
  await page.goto('/agenda-technics-visit')
  await expect(page).toHaveURL('/address?para=technical_visit')
  await expect(page.getByText('Para agendar tu visita necesitamos saber dónde es.')).toBeVisible()
  const code = page.getByLabel('Código postal', { exact: true })
  await code.fill('64000')
  if (!javaScriptEnabled) {
    await page.getByRole('button', { name: 'Guardar' }).click()
    await expect(code).toHaveAccessibleDescription(/Todavía no llegamos al 64000\./)
    await expect(page.getByText('Escribe la calle.')).toHaveCount(0)
  }
  await expect(page.getByText('Todavía no llegamos al 64000', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Calle', { exact: true })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Agendar asesoría' })).toBeVisible()
  if (javaScriptEnabled) {
    await findsNothing(page, 'an address out of area')
    await code.fill('04100')
    await expect(page.getByText('Sí llegamos a Coyoacán')).toBeVisible()
    await expect(page.getByLabel('Calle', { exact: true })).toBeVisible()
    await code.fill('64000')
  }
  await page.getByRole('button', { name: 'Avísame cuando lleguen' }).click()
  await expect(toastOn(page, 'Te avisamos cuando lleguemos a tu zona')).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Qué sigue' })).toContainText(
    'Todavía no llegamos a tu zona.',
  )
  await page.getByRole('link', { name: 'Corregir mi código postal' }).click()
  await expect(page).toHaveURL('/address?editar')
  await expect(code).toHaveValue('64000')
})

test('a page’s one main action stands in its card on a desk, and at the foot of a phone', {
  tag: ['@plain', '@once'],
}, async ({ page }) => {
  await entersAs(page, 'cliente@demo.mx')
  const action = page.locator('[data-action-bar]').getByRole('link')
  for (const path of ['/technics-visit', '/videocall', '/quote', '/installation']) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path)
    await expect(action).toHaveCount(1)
    await expect(action).toBeInViewport()
    expect(await action.evaluate((link) => link.closest('.rounded-card') !== null), path).toBe(true)
    await page.setViewportSize({ width: 360, height: 740 })
    const box = (await action.boundingBox())!
    expect(box.y, path).toBeGreaterThan(740 / 2)
    expect(box.y + box.height, path).toBeLessThanOrEqual(740)
  }
  // The agenda is longer than the screen of a laptop.
  await page.setViewportSize({ width: 1440, height: 640 })
  await page.goto('/agenda-technics-visit')
  await expect(page.getByRole('button', { name: 'Agendar visita' })).toBeInViewport({ ratio: 1 })
})

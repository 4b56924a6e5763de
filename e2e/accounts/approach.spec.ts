import { findsNothing } from '../kit/axe.ts'
import { expect, test } from '../kit/world.ts'

test('a visitor asks for coverage and an estimate, and goes on with the code', {
  tag: ['@plain', '@inHand'],
}, async ({ page, javaScriptEnabled }) => {
  await page.goto('/signin')
  await page.getByRole('link', { name: 'Cómo funciona y cuánto cuesta' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tu cargador, instalado en casa')

  await page.goto('/approach?codigo=abc234')
  await page.getByLabel('Código postal').fill('5214')
  await page.getByRole('button', { name: 'Revisar' }).click()
  await expect(page.getByLabel('Código postal')).toHaveAccessibleDescription(
    'El código postal tiene 5 dígitos.',
  )
  await page.getByLabel('Código postal').fill('52140')
  await page.getByRole('button', { name: 'Revisar' }).click()
  await expect(page.getByText('Todavía no llegamos al 52140')).toBeVisible()
  await page.getByRole('link', { name: /^Mi domicilio sí está en/ }).click()
  await expect(page.getByText('Por verificar')).toBeVisible()

  await page.getByLabel('Metros del tablero al cargador').fill('25')
  await page.getByLabel('Necesito un segundo medidor').check()
  if (!javaScriptEnabled) await page.getByRole('button', { name: 'Calcular' }).click()
  await expect(page).toHaveURL(/metros=25/)
  await expect(page.getByRole('region', { name: '¿Cuánto cuesta, más o menos?' })).toContainText(
    'Estimado, con IVA',
  )
  // The answer of one question outlives the other.
  await expect(page.getByText('Por verificar')).toBeVisible()

  await page.getByLabel('Código postal').fill('03100')
  await page.getByRole('button', { name: 'Revisar' }).click()
  await expect(page.getByText('Sí, llegamos a Benito Juárez')).toBeVisible()
  await page.getByRole('link', { name: 'Agendar mi visita', exact: true }).first().click()
  await expect(page).toHaveURL('/signup?codigo=ABC234')
})

test('axe finds nothing', { tag: '@inHand' }, async ({ page }) => {
  for (const query of ['', '?cp=03100&codigo=ABC234', '?cp=52140&metros=x', '?cp=52140&mio=si']) {
    await page.goto(`/approach${query}`)
    await findsNothing(page)
  }
})

import { findsNothing } from '../kit/axe.ts'
import { isTakenOver, newPerson, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('a select offers only what fits; a company’s name loses what the SAT leaves out', {
  tag: '@once',
}, async ({ page }) => {
  await newPerson(page)
  await page.goto('/fiscal')
  await isTakenOver(page)
  const offered = (label: string) => page.getByLabel(label).locator('option').allTextContents()
  await page.getByLabel('RFC', { exact: true }).fill('gode561231gr8')
  await page.getByLabel('Régimen fiscal').selectOption('605')
  expect((await offered('Régimen fiscal')).join()).not.toContain('601')
  expect((await offered('Uso de la factura')).map((use) => use.slice(0, 3))).toEqual([
    'Eli',
    'S01',
    'D01',
    'D02',
    'D03',
    'D04',
    'D05',
    'D06',
    'D07',
    'D08',
    'D09',
    'D10',
    'CP0',
    'CN0',
  ])
  await page.getByLabel('RFC', { exact: true }).fill('XAXX010101000')
  await expect(page.getByText('Con este RFC no hay factura individual')).toBeVisible()
  await expect(page.getByLabel('Régimen fiscal')).toHaveCount(0)

  await page.getByLabel('RFC', { exact: true }).fill('EKU9003173C9')
  await page.getByLabel('Nombre o razón social').fill('Escuela Kemper Urgate SA de CV')
  await expect(page.getByText('El SAT pide el nombre sin SA DE CV: lo quitamos al guardar.')).toBeVisible()
  await page.getByLabel('Régimen fiscal').selectOption('601')
  await page.getByLabel('Uso de la factura').selectOption('G03')
  await page.getByRole('button', { name: 'Enviar a revisión' }).click()
  await expect(page.getByLabel('Código postal fiscal')).toBeFocused()
  await page.getByLabel('Código postal fiscal').fill('26015')
  await findsNothing(page)
  await page.getByRole('button', { name: 'Enviar a revisión' }).click()
  await expect(toastOn(page, 'Enviamos tus datos a revisión')).toBeVisible()
  await expect(page.getByLabel('Nombre o razón social')).toHaveValue('ESCUELA KEMPER URGATE')
  await expect(page.getByText('Falta tu Constancia')).toBeVisible()
})

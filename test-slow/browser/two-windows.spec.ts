import { showsValue } from '../../e2e/kit/parts.ts'
import { newPerson, posts } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

test('a customer sees choices follow that depend on another field that was saved elsewhere', async ({
  page,
}) => {
  await newPerson(page)
  const form = { legalName: 'LUZ', postalCode: '03100', email: 'a@example.mx', intent: 'keep-fiscal' }
  const person = { ...form, rfc: 'GODE561231GR8', regime: '612', cfdiUse: 'D01' }
  await posts(page, '/fiscal', person)
  await page.goto('/fiscal')
  await page.getByLabel('Código postal fiscal').fill('04000')
  await posts(page, '/fiscal', {
    ...person,
    rfc: 'EKU9003173C9',
    regime: '601',
    cfdiUse: 'I01',
    version: '1',
  })
  await showsValue(page, 'RFC', 'EKU9003173C9')
  await showsValue(page, 'Régimen fiscal', '601')
  await showsValue(page, 'Uso de la factura', 'I01')
  await showsValue(page, 'Código postal fiscal', '04000')
})

test('a customer who types another postal code after a save elsewhere changes the place alone', async ({
  page,
}) => {
  await newPerson(page)
  const home = {
    street: 'Uno',
    outerNumber: '1',
    colonia: 'Centro',
    dwelling: 'house',
    parking: 'own_covered',
  }
  const claimed = { ...home, postalCode: '52140', confirmInArea: 'on', municipality: 'lerma' }
  await posts(page, '/address', claimed)
  await page.goto('/address?editar')
  await page.getByLabel('Número exterior').fill('2')
  await posts(page, '/address', { ...claimed, street: 'Dos', version: '1' })
  await showsValue(page, 'Calle', 'Dos')
  await page.getByLabel('Código postal').fill('52150')
  await expect(page.getByLabel('Municipio')).toHaveCount(1)
  await expect(page.getByText('Cambió mientras tanto')).toHaveCount(1)
})

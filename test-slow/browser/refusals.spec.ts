import type { Locator, Page } from '@playwright/test'
import { exact, openScreen, press, regionIn, showsValue } from '../../e2e/kit/parts.ts'
import { entersAs, newCustomer, newPerson, posts } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

/** A form that is sent as it opens: what is missing, in the order of the page, and what cures the first. */
type Refused = {
  who: (page: Page) => Promise<unknown>
  path: string
  sends: string
  wrong: string[]
  first: (page: Page) => Locator
  cure: (field: Locator) => Promise<unknown>
  /** Whether its action bar names the first. */
  hasBar?: true
}

const labelled = (label: string) => (page: Page) => page.getByLabel(label, { exact: true })

const forms: Record<string, Refused> = {
  'a customer without an address': {
    // The toast that greets a new account is shown before, on the first page.
    who: async (page) => {
      await newPerson(page)
      await page.goto('/')
    },
    path: '/address',
    sends: 'Guardar',
    wrong: [
      'Escribe el código postal.',
      'Escribe la colonia.',
      'Escribe la calle.',
      'Escribe el número exterior, o S/N si no tiene.',
      'Elige el tipo de vivienda.',
      'Elige el tipo de estacionamiento.',
    ],
    first: labelled('Código postal'),
    cure: (field) => field.fill('03100'),
    hasBar: true,
  },
  'a customer who books without an hour': {
    who: async (page) => {
      await newCustomer(page)
      // Here the toast of the address that was kept is shown.
      await page.goto('/')
    },
    path: '/agenda-videocall',
    sends: 'Agendar asesoría',
    wrong: ['Elige un horario.', 'Elige de qué quieres hablar.'],
    first: (page) => page.getByRole('group', { name: 'Horario' }).getByRole('radio').first(),
    cure: (field) => field.check({ force: true }),
    hasBar: true,
  },
  'a technician who asks for time off': {
    who: (page) => entersAs(page, 'tecnico@demo.mx'),
    path: '/admin/account',
    sends: 'Pedir permiso',
    wrong: ['Elige desde qué día.', 'Elige hasta qué día.', 'Escribe el motivo.'],
    first: labelled('Desde el día'),
    cure: (field) => field.fill('2031-01-06'),
  },
}

for (const [name, { who, path, sends, wrong, first, cure, hasBar }] of Object.entries(forms))
  test(`${name} reads each error once, with the focus on the first, which goes when corrected`, async ({
    page,
  }) => {
    const main = page.getByRole('main')
    const field = first(page)
    const said = (words: string) => main.getByText(words, { exact: true }).filter({ visible: true })
    await who(page)
    await openScreen(page, path)
    await press(page, sends)
    for (const words of wrong) await expect(said(words), words).toHaveCount(1)
    await expect(regionIn(page, 'Avisos (F8)').getByRole('listitem')).toHaveCount(0)
    const bar = page.locator('[data-wrong]')
    if (hasBar) await expect(bar).toHaveText(`Falta: ${lowered(wrong[0]!)}`)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(field).toBeFocused()
    await isNotCovered(field)
    await cure(field)
    await expect(said(wrong[0]!)).toHaveCount(0)
    for (const words of wrong.slice(1)) await expect(said(words), words).toHaveCount(1)
    if (hasBar) await expect(bar).toHaveText(wrong.slice(1, 2).map((words) => `Falta: ${lowered(words)}`))
  })

const lowered = (words: string) => words[0]!.toLowerCase() + words.slice(1)

/** No header or bar lies over the middle of a field. */
const isNotCovered = (field: Locator) =>
  expect
    .poll(() =>
      field.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        const hit = document.elementFromPoint(left + width / 2, top + height / 2)
        return hit !== null && (element === hit || element.contains(hit) || hit.contains(element))
      }),
    )
    .toBe(true)

test('a visitor who types the refused value again reads the error again', async ({ page }) => {
  await openScreen(page, '/signup')
  const email = page.getByLabel('Correo electrónico')
  await email.fill('nadie@nada')
  await press(page, 'Crear cuenta')
  await expect(email).toHaveAccessibleDescription(/Escribe un correo válido/)
  await email.fill('nadie@nada.mx')
  await expect(email).not.toHaveAttribute('aria-invalid')
  await email.fill('nadie@nada')
  await email.blur()
  await expect(email).toHaveAccessibleDescription(/Escribe un correo válido/)
  await expect(email).toHaveAttribute('aria-invalid', 'true')
})

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
  await expect(page.getByLabel('Calle', exact)).toHaveValue('Dos')
  await expect(page.getByText('Cambió mientras tanto')).toHaveCount(1)
  await page.getByLabel('Código postal').fill('52150')
  await expect(page.getByLabel('Municipio')).toHaveCount(1)
  await expect(page.getByText('Cambió mientras tanto')).toHaveCount(1)
})

import type { Locator, Page } from '@playwright/test'
import { entersAs, isTakenOver, newCustomer, newPerson } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

/** A form that is sent as it opens: what is missing, in the order of the page, and what cures the first. */
type Story = {
  who: (page: Page) => Promise<unknown>
  path: string
  sends: string
  wrong: string[]
  first: (page: Page) => Locator
  cure: (field: Locator) => Promise<unknown>
  /** Whether its action bar names the first. */
  hasBar?: true
}

const nobody = () => Promise.resolve()

const as = (email: string) => (page: Page) => entersAs(page, email)

const labelled = (label: string) => (page: Page) => page.getByLabel(label, { exact: true })

const stories: Record<string, Story> = {
  'somebody who signs up': {
    who: nobody,
    path: '/signup',
    sends: 'Crear cuenta',
    wrong: ['Escribe tu correo electrónico.', 'Escribe tu contraseña.'],
    first: labelled('Correo electrónico'),
    cure: (field) => field.fill('ana@example.mx'),
  },
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
  'an ally with a client at the counter': {
    who: as('aliado@demo.mx'),
    path: '/admin/alliate/clients/registrar',
    sends: 'Registrar y crear enlace',
    wrong: [
      'Escribe su nombre.',
      'Escribe su teléfono.',
      'Pídele su consentimiento y marca la casilla: sin él no podemos guardar sus datos.',
    ],
    first: labelled('Nombre'),
    cure: (field) => field.fill('Rosa Prueba'),
    hasBar: true,
  },
  'a technician who asks for time off': {
    who: as('tecnico@demo.mx'),
    path: '/admin/account',
    sends: 'Pedir permiso',
    wrong: ['Elige desde qué día.', 'Elige hasta qué día.', 'Escribe el motivo.'],
    first: labelled('Desde el día'),
    cure: (field) => field.fill('2031-01-06'),
  },
  'a manager with an agency without a name': {
    who: as('gerente@demo.mx'),
    path: '/admin/agencies/add',
    sends: 'Registrar concesionaria',
    wrong: ['Escribe el nombre de la concesionaria.'],
    first: labelled('Nombre'),
    cure: (field) => field.fill('Autos Prueba'),
    hasBar: true,
  },
}

for (const [name, { who, path, sends, wrong, first, cure, hasBar }] of Object.entries(stories))
  test(`${name} reads each error once, with the focus on the first, which goes when corrected`, async ({
    page,
  }) => {
    const main = page.getByRole('main')
    const [field, said] = [
      first(page),
      (words: string) => main.getByText(words, { exact: true }).filter({ visible: true }),
    ]
    await who(page)
    await page.goto(path)
    await isTakenOver(page)
    await page.getByRole('button', { name: sends }).click()
    for (const words of wrong) await expect(said(words), words).toHaveCount(1)
    await expect(page.getByRole('region', { name: 'Avisos (F8)' }).getByRole('listitem')).toHaveCount(0)
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
  await page.goto('/signup')
  await isTakenOver(page)
  const email = page.getByLabel('Correo electrónico')
  await email.fill('nadie@nada')
  await page.getByRole('button', { name: 'Crear cuenta' }).click()
  await expect(email).toHaveAccessibleDescription(/Escribe un correo válido/)
  await email.fill('nadie@nada.mx')
  await expect(email).not.toHaveAttribute('aria-invalid')
  await email.fill('nadie@nada')
  await email.blur()
  await expect(email).toHaveAccessibleDescription(/Escribe un correo válido/)
  await expect(email).toHaveAttribute('aria-invalid', 'true')
})

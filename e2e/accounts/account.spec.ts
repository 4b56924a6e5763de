import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { becomesManager } from '../kit/database.ts'
import { newPerson, password, signIn, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

const bits = (letter: string) =>
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')

/** The code an authenticator shows for a secret, `steps` of thirty seconds from now. */
function codeOf(secret: string, steps = 0): string {
  const bytes = [...secret]
    .map(bits)
    .join('')
    .match(/.{8}/g)!
    .map((byte) => Number.parseInt(byte, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  return String((digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Opens a row of a customer's account. */
const opens = (page: Page, row: string) =>
  page.getByRole('region', { name: row, exact: true }).locator('summary').first().click()

const secondFactor = (page: Page) => page.getByRole('region', { name: 'Segundo factor' })

/** A manager of this story's own; answers the e-mail. */
async function newManager(page: Page): Promise<string> {
  const email = await newPerson(page)
  await becomesManager(email)
  await page.goto('/admin/account')
  return email
}

/** Turns the second factor on from the secret that the page shows; answers it and the recovery codes. */
async function enrols(page: Page) {
  const card = secondFactor(page)
  await card.getByLabel('Tu contraseña').fill(password)
  await card.getByRole('button', { name: 'Activar' }).click()
  await expect(card.getByRole('img', { name: 'Código QR de tu segundo factor' })).toBeVisible()
  const secret = ((await card.locator('code').textContent()) ?? '').replace(/\s/g, '')
  await card.getByLabel('2. Escribe el código de 6 dígitos que muestra').fill(codeOf(secret))
  await card.getByRole('button', { name: 'Confirmar y activar' }).click()
  const shown = page.getByRole('region', { name: 'Códigos de recuperación' }).getByRole('listitem')
  await expect(shown).toHaveCount(10)
  return { secret, codes: await shown.allInnerTexts() }
}

/** The first half of a sign-in. */
async function givesPassword(page: Page, email: string) {
  await page.goto('/signin')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña').fill(password)
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Escribe tu código')
}

test(
  'a manager turns the second factor on and signs in with it',
  { tag: ['@plain', '@once'] },
  async ({ page, arrive }, info) => {
    const email = await newManager(page)
    const { secret, codes } = await enrols(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Descargar' }).click(),
    ])
    expect(await readFile(await file.path(), 'utf8')).toContain(codes.join('\n'))

    const other = await arrive()
    await givesPassword(other, email)
    await other.getByLabel('Código de 6 dígitos').fill('12345')
    await other.getByRole('button', { name: 'Entrar', exact: true }).click()
    await expect(other.getByLabel('Código de 6 dígitos')).toHaveAccessibleDescription(
      /El código tiene 6 dígitos\./,
    )
    if (!info.project.name.includes('without')) await findsNothing(other)
    await other.getByLabel('Código de 6 dígitos').fill(codeOf(secret, 1))
    await other.getByRole('button', { name: 'Entrar', exact: true }).click()
    await expect(other).toHaveURL('/admin')

    const third = await arrive()
    await givesPassword(third, email)
    await third.getByText('No tengo mi teléfono').click()
    await third.getByLabel('Código de recuperación').fill(codes[0]!)
    await third.getByRole('button', { name: 'Entrar con este código' }).click()
    await expect(third).toHaveURL('/admin')
    await third.goto('/admin/account')
    await expect(secondFactor(third)).toContainText('Te quedan 9 códigos de recuperación.')
  },
)

test('recovery codes stay in sight while the page refreshes by itself', { tag: '@once' }, async ({
  page,
  arrive,
}) => {
  const email = await newManager(page)
  const { codes } = await enrols(page)
  const other = await arrive()
  await givesPassword(other, email)
  await other.getByText('No tengo mi teléfono').click()
  await other.getByLabel('Código de recuperación').fill(codes[1]!)
  await other.getByRole('button', { name: 'Entrar con este código' }).click()
  await expect(other).toHaveURL('/admin')
  await other.goto('/admin/account')
  await other.getByRole('region', { name: 'Tus datos' }).getByLabel('Nombre').fill('Otro Nombre')
  await other.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(toastOn(other, 'Guardamos tus datos')).toBeVisible()
  await expect(page.getByLabel('Nombre')).toHaveValue('Otro Nombre')
  await expect(page.getByText(codes[2]!)).toBeVisible()
  await page.reload()
  await expect(page.getByText(codes[2]!)).toHaveCount(0)
})

test('a session closed from another browser leaves within five seconds', { tag: '@once' }, async ({
  page,
  arrive,
}) => {
  const email = await newManager(page)
  const other = await arrive()
  await signIn(other, email, password)
  await other.goto('/admin/account')
  await expect(other.getByRole('button', { name: /^Cerrar la sesión de Chrome/ })).toHaveCount(1)
  await other.getByRole('button', { name: 'Cerrar las demás' }).click()
  await expect(toastOn(other, 'Cerramos tus demás sesiones')).toBeVisible()
  await expect(page).toHaveURL(/signin/, { timeout: 5_000 })
  await expect(other.getByText('Esta sesión')).toBeVisible()
})

test("a customer's own account", { tag: ['@plain', '@inHand'] }, async ({ page }, info) => {
  await newPerson(page)
  await page.goto('/cuenta')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mi cuenta')
  await expect(page.getByLabel('Teléfono')).toBeHidden()
  await opens(page, 'Tus datos')
  await page.getByLabel('Teléfono').fill('55 8765 4321')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(toastOn(page, 'Guardamos tus datos')).toBeVisible()
  await expect(page.getByLabel('Teléfono')).toHaveValue('558 765 43 21')

  await opens(page, 'Correo y WhatsApp')
  await page.getByLabel('Quiero avisos de mis citas por WhatsApp').check()
  await page.getByRole('button', { name: 'Guardar avisos' }).click()
  await expect(toastOn(page, 'Guardamos tus avisos')).toBeVisible()
  await expect(page.getByLabel('Quiero avisos de mis citas por WhatsApp')).toBeChecked()

  await opens(page, 'Mis datos')
  await page.getByRole('link', { name: 'Ver mis datos', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Cómo entras' })).toContainText('Correo y contraseña')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Descargar (JSON)' }).click(),
  ])
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toHaveProperty('Tu cuenta')

  await opens(page, 'Calendario')
  await page.getByRole('button', { name: 'Crear enlace' }).click()
  const link = await page.getByText(/\/calendar\/feed\/[\w-]+\.ics$/).textContent()
  expect(await (await page.request.get(link!)).text()).toContain('BEGIN:VCALENDAR')
  if (!info.project.name.includes('without')) await findsNothing(page)

  await opens(page, 'Eliminar mi cuenta')
  await page.getByText('Quiero eliminar mi cuenta').click()
  const card = page.getByRole('region', { name: 'Eliminar mi cuenta' })
  await card.getByLabel('Tu contraseña').fill('no es esta')
  await card.getByRole('button', { name: 'Eliminar mi cuenta' }).click()
  await expect(card.getByLabel('Tu contraseña')).toHaveAccessibleDescription(/La contraseña no es correcta\./)
  await card.getByLabel('Tu contraseña').fill(password)
  await card.getByRole('button', { name: 'Eliminar mi cuenta' }).click()
  await expect(card).toContainText('Tu cuenta se elimina el')
  await card.getByRole('button', { name: 'Conservar mi cuenta' }).click()
  await expect(toastOn(page, 'Conservamos tu cuenta')).toBeVisible()
})

test('nothing stands in the way of anybody on the account page', { tag: '@inHand' }, async ({ page }) => {
  await newManager(page)
  await findsNothing(page)
  const card = secondFactor(page)
  await card.getByLabel('Tu contraseña').fill(password)
  await card.getByRole('button', { name: 'Activar' }).click()
  await expect(card.getByRole('img')).toBeVisible()
  await findsNothing(page, 'a second factor that was begun')
})

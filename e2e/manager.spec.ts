import { createHmac, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { becomesManager } from './kit/database.ts'
import { entersAs, isSought, isTakenOver, newPerson, openMenu, password, signIn } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

test('a manager signs in, sees the menu of their role and signs out', { tag: '@plain' }, async ({
  page,
  onPhone,
}) => {
  await signIn(page, 'gerente@demo.mx')
  await expect(page).toHaveURL('/admin')
  const menu = await openMenu(page, onPhone)
  await expect(menu.getByRole('link')).toHaveText([
    'Inicio',
    'Asignaciones de citas',
    'Clientes',
    'Próximas citas',
    'Citas realizadas',
    'Cotizaciones',
    'Gestorías',
    'Pagos',
    'Consecionarias',
    'Usuarios',
  ])
  await expect(menu.locator('[aria-current]')).toHaveText(['Inicio'])
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await expectToast(page, 'Cerraste tu sesión')
  await page.goto('/admin')
  await expect(page).toHaveURL(/\/signin(\?|$)/)
})

test('a manager opens a figure of the home as a list and downloads it', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  // Other tests book meanwhile.
  await expect(async () => {
    await page.goto('/admin')
    const figure = page.getByRole('link', { name: /^\d+ próximas citas$/ })
    const [count] = ((await figure.textContent()) ?? '').match(/^\d+/) ?? []
    await figure.click()
    await expect(page.getByText(`${count} citas`, { exact: true })).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await page.getByRole('link', { name: 'Esta semana' }).click()
  await expect(page.getByRole('link', { name: /^Esta semana\s*: quitar este filtro$/ })).toHaveAttribute(
    'aria-current',
    'true',
  )
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Exportar CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^proximas-citas-\d{4}-\d\d-\d\d\.csv$/)
  await page.getByText('Filtros', { exact: true }).click()
  await page.goto('/admin')
})

test('a manager ticks rows and reads why each cannot be confirmed', { tag: '@plain' }, async ({
  javaScriptEnabled,
  page,
}) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/appointments-pending?state=assigned')
  const boxes = page.getByRole('checkbox', { name: /^Marcar [A-Z]/ })
  const confirm = page.getByRole('button', { name: 'Confirmar', exact: true })
  const rows = await boxes.count()
  expect(rows).toBeGreaterThan(1)
  await expect(confirm).toBeHidden()
  await boxes.first().check()
  await expect(confirm).toBeVisible()
  if (javaScriptEnabled !== false) {
    await expect(page.getByText('1 marcada')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Marcar toda la página' }).check()
    await expect(page.getByText(`${rows} marcadas`)).toBeVisible()
    await page.getByRole('button', { name: 'Quitar marcas' }).click()
    await expect(confirm).toBeHidden()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect(boxes.first()).toBeChecked()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Exportar', exact: true }).click()
    expect((await download).suggestedFilename()).toMatch(/^proximas-citas-.*\.csv$/)
  }
  await confirm.click()
  await expect(page.getByText('Ninguna quedó lista. Esta sigue como estaba:')).toBeInViewport()
  await expect(page.getByText('Su persona ya está confirmada.')).toBeVisible()
  if (javaScriptEnabled !== false) {
    await expect(boxes.first()).toBeChecked()
    await expect(page.getByRole('alert')).toBeFocused()
  }
})

const manager = 'gerente@demo.mx'

const phone = '+52 1 555 555 0201'

/** Opens the search; what listens for it comes after the screen. */
const opens = (page: Page, press: () => Promise<unknown> = () => page.keyboard.press('Control+k')) =>
  expect(async () => {
    await press()
    await expect(page.getByRole('combobox')).toBeFocused({ timeout: 1_000 })
  }).toPass()

test('a manager finds a caller by number and starts a booking by keyboard', async ({ page }) => {
  await entersAs(page, manager)
  await page.goto('/admin/agencies')
  await isTakenOver(page)
  const opener = page.getByRole('link', { name: 'Próximas citas' })
  await opener.focus()
  await opens(page)
  const box = page.getByRole('combobox', { name: 'Busca en todo' })
  await expect(box).toBeFocused()
  await expect(page.getByRole('group', { name: 'Acciones' }).getByRole('option').first()).toHaveText(
    'Nueva cita',
  )
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('/')
  await expect(box).toBeFocused()
  await page.keyboard.type(phone)
  const found = page.getByRole('option', { name: /^Carlos Demo/ })
  await expect(found).toHaveAttribute('aria-selected', 'true')
  await expect(found).toContainText('555 555 02 01')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('option', { name: 'Agendar para Carlos Demo' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/cliente$/)
  await expect(page.locator('#contenido')).toBeFocused()
  // What was opened is kept on this device, until the sign-out.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('group', { name: 'Recientes' }).getByRole('option')).toHaveCount(2)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/nueva\?cliente=/)
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await expect(page).toHaveURL(/signin/)
  expect(await page.evaluate(() => localStorage.getItem('carga.recents'))).toBeNull()
})

test('a manager adds an agency after two errors, finds it, edits it and switches it off', async ({
  page,
  onPhone,
}) => {
  const name = `Óptimo ${randomUUID().slice(0, 8)}`
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin')
  await (await openMenu(page, onPhone)).getByRole('link', { name: 'Consecionarias' }).click()
  await page.getByRole('link', { name: 'Nueva concesionaria' }).click()
  const send = page.getByRole('button', { name: 'Registrar concesionaria' })
  await page.getByLabel('Valor de la comisión').fill('muchísimo')
  await page.getByLabel('Notas internas').fill('Cierra los lunes')
  await send.click()
  await isSought(page, page.getByLabel('Nombre'))
  await expect(page.getByLabel('Nombre')).toHaveAccessibleDescription(
    'Escribe el nombre de la concesionaria.',
  )
  await expect(page.getByLabel('Valor de la comisión')).toHaveAccessibleDescription(
    /Escribe el porcentaje como 12\.5\./,
  )
  await expect(page.getByLabel('Notas internas')).toHaveValue('Cierra los lunes')
  await page.getByLabel('Nombre').fill(name)
  await page.getByLabel('Valor de la comisión').fill('5.5')
  await page.getByLabel('Límite de los códigos').selectOption('Descuento en pesos')
  await page.getByLabel('Beneficio máximo').fill('1,500')
  await send.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await page.goto('/admin/agencies')
  await page.getByLabel('Buscar', { exact: true }).fill(name.replace('Ó', 'o'))
  await page.getByRole('button', { name: 'Buscar' }).click()
  await expect(page.getByText('1 concesionaria', { exact: true })).toBeVisible()
  await page.getByRole('row').getByRole('link', { name }).click()
  await page.getByRole('link', { name: 'Datos' }).click()
  await expect(page.getByLabel('Beneficio máximo')).toHaveValue('$1,500.00')
  await page.getByLabel('Teléfono').fill('55 1234 5678')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expectToast(page, 'Guardamos los cambios')
  await expect(page.getByRole('region', { name: 'Historial' })).toContainText(
    'Teléfono: nada → 551 234 56 78',
  )
  await page.getByText('Desactivar', { exact: true }).click()
  await expect(page.getByText(/Ninguno de sus aliados tiene la sesión abierta\./)).toBeVisible()
  await page.getByRole('button', { name: 'Sí, desactivar' }).click()
  await expectToast(page, 'Concesionaria desactivada')
  await page.getByRole('button', { name: 'Activar concesionaria' }).click()
  await expectToast(page, 'Concesionaria activada')
})

const save = async (page: Page, name = 'Guardar') => {
  await page.getByRole('button', { name, exact: true }).click()
  await expectToast(page, 'Guardamos los cambios')
}

test('a manager corrects a wrong phone in the settings, and changes an hour and a holiday', async ({
  page,
}) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/account')
  await page.getByRole('link', { name: 'Configuración del servicio' }).click()
  await page.getByRole('link', { name: /^Contacto de ayuda/ }).click()
  await page.getByLabel('Teléfono').fill('12')
  await page.getByLabel('Horario, en palabras').fill('De lunes a sábado')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await isSought(page, page.getByLabel('Teléfono'))
  await expect(page.getByLabel('Teléfono')).toHaveAccessibleDescription(/Escribe los 10 dígitos/)
  await expect(page.getByLabel('Horario, en palabras')).toHaveValue('De lunes a sábado')
  await page.getByLabel('Teléfono').fill('55 5555 0100')
  await save(page)
  await page.goto('/nada')
  await expect(page.getByText('De lunes a sábado')).toBeVisible()
  await page.goto('/admin/account/configuracion/horario')
  const sunday = page.getByRole('group', { name: 'Domingo' })
  await sunday.getByLabel('Abre').fill('10:00')
  await sunday.getByLabel('Cierra').fill('13:00')
  await save(page)
  await expect(sunday.getByLabel('Abre')).toHaveValue('10:00')
  await page.goto('/admin/account/configuracion/festivos')
  const day = 15
  await page.getByLabel('Agregar un día').fill(`2028-12-${day}`)
  await save(page, 'Agregar')
  const remove = page.getByRole('button', {
    name: new RegExp(`^Quitar el \\S+ ${day} de diciembre de 2028$`),
  })
  await remove.click()
  await expect(remove).toHaveCount(0)
})

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

const secondFactor = (page: Page) => page.getByRole('region', { name: 'Segundo factor' })

/** A manager of this test's own; answers the e-mail. */
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

test('a manager turns the second factor on, is refused a short code and signs in with the right one', async ({
  page,
  arrive,
}) => {
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
})

test('a manager closes their other sessions, which end within five seconds', async ({ page, arrive }) => {
  const email = await newManager(page)
  const other = await arrive()
  await signIn(other, email, password)
  await other.goto('/admin/account')
  await expect(other.getByRole('button', { name: /^Cerrar la sesión de Chrome/ })).toHaveCount(1)
  await other.getByRole('button', { name: 'Cerrar las demás' }).click()
  await expectToast(other, 'Cerramos tus demás sesiones')
  await expect(page).toHaveURL(/signin/, { timeout: 5_000 })
  await expect(other.getByText('Esta sesión')).toBeVisible()
})

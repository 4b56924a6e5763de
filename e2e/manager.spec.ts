import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { codeOf } from '../test/kit/totp.ts'
import {
  buttonIn,
  exact,
  fillForm,
  follow,
  isAt,
  isTitled,
  linkIn,
  openScreenAs,
  reads,
  regionIn,
  showsError,
  showsValue,
  visitAs,
} from './kit/parts.ts'
import { enrols, newManager, secondFactor } from './kit/second-factor.ts'
import { entersAs, isSought, openMenu, password, signIn } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

test('a manager signs in, sees the menu of their role and signs out', { tag: '@plain' }, async ({
  page,
  onPhone,
}) => {
  await signIn(page, 'gerente@demo.mx')
  await isAt(page, '/admin')
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
  await buttonIn(page, 'Cerrar sesión').click()
  await expectToast(page, 'Cerraste tu sesión')
  await page.goto('/admin')
  await isAt(page, /\/signin(\?|$)/)
})

test('a manager moves through the home by keys, and opens a figure as a list and downloads it', async ({
  page,
}) => {
  await entersAs(page, 'gerente@demo.mx')
  // Other tests book meanwhile.
  await expect(async () => {
    await page.goto('/admin')
    const figure = linkIn(page, /^\d+ próximas citas$/)
    const [count] = ((await figure.textContent()) ?? '').match(/^\d+/) ?? []
    await figure.click()
    await expect(page.getByText(`${count} citas`, { exact: true })).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await follow(page, 'Esta semana')
  await expect(linkIn(page, /^Esta semana\s*: quitar este filtro$/)).toHaveAttribute('aria-current', 'true')
  const [file] = await Promise.all([page.waitForEvent('download'), follow(page, 'Exportar CSV')])
  expect(file.suggestedFilename()).toMatch(/^proximas-citas-\d{4}-\d\d-\d\d\.csv$/)
  await page.getByText('Filtros', { exact: true }).click()
  await page.goto('/admin')
  const first = page.locator('[data-line]').first()
  // What listens for the keys comes after the screen.
  await expect(async () => {
    await page.keyboard.press('k')
    await expect(first.locator(':focus')).toHaveCount(1, { timeout: 500 })
  }).toPass()
  await page.keyboard.press('j')
  await expect(page.locator('[data-line]').nth(1).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('s')
  await expect(buttonIn(page, 'Posponer')).toBeFocused()
  await page.keyboard.press('a')
  await expect(page.getByLabel('Pasar a')).toBeFocused()
})

test('a manager ticks rows and reads why each cannot be confirmed', { tag: '@plain' }, async ({
  javaScriptEnabled,
  page,
}) => {
  await visitAs(page, 'gerente@demo.mx', '/admin/appointments-pending?state=assigned')
  const boxes = page.getByRole('checkbox', { name: /^Marcar [A-Z]/ })
  const confirm = buttonIn(page, 'Confirmar', exact)
  const rows = await boxes.count()
  expect(rows).toBeGreaterThan(1)
  await expect(confirm).toBeHidden()
  await boxes.first().check()
  await expect(confirm).toBeVisible()
  if (javaScriptEnabled !== false) {
    await reads(page, '1 marcada')
    await page.getByRole('checkbox', { name: 'Marcar toda la página' }).check()
    await reads(page, `${rows} marcadas`)
    await buttonIn(page, 'Quitar marcas').click()
    await expect(confirm).toBeHidden()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect(boxes.first()).toBeChecked()
    const download = page.waitForEvent('download')
    await buttonIn(page, 'Excel', exact).click()
    expect((await download).suggestedFilename()).toMatch(/^proximas-citas-.*\.xlsx$/)
  }
  await confirm.click()
  await expect(page.getByText('Ninguna quedó lista. Esta sigue como estaba:')).toBeInViewport()
  await reads(page, 'Su persona ya está confirmada.')
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
  await openScreenAs(page, manager, '/admin/agencies')
  const opener = linkIn(page, 'Próximas citas')
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
  await isAt(page, /\/cliente$/)
  await expect(page.locator('#contenido')).toBeFocused()
  // What was opened is kept on this device, until the sign-out.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('group', { name: 'Recientes' }).getByRole('option')).toHaveCount(2)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await isAt(page, /nueva\?cliente=/)
  const isCached = () =>
    page.evaluate(async () => {
      const { href } = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')!
      await (await fetch(href, { cache: 'force-cache' })).text()
      return (performance.getEntriesByName(href).at(-1) as PerformanceResourceTiming).transferSize === 0
    })
  expect(await isCached()).toBe(true)
  await buttonIn(page, 'Cerrar sesión').click()
  await isAt(page, /signin/)
  expect(await isCached()).toBe(false)
  expect(await page.evaluate(() => localStorage.getItem('carga.recents'))).toBeNull()
})

test('a manager adds an agency after two errors, finds it, edits it and switches it off', async ({
  page,
  onPhone,
}) => {
  const name = `Óptimo ${randomUUID().slice(0, 8)}`
  await visitAs(page, 'gerente@demo.mx', '/admin')
  await follow(await openMenu(page, onPhone), 'Consecionarias')
  await follow(page, 'Nueva concesionaria')
  const send = buttonIn(page, 'Registrar concesionaria')
  await fillForm(page, { 'Valor de la comisión': 'muchísimo', 'Notas internas': 'Cierra los lunes' })
  await send.click()
  await isSought(page, page.getByLabel('Nombre'))
  await showsError(page, 'Nombre', 'Escribe el nombre de la concesionaria.')
  await showsError(page, 'Valor de la comisión', /Escribe el porcentaje como 12\.5\./)
  await showsValue(page, 'Notas internas', 'Cierra los lunes')
  await fillForm(page, {
    Nombre: name,
    'Valor de la comisión': '5.5',
    'Límite de los códigos': 'Descuento en pesos',
    'Beneficio máximo': '1,500',
  })
  await send.click()
  await isTitled(page, name)
  await page.goto('/admin/agencies')
  await page.getByLabel('Buscar', { exact: true }).fill(name.replace('Ó', 'o'))
  await buttonIn(page, 'Buscar').click()
  await expect(page.getByText('1 concesionaria', { exact: true })).toBeVisible()
  await follow(page.getByRole('row'), name)
  await follow(page, 'Datos')
  await showsValue(page, 'Beneficio máximo', '$1,500.00')
  await page.getByLabel('Teléfono').fill('55 1234 5678')
  await buttonIn(page, 'Guardar').click()
  await expectToast(page, 'Guardamos los cambios')
  await expect(regionIn(page, 'Historial')).toContainText('Teléfono: nada → 551 234 56 78')
  await page.getByText('Desactivar', { exact: true }).click()
  await reads(page, /Ninguno de sus aliados tiene la sesión abierta\./)
  await buttonIn(page, 'Sí, desactivar').click()
  await expectToast(page, 'Concesionaria desactivada')
  await buttonIn(page, 'Activar concesionaria').click()
  await expectToast(page, 'Concesionaria activada')
})

const save = async (page: Page, name = 'Guardar') => {
  await buttonIn(page, name, exact).click()
  await expectToast(page, 'Guardamos los cambios')
}

test('a manager corrects a wrong phone in the settings, and changes an hour and a holiday', async ({
  page,
}) => {
  await visitAs(page, 'gerente@demo.mx', '/admin/account')
  await follow(page, 'Configuración del servicio')
  await follow(page, /^Contacto de ayuda/)
  await fillForm(page, { Teléfono: '12', 'Horario, en palabras': 'De lunes a sábado' })
  await buttonIn(page, 'Guardar').click()
  await isSought(page, page.getByLabel('Teléfono'))
  await showsError(page, 'Teléfono', /Escribe los 10 dígitos/)
  await showsValue(page, 'Horario, en palabras', 'De lunes a sábado')
  await page.getByLabel('Teléfono').fill('55 5555 0100')
  await save(page)
  await page.goto('/nada')
  await reads(page, 'De lunes a sábado')
  await page.goto('/admin/account/configuracion/horario')
  const sunday = page.getByRole('group', { name: 'Domingo' })
  await fillForm(sunday, { Abre: '10:00', Cierra: '13:00' })
  await save(page)
  await showsValue(sunday, 'Abre', '10:00')
  await page.goto('/admin/account/configuracion/festivos')
  const day = 15
  await page.getByLabel('Agregar un día').fill(`2028-12-${day}`)
  await save(page, 'Agregar')
  const remove = buttonIn(page, new RegExp(`^Quitar el \\S+ ${day} de diciembre de 2028$`))
  await remove.click()
  await expect(remove).toHaveCount(0)
})

/** The first half of a sign-in. */
async function givesPassword(page: Page, email: string) {
  await page.goto('/signin')
  await fillForm(page, { 'Correo electrónico': email, Contraseña: password })
  await buttonIn(page, 'Iniciar sesión').click()
  await isTitled(page, 'Escribe tu código')
}

test('a manager turns the second factor on, is refused a short code and signs in with the right one', async ({
  page,
  arrive,
}) => {
  const email = await newManager(page)
  const { secret, codes } = await enrols(page)
  const [file] = await Promise.all([page.waitForEvent('download'), follow(page, 'Descargar')])
  expect(await readFile(await file.path(), 'utf8')).toContain(codes.join('\n'))
  const other = await arrive()
  await givesPassword(other, email)
  await other.getByLabel('Código de 6 dígitos').fill('12345')
  await buttonIn(other, 'Entrar', exact).click()
  await showsError(other, 'Código de 6 dígitos', /El código tiene 6 dígitos\./)
  await other.getByLabel('Código de 6 dígitos').fill(codeOf(secret, 1))
  await buttonIn(other, 'Entrar', exact).click()
  await isAt(other, '/admin')
  const third = await arrive()
  await givesPassword(third, email)
  await third.getByText('No tengo mi teléfono').click()
  await third.getByLabel('Código de recuperación').fill(codes[0]!)
  await buttonIn(third, 'Entrar con este código').click()
  await isAt(third, '/admin')
  await third.goto('/admin/account')
  await expect(secondFactor(third)).toContainText('Te quedan 9 códigos de recuperación.')
})

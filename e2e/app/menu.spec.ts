import { entersAs, openMenu, signIn, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

type Menu = {
  email: string
  home: string
  label: string
  items: readonly string[]
  sections?: readonly string[]
}

/** The sidebar of each kind, as the specification lists it; what is not built yet says so. */
const soon = (label: string) => `${label} Próximamente`
const menus: Record<string, Menu> = {
  customer: {
    email: 'cliente@demo.mx',
    home: '/',
    label: 'Cliente',
    items: [
      'Inicio',
      'Mi domicilio',
      'Asesoría virtual',
      'Visita técnica',
      'Cotización',
      'Instalación',
      'Pagos realizados',
    ],
  },
  manager: {
    email: 'gerente@demo.mx',
    home: '/admin',
    label: 'Manager',
    sections: ['En proceso', 'Admin'],
    items: [
      'Inicio',
      'Asignaciones de citas',
      soon('Clientes'),
      'Próximas citas',
      'Citas realizadas',
      'Cotizaciones',
      soon('Gestorías'),
      soon('Pagos'),
      'Consecionarias',
      'Usuarios',
    ],
  },
  analyst: {
    email: 'analista@demo.mx',
    home: '/admin',
    label: 'Analista',
    items: ['Inicio', 'Próximas citas', 'Citas realizadas', 'Cotizaciones', soon('Clientes')],
  },
  technician: {
    email: 'tecnico@demo.mx',
    home: '/admin',
    label: 'Técnico instalador',
    items: ['Inicio', 'Próximas citas', 'Citas realizadas'],
  },
  gester: {
    email: 'gestor@demo.mx',
    home: '/admin',
    label: 'Gestor ante CFE',
    items: ['Inicio', soon('Gestorías'), soon('Clientes')],
  },
  ally: {
    email: 'aliado@demo.mx',
    home: '/admin',
    label: 'Aliado consecionaria',
    items: ['Inicio', 'Clientes', 'Códigos'],
  },
}

/** What hangs in a menu is one table: that of one kind and that of the customers show how it opens on a phone. */
const tagOf = (person: string) => (['manager', 'customer'].includes(person) ? '@plain' : '@once')

for (const [person, { email, home, label, items, sections = [] }] of Object.entries(menus))
  test(`the ${person} has their menu, and signs out`, { tag: tagOf(person) }, async ({ page, onPhone }) => {
    await signIn(page, email)
    await expect(page).toHaveURL(home)
    const menu = await openMenu(page, onPhone)
    await expect(menu.getByRole('listitem')).toHaveText(items, { useInnerText: true })
    await expect(menu.getByRole('heading')).toHaveText([...sections])
    await expect(menu.getByRole('link')).toHaveText(items.filter((item) => !item.endsWith('Próximamente')))
    await expect(menu.locator('[aria-current]')).toHaveText(['Inicio'])
    const account = page.getByRole('link', { name: email })
    await expect(account).toContainText(label)
    await expect(account).toContainText('Demo')
    await page.getByRole('button', { name: 'Cerrar sesión' }).click()
    await expect(page).toHaveURL(/\/signin(\?|$)/)
    await expect(toastOn(page, 'Cerraste tu sesión')).toBeVisible()
    await page.goto(home)
    await expect(page).toHaveURL(/\/signin(\?|$)/)
  })

test('a screen inside another lights the same item', { tag: ['@plain', '@inHand'] }, async ({
  page,
  onPhone,
}) => {
  await entersAs(page, 'cliente@demo.mx')
  await page.goto('/agenda-technics-visit')
  const menu = await openMenu(page, onPhone)
  await expect(menu.locator('[aria-current]')).toHaveText(['Visita técnica'])
  await menu.getByRole('link', { name: 'Mi domicilio' }).click()
  await expect(page).toHaveURL('/address')
  await expect(page.getByRole('heading', { level: 1, name: 'Mi domicilio' })).toBeVisible()
  await expect((await openMenu(page, onPhone)).locator('[aria-current]')).toHaveText(['Mi domicilio'])
})

test('a menu that was opened before scripts ran closes by going somewhere', { tag: '@inHand' }, async ({
  page,
}) => {
  await entersAs(page, 'cliente@demo.mx')
  await page.goto('/agenda-technics-visit#menu')
  await expect(page.getByRole('button', { name: 'Abrir el menú' })).toBeAttached()
  const menu = page.getByRole('navigation', { name: 'Menú principal' })
  await menu.getByRole('link', { name: 'Mi domicilio' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mi domicilio' })).toBeVisible()
  await expect(menu).toBeHidden()
})

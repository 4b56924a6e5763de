import type { Page } from '@playwright/test'
import { withDatabase } from '../../e2e/kit/database.ts'
import {
  buttonIn,
  exact,
  follow,
  isAt,
  linkIn,
  openScreen,
  openScreenAs,
  press,
  showsError,
} from '../../e2e/kit/parts.ts'
import { isRefreshed } from '../../e2e/kit/refreshes.ts'
import { entersAs } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

test('a manager walks the rows of a list by j and k, opens one and turns the keys off', async ({ page }) => {
  await openScreenAs(page, 'gerente@demo.mx', '/admin/appointments-pending')
  const links = page.locator('.row-link')
  await expect(buttonIn(page, 'Teclas ?')).toBeVisible()
  await page.keyboard.press('j')
  await expect(links.nth(0)).toBeFocused()
  await page.keyboard.press('j')
  await expect(links.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await expect(links.nth(0)).toBeFocused()
  const search = page.getByLabel('Buscar', { exact: true })
  await search.fill('')
  await search.press('j')
  await expect(search).toHaveValue('j')
  await search.fill('')
  await search.blur()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Teclas de la lista' })
  await expect(help).toBeVisible()
  await page.keyboard.press('j')
  await expect(links.nth(0)).not.toBeFocused()
  await help.getByLabel('Usar atajos de una sola tecla en este equipo').uncheck()
  await press(help, 'Cerrar')
  await page.keyboard.press('j')
  await expect(links.nth(0)).not.toBeFocused()
  await press(page, 'Teclas ?')
  await help.getByLabel('Usar atajos de una sola tecla en este equipo').check()
  await page.keyboard.press('Escape')
  await search.blur()
  await page.keyboard.press('j')
  const to = await links.nth(0).getAttribute('href')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(to!)
  // The whole row is the link.
  await page.goto('/admin/appointments-pending')
  await page.getByRole('row').nth(1).getByRole('cell').nth(1).click({ force: true })
  await isAt(page, /appointments?-pending(-videocall)?\/./)
})

test('a manager folds the menu, which stays folded on the device', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto('/admin')
  const menu = page.getByRole('complementary', { name: 'Menú y cuenta' })
  const width = async () => (await menu.boundingBox())?.width
  await buttonIn(page, 'Plegar el menú').press('Enter')
  await expect.poll(width).toBe(72)
  await page.reload({ waitUntil: 'commit' })
  // Nothing is drawn before the styles have come.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
  expect(await width()).toBe(72)
  await follow(menu, 'Usuarios')
  await expect(page.getByRole('heading', { name: 'Usuarios', level: 1 })).toBeVisible()
  expect(await width()).toBe(72)
  await buttonIn(page, 'Desplegar el menú').press('Enter')
  await expect.poll(width).toBe(320)
})

test('a manager keeps the focus on a tab and on a search', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  const main = page.locator('#contenido')
  await openScreen(page, '/admin/agencies')
  await page.getByLabel('Buscar', { exact: true }).fill('Demo')
  await page.keyboard.press('Enter')
  await isAt(page, /text=Demo/)
  await expect(page.getByLabel('Buscar', { exact: true })).toBeFocused()
  await follow(page.getByRole('row'), 'Concesionaria Demo')
  await expect(main).toBeFocused()
  const tab = (name: string) => linkIn(main, name, exact)
  await tab('Códigos').focus()
  await page.keyboard.press('Enter')
  await expect(tab('Códigos')).toHaveAttribute('aria-current', 'page')
  await expect(tab('Códigos')).toBeFocused()
  await page.goBack()
  await expect(tab('Resumen')).toHaveAttribute('aria-current', 'page')
  await expect(main).toBeFocused()
})

test('a manager opens the dialog of an invitation by keyboard, is refused and closes it', async ({
  page,
}) => {
  await openScreenAs(page, 'gerente@demo.mx', '/admin/users')
  const opener = buttonIn(page, 'Invitar')
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Invitar al equipo' })
  await expect(dialog.getByLabel('Correo electrónico')).toBeFocused()
  await page.keyboard.type('no es correo')
  await page.keyboard.press('Enter')
  await showsError(dialog, 'Correo electrónico', /Escribe un correo válido/)
  await expect(dialog.getByLabel('Correo electrónico')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
  // Nor does the focus go when somebody else changes something.
  await isRefreshed(page)
  await expect(opener).toBeFocused()
})

/** Each with the height of a row whose customer has a long name. */
const desks = [
  [1024, 768, 100],
  [1440, 900, 72],
] as const

const lists = [
  'appointments-pending',
  'appointments-done',
  'cotizations',
  'clients',
  'gesties',
  'payments/cobrar',
  'payments/libro',
  'agencies',
  'users',
]

/** How far a list with a long name goes beyond the window, what is cut in it, and how high its highest row is. */
async function measured(page: Page, path: string) {
  await page.goto(`/admin/${path}`)
  const { rows, ...found } = await page.evaluate(() => {
    const name = document.querySelector('.dense-table td[data-main] a')
    name?.replaceChildren('María Guadalupe de la Torre y Hernández-Villaseñor')
    const parts = [...document.querySelectorAll('.dense-table :is(th, td) :not(.sr-only, svg *)')]
    return {
      beside: Math.max(0, document.documentElement.scrollWidth - innerWidth),
      cut: parts.flatMap((one) =>
        one.scrollWidth > one.clientWidth && one.clientWidth > 0 ? one.textContent : [],
      ),
      rows: [...document.querySelectorAll('.dense-table tbody tr')].map((row) => row.clientHeight),
    }
  })
  expect(rows.length, path).toBeGreaterThan(0)
  return { ...found, highest: Math.max(...rows) }
}

/** Moves a confirmed visit to 38 minutes ago, of somebody who has nothing else then. */
const lateVisit = () =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string }>(`update appointments set
        starts_at = date_trunc('minute', now()) - interval '38 minutes' where id = (
      select id from appointments late where state = 'assigned' and confirmed_at is not null and service = 'technical_visit'
        and not exists (select from appointments other where other.id <> late.id and other.assignee_id = late.assignee_id
          and other.starts_at between now() - interval '9 hours' and now() + interval '3 hours')
      order by starts_at desc limit 1) returning id`)
    return rows[0]!.id
  })

test('a manager on a desk sees every list without scrolling sideways, in low rows with nothing cut', async ({
  arrive,
}) => {
  const id = await lateVisit()
  const page = await arrive()
  await entersAs(page, 'gerente@demo.mx')
  for (const [width, height, most] of desks) {
    await page.setViewportSize({ width, height })
    for (const path of lists) {
      const { beside, cut, highest } = await measured(page, path)
      expect([path, width, beside, cut]).toEqual([path, width, 0, []])
      expect(highest, `${path} at ${width}`).toBeLessThanOrEqual(most)
    }
    // A late row holds a second badge, and the call to its person.
    await page.goto('/admin/appointments-pending?view=tarde')
    const row = page.getByRole('row').filter({ has: page.locator(`a.row-link[href*="${id}"]`) })
    for (const part of [row.getByText(/ tarde$/), linkIn(row, /^Llamar a /)]) {
      const inner = await part.boundingBox()
      const outer = await row.boundingBox()
      expect(inner!.x + inner!.width).toBeLessThanOrEqual(outer!.x + outer!.width)
    }
  }
})

import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { isLongAgo, theDayComes } from '../kit/database.ts'
import {
  completeProfile,
  dayOf,
  giveAddress,
  openDay,
  places,
  signIn,
  signUp,
  toastOn,
} from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

const emails: Record<string, string> = { 'Tomás Demo': 'tecnico@demo.mx', 'Teresa Demo': 'tecnico2@demo.mx' }

const note = 'Centro de carga con espacio libre; faltan 12 m de tubería.'

let left = ''
test.afterEach(({ browserName: _ }, { expectedStatus, status }) => {
  // Its technician is to have nothing to do now when it is told again.
  if (status !== expectedStatus && left) return isLongAgo(left)
})

test(
  'a visit is booked, assigned and carried out',
  { tag: ['@plain', '@inHand'] },
  async ({ arrive, javaScriptEnabled }, info) => {
    const [customer, manager, technician] = [await arrive(), await arrive(), await arrive()]
    const family = await arrive()
    const { folio, date } = await books(customer, info.project.name)
    left = folio
    await customer.goto('/technics-visit')
    const watched = watch(customer, javaScriptEnabled ?? true)

    const name = await assigns(manager, folio)
    await watched.shows('Confirmada', name)
    await signIn(technician, emails[name] ?? '')
    await findsIt(technician, folio, date)
    await theDayComes(folio)
    await technician.reload()
    await technician.getByRole('button', { name: 'En camino' }).click()
    await expect(toastOn(technician, 'Vas en camino')).toBeVisible()
    await watched.shows('En camino')
    const [first = ''] = name.split(' ')
    await shares(customer, family, first)
    if (javaScriptEnabled ?? true) for (const page of [customer, family]) await findsNothing(page)
    await technician.getByRole('button', { name: 'Iniciar' }).click()
    await expect(toastOn(technician, 'Cita iniciada')).toBeVisible()
    await watched.shows('En curso')
    await family.reload()
    await expect(family.getByText(`${first} ya está ahí.`)).toBeVisible()
    await finishes(technician, folio)
    await watched.shows('Quedó incompleta', note)
    await family.reload()
    await expect(family.getByRole('heading', { level: 1 })).toHaveText('Este enlace ya terminó')
    await expect(family.getByText(first)).toHaveCount(0)
    expect(watched.loads()).toBe(0)
  },
)

/** The customer's page, left open: it follows by itself, or without JavaScript when loaded again. */
function watch(page: Page, live: boolean) {
  let count = 0
  if (live) page.on('load', () => count++)
  return {
    loads: () => count,
    async shows(...words: string[]) {
      // A reload would send the form of the link again.
      if (!live) await page.goto('/technics-visit')
      const visit = page.getByRole('region', { name: 'Visita técnica' })
      for (const said of words) await expect(visit.getByText(said, { exact: true })).toBeVisible()
    },
  }
}

/** From nothing to a booked visit, seen at /technics-visit and on home. */
async function books(page: Page, project: string) {
  await signUp(page)
  await page.goto('/')
  await expect(page).toHaveURL('/completion')
  await completeProfile(page, 'Ana', 'Prueba')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hola, Ana')
  await page.getByRole('link', { name: 'Agregar mi domicilio' }).click()
  await giveAddress(page, places.south)
  await page.getByRole('link', { name: 'Agendar visita' }).click()
  await expect(page).toHaveURL('/agenda-technics-visit')
  const date = await openDay(page, dayOf('visit', project))
  await page.getByRole('radio').nth(2).check()
  await page.getByRole('button', { name: 'Agendar visita' }).click()
  await expect(page).toHaveURL('/technics-visit?agendada')
  await expect(page.getByRole('heading', { name: 'Tu visita quedó agendada' })).toBeVisible()
  const main = page.getByRole('main')
  const folio = (await main.getByText(/^VT-\d{4}-\d{5}$/).textContent()) ?? ''
  const seen = async () => {
    for (const words of [folio, 'Apartada']) await expect(main).toContainText(words)
  }
  await seen()
  await page.goto('/')
  await seen()
  return { folio, date }
}

/** Confirms the person proposed, and answers their name. */
async function assigns(page: Page, folio: string) {
  await signIn(page, 'gerente@demo.mx')
  await expect(page).toHaveURL('/admin')
  await expect(page.getByRole('heading', { name: 'Para hoy' })).toBeVisible()
  await page.goto('/admin/assignations')
  const tray = page.getByRole('region', { name: 'Por asignar' })
  await page.goto((await tray.getByRole('link', { name: folio }).getAttribute('href')) ?? '')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(folio)
  const proposed = page.getByRole('radio', { checked: true })
  const name = await page.locator('label', { has: proposed }).locator('span > span').first().textContent()
  await page.getByRole('button', { name: 'Confirmar asignación' }).click()
  await expect(page).toHaveURL(/\/admin\/assignations\?dia=/)
  await expect(toastOn(page, 'Asignación confirmada')).toBeVisible()
  await expect(tray.getByRole('link', { name: folio })).toHaveCount(0)
  return name ?? ''
}

/** The customer gives their family a link; whoever opens it, without an account, sees who comes and not where. */
async function shares(page: Page, family: Page, name: string) {
  await page.getByRole('button', { name: 'Compartir con tu familia' }).click()
  const link = await page.getByText(/^https?:\S+\/visita\/[\w-]{43}$/).textContent()
  await expect(page.getByRole('link', { name: 'WhatsApp', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Dejar de compartir' })).toBeVisible()
  await family.goto(new URL(link!).pathname)
  await expect(family.getByRole('heading', { level: 1 })).toHaveText('Visita técnica')
  await expect(family.getByText(`${name} va en camino.`)).toBeVisible()
  await expect(family.getByRole('main')).not.toContainText('Londres')
}

/** At /admin/appointments-pending, with the ways to call; it can't be begun before its day. */
async function findsIt(page: Page, folio: string, date: string) {
  await page.goto('/admin/appointments-pending')
  await page.getByText('Buscar y ver todas').click()
  // Of this year, lists leave it out.
  const [day] = date.split(/ \d{4}/)
  await expect(page.getByRole('row').filter({ hasText: folio })).toContainText(day!)
  await page.getByRole('link', { name: folio }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana Prueba')
  await expect(page.getByRole('link', { name: 'al 551 234 56 78' })).toHaveAttribute(
    'href',
    'tel:+525512345678',
  )
  await expect(page.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
    'href',
    /^https:\/\/wa\.me\/525512345678/,
  )
  await expect(page.getByText('Londres 247')).toBeVisible()
  await expect(page.getByText('Podrás hacerlo ese día.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'En camino' })).toHaveCount(0)
}

/** Before its report is complete, which has a story of its own. */
async function finishes(page: Page, folio: string) {
  await page.getByText('Más acciones').click()
  await page.getByText('Si no se pudo completar').click()
  await page.getByRole('button', { name: 'Terminar' }).click()
  await expect(page.getByText('Elige por qué no se completó.').first()).toBeVisible()
  await page.getByLabel('Motivo').first().selectOption('Falta material')
  await page.getByLabel('Nota de cierre').fill(note)
  await page.getByRole('button', { name: 'Terminar' }).click()
  await expect(page).toHaveURL(/\/admin\/appointments-done\/[0-9a-f-]{36}$/)
  await expect(page.getByText(note)).toBeVisible()
  await page.goto(`/admin/appointments-done?text=${folio}`)
  await expect(page.getByRole('row').filter({ hasText: folio })).toContainText('Realizada')
}

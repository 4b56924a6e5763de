import type { Page } from '@playwright/test'
import { comesNear, theDayComes } from './kit/database.ts'
import { aloneFor, callInAnHour, isRightAfterMidnight } from './kit/left-waiting.ts'
import {
  buttonIn,
  exact,
  follow,
  headingIn,
  inList,
  isAt,
  isTitled,
  linkIn,
  mainSays,
  openScreen,
  press,
  reads,
  regionIn,
  rowWith,
} from './kit/parts.ts'
import {
  chooseDay,
  completeProfile,
  dayOf,
  giveAddress,
  newCustomer,
  newPerson,
  openDay,
  signIn,
  signUp,
} from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

const emails: Record<string, string> = { 'Tomás Demo': 'tecnico@demo.mx', 'Teresa Demo': 'tecnico2@demo.mx' }

const note = 'Centro de carga con espacio libre; faltan 12 m de tubería.'

test(
  'a customer books a visit, the manager assigns it, the technician carries it out',
  { tag: '@plain' },
  async ({ arrive, javaScriptEnabled }, info) => {
    const customer = await arrive()
    const manager = await arrive()
    const technician = await arrive()
    const family = await arrive()
    const { folio, date } = await books(customer, info.project.name)
    await customer.goto('/technics-visit')
    const watched = watch(customer, javaScriptEnabled ?? true)
    const name = await assigns(manager, folio)
    await watched.shows('Confirmada', name)
    await signIn(technician, emails[name] ?? '')
    await findsIt(technician, folio, date)
    await theDayComes(folio)
    await technician.reload()
    await press(technician, 'En camino')
    await expectToast(technician, 'Vas en camino')
    await watched.shows('En camino')
    const [first = ''] = name.split(' ')
    await shares(customer, family, first)
    await press(technician, 'Iniciar')
    await mainSays(technician, 'En curso')
    await watched.shows('En curso')
    await family.reload()
    await reads(family, `${first} ya está ahí.`)
    await finishes(technician, folio)
    await watched.shows('Quedó incompleta', note)
    await family.reload()
    await isTitled(family, 'Este enlace ya terminó')
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
      const visit = regionIn(page, 'Visita técnica')
      for (const said of words) await expect(visit.getByText(said, { exact: true })).toBeVisible()
    },
  }
}

/** From nothing to a booked visit, seen at /technics-visit and on home. */
async function books(page: Page, project: string) {
  await signUp(page)
  await page.goto('/')
  await isAt(page, '/completion')
  await completeProfile(page, 'Ana', 'Prueba')
  await isTitled(page, 'Hola, Ana')
  await follow(page, 'Agregar mi domicilio')
  await giveAddress(page)
  await follow(page, 'Agendar visita')
  await isAt(page, '/agenda-technics-visit')
  const date = await openDay(page, dayOf('visit', project))
  await page.getByRole('radio').nth(2).check()
  await press(page, 'Agendar visita')
  await isAt(page, '/technics-visit?agendada')
  await expect(headingIn(page, 'Tu visita quedó agendada')).toBeVisible()
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
  await isAt(page, '/admin')
  await expect(headingIn(page, 'Por resolver hoy')).toBeVisible()
  await page.goto('/admin/assignations')
  const tray = regionIn(page, 'Por asignar')
  await page.goto((await linkIn(tray, folio).getAttribute('href')) ?? '')
  await isTitled(page, folio)
  const proposed = page.getByRole('radio', { checked: true })
  const name = await page.locator('label', { has: proposed }).locator('span > span').first().textContent()
  await press(page, 'Confirmar asignación')
  await isAt(page, /\/admin\/assignations\?dia=/)
  await expectToast(page, 'Asignación confirmada')
  await expect(linkIn(tray, folio)).toHaveCount(0)
  return name ?? ''
}

/** The customer gives their family a link; whoever opens it, without an account, sees who comes and not where. */
async function shares(page: Page, family: Page, name: string) {
  await press(page, 'Compartir con tu familia')
  const link = await page.getByText(/^https?:\S+\/visita\/[\w-]{43}$/).textContent()
  await expect(linkIn(page, 'WhatsApp', exact)).toBeVisible()
  await expect(buttonIn(page, 'Dejar de compartir')).toBeVisible()
  await family.goto(new URL(link!).pathname)
  await isTitled(family, 'Visita técnica')
  await reads(family, `${name} va en camino.`)
  await expect(family.getByRole('main')).not.toContainText('Londres')
}

/** At /admin/appointments-pending, with the ways to call; it can't be begun before its day. */
async function findsIt(page: Page, folio: string, date: string) {
  await page.goto('/admin/appointments-pending')
  await page.getByText('Buscar y ver todas').click()
  // Of this year, lists leave it out; the month too, of this one.
  const [day] = date.split(/ \w{3} \d{4}/)
  await expect(rowWith(page, inList(folio))).toContainText(day!.replace(' ', '\u00a0'))
  await follow(page, inList(folio))
  await isTitled(page, 'Ana Prueba')
  await expect(linkIn(page, 'al 551 234 56 78')).toHaveAttribute('href', 'tel:+525512345678')
  await expect(linkIn(page, 'WhatsApp')).toHaveAttribute('href', /^https:\/\/wa\.me\/525512345678/)
  await reads(page, 'Londres 247')
  await reads(page, 'Podrás hacerlo ese día.')
  await expect(buttonIn(page, 'En camino')).toHaveCount(0)
}

/** Before its report is complete, which has a test of its own. */
async function finishes(page: Page, folio: string) {
  await page.getByText('Más acciones').click()
  await page.getByText('Si no se pudo completar').click()
  await press(page, 'Terminar')
  await expect(page.getByText('Elige por qué no se completó.').first()).toBeVisible()
  await page.getByLabel('Motivo').first().selectOption('Falta material')
  await page.getByLabel('Nota de cierre').fill(note)
  await press(page, 'Terminar')
  await isAt(page, /\/admin\/appointments-done\/[0-9a-f-]{36}$/)
  await reads(page, note)
  await page.goto(`/admin/appointments-done?text=${folio}`)
  await expect(rowWith(page, inList(folio))).toContainText('Realizada')
}

/** A customer's visit, late on a day of the test's own. Answers its folio. */
async function booked(page: Page, day: number) {
  await newCustomer(page)
  await openDay(page, day)
  await page.getByRole('radio').last().check()
  await press(page, 'Agendar visita')
  await isAt(page, '/technics-visit?agendada')
  const folio = page.getByRole('main').getByText(/^VT-\d{4}-\d{5}$/)
  return (await folio.textContent()) ?? ''
}

test('a customer moves a visit to another hour, and is refused after the cut-off', async ({
  arrive,
}, info) => {
  const page = await arrive()
  const day = dayOf('moved', info.project.name)
  const folio = await booked(page, day)
  await follow(page, 'Cambiar de hora')
  await reads(page, 'Tu cita actual:')
  await chooseDay(page, day)
  await page.getByRole('radio').first().check()
  await press(page, 'Cambiar mi cita')
  await expectToast(page, 'Cambiamos tu cita')
  await reads(page, 'Te queda 1 cambio')
  const change = await linkIn(page, 'Cambiar de hora').getAttribute('href')
  await comesNear(folio, 20)
  await page.reload()
  await reads(page, 'Ya pasó el plazo para cambiarla en línea.')
  await page.goto(change ?? '')
  await reads(page, 'Tu cita sigue como está.')
  await expect(linkIn(page, /Pedir ayuda/)).toHaveAttribute('href', /wa\.me/)

  // Cancelled here, it closes the page of another tab in which an hour is chosen.
  await comesNear(folio, 72)
  const tab = await page.context().newPage()
  await openScreen(tab, change ?? '')
  await tab.getByRole('radio').first().check()
  await page.goto('/technics-visit')
  await page.locator('summary', { hasText: 'Cancelar cita' }).click()
  await page.getByLabel('Motivo').selectOption('No puedo a esa hora')
  await press(page, 'Cancelar cita')
  // The tabs share one waiting toast: either may show it.
  await isAt(tab, '/technics-visit')
  await expect(tab.getByText('Cancelada', exact)).toBeVisible()
})

test('a customer cancels a visit only with a reason', { tag: '@plain' }, async ({ arrive }, info) => {
  const page = await arrive()
  await booked(page, dayOf('cancelled', info.project.name))
  const cancel = buttonIn(page, 'Cancelar cita')
  await page.locator('summary', { hasText: 'Cancelar cita' }).click()
  await cancel.click()
  await expect(page.getByText('Elige un motivo.').first()).toBeVisible()
  await page.getByLabel('Motivo').selectOption('No puedo a esa hora')
  await cancel.click()
  await expectToast(page, 'Cancelamos tu cita')
  await reads(page, 'Cancelada')
  await expect(linkIn(page, 'Elige otro horario')).toBeVisible()
})

test(
  'a customer without an address books a call once its topic is chosen',
  { tag: '@plain' },
  async ({ page }, info) => {
    await newPerson(page)
    await page.goto('/videocall')
    await follow(page, 'Agendar asesoría')
    await follow(page, 'Lo más pronto')
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(1)
    // One analyst takes the calls of all kinds of browser: each has a day of its own.
    await chooseDay(page, 3 + dayOf('visit', info.project.name))
    const slots = page.getByRole('group', { name: 'Horario', exact: true }).getByRole('radio')
    await slots.nth(2).check()
    await press(page, 'Agendar asesoría')
    await expect(page.getByText('Elige de qué quieres hablar.').first()).toBeVisible()
    await expect(slots.nth(2)).toBeChecked()
    await page.getByLabel('Sobre autos eléctricos').check()
    await press(page, 'Agendar asesoría')
    await expectToast(page, 'Tu asesoría quedó agendada')
    const call = regionIn(page, 'Asesoría virtual')
    await expect(call).toContainText('Confirmada')
    await expect(call).toContainText('Andrés Demo')
    await expect(call).toContainText('Sobre autos eléctricos')
  },
)

test('a customer whose analyst does not come reads so at once and waits on', async ({ page }) => {
  test.skip(isRightAfterMidnight(), 'nobody can have waited for ten minutes in a room of today')
  const call = await callInAnHour(await newPerson(page))
  await page.goto('/videocall')
  // Shortly before midnight it opens tomorrow.
  await reads(page, /^La sala abre (el .+ )?a la/)
  // Ten minutes alone are over in a moment: the page knows when.
  await aloneFor(call, 9.95)
  await page.reload()
  await expect(linkIn(page, 'Volver a la sala')).toBeVisible()
  const choices = regionIn(page, 'Qué prefieres')
  await expect(choices).toContainText('Tu analista no ha llegado', { timeout: 15_000 })
  await press(choices, 'Seguir esperando')
  await expectToast(page, 'Gracias por esperar')
  await expect(choices).toHaveCount(0)
})

import type { Page } from '@playwright/test'
import { comesNear, theDayComes } from './kit/database.ts'
import { aloneFor, callInAnHour, isRightAfterMidnight, waitedOnFor } from './kit/left-waiting.ts'
import {
  chooseDay,
  completeProfile,
  dayOf,
  giveAddress,
  newCustomer,
  newPerson,
  openDay,
  places,
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
    const [customer, manager, technician] = [await arrive(), await arrive(), await arrive()]
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
    await technician.getByRole('button', { name: 'En camino' }).click()
    await expectToast(technician, 'Vas en camino')
    await watched.shows('En camino')
    const [first = ''] = name.split(' ')
    await shares(customer, family, first)
    await technician.getByRole('button', { name: 'Iniciar' }).click()
    await expect(technician.getByRole('main')).toContainText('En curso')
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
  await expectToast(page, 'Asignación confirmada')
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

/** Before its report is complete, which has a test of its own. */
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

const book = (page: Page) => page.getByRole('button', { name: 'Agendar visita' })

test('two customers choose the last slot: one gets it, the other books one of three nearby', async ({
  arrive,
}, info) => {
  const people = [await arrive(), await arrive()]
  const [first, second] = people as [Page, Page]
  for (const page of people) await newCustomer(page, places.centre)
  await openDay(first, dayOf('race', info.project.name))
  await first.getByRole('radio').nth(3).check()
  const wanted = await first.getByRole('radio', { checked: true }).inputValue()
  await second.goto(first.url())
  await second.locator(`input[value="${wanted}"]`).check()
  await Promise.all(people.map((page) => book(page).click()))
  const taken = people.map((page) => page.getByText('Ese horario se acaba de ocupar.').first())
  const lost = await Promise.any(taken.map((words, at) => words.waitFor().then(() => people[at]!)))
  const won = people.find((page) => page !== lost)!
  await expect(won).toHaveURL('/technics-visit?agendada')
  await expect(lost).toHaveURL(/\/agenda-technics-visit/)
  await expect(lost.locator(`input[value="${wanted}"]`)).toHaveCount(0)
  await expect(lost.getByText('Elige un horario.').first()).toBeVisible()
  const near = lost.getByRole('main').getByRole('link', { name: /^\S{3} \d+ \S{3} \d{4}, / })
  await expect(near).toHaveCount(3)
  const chosen = await near.nth(1).textContent()
  await near.nth(1).click()
  const hands = /(\d+:\d+) [ap]/.exec(chosen ?? '')?.[1] ?? ''
  await expect(lost.getByRole('radio', { name: hands, exact: true })).toBeChecked()
  await book(lost).click()
  await expect(lost).toHaveURL('/technics-visit?agendada')
  await expect(lost.getByRole('main')).toContainText(`${/\d+/.exec(chosen ?? '')?.[0]} de `)
})

/** A customer's visit, late on the day of another test, which wants its morning. Answers its folio. */
async function booked(page: Page, project: string, place = places.south, day = dayOf('visit', project)) {
  await newCustomer(page, place)
  await openDay(page, day)
  await page.getByRole('radio').last().check()
  await page.getByRole('button', { name: 'Agendar visita' }).click()
  await expect(page).toHaveURL('/technics-visit?agendada')
  const folio = page.getByRole('main').getByText(/^VT-\d{4}-\d{5}$/)
  return (await folio.textContent()) ?? ''
}

test('a customer moves a visit to another hour, and is refused after the cut-off', async ({
  arrive,
}, info) => {
  const page = await arrive()
  const folio = await booked(page, info.project.name)
  await page.getByRole('link', { name: 'Cambiar de hora' }).click()
  await expect(page.getByText('Tu cita actual:')).toBeVisible()
  // An hour of its own day: the soonest is taken by other tests.
  await chooseDay(page, dayOf('visit', info.project.name))
  await page.getByRole('radio').nth(-3).check()
  await page.getByRole('button', { name: 'Cambiar mi cita' }).click()
  await expectToast(page, 'Cambiamos tu cita')
  await expect(page.getByText('Te queda 1 cambio')).toBeVisible()
  const change = await page.getByRole('link', { name: 'Cambiar de hora' }).getAttribute('href')
  await comesNear(folio, 20)
  await page.reload()
  await expect(page.getByText('Ya pasó el plazo para cambiarla en línea.')).toBeVisible()
  await page.goto(change ?? '')
  await expect(page.getByText('Tu cita sigue como está.')).toBeVisible()
  await expect(page.getByRole('link', { name: /Pedir ayuda/ })).toHaveAttribute('href', /wa\.me/)
})

test('a customer cancels a visit only with a reason', { tag: '@plain' }, async ({ arrive }, info) => {
  const page = await arrive()
  await booked(page, info.project.name)
  const cancel = page.getByRole('button', { name: 'Cancelar cita' })
  await page.locator('summary', { hasText: 'Cancelar cita' }).click()
  await cancel.click()
  await expect(page.getByText('Elige un motivo.').first()).toBeVisible()
  await page.getByLabel('Motivo').selectOption('No puedo a esa hora')
  await cancel.click()
  await expectToast(page, 'Cancelamos tu cita')
  await expect(page.getByText('Cancelada')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Elige otro horario' })).toBeVisible()
})

test(
  'a customer without an address books a call once its topic is chosen',
  { tag: '@plain' },
  async ({ page }, info) => {
    await newPerson(page)
    await page.goto('/videocall')
    await page.getByRole('link', { name: 'Agendar asesoría' }).click()
    await page.getByRole('link', { name: 'Lo más pronto' }).click()
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(1)
    // One analyst takes the calls of all kinds of browser: each has a day of its own.
    await chooseDay(page, 3 + dayOf('visit', info.project.name))
    const slots = page.getByRole('group', { name: 'Horario', exact: true }).getByRole('radio')
    await slots.nth(2).check()
    await page.getByRole('button', { name: 'Agendar asesoría' }).click()
    await expect(page.getByText('Elige de qué quieres hablar.').first()).toBeVisible()
    await expect(slots.nth(2)).toBeChecked()
    await page.getByLabel('Sobre autos eléctricos').check()
    await page.getByRole('button', { name: 'Agendar asesoría' }).click()
    await expectToast(page, 'Tu asesoría quedó agendada')
    const call = page.getByRole('region', { name: 'Asesoría virtual' })
    await expect(call).toContainText('Confirmada')
    await expect(call).toContainText('Andrés Demo')
    await expect(call).toContainText('Sobre autos eléctricos')
  },
)

test('a customer whose analyst does not come waits on, sees other times and asks to be phoned', async ({
  page,
}) => {
  test.skip(isRightAfterMidnight(), 'nobody can have waited for ten minutes in a room of today')
  const call = await callInAnHour(await newPerson(page))
  await page.goto('/videocall')
  // Shortly before midnight it opens tomorrow.
  await expect(page.getByText(/^La sala abre (el .+ )?a la/)).toBeVisible()
  // Ten minutes alone are over in a moment: the page knows when.
  await aloneFor(call, 9.95)
  await page.reload()
  await expect(page.getByRole('link', { name: 'Volver a la sala' })).toBeVisible()
  const choices = page.getByRole('region', { name: 'Qué prefieres' })
  await expect(choices).toContainText('Tu analista no ha llegado', { timeout: 15_000 })
  await choices.getByRole('button', { name: 'Seguir esperando' }).click()
  await expectToast(page, 'Gracias por esperar')
  await expect(choices).toHaveCount(0)
  await waitedOnFor(call, 10)
  await page.reload()
  await choices.getByRole('link', { name: 'Otro horario' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Elige otro horario')
  await expect(page.getByRole('button', { name: 'Cambiar mi cita' })).toBeVisible()
  await page.goto('/videocall')
  await choices.getByRole('button', { name: 'Llámenme al 551 234 56 78' }).click()
  await expect(page.getByText('Te llamamos al 551 234 56 78 lo antes posible')).toBeVisible()
  await expect(choices).toHaveCount(0)
})

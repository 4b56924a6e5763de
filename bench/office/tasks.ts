import type { Page } from '@playwright/test'
import type { fullDay } from '../../e2e/kit/team.ts'
import type { busyOffice } from './busy-office.ts'
import type { Effort, Hand } from './hand.ts'

export type Fixture = Awaited<ReturnType<typeof busyOffice>> & { full: Awaited<ReturnType<typeof fullDay>> }

type Task = {
  name: string
  /** What it took when the office was first tried, and what a good tool takes. */
  before: string
  best: string
  /** The most it may take by mouse; by keys alone the keys of each step are bound, and without scripts it can be done. */
  bound: Pick<Effort, 'clicks' | 'keys' | 'loads'> & Partial<Effort>
  /** Where one stands when the task comes up. */
  from: (fixture: Fixture) => string
  act: (hand: Hand, fixture: Fixture) => Promise<unknown>
}

/** The toast, or the line that stands for it without scripts. */
const said = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()

/** The phone of a customer of the demo fixture as a caller ID shows it. */
const knownPhone = '+52 1 555 555 0205'
const knownName = 'Óscar Montes Demo'

/** Where somebody stands who looks for a customer: the palette, or the page of the search without scripts. */
async function findCustomer(hand: Hand) {
  const { key, page, press, type, way } = hand
  if (way === 'plain') {
    await hand.write(page.getByRole('searchbox', { name: 'Busca en todo' }), knownPhone)
    await key('Enter')
    return press(page.getByRole('link', { name: knownName }).first())
  }
  await key('/')
  await page.getByRole('combobox', { name: 'Busca en todo' }).waitFor()
  await hand.ready()
  await type(knownPhone)
  await page.getByRole('option', { name: new RegExp(`^${knownName}`), selected: true }).waitFor()
  await hand.ready()
  await key('Enter')
  await page.waitForURL(/\/cliente$/)
}

/** The first free hour of the calendar. */
const firstHour = (page: Page) =>
  page
    .getByRole('group', { name: /Mañana|Tarde/ })
    .getByRole('radio')
    .first()

/** The work of an office by phone and desk, in an order in which no task takes another one's rows away. */
export const tasks: readonly Task[] = [
  {
    name: 'Confirm one assignment from home',
    before: '3 clicks, 3 loads',
    best: '1 click',
    bound: { clicks: 1, keys: 0, loads: 0 },
    from: () => '/admin',
    async act({ page, press }) {
      await press(page.getByRole('button', { name: /^Confirmar\s*: / }).first())
      await said(page, 'Cita asignada')
    },
  },
  {
    name: 'Confirm 8 proposed assignments',
    before: '17 clicks, 17 loads',
    best: '2 clicks',
    bound: { clicks: 2, keys: 0, loads: 0 },
    from: () => '/admin',
    async act({ isHeld, key, page, press, ready, way }) {
      const fold = page.locator('summary', { hasText: 'Confirmar todas' })
      await ready()
      if (way === 'keyboard') while (!(await isHeld(fold))) await key('j')
      await press(fold)
      await press(page.getByRole('button', { name: 'Confirmar las 8', exact: true }))
      await said(page, '8 citas asignadas')
    },
  },
  {
    name: 'Book for a known caller, assigned',
    before: '7 clicks, 7 keys, 6 loads',
    best: '4 clicks, 1 panel',
    bound: { clicks: 4, keys: 7, loads: 4, screens: 2 },
    from: () => '/admin/assignations',
    async act(hand) {
      const { key, page, press, type } = hand
      await press(page.getByRole('link', { name: 'Nueva cita' }))
      await hand.isGiven(page.getByLabel('Buscar a un cliente'))
      await type('camila')
      await key('Enter')
      await press(page.getByRole('link', { name: /Camila Demo/ }))
      await press(firstHour(page))
      await press(page.getByRole('button', { name: 'Agendar y asignar' }))
      await said(page, 'La cita quedó agendada')
    },
  },
  {
    name: 'Book for a new caller',
    before: '12 clicks, 110 keys, 5 loads',
    best: '6 clicks, 70 keys',
    bound: { clicks: 6, keys: 70, loads: 4, screens: 2 },
    from: () => '/admin/assignations',
    async act(hand) {
      const { choose, key, page, press, type, way, write } = hand
      await press(page.getByRole('link', { name: 'Nueva cita' }))
      await hand.isGiven(page.getByLabel('Buscar a un cliente'))
      await type('5587654321')
      // Ten digits are searched by themselves.
      if (way === 'plain') await key('Enter')
      await page.getByText('No encontramos a nadie').waitFor()
      await hand.ready()
      await write(page.getByLabel('Código postal'), '03100')
      if (way === 'plain') await press(page.getByRole('button', { name: '¿Llegamos?' }))
      await page.getByText('Sí llegamos').waitFor()
      await write(page.getByLabel('Nombre', { exact: true }), 'Rita')
      await write(page.getByLabel('Apellidos'), 'Llamas')
      await write(page.getByLabel('Correo electrónico'), 'rita@example.mx')
      await write(page.getByLabel('Colonia'), 'Del Valle')
      await write(page.getByLabel('Calle', { exact: true }), 'Londres')
      await write(page.getByLabel('Número exterior'), '247')
      await choose(page.getByLabel('Tipo de vivienda'), 'Casa')
      await choose(page.getByLabel('Estacionamiento'), 'Propio techado')
      await press(page.getByRole('button', { name: 'Registrar y elegir hora' }))
      await press(firstHour(page))
      await press(page.getByRole('button', { name: 'Agendar y asignar' }))
      await said(page, 'La cita quedó agendada')
    },
  },
  {
    name: 'Move a visit, called by phone',
    before: '8 clicks, 8 keys; 3 more for each wrong guess',
    best: '3 clicks on a slot grid',
    bound: { clicks: 3, keys: 20, loads: 3 },
    from: () => '/admin',
    async act(hand) {
      const { page, press } = hand
      await findCustomer(hand)
      await press(page.getByRole('link', { name: 'Mover', exact: true }))
      await press(firstHour(page))
      await press(page.getByRole('button', { name: 'Mover y avisar' }))
      await said(page, 'Cita movida')
    },
  },
  {
    name: 'Cancel a visit from Próximas citas',
    before: '6 clicks, through "Cambiar persona"',
    best: '3 clicks',
    bound: { clicks: 3, keys: 8, loads: 2 },
    from: () => '/admin/appointments-pending',
    async act({ choose, isHeld, key, page, press, ready, way }) {
      const row = page.getByRole('row', { name: /Lucía Ibarra/ }).locator('.row-link')
      await ready()
      if (way === 'keyboard') while (!(await isHeld(row))) await key('j')
      await press(row)
      await press(page.locator('summary', { hasText: 'Cancelar la cita' }))
      await choose(page.getByLabel('Motivo'), 'El cliente no está disponible')
      await press(page.getByRole('button', { name: 'Cancelar la cita' }))
      await said(page, 'Cita cancelada')
    },
  },
  {
    name: 'A technician is ill: six visits',
    before: '3 clicks, one long page',
    best: '3 clicks',
    bound: { clicks: 3, keys: 0, loads: 1 },
    from: ({ date }) => `/admin/assignations?dia=${date}`,
    async act({ page, press }, { ill }) {
      await press(page.getByRole('link', { name: new RegExp(`No puede venir.*${ill.name}`) }))
      await press(page.getByRole('button', { name: 'Confirmar todo y avisar' }))
      await said(page, 'Ausencia registrada')
    },
  },
  {
    name: 'Review a proof',
    before: '3 clicks, 9 keys, a PDF in another tab',
    best: '1 click',
    bound: { clicks: 1, keys: 0, loads: 0 },
    from: () => '/admin/payments',
    async act({ page, press }) {
      // Whoever presses has its picture before them.
      const card = page
        .getByRole('region', { name: /^Revisa la transferencia / })
        .filter({ has: page.getByRole('img', { name: /^Comprobante de / }) })
        .first()
      await card.getByRole('img').scrollIntoViewIfNeeded()
      if (!(await card.getByRole('img').evaluate(isDrawn))) throw new Error('the proof is not drawn')
      await press(card.getByRole('button', { name: /^Llegó completo/ }))
      await said(page, 'Pago registrado')
    },
  },
  {
    name: 'Send a first quote',
    before: '3 clicks',
    best: '3 clicks',
    bound: { clicks: 3, keys: 0, loads: 2 },
    from: () => '/admin',
    async act({ page, press }) {
      await press(page.getByRole('link', { name: /^Cotizar\s*: / }).first())
      await press(page.getByRole('button', { name: 'Enviar', exact: true }))
      await page.waitForURL(/detail-quote/)
    },
  },
  {
    name: 'Reassign on the board',
    before: '1 drag',
    best: '1 drag, with undo',
    bound: { clicks: 1, keys: 0, loads: 0 },
    from: ({ full }) => `/admin/assignations?dia=${full.date}&zona=milpa-alta`,
    async act(hand, { full: { people, waiting } }) {
      const { effort, key, page, press, ready, way } = hand
      const to = people.at(-2)!
      const card = page
        .getByRole('region', { name: 'Por asignar' })
        .getByRole('link', { name: new RegExp(waiting[0]!) })
      if (way !== 'mouse') {
        if (way === 'keyboard') {
          await ready()
          await key('t')
        }
        await press(card)
        await press(page.getByRole('radio', { name: new RegExp(to.name) }))
        await press(page.getByRole('button', { name: /^(Mover y avisar|Confirmar asignación)$/ }))
        return said(page, /^(Cita movida|Asignación confirmada)$/)
      }
      await ready()
      const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: to.name }) })
      const from = (await card.boundingBox())!
      const lane = (await row.locator('[data-lane]').boundingBox())!
      effort.clicks++
      await page.mouse.move(from.x + 10, from.y + 10)
      await page.mouse.down()
      await page.mouse.move(lane.x + lane.width * (2.2 / 9), lane.y + 28, { steps: 12 })
      await page.getByRole('status').filter({ hasText: to.name }).waitFor()
      await page.mouse.up()
      await said(page, 'Cita movida')
      await page.getByRole('button', { name: 'Deshacer' }).waitFor()
    },
  },
]

/** Runs in the page: whether a picture is there, and large enough to be read. */
function isDrawn(picture: Element): boolean {
  return picture instanceof HTMLImageElement && picture.naturalWidth > 0 && picture.clientWidth >= 200
}

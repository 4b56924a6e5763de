import { eq } from 'drizzle-orm'
import { leadingStatuses, projectStatusesOf } from '../../src/customers/overview.ts'
import { appointments, slotWishes } from '../../src/platform/database/schema/appointments.ts'
import { addresses, projects, tasks } from '../../src/platform/database/schema/projects.ts'
import { openProjectOf } from '../../src/projects/open-project.ts'
import { money } from '../../src/shared/format.ts'
import { agenda, book, slots, visitsOf } from '../kit/appointments.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  analyst,
  customer2,
  db,
  eventsAbout,
  expectNotOnPage,
  expectRowsIn,
  expectScreen,
  fixture,
  manager,
  markupOf,
  newHome,
  openEach,
  pageText,
  people,
  post,
  rowsWhere,
  rowWhere,
  sendJobs,
  setRow,
  storeRows,
  technician,
} from '../kit/open.ts'
import { acceptQuote, demandOf } from '../kit/payments.ts'
import { addressForm, type Home, type Person } from '../kit/people.ts'
import { agreeOn, storeDraft, visited } from '../kit/quotes.ts'
import {
  expectAnswered,
  expectPage,
  expectStatuses,
  expectWords,
  insertIn,
  readable,
} from '../kit/reading.ts'

let customer: Person
let home: Home
/** The first home, and the second one, which was chosen as it was begun. */
let first = ''
let second = ''

openEach(async () => {
  customer = people.customer
  home = await newHome(customer, { street: 'Londres', outerNumber: '247' })
  first = home.projectId
})
sendJobs()

const at = (path: string, project: string) => `${path}?proyecto=${project}`
const route = 'appointments/screens/book'
const send = (path: string, form: Record<string, string>) => post(path, form, customer)
/** Where a page leads on to. */
const onward = async (path: string) => (await fixture.data(path, customer)).onward
const openOf = () => rowsWhere(projects, { customerId: customer.id })
const insert = (place: number) =>
  db.insert(projects).values({ customerId: customer.id, place }).returning().execute()
const homeOf = (projectId: string) => rowWhere(addresses, { projectId })
/** Saves the address of another home, as its form does. */
const begin = (id = crypto.randomUUID() as string, by = customer, typed = {}) =>
  post(`/address?otro=${id}`, { ...addressForm, street: 'Madero', outerNumber: '12', ...typed }, by)
/** The first free start of the nth day for a home, and books one. */
const startOf = async (project: string, nth = 0) =>
  (await slots(customer, nth, { path: at(agenda, project), route }))[0]!
const bookAt = (project: string, startsAt: string) =>
  send(at(agenda, project), { startsAt, requestKey: crypto.randomUUID() })

async function withSecond() {
  second = crypto.randomUUID()
  expect(await begin(second)).toMatchObject({ status: 303, onward: at('/technics-visit', second) })
}

test('a second home opens with its address only, with no postal code filled in', async () => {
  const text = await markupOf('/address', customer)
  const [, path = ''] = /href="(\/address\?otro=[^"]+)"/.exec(text) ?? []
  const form = await fixture.visit(path, customer)
  expectWords(form.text, 'Otro domicilio', 'name="postalCode" value=""')
  expectPage(await send(path, { ...addressForm, street: '' }), 400, 'Otro domicilio')
  expect(await openOf()).toHaveLength(1)
  await expectAnswered(send(path, { ...addressForm, street: 'Madero' }), 303)
  expect(await openOf()).toHaveLength(2)
  // Back to the form, it is the home that it opened.
  await expectScreen(path, customer, 'Madero', 'Quitar este domicilio')
})

test('a second home is begun by its customer and booked, and leaves the first as it was', async () => {
  const before = await homeOf(first)
  await withSecond()
  expect(await homeOf(first)).toEqual(before)
  const booked = { status: 303, onward: `/technics-visit?agendada&proyecto=${second}` }
  expect(await bookAt(second, await startOf(second))).toMatchObject(booked)
  const [visit] = await visitsOf(customer)
  expect(visit).toMatchObject({ projectId: second, address: { street: 'Madero' } })
  await expectScreen(at('/technics-visit', second), customer, visit!.folio)
  await expectNotOnPage(at('/technics-visit', first), customer, visit!.folio)
  expect(await eventsAbout(second, 'project')).toMatchObject([{ name: 'open' }])
})

test('a second home is one when begun twice, also at once', async () => {
  const id = crypto.randomUUID()
  for (const { status } of [...(await Promise.all([begin(id), begin(id)])), await begin(id)])
    expect(status).toBe(303)
  // Of another tab, with another address, it is no second one and changes nothing.
  expectPage(await begin(id, customer, { street: 'Otra' }), 409, 'value="Otra"')
  await expectAnswered(begin(first, customer2), 409)
  expect((await openOf()).map((one) => one.id).sort()).toEqual([first, id].sort())
  expect(await homeOf(id)).toMatchObject({ street: 'Madero' })
})

test('the form that opened a second home may be corrected and sent again', async () => {
  const id = crypto.randomUUID()
  await begin(id)
  expectPage(await begin(id, customer, { dwelling: 'apartment' }), 409, 'Domicilio')
  await expectAnswered(begin(id, customer, { references: 'Portón azul', version: '1' }), 303)
  expect(await homeOf(id)).toMatchObject({ dwelling: 'house', references: 'Portón azul', version: 2 })
})

test('a second home is refused after five, and to an unverified customer', async () => {
  const { id, ...address } = (await homeOf(first))!
  for (const place of [2, 3, 4, 5]) {
    const [{ id: projectId } = { id: '' }] = await insert(place)
    await storeRows(addresses, { ...address, projectId })
  }
  const path = at('/address', first)
  expectPage(await begin(), 409, '5 proyectos en curso')
  await expectNotOnPage(path, customer, 'Agregar otro domicilio')
  for (const place of [5, 6]) await expect(insert(place)).rejects.toThrow()
  const unverified = await fixture.person({ emailVerified: false })
  await newHome(unverified)
  expectWords(readable(await begin(undefined, unverified)), 'Confirma tu correo')
})

test('a second home is begun by a manager for a caller, by no other staff', async () => {
  const id = crypto.randomUUID()
  const query = `cliente=${customer.id}&servicio=technical_visit&otro=${id}`
  const form = { intent: 'give-address', customerId: customer.id, service: 'technical_visit', ...addressForm }
  const give = (who: Person) => post(`/admin/assignations/nueva?${query}`, form, who)
  for (const one of [analyst, technician]) await expectAnswered(give(one), 403)
  await expectScreen(`/admin/assignations/nueva?${query}`, manager, 'Guardar domicilio')
  expect(await openOf()).toHaveLength(1)
  expect((await give(manager)).onward).toContain(`proyecto=${id}`)
  expect(await openProjectOf(db, { id: customer.id, projectId: id })).toMatchObject({ place: 2 })
})

test('a home without an address is never shown first, and is discarded while it holds nothing', async () => {
  const [{ id: empty } = { id: '' }] = await insert(2)
  await setRow(projects, empty, { chosenAt: new Date() })
  expect(await onward('/')).toBe(at('/', first))
  for (const path of ['/', '/address'])
    await expectScreen(at(path, empty), customer, 'Descartar este domicilio')
  const discard = (home: string) => send(at('/address', first), { intent: 'discard-home', home })
  await expectAnswered(discard(first), 409)
  const task = await insertIn(fixture, tasks, {
    projectId: empty,
    personId: customer.id,
    subject: 'x',
    reason: 'call',
  })
  await expectAnswered(discard(empty), 409)
  await db.delete(tasks).where(eq(tasks.id, task.id))
  await expectAnswered(discard(empty), 303)
  expect((await openOf()).filter(({ closedAt }) => !closedAt)).toMatchObject([{ id: first }])
  expectWords(await pageText('/', customer), 'agenda tu visita')
})

test('of two homes without an address that are discarded at once, one stays', async () => {
  await insert(2)
  await db.delete(addresses)
  const both = await Promise.all(
    (await openOf()).map(({ id }) => send(at('/address', id), { intent: 'discard-home', home: id })),
  )
  expectStatuses(both, 303, 409)
  expect((await openOf()).filter(({ closedAt }) => !closedAt)).toHaveLength(1)
})

describe('with two homes', () => {
  beforeEach(withSecond)

  test('each page redirects to the home where most is due, and shows the one it names', async () => {
    await send(at('/address', second), { intent: 'choose-home', home: second })
    for (const path of ['/address', '/technics-visit', '/videocall', '/quote', '/installation', '/payments'])
      expect(await onward(path)).toBe(at(path, second))
    for (const path of ['/fiscal', '/cuenta', '/']) {
      expect(await onward(path)).toBe(at(path, second))
      const { status, text } = await fixture.visit(at(path, first), customer)
      expect(status).toBe(200)
      // The switch marks the one that is shown, and the links stay with it.
      expectWords(text, `value="${first}" aria-current="true"`, `href="${at('/quote', first)}"`)
      expect(text).not.toContain(`value="${second}" aria-current`)
      expect(text).not.toContain('href="/quote"')
    }
  })

  test('the customer chooses another one for all pages; a stranger cannot', async () => {
    const form = { intent: 'choose-home', home: first, back: '/quote' }
    expect((await send(at('/address', second), form)).onward).toBe(at('/quote', first))
    expect(await onward('/payments')).toBe(at('/payments', first))
    await expectAnswered(post('/address', form, customer2), 409)
  })

  test('a form acts on the home of its page', async () => {
    const form = { ...addressForm, street: 'Londres', outerNumber: '300', version: '1' }
    const { onward } = await send(at('/address', first), form)
    expect(onward).toBe(at('/technics-visit', first))
    expect(await homeOf(first)).toMatchObject({ outerNumber: '300' })
    expect(await homeOf(second)).toMatchObject({ street: 'Madero', outerNumber: '12' })
  })

  test('a form without a home is refused with what was typed, and changes neither', async () => {
    const all = async () => [await homeOf(first), await homeOf(second), await openOf()]
    const before = await all()
    const typed = { ...addressForm, street: 'Otra', version: '1' }
    const sent: [path: string, form: Record<string, string>][] = [
      ['/address', { intent: 'archive', version: '1' }],
      ['/address', { intent: 'notice' }],
      ['/technics-visit', { intent: 'equipment', version: '1', vehicleBrand: 'BYD' }],
      ['/technics-visit', { intent: 'ask-earlier' }],
      ['/technics-visit', { intent: 'stop-waiting' }],
      ['/installation', { intent: 'start-another' }],
      [agenda, { startsAt: await startOf(first), requestKey: crypto.randomUUID() }],
    ]
    for (const [path, form] of sent) expectPage(await send(path, form), 409, 'más de un domicilio en curso')
    expectPage(await send('/address', typed), 409, 'value="Otra"', `action="${at('/address', first)}"`)
    expect(await all()).toEqual(before)
    for (const table of [appointments, slotWishes]) await expectRowsIn(table, {}, [])
  })

  test('an ended, foreign or unknown home is refused in forms, and redirected to the chosen one', async () => {
    const { projectId: foreign } = await newHome(customer2)
    await setRow(projects, first, { closedAt: new Date() })
    for (const over of [first, foreign, 'nada']) {
      expectPage(await send(at('/address', over), { ...addressForm, version: '1' }), 409, 'ya terminó')
      expect(await onward(at('/quote', over))).toBe(at('/quote', second))
    }
  })

  test('each has a visit, at another hour; an e-mail names the home while there are two', async () => {
    const startsAt = await startOf(first)
    const later = await startOf(first, 1)
    await expectAnswered(bookAt(first, startsAt), 303)
    const [{ id } = { id: '' }] = await visitsOf(customer)
    expectPage(await bookAt(second, startsAt), 409, 'A esa hora ya tienes otra cita')
    await expectAnswered(bookAt(second, later), 303)
    const booked = (await visitsOf(customer)).map(({ projectId }) => projectId)
    expect(booked.sort()).toEqual([first, second].sort())
    await setRow(appointments, id, { state: 'cancelled' })
    const emailOf = async () => {
      const job = { letter: 'cancelled', appointmentId: id, to: 'customer' } as const
      return (await emailsOf(db, job))[0]!.text
    }
    const link = at('/technics-visit', first)
    expectWords(await emailOf(), 'Domicilio: Londres 247', `https://carga.example${link}`)
    await setRow(projects, second, { closedAt: new Date() })
    const alone = await emailOf()
    expect(alone).not.toContain('Domicilio')
    expect(alone).toContain(link)
  })

  test('what is to be paid at one is shown first, on every page', async () => {
    await acceptQuote(customer, home)
    const asked = money((await demandOf(first))!.amount)
    for (const path of ['/', '/payments', '/quote']) expect(await onward(path)).toBe(at(path, first))
    const page = await pageText(at('/payments', second), customer)
    expectWords(page, 'Londres 247 · Pago pendiente', `Te toca pagar ${asked}.`, 'Anticipo, Londres 247')
    expectWords(page, 'De este domicilio todavía no hay pagos.')
  })

  test('each has a stage, and the customer that of the furthest', async () => {
    const visit = await visited(customer, technician, home)
    await agreeOn(analyst, customer, await storeDraft(fixture, visit, analyst))
    const statuses = await projectStatusesOf(db, [customer.id], new Date())
    expect(statuses).toMatchObject([
      { projectId: first, stage: 'deposit' },
      { projectId: second, stage: 'intake' },
    ])
    expect(leadingStatuses(statuses).get(customer.id)).toMatchObject({ projectId: first })
  })
})

test('with one home no page shows a choice, and no address names one', async () => {
  const { status, text } = await fixture.visit('/', customer)
  expect(status).toBe(200)
  expect(text).not.toMatch(/choose-home|proyecto=/)
  expect((await book(customer, await startOf(first))).onward).toBe('/technics-visit?agendada')
})

import { beforeEach, describe, expect, test } from 'vitest'
import { appointments, slotWishes } from '../../src/server/platform/database/schema/appointments.ts'
import { addresses, projects } from '../../src/server/platform/database/schema/projects.ts'
import { beginOther, heldProject, openProjectOf } from '../../src/server/projects/open-project.ts'
import { leadingStatuses, projectStatusesOf } from '../../src/server/projects/overview.ts'
import { agenda, book, slots, visitsOf } from '../kit/appointments.ts'
import { emailsOf } from '../kit/delivered.ts'
import { expectNotOnPage, expectScreen, openEach, people, sendJobs, storeRows, world } from '../kit/open.ts'
import { addressForm, type Home, type Person } from '../kit/people.ts'
import { agreeOn, storeDraft, visited } from '../kit/quotes.ts'
import {
  eventsOf,
  expectAnswered,
  expectPage,
  expectRefusal,
  expectWords,
  readable,
  rowIn,
  rowsIn,
  setIn,
} from '../kit/reading.ts'

let customer: Person
let home: Home
/** The first home, and the second one, which was chosen as it was begun. */
let [first, second] = ['', '']

openEach(async () => {
  customer = people.customer
  home = await world.home(customer, { street: 'Londres', outerNumber: '247' })
  first = home.projectId
})
sendJobs()

const at = (path: string, project: string) => `${path}?proyecto=${project}`
const route = 'appointments/book'
const send = (path: string, form: Record<string, string>) => world.post(path, form, customer)
/** Where a page leads on to. */
const onward = async (path: string) => (await world.data(path, customer)).onward
const openOf = () => rowsIn(world, projects, { customerId: customer.id })
const insert = (place: number) =>
  world.db.insert(projects).values({ customerId: customer.id, place }).returning().execute()
const homeOf = (projectId: string) => rowIn(world, addresses, { projectId })
const begin = (by = customer) => world.post('/address', { intent: 'other-home' }, by)
/** The first free start of the nth day for a home, and books one. */
const startOf = async (project: string, nth = 0) =>
  (await slots(world, customer, nth, { path: at(agenda, project), route }))[0]!
const bookAt = (project: string, startsAt: string) =>
  send(at(agenda, project), { startsAt, requestKey: crypto.randomUUID() })

/** Begins the second home as its customer does, and saves its address. */
async function withSecond() {
  const { onward } = await begin()
  second = new URL(onward!, 'http://carga.test').searchParams.get('proyecto')!
  const form = { ...addressForm, street: 'Madero', outerNumber: '12' }
  const saved = { status: 303, onward: at('/technics-visit', second) }
  expect(await send(at('/address', second), form)).toMatchObject(saved)
}

test('a second home is begun by its customer and booked, and leaves the first as it was', async () => {
  const before = await homeOf(first)
  await withSecond()
  expect(await homeOf(first)).toEqual(before)
  const booked = { status: 303, onward: `/technics-visit?agendada&proyecto=${second}` }
  expect(await bookAt(second, await startOf(second))).toMatchObject(booked)
  const [visit] = await visitsOf(world, customer)
  expect(visit).toMatchObject({ projectId: second, address: { street: 'Madero' } })
  await expectScreen(at('/technics-visit', second), customer, visit!.folio)
  await expectNotOnPage(at('/technics-visit', first), customer, visit!.folio)
  expect(await eventsOf(world, second, 'project')).toMatchObject([{ name: 'open' }])
})

test('a second home is one when begun twice, also at once', async () => {
  const answers = [...(await Promise.all([begin(), begin()])), await begin()]
  for (const { status } of answers) expect([303, 409]).toContain(status)
  expect(await openOf()).toHaveLength(2)
})

test('a second home is refused after five, and to an unverified customer', async () => {
  const { id, ...address } = (await homeOf(first))!
  for (const place of [2, 3, 4, 5]) {
    const [{ id: projectId } = { id: '' }] = await insert(place)
    await storeRows(addresses, { ...address, projectId })
  }
  const path = at('/address', first)
  expectPage(await send(path, { intent: 'other-home' }), 409, '5 proyectos en curso')
  await expectNotOnPage(path, customer, 'Agregar otro domicilio')
  for (const place of [5, 6]) await expect(insert(place)).rejects.toThrow()
  const unverified = await world.person({ emailVerified: false })
  await world.home(unverified)
  expectWords(readable(await begin(unverified)), 'Confirma tu correo')
})

test('a second home is begun by a manager for a caller, by no other staff', async () => {
  const other = ({ actor }: Person) => beginOther(world.db, actor, customer.id, new Date())
  for (const one of [people.analyst, people.technician]) await expectRefusal(other(one), 'permission-denied')
  const projectId = await other(people.manager)
  expect(await openProjectOf(world.db, { id: customer.id, projectId })).toMatchObject({ place: 2 })
})

describe('with two homes', () => {
  beforeEach(withSecond)

  test('each page redirects to the chosen home, and shows the one it names', async () => {
    for (const path of ['/address', '/technics-visit', '/videocall', '/quote', '/installation', '/payments'])
      expect(await onward(path)).toBe(at(path, second))
    for (const path of ['/fiscal', '/cuenta', '/']) {
      expect(await onward(path)).toBe(at(path, second))
      const { status, text } = await world.visit(at(path, first), customer)
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
    await expectAnswered(world.post('/address', form, people.customer2), 409)
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
    expectPage(await send('/address', typed), 409, 'value="Otra"', `action="${at('/address', second)}"`)
    expect(await all()).toEqual(before)
    for (const table of [appointments, slotWishes]) expect(await rowsIn(world, table, {})).toEqual([])
  })

  test('an ended, foreign or unknown home is refused in forms, and redirected to the chosen one', async () => {
    const { projectId: foreign } = await world.home(people.customer2)
    await setIn(world, projects, first, { closedAt: new Date() })
    for (const over of [first, foreign, 'nada']) {
      await expectAnswered(send(at('/address', over), { ...addressForm, version: '1' }), 409)
      expect(await onward(at('/quote', over))).toBe(at('/quote', second))
    }
  })

  test('no command picks one of several', async () => {
    const held = (whose: Parameters<typeof heldProject>[1]) =>
      world.db.transaction((tx) => heldProject(tx as never, whose))
    const code = 'failed-precondition'
    await expectRefusal(openProjectOf(world.db, customer), code, 'más de un domicilio')
    await expectRefusal(held(customer), code, 'más de un domicilio')
    const { id } = customer
    await expectRefusal(held({ id, projectId: crypto.randomUUID() }), 'aborted', 'ya terminó')
    expect(await openProjectOf(world.db, { id, projectId: first })).toMatchObject({ id: first })
  })

  test('each has a visit, at another hour; an e-mail names the home while there are two', async () => {
    const startsAt = await startOf(first)
    const later = await startOf(first, 1)
    await expectAnswered(bookAt(first, startsAt), 303)
    const [{ id } = { id: '' }] = await visitsOf(world, customer)
    expectPage(await bookAt(second, startsAt), 409, 'A esa hora ya tienes otra cita')
    await expectAnswered(bookAt(second, later), 303)
    const booked = (await visitsOf(world, customer)).map(({ projectId }) => projectId)
    expect(booked.sort()).toEqual([first, second].sort())
    await setIn(world, appointments, id, { state: 'cancelled' })
    const emailOf = async () => {
      const job = { letter: 'cancelled', appointmentId: id, to: 'customer' } as const
      return (await emailsOf(world.db, job))[0]!.text
    }
    const link = at('/technics-visit', first)
    expectWords(await emailOf(), 'Domicilio: Londres 247', `https://carga.example${link}`)
    await setIn(world, projects, second, { closedAt: new Date() })
    const alone = await emailOf()
    expect(alone).not.toContain('Domicilio')
    expect(alone).toContain(link)
  })

  test('each has a stage, and the customer that of the furthest', async () => {
    const visit = await visited(world, customer, people.technician, home)
    await agreeOn(world, people.analyst, customer, await storeDraft(world, visit, people.analyst))
    const statuses = await projectStatusesOf(world.db, [customer.id], new Date())
    expect(statuses).toMatchObject([
      { projectId: first, stage: 'deposit' },
      { projectId: second, stage: 'intake' },
    ])
    expect(leadingStatuses(statuses).get(customer.id)).toMatchObject({ projectId: first })
  })
})

test('with one home no page shows a choice, and no address names one', async () => {
  const { status, text } = await world.visit('/', customer)
  expect(status).toBe(200)
  expect(text).not.toMatch(/choose-home|proyecto=/)
  expect((await book(world, customer, await startOf(first))).onward).toBe('/technics-visit?agendada')
})

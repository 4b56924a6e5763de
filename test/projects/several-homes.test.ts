import { and, eq, isNull } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { appointments, slotWishes } from '../../src/server/platform/database/schema/appointments.ts'
import { addresses, projects } from '../../src/server/platform/database/schema/projects.ts'
import { beginOther, heldProject, openProjectOf } from '../../src/server/projects/open-project.ts'
import { leadingStatuses, projectStatusesOf } from '../../src/server/projects/overview.ts'
import { agenda, book, slots, visitsOf } from '../kit/appointments.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { addressForm, type Person } from '../kit/people.ts'
import { agreeOn, storeDraft, visited } from '../kit/quotes.ts'
import { eventsOf, readable, refusalOf, rowsIn } from '../kit/reading.ts'

let customer: Person
/** The first home, and the second one, which was chosen as it was begun. */
let [first, second] = ['', '']

const at = (path: string, project: string) => `${path}?proyecto=${project}`
const openOf = () => rowsIn(world, projects, { customerId: customer.id })
const homeOf = async (projectId: string) =>
  (
    await world.db
      .select()
      .from(addresses)
      .where(and(eq(addresses.projectId, projectId), isNull(addresses.archivedAt)))
  )[0]
const begin = (by = customer) => world.post('/address', { intent: 'other-home' }, by)

openEach(async () => {
  customer = people.customer
  first = (await world.home(customer, { street: 'Londres', outerNumber: '247' })).projectId
})
sendJobs()

/** Begins the second home as its customer does, and gives its address. */
async function withSecond() {
  const { onward } = await begin()
  second = new URL(onward!, 'http://carga.test').searchParams.get('proyecto')!
  const form = { ...addressForm, street: 'Madero', outerNumber: '12' }
  const saved = await world.post(at('/address', second), form, customer)
  expect([saved.status, saved.onward]).toEqual([303, at('/technics-visit', second)])
}

describe('a second home', () => {
  test('is begun from Mi domicilio, given, booked, and leaves the first as it was', async () => {
    const before = await homeOf(first)
    await withSecond()
    expect(await homeOf(first)).toEqual(before)
    const [startsAt = ''] = await slots(world, customer, 0, {
      path: at(agenda, second),
      route: 'appointments/book',
    })
    const booked = await world.post(
      at(agenda, second),
      { startsAt, requestKey: crypto.randomUUID() },
      customer,
    )
    expect([booked.status, booked.onward]).toEqual([303, `/technics-visit?agendada&proyecto=${second}`])
    const [visit] = await visitsOf(world, customer)
    expect(visit).toMatchObject({ projectId: second, address: { street: 'Madero' } })
    expect(readable(await world.visit(at('/technics-visit', second), customer))).toContain(visit!.folio)
    expect(readable(await world.visit(at('/technics-visit', first), customer))).not.toContain(visit!.folio)
    expect((await eventsOf(world, { id: second }, 'project'))[0]).toMatchObject({ name: 'open' })
  })

  test('sent twice, and from two tabs at once, it is one', async () => {
    const answers = await Promise.all([begin(), begin()])
    answers.push(await begin())
    for (const { onward, status } of answers) expect([303, 409], onward ?? '').toContain(status)
    expect(await openOf()).toHaveLength(2)
  })

  test('five are the most, and an unverified customer has one', async () => {
    for (const place of [2, 3, 4, 5]) {
      const [made] = await world.db.insert(projects).values({ customerId: customer.id, place }).returning()
      await world.db
        .insert(addresses)
        .values({ ...(await homeOf(first))!, id: undefined, projectId: made!.id })
    }
    const answer = await world.post(at('/address', first), { intent: 'other-home' }, customer)
    expect(readable(answer)).toContain('5 proyectos en curso')
    expect(readable(await world.visit(at('/address', first), customer))).not.toContain(
      'Agregar otro domicilio',
    )
    await expect(
      world.db.insert(projects).values({ customerId: customer.id, place: 6 }).execute(),
    ).rejects.toThrow()
    await expect(
      world.db.insert(projects).values({ customerId: customer.id, place: 5 }).execute(),
    ).rejects.toThrow()
    const unproved = await world.person({ emailVerified: false })
    await world.home(unproved)
    expect(readable(await begin(unproved))).toContain('Confirma tu correo')
  })

  test('the office begins one for a caller; nobody else does', async () => {
    const { analyst, manager, technician } = people
    for (const one of [analyst, technician])
      expect((await refusalOf(beginOther(world.db, one.actor, customer.id, new Date())))[0]).toBe(
        'permission-denied',
      )
    const id = await beginOther(world.db, manager.actor, customer.id, new Date())
    expect(await openProjectOf(world.db, { id: customer.id, projectId: id })).toMatchObject({ place: 2 })
  })
})

describe('which one a page and a form are about', () => {
  beforeEach(withSecond)

  const screens = [
    '/',
    '/address',
    '/technics-visit',
    '/videocall',
    '/quote',
    '/installation',
    '/payments',
    '/fiscal',
    '/cuenta',
  ]

  test.each(screens)('%s is completed with the chosen home, and shows the one it names', async (path) => {
    expect((await world.visit(path, customer)).onward).toBe(at(path, second))
    const page = await world.visit(at(path, first), customer)
    expect(page.status).toBe(200)
    // The switch marks the one that is shown, and the links stay with it.
    expect(page.text).toMatch(new RegExp(`value="${first}" aria-current="true"`))
    expect(page.text).not.toMatch(new RegExp(`value="${second}" aria-current`))
    expect(page.text).toContain(`href="${at('/quote', first)}"`)
    expect(page.text).not.toContain('href="/quote"')
  })

  test('the choice is kept for the account, and leads to the same page of the other home', async () => {
    const form = { intent: 'choose-home', home: first, back: '/quote' }
    expect((await world.post(at('/address', second), form, customer)).onward).toBe(at('/quote', first))
    expect((await world.visit('/payments', customer)).onward).toBe(at('/payments', first))
    const other = await world.post('/address', { ...form, home: first }, people.customer2)
    expect(other.status).toBe(409)
  })

  test('a form acts on the home of its page, whatever is chosen in another tab', async () => {
    const form = { ...addressForm, street: 'Londres', outerNumber: '300', version: '1' }
    const answer = await world.post(at('/address', first), form, customer)
    expect(answer.onward).toBe(at('/technics-visit', first))
    expect(await homeOf(first)).toMatchObject({ outerNumber: '300' })
    expect(await homeOf(second)).toMatchObject({ street: 'Madero', outerNumber: '12' })
  })

  test('a form that says no home, from a page of before, is refused and changes neither', async () => {
    const before = [await homeOf(first), await homeOf(second), await openOf()]
    const [startsAt = ''] = await slots(world, customer, 0, {
      path: at(agenda, first),
      route: 'appointments/book',
    })
    const sent: [path: string, form: Record<string, string>][] = [
      ['/address', { ...addressForm, street: 'Otra', version: '1' }],
      ['/address', { intent: 'archive', version: '1' }],
      ['/address', { intent: 'notice' }],
      ['/technics-visit', { intent: 'equipment', version: '1', vehicleBrand: 'BYD' }],
      ['/technics-visit', { intent: 'ask-earlier' }],
      ['/technics-visit', { intent: 'stop-waiting' }],
      ['/installation', { intent: 'start-another' }],
      [agenda, { startsAt, requestKey: crypto.randomUUID() }],
    ]
    for (const [path, form] of sent) {
      const answer = await world.post(path, form, customer)
      expect([path, form.intent, answer.status]).toEqual([path, form.intent, 409])
      expect(readable(answer)).toContain('más de un domicilio en curso')
    }
    const answer = await world.post('/address', { ...addressForm, street: 'Otra', version: '1' }, customer)
    // What was typed is kept, and the page says which home it would be now.
    expect(answer.text).toContain('value="Otra"')
    expect(answer.text).toContain(`action="${at('/address', second)}"`)
    expect([await homeOf(first), await homeOf(second), await openOf()]).toEqual(before)
    expect(await world.db.select().from(appointments)).toEqual([])
    expect(await world.db.select().from(slotWishes)).toEqual([])
  })

  test('one of a project that has ended, or of somebody else, is refused; a link to it leads to the chosen one', async () => {
    const strange = (await world.home(people.customer2)).projectId
    await world.db.update(projects).set({ closedAt: new Date() }).where(eq(projects.id, first))
    for (const over of [first, strange, 'nada']) {
      const form = { ...addressForm, version: '1' }
      expect((await world.post(at('/address', over), form, customer)).status).toBe(409)
      expect((await world.visit(at('/quote', over), customer)).onward).toBe(at('/quote', second))
    }
  })

  test('no command picks one of several: it is refused, or names it', async () => {
    const tried = [
      openProjectOf(world.db, customer),
      world.db.transaction((tx) => heldProject(tx as never, customer)),
    ]
    for (const one of tried) expect((await refusalOf(one))[1]).toContain('más de un domicilio')
    const over = { id: customer.id, projectId: crypto.randomUUID() }
    expect((await refusalOf(world.db.transaction((tx) => heldProject(tx as never, over))))[1]).toContain(
      'ya terminó',
    )
    expect(await openProjectOf(world.db, { id: customer.id, projectId: first })).toMatchObject({ id: first })
  })
})

describe('beside each other', () => {
  beforeEach(withSecond)

  test('each has a visit of its own; both at one hour are refused kindly', async () => {
    const wish = { path: at(agenda, first), route: 'appointments/book' }
    const [startsAt = ''] = await slots(world, customer, 0, wish)
    const [later = ''] = await slots(world, customer, 1, wish)
    const send = (project: string, start: string) =>
      world.post(at(agenda, project), { startsAt: start, requestKey: crypto.randomUUID() }, customer)
    expect((await send(first, startsAt)).status).toBe(303)
    const clash = await send(second, startsAt)
    expect(clash.status).toBe(409)
    expect(readable(clash)).toContain('A esa hora ya tienes otra cita')
    expect((await send(second, later)).status).toBe(303)
    expect((await visitsOf(world, customer)).map(({ projectId }) => projectId).sort()).toEqual(
      [first, second].sort(),
    )
  })

  test('their stages stand apart, and the customer’s is that of the furthest', async () => {
    const home = { projectId: first, addressId: '', address: (await homeOf(first))! as never }
    const visit = await visited(world, customer, people.technician, home)
    await agreeOn(world, people.analyst, customer, await storeDraft(world, visit, people.analyst))
    const statuses = await projectStatusesOf(world.db, [customer.id], new Date())
    expect(statuses.map(({ projectId, stage }) => [projectId, stage])).toEqual([
      [first, 'deposit'],
      [second, 'intake'],
    ])
    expect(leadingStatuses(statuses).get(customer.id)).toMatchObject({ projectId: first })
  })

  test('a letter names the home and opens its page', async () => {
    const [startsAt = ''] = await slots(world, customer, 0, {
      path: at(agenda, first),
      route: 'appointments/book',
    })
    await world.post(at(agenda, first), { startsAt, requestKey: crypto.randomUUID() }, customer)
    const [{ id } = { id: '' }] = await visitsOf(world, customer)
    await world.db.update(appointments).set({ state: 'cancelled' }).where(eq(appointments.id, id))
    const [letter] = await emailsOf(world.db, { letter: 'cancelled', appointmentId: id, to: 'customer' })
    expect(letter!.text).toContain('Domicilio: Londres 247')
    expect(letter!.text).toContain(`https://carga.example${at('/technics-visit', first)}`)
    // With one project left the letter says no home, and still leads to its own.
    await world.db.update(projects).set({ closedAt: new Date() }).where(eq(projects.id, second))
    const [alone] = await emailsOf(world.db, { letter: 'cancelled', appointmentId: id, to: 'customer' })
    expect(alone!.text).not.toContain('Domicilio')
    expect(alone!.text).toContain(at('/technics-visit', first))
  })
})

test('with one project nothing is said of homes, and no address names one', async () => {
  const page = await world.visit('/', customer)
  expect(page.status).toBe(200)
  expect(page.text).not.toContain('choose-home')
  expect(page.text).not.toContain('proyecto=')
  const [startsAt = ''] = await slots(world, customer)
  expect((await book(world, customer, startsAt)).onward).toBe('/technics-visit?agendada')
})

import type { Viewer } from '../../src/access/rules/actor.ts'
import { forbids, guard, screens } from '../../src/access/rules/routes.ts'
import { makeReady } from '../appointments/booking/services.ts'
import { fixture, newPerson, openBare, post } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectPage, expectStatus, expectWords } from '../kit/reading.ts'
import { type Answer, dataPath, type Visitor } from '../kit/visitor.ts'

openBare()
/** One of each that the specification tells apart (§4, §5); no one signed in is undefined. */
let viewers: Record<string, Person | undefined>
beforeAll(async () => {
  const { customer, manager, technician, analyst, gester, ally } = await fixture.people()
  const { projectId } = await fixture.home(customer)
  await makeReady(projectId)
  viewers = {
    anonymous: undefined,
    newCustomer: await newPerson({ name: null }),
    newStaff: await newPerson({ kind: 'manager', name: null }),
    customer,
    manager,
    analyst,
    technician,
    gester,
    ally,
  }
})

/** Screens of modules that are switched off, as the specification has them: guarded, and behind the guard not found. */
const toCome = new Set(screens.flatMap(({ path, module }) => (module ? [path] : [])))
const id = '0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f'
const viewerOf = (person: Person | undefined): Viewer => person?.actor ?? null
const isForgotten = ({ text }: Answer) => text.includes('No encontramos esta página')

describe.each(screens)('$path', ({ path, layout }) => {
  const typed = path.replace('{id}', id)
  const found = toCome.has(path) || path.includes('{id}') ? 404 : 200

  test('lets in or leads away, as a page and as data', async () => {
    for (const [who, person] of Object.entries(viewers)) {
      const elsewhere = guard(typed, viewerOf(person))
      const { location, status } = await fixture.data(typed, person)
      expect({ who, status, location }).toEqual({ who, status: elsewhere ? 202 : found, location: elsewhere })
    }
    // Of those whom the guard treats alike one sees the page.
    const first = (isLed: boolean) =>
      Object.values(viewers).find((person) => (guard(typed, viewerOf(person)) !== null) === isLed)
    const led = await fixture.visit(typed, first(true))
    if (led.status === 302) expect(led.text).not.toContain('<main')
    const person = first(false)
    const page = await fixture.visit(typed, person)
    expect([page.status, isForgotten(page)]).toEqual([found, found === 404])
    // Behind the guard the menu stands around every screen, also one to come.
    if (person && layout === 'internal') expect(page.text).toContain(person.email)
  })

  test('refuses or leads away forms, with and without script', async () => {
    for (const [who, person] of Object.entries(viewers)) {
      const forbidden = forbids(typed, viewerOf(person))
      const elsewhere = forbidden ? null : guard(typed, viewerOf(person))
      for (const address of [typed, dataPath(typed)]) {
        const { status, location } = await post(address, {}, person)
        expect({ who, address, location }).toEqual({ who, address, location: elsewhere })
        if (forbidden) expect({ who, address, status }).toEqual({ who, address, status: 403 })
        else if (!elsewhere) expect([400, 403, 404, 405]).toContain(status)
      }
    }
  })
})

test('refuses a change outside one’s rights in words, with and without script', async () => {
  const { customer, technician } = viewers
  for (const [path, person] of [
    ['/admin/assignations', customer],
    ['/address', technician],
    ['/fiscal', technician],
  ] as const) {
    for (const address of [path, dataPath(path)])
      expectPage(await post(address, { intent: 'archive' }, person), 403, 'No tienes permiso')
  }
})

test.each([
  '/admin/appointments-pending',
  '/admin/appointments-done',
  '/admin/cotizations/detail-quote',
  '/admin/users',
])('a form that is not on %s/{id} is not found where the row is not', async (path) => {
  for (const intent of ['cancel-by-house', 'archive'])
    for (const who of ['technician', 'ally', 'manager'] as const)
      expectPage(
        await fixture.post(`${path}/${id}`, { intent }, viewers[who]),
        404,
        'No encontramos esta página',
      )
})

test('an empty list speaks of filters only where some are set', async () => {
  for (const person of [viewers.gester, viewers.ally]) {
    const path = '/admin/appointments-done'
    expectWords((await fixture.visit(path, person)).text, 'Todavía no hay citas realizadas que puedas ver.')
    expectWords((await fixture.visit(`${path}?text=nadie`, person)).text, 'No hay citas con estos filtros.')
  }
})

test('the help of all staff leads to the team and the dealerships', async () => {
  for (const person of [viewers.analyst, viewers.technician, viewers.gester, viewers.ally])
    expectWords(
      (await fixture.visit('/admin/ayuda', person)).text,
      'href="/admin/users"',
      'href="/admin/agencies"',
    )
})

describe('the guard knows a path however it is written', () => {
  test('guards requests for the data of one route', async () => {
    for (const route of [
      'customers/screens/staff',
      'dispatch/screens/assignations',
      'app/screens/layouts/internal',
    ])
      for (const path of ['/admin.data', '/admin/assignations.data', '/_.data']) {
        const as: Visitor | undefined = path === '/_.data' ? viewers.manager : viewers.customer
        const answer = await fixture.visit(`${path}?_routes=${encodeURIComponent(route)}`, as)
        expect([answer.status, answer.location]).toEqual([202, path === '/_.data' ? '/admin' : '/'])
      }
  })
})

test('answers everybody any other path with the public not-found page', async () => {
  for (const path of ['/nowhere', '/admin/nowhere', '/admin/agency', `/admin/users/${id}/edit`])
    for (const person of Object.values(viewers)) {
      const answer = await fixture.visit(path, person)
      expect([answer.status, isForgotten(answer)]).toEqual([404, true])
      if (person) expect(answer.text).not.toContain(person.email)
      expectStatus(await fixture.data(path, person), 404)
      expectStatus(await post(path, {}, person), 404)
    }
})

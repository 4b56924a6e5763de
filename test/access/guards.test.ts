import { beforeAll, describe, expect, test } from 'vitest'
import { staffKinds, type Viewer } from '../../src/domain/access/actor.ts'
import { forbids, guard, screens } from '../../src/domain/access/routes.ts'
import { makeReady } from '../appointments/booking/services.ts'
import { openBare, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { type Answer, dataPath, type Visitor } from '../kit/visitor.ts'

openBare()
/** One of each that the specification tells apart (§4, §5); nobody signed in is undefined. */
let viewers: Record<string, Person | undefined>
beforeAll(async () => {
  const { customer, manager, technician, analyst, gester, ally } = await world.people()
  const { projectId } = await world.home(customer)
  await makeReady(world, projectId)
  viewers = {
    anonymous: undefined,
    newCustomer: await world.person({ name: null }),
    newStaff: await world.person({ kind: 'manager', name: null }),
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

  test('pages', async () => {
    for (const [who, person] of Object.entries(viewers)) {
      const elsewhere = guard(typed, viewerOf(person))
      const answer = await world.visit(typed, person)
      const got = { who, status: answer.status, location: answer.location }
      expect(got).toEqual({ who, status: elsewhere ? 302 : found, location: elsewhere })
      if (elsewhere) expect(answer.text).not.toContain('<main')
      else expect(isForgotten(answer)).toBe(found === 404)
      // Behind the guard the menu stands around every screen, also one to come.
      if (!elsewhere && person && layout === 'internal') expect(answer.text).toContain(person.email)
    }
  })

  test('what a navigation inside the page asks', async () => {
    for (const [who, person] of Object.entries(viewers)) {
      const elsewhere = guard(typed, viewerOf(person))
      const answer = await world.data(typed, person)
      const got = { who, status: answer.status, location: answer.location }
      expect(got).toEqual({ who, status: elsewhere ? 202 : found, location: elsewhere })
    }
  })

  test('forms, with and without the page’s own script', async () => {
    for (const [who, person] of Object.entries(viewers)) {
      const forbidden = forbids(typed, viewerOf(person))
      const elsewhere = forbidden ? null : guard(typed, viewerOf(person))
      for (const address of [typed, dataPath(typed)]) {
        const { status, location } = await world.post(address, {}, person)
        expect({ who, address, location }).toEqual({ who, address, location: elsewhere })
        if (forbidden) expect({ who, address, status }).toEqual({ who, address, status: 403 })
        else if (!elsewhere) expect([400, 403, 404, 405]).toContain(status)
      }
    }
  })
})

test('a change outside one’s rights is refused in words, with and without the page’s own script', async () => {
  const { customer, technician } = viewers
  for (const [path, person] of [
    ['/admin/assignations', customer],
    ['/address', technician],
    ['/fiscal', technician],
  ] as const) {
    const page = await world.post(path, { intent: 'archive', version: '1' }, person)
    expect([page.status, page.text.includes('No tienes permiso')]).toEqual([403, true])
    const data = await world.post(dataPath(path), { intent: 'archive', version: '1' }, person)
    expect([data.status, data.text.includes('No tienes permiso')]).toEqual([403, true])
  }
})

test('every kind is among the viewers', () => {
  const kinds = Object.values(viewers).map((person) => person?.kind)
  for (const kind of staffKinds) expect(kinds).toContain(kind)
})

describe('the guard knows a path however it is written', () => {
  const opened = (answer: Answer) => answer.status === 200

  test.each([
    '/ADMIN',
    '/%61dmin',
    '/admin/',
    '/.//admin',
    '/admin//assignations',
    '/Admin/Appointments-Pending',
  ])('%s', async (path) => {
    const { customer } = viewers
    expect(opened(await world.visit(path, customer))).toBe(false)
    expect(opened(await world.visit(path))).toBe(false)
    expect((await world.visit(path, customer)).text).not.toContain('Asignaciones de citas')
  })

  test('asking for one route’s data only does not pass it by', async () => {
    for (const route of ['projects/staff', 'scheduling/assignations', 'app/layouts/internal'])
      for (const path of ['/admin.data', '/admin/assignations.data', '/_.data']) {
        const as: Visitor | undefined = path === '/_.data' ? viewers.manager : viewers.customer
        const answer = await world.visit(`${path}?_routes=${encodeURIComponent(route)}`, as)
        expect([answer.status, answer.location]).toEqual([202, path === '/_.data' ? '/admin' : '/'])
      }
  })
})

test('any other path is the public not-found page, for everybody', async () => {
  for (const path of ['/nowhere', '/admin/nowhere', '/admin/agency', `/admin/users/${id}/edit`])
    for (const person of Object.values(viewers)) {
      const answer = await world.visit(path, person)
      expect([answer.status, isForgotten(answer)]).toEqual([404, true])
      if (person) expect(answer.text).not.toContain(person.email)
      expect((await world.data(path, person)).status).toBe(404)
      expect((await world.post(path, {}, person)).status).toBe(404)
    }
})

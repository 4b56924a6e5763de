import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { at, now, visitFor, workday } from '../../kit/users.ts'
import type { Answer } from '../../kit/visitor.ts'
import { personZones, shifts } from '../../src/server/platform/database/schema/accounts.ts'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import { ledTo } from '../kit/accounts.ts'
import { openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectPage, expectWords, readable, rowsIn, trailOf } from '../kit/reading.ts'
import { changeActive, changeRole, sessionsOf, userOf } from '../kit/users.ts'

openOnce()

const screenOf = ({ id }: { id: string }) => `/admin/users/${id}`
const pageOf = async (person: { id: string }) => readable(await world.visit(screenOf(person), people.manager))
const become = (person: Person, role: string, form: Record<string, string> = {}) =>
  changeRole(world, people.manager, person, role, form)
const activate = (person: Person, active: 'yes' | 'no') => changeActive(world, people.manager, person, active)

describe('who sees whom', () => {
  test('the manager sees every account, with its history', async () => {
    const { manager, customer, technician } = people
    for (const person of [customer, technician, manager])
      expectWords(await pageOf(person), person.email, 'Historial de cambios')
  })

  test('other staff see active staff without anything to change; an ally sees the own agency only', async () => {
    const { customer, analyst, technician, gester, ally, manager } = people
    const inactive = await world.person({ kind: 'analyst', active: false })
    const statusFor = async (person: { id: string }, as: Person) =>
      (await world.data(screenOf(person), as)).status
    for (const as of [technician, gester]) {
      const page = await world.visit(screenOf(analyst), as)
      expectPage(page, 200, analyst.email)
      for (const hidden of ['Guardar rol', 'Desactivar', 'Historial']) expect(page.text).not.toContain(hidden)
      for (const person of [customer, inactive, { id: 'x' }]) expect(await statusFor(person, as)).toBe(404)
    }
    expect(await ledTo(screenOf(analyst), customer)).toBe('/')
    for (const person of [analyst, technician, manager]) expect(await statusFor(person, ally)).toBe(404)
    expect(await statusFor(ally, ally)).toBe(200)
  })
})

// Who may become what: test/users/access.test.ts. That only the manager may: test/security/actions/people.ts.
describe('role, kind and agency', () => {
  test('a customer becomes staff; sessions end and the history says who did it', async () => {
    const customer = await world.person()
    await world.secondBrowser(customer)
    expect((await become(customer, 'tecnician')).status).toBe(303)
    expect(await userOf(world, customer)).toMatchObject({ role: 'staff', kind: 'tecnician', version: 2 })
    expect(await sessionsOf(world, customer)).toEqual([])
    expect(await trailOf(world, customer, 'user')).toEqual(['change_role'])
    expect(await ledTo('/', customer)).toBe('/signin')
    expectWords(await pageOf(customer), 'Rol: de Cliente a Técnico instalador', 'Mariana Prueba')
  })

  test('an ally gets an agency, and loses it with the role', async () => {
    const customer = await world.person()
    const agencyId = people.ally.agencyId!
    expectPage(await become(customer, 'alliate'), 409, 'Elige su concesionaria.')
    expectPage(await become(customer, 'alliate', { agencyId: 'x' }), 400, 'Elige su concesionaria.')
    await become(customer, 'alliate', { agencyId })
    expect(await userOf(world, customer)).toMatchObject({ kind: 'alliate', agencyId })
    await become(customer, 'gester', { agencyId })
    expect(await userOf(world, customer)).toMatchObject({ kind: 'gester', agencyId: null })
  })

  test('shifts and zones end with the kind that has them', async () => {
    const person = await world.person({ kind: 'tecnician', zones: ['coyoacan'] })
    const left = async () => [
      (await rowsIn(world, shifts, { personId: person.id })).length > 0,
      (await rowsIn(world, personZones, { personId: person.id })).length > 0,
    ]
    expect(await left()).toEqual([true, true])
    await become(person, 'analyst')
    expect(await left()).toEqual([true, false])
    await become(person, 'gester')
    expect(await left()).toEqual([false, false])
  })

  test('an unknown role, a stale page and the second of two at once change nothing; other fields never do', async () => {
    const customer = await world.person({ name: 'Camila' })
    expectPage(await become(customer, 'jefe'), 400, 'Elige su rol.')
    expect((await become(customer, 'analyst', { version: '9' })).status).toBe(409)
    const more = { email: 'otra@prueba.mx', name: 'Otra', emailVerified: 'false', active: 'false' }
    const form = { version: '1', ...more, id: people.manager.id }
    const twice = await Promise.all([1, 2].map(() => become(customer, 'analyst', form)))
    expect(twice.map(({ status }) => status).sort()).toEqual([303, 409])
    const { email } = customer
    const kept = { email, name: 'Camila', active: true, emailVerified: true }
    expect(await userOf(world, customer)).toMatchObject({ ...kept, kind: 'analyst', version: 2 })
  })

  test('customers with an unverified e-mail or an open project become no staff and stay active', async () => {
    const unverified = await world.person({ emailVerified: false })
    const customer = await world.person()
    const { projectId } = await world.home(customer)
    for (const person of [unverified, customer]) {
      expect((await become(person, 'analyst')).status).toBe(409)
      expect(await userOf(world, person)).toMatchObject({ role: 'customer', version: 1 })
    }
    expect((await activate(customer, 'no')).status).toBe(409)
    expect(await userOf(world, customer)).toMatchObject({ active: true })
    expect(await pageOf(customer)).toContain('Tiene un proyecto abierto como cliente')
    await world.db.update(projects).set({ closedAt: new Date() }).where(eq(projects.id, projectId))
    expect((await become(customer, 'analyst')).status).toBe(303)
  })
})

describe('active', () => {
  test('a deactivated person is signed out at once, and can be activated again', async () => {
    const person = await world.person({ kind: 'gester' })
    expect((await activate(person, 'no')).status).toBe(303)
    expect(await ledTo('/admin', person)).toBe('/signin')
    expect(await sessionsOf(world, person)).toEqual([])
    expect((await activate(person, 'yes')).status).toBe(303)
    expect(await trailOf(world, person, 'user')).toEqual(['deactivate', 'activate'])
  })

  test('the toast undoes a deactivation once, for the manager only', async () => {
    const { analyst, manager } = people
    const person = await world.person({ kind: 'gester' })
    const isActive = async () => (await userOf(world, person)).active
    const back = screenOf(person)
    const hint = 'Puedes deshacerlo: al activarla otra vez entra con su contraseña de siempre.'
    expect(await pageOf(person)).toContain(hint)
    await activate(person, 'no')
    const { text } = await world.visit(back, manager)
    const changes = /name="changes" value="([^"]+)"/.exec(text)![1]!
    const undo = (by: Person, form = { changes, back }) => world.post('/admin/deshacer', form, by)
    expect((await undo(analyst)).status).toBe(403)
    expect((await undo(manager, { changes: `otra:${person.id}:2`, back: '/admin' })).status).toBe(400)
    expect(await isActive()).toBe(false)
    expect((await undo(manager)).location).toBe(back)
    expect(await pageOf(person)).toContain('La cuenta está activa otra vez')
    expect(await isActive()).toBe(true)
    // Deactivated again, the toast of before does not reach it.
    await activate(person, 'no')
    await undo(manager)
    expect(await pageOf(person)).toContain('No se pudo deshacer')
    expect(await isActive()).toBe(false)
  })
})

const day = workday()
const technicianToLeave = () => world.person({ kind: 'tecnician', name: 'Tadeo' })

/** The appointments that a refused form asks about. */
const askedIn = ({ text }: Answer) =>
  [...text.matchAll(/name="choice\.([0-9a-f-]{36})"/g)].map(([, id]) => id!)

test('deactivating a technician lists the three visits and happens with a choice for each', async () => {
  const { manager, technician2 } = people
  const person = await technicianToLeave()
  const visits = await Promise.all(
    ['09:00', '11:00', '13:00'].map((time) => visitFor(world, person, at(day, time))),
  )
  const refused = await changeActive(world, manager, person, 'no')
  expect(refused.status).toBe(409)
  expect(readable(refused)).toContain('3 citas por resolver')
  expect(askedIn(refused)).toEqual(visits.map(({ id }) => id))
  expect(await userOf(world, person)).toMatchObject({ active: true, version: 1 })
  expect(await ledTo('/admin', person)).toBeNull()
  const [first, second, third] = visits.map(({ id }) => `choice.${id}`)
  const choices = { [first!]: technician2.id, [second!]: technician2.id, [third!]: 'release' }
  const answer = await changeActive(world, manager, person, 'no', choices)
  expect(answer.location).toBe(`/admin/users/${person.id}`)
  expect((await userOf(world, person)).active).toBe(false)
  expect(
    (await Promise.all(visits.map((one) => now(one, world)))).map(({ assigneeId }) => assigneeId),
  ).toEqual([technician2.id, technician2.id, null])
  expect(await ledTo('/admin', person)).toBe('/signin')
  const detail = await world.visit(`/admin/appointments-pending/${visits[0]!.id}`, technician2)
  expect(readable(detail)).toContain('Camila Prueba')
  expect(readable(await world.visit('/admin/assignations', manager))).toContain(visits[2]!.folio)
})

test('the refusal of a data request holds the list', async () => {
  const person = await technicianToLeave()
  const { folio, id } = await visitFor(world, person, at(day, '10:00'))
  const form = { intent: 'active', active: 'no', version: '1' }
  const answer = await world.post(`/admin/users/${person.id}.data`, form, people.manager)
  expect(answer.status).toBe(409)
  expect(answer.value).toMatchObject({
    data: { refusal: { code: 'failed-precondition', details: { affected: [{ id, folio }] } } },
  })
})

// Each kind of change: test/users/staffing/change.test.ts.
test('a change of the role asks about the visits too', async () => {
  const { technician2, manager } = people
  const person = await technicianToLeave()
  const visit = await visitFor(world, person, at(day, '16:00'))
  const refused = await changeRole(world, manager, person, 'gester')
  expect([refused.status, askedIn(refused)]).toEqual([409, [visit.id]])
  expect(readable(refused)).toContain('No realiza este servicio')
  const choice = { [`choice.${visit.id}`]: technician2.id }
  expect((await changeRole(world, manager, person, 'gester', choice)).status).toBe(303)
  expect((await now(visit, world)).assigneeId).toBe(technician2.id)
})

// Of several who demote one another at once one stays: test/security/staff.test.ts.
test('the last active manager keeps the rights; of two, each may give them up with a confirmation', async () => {
  const { manager } = people
  await world.person({ kind: 'manager', active: false })
  const confirmed = { confirmed: 'yes' }
  for (const answer of [
    await become(manager, 'analyst', confirmed),
    await become(manager, 'customer', confirmed),
    await changeActive(world, manager, manager, 'no', confirmed),
  ])
    expectPage(answer, 409, 'Es la única persona activa con el rol Manager')
  expect(await userOf(world, manager)).toMatchObject({ kind: 'manager', active: true, version: 1 })

  const other = await world.person({ kind: 'manager' })
  expectPage(await become(manager, 'analyst'), 409, 'Marca la casilla')
  expect((await become(manager, 'analyst', confirmed)).status).toBe(303)
  expect(await ledTo('/admin', manager)).toBe('/signin')
  expect((await changeActive(world, other, other, 'no', confirmed)).status).toBe(409)
})

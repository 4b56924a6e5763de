import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { personZones, shifts } from '../../src/server/platform/database/schema/accounts.ts'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import {
  expectLed,
  expectScreen,
  expectTrail,
  expectUser,
  openOnce,
  pageText,
  people,
  world,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import {
  expectLocation,
  expectPage,
  expectStatus,
  expectStatuses,
  expectWords,
  readable,
  rowsIn,
} from '../kit/reading.ts'
import { at, changeActive, changeRole, now, sessionsOf, userOf, visitFor, workday } from '../kit/users.ts'
import type { Answer } from '../kit/visitor.ts'

openOnce()

const screenOf = ({ id }: { id: string }) => `/admin/users/${id}`
const pageOf = (person: { id: string }) => pageText(screenOf(person), people.manager)
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
    await expectLed(screenOf(analyst), customer, '/')
    for (const person of [analyst, technician, manager]) expect(await statusFor(person, ally)).toBe(404)
    expect(await statusFor(ally, ally)).toBe(200)
  })
})

// Who may become what: test/users/access.test.ts. That only the manager may: test/security/actions/people.ts.
describe('role, kind and agency', () => {
  test('a customer becomes staff; sessions end and the history says who did it', async () => {
    const customer = await world.person()
    await world.secondBrowser(customer)
    expectStatus(await become(customer, 'tecnician'), 303)
    await expectUser(customer, { role: 'staff', kind: 'tecnician', version: 2 })
    expect(await sessionsOf(world, customer)).toEqual([])
    await expectTrail(customer, ['change_role'], 'user')
    await expectLed('/', customer, '/signin')
    expectWords(await pageOf(customer), 'Rol: de Cliente a Técnico instalador', 'Mariana Prueba')
  })

  test('an ally gets an agency, and loses it with the role', async () => {
    const customer = await world.person()
    const agencyId = people.ally.agencyId!
    expectPage(await become(customer, 'alliate'), 409, 'Elige su concesionaria.')
    expectPage(await become(customer, 'alliate', { agencyId: 'x' }), 400, 'Elige su concesionaria.')
    await become(customer, 'alliate', { agencyId })
    await expectUser(customer, { kind: 'alliate', agencyId })
    await become(customer, 'gester', { agencyId })
    await expectUser(customer, { kind: 'gester', agencyId: null })
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
    expectStatus(await become(customer, 'analyst', { version: '9' }), 409)
    const more = { email: 'otra@prueba.mx', name: 'Otra', emailVerified: 'false', active: 'false' }
    const form = { version: '1', ...more, id: people.manager.id }
    const twice = await Promise.all([1, 2].map(() => become(customer, 'analyst', form)))
    expectStatuses(twice, 303, 409)
    const { email } = customer
    const kept = { email, name: 'Camila', active: true, emailVerified: true }
    await expectUser(customer, { ...kept, kind: 'analyst', version: 2 })
  })

  test('customers with an unverified e-mail or an open project become no staff and stay active', async () => {
    const unverified = await world.person({ emailVerified: false })
    const customer = await world.person()
    const { projectId } = await world.home(customer)
    for (const person of [unverified, customer]) {
      expectStatus(await become(person, 'analyst'), 409)
      await expectUser(person, { role: 'customer', version: 1 })
    }
    expectStatus(await activate(customer, 'no'), 409)
    await expectUser(customer, { active: true })
    expectWords(await pageOf(customer), 'Tiene un proyecto abierto como cliente')
    await world.db.update(projects).set({ closedAt: new Date() }).where(eq(projects.id, projectId))
    expectStatus(await become(customer, 'analyst'), 303)
  })
})

describe('active', () => {
  test('a deactivated person is signed out at once, and can be activated again', async () => {
    const person = await world.person({ kind: 'gester' })
    expectStatus(await activate(person, 'no'), 303)
    await expectLed('/admin', person, '/signin')
    expect(await sessionsOf(world, person)).toEqual([])
    expectStatus(await activate(person, 'yes'), 303)
    await expectTrail(person, ['deactivate', 'activate'], 'user')
  })

  test('the toast undoes a deactivation once, for the manager only', async () => {
    const { analyst, manager } = people
    const person = await world.person({ kind: 'gester' })
    const isActive = async () => (await userOf(world, person)).active
    const back = screenOf(person)
    const hint = 'Puedes deshacerlo: al activarla otra vez entra con su contraseña de siempre.'
    expectWords(await pageOf(person), hint)
    await activate(person, 'no')
    const { text } = await world.visit(back, manager)
    const changes = /name="changes" value="([^"]+)"/.exec(text)![1]!
    const undo = (by: Person, form = { changes, back }) => world.post('/admin/deshacer', form, by)
    expectStatus(await undo(analyst), 403)
    expectStatus(await undo(manager, { changes: `otra:${person.id}:2`, back: '/admin' }), 400)
    expect(await isActive()).toBe(false)
    expectLocation(await undo(manager), back)
    expectWords(await pageOf(person), 'La cuenta está activa otra vez')
    expect(await isActive()).toBe(true)
    // Deactivated again, the toast of before does not reach it.
    await activate(person, 'no')
    await undo(manager)
    expectWords(await pageOf(person), 'No se pudo deshacer')
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
  expectStatus(refused, 409)
  expectWords(readable(refused), '3 citas por resolver')
  expect(askedIn(refused)).toEqual(visits.map(({ id }) => id))
  await expectUser(person, { active: true, version: 1 })
  await expectLed('/admin', person, null)
  const [first, second, third] = visits.map(({ id }) => `choice.${id}`)
  const choices = { [first!]: technician2.id, [second!]: technician2.id, [third!]: 'release' }
  expectLocation(await changeActive(world, manager, person, 'no', choices), `/admin/users/${person.id}`)
  expect((await userOf(world, person)).active).toBe(false)
  expect(
    (await Promise.all(visits.map((one) => now(one, world)))).map(({ assigneeId }) => assigneeId),
  ).toEqual([technician2.id, technician2.id, null])
  await expectLed('/admin', person, '/signin')
  const detail = await world.visit(`/admin/appointments-pending/${visits[0]!.id}`, technician2)
  expectWords(readable(detail), 'Camila Prueba')
  await expectScreen('/admin/assignations', manager, visits[2]!.folio)
})

test('the refusal of a data request holds the list', async () => {
  const person = await technicianToLeave()
  const { folio, id } = await visitFor(world, person, at(day, '10:00'))
  const form = { intent: 'active', active: 'no', version: '1' }
  const answer = await world.post(`/admin/users/${person.id}.data`, form, people.manager)
  expectStatus(answer, 409)
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
  expectWords(readable(refused), 'No realiza este servicio')
  const choice = { [`choice.${visit.id}`]: technician2.id }
  expectStatus(await changeRole(world, manager, person, 'gester', choice), 303)
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
  await expectUser(manager, { kind: 'manager', active: true, version: 1 })

  const other = await world.person({ kind: 'manager' })
  expectPage(await become(manager, 'analyst'), 409, 'Marca la casilla')
  expectStatus(await become(manager, 'analyst', confirmed), 303)
  await expectLed('/admin', manager, '/signin')
  expectStatus(await changeActive(world, other, other, 'no', confirmed), 409)
})

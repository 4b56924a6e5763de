import { personZones, shifts } from '../../src/platform/database/schema/accounts.ts'
import { projects } from '../../src/platform/database/schema/projects.ts'
import {
  ally,
  analyst,
  customer,
  expectLed,
  expectRowsIn,
  expectScreen,
  expectTrail,
  expectUser,
  fixture,
  gester,
  manager,
  markupOf,
  newPerson,
  openOnce,
  pageText,
  rowsWhere,
  setRow,
  technician,
  technician2,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import {
  expectLocation,
  expectPage,
  expectShown,
  expectStatus,
  expectStatuses,
  expectWords,
  readable,
} from '../kit/reading.ts'
import { at, changeActive, changeRole, now, sessionsOf, visitFor, workday } from '../kit/users.ts'
import type { Answer } from '../kit/visitor.ts'

openOnce()

const screenOf = ({ id }: { id: string }) => `/admin/users/${id}`
const pageOf = (person: { id: string }) => pageText(screenOf(person), manager)
const become = (person: Person, role: string, form: Record<string, string> = {}) =>
  changeRole(manager, person, role, form)
const activate = (person: Person, active: 'yes' | 'no') => changeActive(manager, person, active)

test('shows active staff to other staff, without anything to change, and to an ally of the own agency only', async () => {
  const inactive = await newPerson({ kind: 'analyst', active: false })
  const statusFor = async (person: { id: string }, as: Person) =>
    (await fixture.data(screenOf(person), as)).status
  await expectScreen(screenOf(analyst), manager, 'Historial de cambios')
  for (const as of [technician, gester]) {
    const page = await fixture.visit(screenOf(analyst), as)
    expectPage(page, 200, analyst.email)
    for (const hidden of ['Guardar rol', 'Desactivar', 'Historial']) expect(page.text).not.toContain(hidden)
    for (const person of [customer, inactive, { id: 'x' }]) expect(await statusFor(person, as)).toBe(404)
  }
  for (const person of [analyst, technician, manager]) expect(await statusFor(person, ally)).toBe(404)
  expect(await statusFor(ally, ally)).toBe(200)
})

// Who may become what: test/users/access.test.ts. That only the manager may: test/security/actions/people.ts.
test('a customer becomes staff; sessions end and the history names who did it', async () => {
  const customer = await newPerson()
  await fixture.secondBrowser(customer)
  expectStatus(await become(customer, 'tecnician'), 303)
  await expectUser(customer, { role: 'staff', kind: 'tecnician', version: 2 })
  expect(await sessionsOf(customer)).toEqual([])
  await expectTrail(customer, ['change_role'], 'user')
  expectWords(await pageOf(customer), 'Rol: de Cliente a Técnico instalador', 'Mariana Prueba')
})

test('an ally gets an agency, and loses it with the role', async () => {
  const customer = await newPerson()
  const agencyId = ally.agencyId!
  expectPage(await become(customer, 'alliate'), 409, 'Elige su concesionaria.')
  expectPage(await become(customer, 'alliate', { agencyId: 'x' }), 400, 'Elige su concesionaria.')
  await become(customer, 'alliate', { agencyId })
  await expectUser(customer, { kind: 'alliate', agencyId })
  const { id: other } = await fixture.agency()
  await become(customer, 'alliate', { agencyId: other })
  await expectUser(customer, { kind: 'alliate', agencyId: other })
  await become(customer, 'gester', { agencyId })
  await expectUser(customer, { kind: 'gester', agencyId: null })
})

test('shifts and zones end with the kind that has them', async () => {
  const person = await newPerson({ kind: 'tecnician', zones: ['coyoacan'] })
  for (const [role, hasShifts] of [
    ['analyst', true],
    ['gester', false],
  ] as const) {
    await become(person, role)
    expect((await rowsWhere(shifts, { personId: person.id })).length > 0).toBe(hasShifts)
    await expectRowsIn(personZones, { personId: person.id }, [])
  }
})

test('an unknown role and the second of two at once change nothing; other fields never do', async () => {
  const customer = await newPerson({ name: 'Camila' })
  expectPage(await become(customer, 'jefe'), 400, 'Elige su rol.')
  const more = { email: 'otra@prueba.mx', name: 'Otra', emailVerified: 'false', active: 'false' }
  const twice = () => become(customer, 'analyst', { version: '1', ...more, id: manager.id })
  expectStatuses(await Promise.all([twice(), twice()]), 303, 409)
  const kept = { email: customer.email, name: 'Camila', active: true, emailVerified: true }
  await expectUser(customer, { ...kept, kind: 'analyst', version: 2 })
})

test('customers with an unverified e-mail or an open project become no staff and stay active', async () => {
  const unverified = await newPerson({ emailVerified: false })
  const customer = await newPerson()
  const { projectId } = await fixture.home(customer)
  for (const person of [unverified, customer]) {
    expectStatus(await become(person, 'analyst'), 409)
    await expectUser(person, { role: 'customer', version: 1 })
  }
  expectStatus(await activate(customer, 'no'), 409)
  await expectUser(customer, { active: true })
  expectWords(await pageOf(customer), 'Tiene un proyecto abierto como cliente')
  await setRow(projects, projectId, { closedAt: new Date() })
  expectStatus(await become(customer, 'analyst'), 303)
})

test('a deactivated person is signed out at once, and can be activated again', async () => {
  const person = await newPerson({ kind: 'gester' })
  expectStatus(await activate(person, 'no'), 303)
  await expectLed('/admin', person, '/signin')
  expect(await sessionsOf(person)).toEqual([])
  expectStatus(await activate(person, 'yes'), 303)
  await expectTrail(person, ['deactivate', 'activate'], 'user')
})

test('the toast undoes a deactivation once, for the manager only', async () => {
  const person = await newPerson({ kind: 'gester' })
  const back = screenOf(person)
  await activate(person, 'no')
  const text = await markupOf(back, manager)
  const changes = /name="changes" value="([^"]+)"/.exec(text)![1]!
  const undo = (by: Person, form = { changes, back }) => fixture.post('/admin/deshacer', form, by)
  expectStatus(await undo(analyst), 403)
  expectStatus(await undo(manager, { changes: `otra:${person.id}:2`, back: '/admin' }), 400)
  await expectUser(person, { active: false })
  expectLocation(await undo(manager), back)
  expectWords(await pageOf(person), 'La cuenta está activa otra vez')
  await expectUser(person, { active: true })
  // Deactivated again, the toast of before does not reach it.
  await activate(person, 'no')
  await undo(manager)
  expectWords(await pageOf(person), 'No se pudo deshacer')
  await expectUser(person, { active: false })
})

const day = workday()
const technicianToLeave = () => newPerson({ kind: 'tecnician', name: 'Tadeo' })

/** The appointments that a refused form asks about. */
const askedIn = ({ text }: Answer) =>
  [...text.matchAll(/name="choice\.([0-9a-f-]{36})"/g)].map(([, id]) => id!)

test('deactivating a technician lists the visits and happens with a choice for each', async () => {
  const person = await technicianToLeave()
  const given = await visitFor(person, at(day, '09:00'))
  const released = await visitFor(person, at(day, '13:00'))
  const refused = await changeActive(manager, person, 'no')
  expectShown(refused, 409, '2 citas por resolver')
  expect(askedIn(refused)).toEqual([given.id, released.id])
  await expectUser(person, { active: true, version: 1 })
  await expectLed('/admin', person, null)
  const choices = { [`choice.${given.id}`]: technician2.id, [`choice.${released.id}`]: 'release' }
  expectLocation(await changeActive(manager, person, 'no', choices), screenOf(person))
  await expectUser(person, { active: false })
  for (const [visit, assigneeId] of [
    [given, technician2.id],
    [released, null],
  ] as const)
    expect((await now(visit, fixture)).assigneeId).toBe(assigneeId)
  await expectLed('/admin', person, '/signin')
  await expectScreen(`/admin/appointments-pending/${given.id}`, technician2, 'Camila Prueba')
  await expectScreen('/admin/assignations', manager, released.folio)
})

// Each kind of change: test/users/staffing/change.test.ts.
test('a change of the role asks about the visits too', async () => {
  const person = await technicianToLeave()
  const visit = await visitFor(person, at(day, '16:00'))
  const refused = await changeRole(manager, person, 'gester')
  expect([refused.status, askedIn(refused)]).toEqual([409, [visit.id]])
  expectWords(readable(refused), 'No realiza este servicio')
  expectStatus(await changeRole(manager, person, 'gester', { [`choice.${visit.id}`]: technician2.id }), 303)
  expect((await now(visit, fixture)).assigneeId).toBe(technician2.id)
})

// Of several who demote one another at once one stays: test/security/staff.test.ts.
test('the last active manager keeps the rights; of two, each may give them up with a confirmation', async () => {
  await newPerson({ kind: 'manager', active: false })
  const confirmed = { confirmed: 'yes' }
  for (const answer of [
    await become(manager, 'analyst', confirmed),
    await become(manager, 'customer', confirmed),
    await changeActive(manager, manager, 'no', confirmed),
  ])
    expectPage(answer, 409, 'Es la única persona activa con el rol Manager')
  await expectUser(manager, { kind: 'manager', active: true, version: 1 })

  const other = await newPerson({ kind: 'manager' })
  expectPage(await become(manager, 'analyst'), 409, 'Marca la casilla')
  expectStatus(await become(manager, 'analyst', confirmed), 303)
  await expectLed('/admin', manager, '/signin')
  expectStatus(await changeActive(other, other, 'no', confirmed), 409)
})

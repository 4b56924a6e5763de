import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { personZones, sessions, shifts, users } from '../../src/server/platform/database/schema/accounts.ts'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectPage, expectWords, readable, rowsIn, trailOf } from '../kit/reading.ts'
import { at, changeActive, changeRole, sessionsOf, userOf, visitFor, workday } from '../kit/users.ts'

openEach()

const pageOf = (person: { id: string }, as: Person) => world.visit(`/admin/users/${person.id}`, as)

describe('who sees whom', () => {
  test('the manager sees everybody, with what may be changed', async () => {
    const { manager, customer, technician } = people
    for (const person of [customer, technician, manager]) {
      const page = await pageOf(person, manager)
      expectPage(page, 200, person.email)
      expect(readable(page)).toContain('Historial de cambios')
    }
  })

  test('the others see a card of active staff and nothing to change; customers do not exist', async () => {
    const { customer, analyst, technician, gester, ally } = people
    const inactive = await world.person({ kind: 'analyst', active: false })
    for (const as of [technician, gester]) {
      const page = await pageOf(analyst, as)
      expectPage(page, 200, analyst.email)
      for (const hidden of ['Guardar rol', 'Desactivar', 'Historial']) expect(page.text).not.toContain(hidden)
      for (const person of [customer, inactive, { id: 'x' }])
        expect((await pageOf(person, as)).status).toBe(404)
    }
    expect((await pageOf(analyst, customer)).location).toBe('/')
    for (const person of [analyst, technician, people.manager])
      expect((await pageOf(person, ally)).status).toBe(404)
    expect((await pageOf(ally, ally)).status).toBe(200)
  })
})

describe('role, kind and agency', () => {
  test('a customer becomes staff, with sessions ended and a trace', async () => {
    const { customer, manager } = people
    await world.secondBrowser(customer)
    expect((await changeRole(world, manager, customer, 'tecnician')).status).toBe(303)
    expect(await userOf(world, customer)).toMatchObject({ role: 'staff', kind: 'tecnician', version: 2 })
    expect(await sessionsOf(world, customer)).toEqual([])
    expect(await trailOf(world, customer, 'user')).toEqual(['change_role'])
    expect((await world.visit('/', customer)).location).toBe('/signin')
    const page = readable(await pageOf(customer, manager))
    expectWords(page, 'Rol: de Cliente a Técnico instalador', 'Mariana Prueba')
  })

  test('an ally gets an agency and loses it with the role', async () => {
    const { customer, manager, ally } = people
    const without = await changeRole(world, manager, customer, 'alliate')
    expectPage(without, 409, 'Elige su concesionaria.')
    await changeRole(world, manager, customer, 'alliate', { agencyId: ally.agencyId! })
    expect(await userOf(world, customer)).toMatchObject({ kind: 'alliate', agencyId: ally.agencyId })
    await changeRole(world, manager, customer, 'gester', { agencyId: ally.agencyId! })
    expect(await userOf(world, customer)).toMatchObject({ kind: 'gester', agencyId: null })
  })

  test('whoever is given no appointments any more keeps no shifts and no zones', async () => {
    const { manager } = people
    const person = await world.person({ kind: 'tecnician', zones: ['coyoacan'] })
    const left = async () => [
      (await rowsIn(world, shifts, { personId: person.id })).length > 0,
      (await rowsIn(world, personZones, { personId: person.id })).length > 0,
    ]
    expect(await left()).toEqual([true, true])
    await changeRole(world, manager, person, 'analyst')
    expect(await left()).toEqual([true, false])
    await changeRole(world, manager, person, 'gester')
    expect(await left()).toEqual([false, false])
  })

  test('only with a version that still stands', async () => {
    const { customer, manager } = people
    expect((await changeRole(world, manager, customer, 'analyst', { version: '9' })).status).toBe(409)
    const version = String((await userOf(world, customer)).version)
    const twice = [1, 2].map(() => changeRole(world, manager, customer, 'analyst', { version }))
    expect((await Promise.all(twice)).map(({ status }) => status).sort()).toEqual([303, 409])
    expect(await userOf(world, customer)).toMatchObject({ kind: 'analyst', version: 2 })
  })

  test.each([
    ['role', { role: 'jefe' }, 'Elige su rol.'],
    ['role', { role: '' }, 'Elige su rol.'],
    ['agencyId', { role: 'alliate', agencyId: 'x' }, 'Elige su concesionaria.'],
  ])('a wrong %s is said under its field', async (_field, form, message) => {
    const { customer, manager } = people
    const answer = await changeRole(world, manager, customer, form.role, form as Record<string, string>)
    expectPage(answer, 400, message)
    expect(await userOf(world, customer)).toMatchObject({ version: 1 })
  })

  test('what the form does not ask for changes nothing', async () => {
    const { customer, manager } = people
    const more = {
      email: 'otra@prueba.mx',
      name: 'Otra',
      emailVerified: 'false',
      active: 'false',
      id: manager.id,
    }
    await changeRole(world, manager, customer, 'analyst', more)
    const { email, name, active, emailVerified } = await userOf(world, customer)
    expect([email, name, active, emailVerified]).toEqual([customer.email, 'Camila', true, true])
  })

  test('no unverified e-mail and no open project joins the team', async () => {
    const { customer, manager } = people
    const unverified = await world.person({ emailVerified: false })
    const { projectId } = await world.home(customer)
    for (const person of [unverified, customer]) {
      expect((await changeRole(world, manager, person, 'analyst')).status).toBe(409)
      expect(await userOf(world, person)).toMatchObject({ role: 'customer', version: 1 })
    }
    expect(readable(await pageOf(customer, manager))).toContain('Tiene un proyecto abierto como cliente')
    await world.db.update(projects).set({ closedAt: new Date() }).where(eq(projects.id, projectId))
    expect((await changeRole(world, manager, customer, 'analyst')).status).toBe(303)
  })
})

describe('active', () => {
  test('an inactive person is out at once, and in again later', async () => {
    const { gester, manager } = people
    expect((await changeActive(world, manager, gester, 'no')).status).toBe(303)
    expect((await world.visit('/admin', gester)).location).toBe('/signin')
    expect(await sessionsOf(world, gester)).toEqual([])
    expect((await changeActive(world, manager, gester, 'yes')).status).toBe(303)
    expect(await trailOf(world, gester, 'user')).toEqual(['deactivate', 'activate'])
  })

  test('the toast of an account’s end takes it back, once, and by the manager alone', async () => {
    const { analyst, gester, manager } = people
    const before = readable(await pageOf(gester, manager))
    expectWords(before, 'Puedes deshacerlo: al activarla otra vez entra con su contraseña de siempre.')
    await changeActive(world, manager, gester, 'no')
    const { text } = await pageOf(gester, manager)
    const changes = /name="changes" value="([^"]+)"/.exec(text)![1]!
    const undo = (by: Person, form = { changes, back: `/admin/users/${gester.id}` }) =>
      world.post('/admin/deshacer', form, by)
    expect((await undo(analyst)).status).toBe(403)
    expect((await undo(manager, { changes: `otra:${gester.id}:2`, back: '/admin' })).status).toBe(400)
    expect((await userOf(world, gester)).active).toBe(false)
    expect((await undo(manager)).location).toBe(`/admin/users/${gester.id}`)
    expect(readable(await pageOf(gester, manager))).toContain('La cuenta está activa otra vez')
    expect((await userOf(world, gester)).active).toBe(true)
    // Deactivated again, the toast of before does not reach it.
    await changeActive(world, manager, gester, 'no')
    await undo(manager)
    expect(readable(await pageOf(gester, manager))).toContain('No se pudo deshacer')
    expect((await userOf(world, gester)).active).toBe(false)
  })

  test('a customer with an open project stays', async () => {
    const { customer, manager } = people
    await world.home(customer)
    const answer = await changeActive(world, manager, customer, 'no')
    expect(answer.status).toBe(409)
    expect(await userOf(world, customer)).toMatchObject({ active: true })
  })

  test('a technician with visits goes only with their visits settled', async () => {
    const { technician, technician2, manager } = people
    const day = workday()
    const visits = await Promise.all(
      ['09:00', '12:00', '15:00'].map((time) => visitFor(world, technician, at(day, time))),
    )
    const refused = await changeActive(world, manager, technician, 'no')
    expect(refused.status).toBe(409)
    for (const { folio } of visits) expect(refused.text).toContain(folio)
    expect(await userOf(world, technician)).toMatchObject({ active: true, version: 1 })
    const choices = Object.fromEntries(
      visits.map(({ id }, n) => [`choice.${id}`, n === 0 ? 'release' : technician2.id]),
    )
    expect((await changeActive(world, manager, technician, 'no', choices)).status).toBe(303)
    expect(await userOf(world, technician)).toMatchObject({ active: false })
    // Below the filters, which name everybody who ever had one.
    const [, page = ''] = readable(await world.visit('/admin/appointments-pending', manager)).split('Filtrar')
    expect(page).not.toContain('Tomás')
    expect(page).toContain('Teresa')
  })

  test('so does one who becomes something else', async () => {
    const { technician, manager } = people
    const visit = await visitFor(world, technician, at(workday(), '09:00'))
    const refused = await changeRole(world, manager, technician, 'gester')
    expect(refused.text).toContain(visit.folio)
    expect(await rowsIn(world, shifts, { personId: technician.id })).not.toEqual([])
    const done = await changeRole(world, manager, technician, 'gester', { [`choice.${visit.id}`]: 'release' })
    expect(done.status).toBe(303)
  })
})

describe('the last manager', () => {
  test('can be neither demoted nor deactivated, not by themselves either', async () => {
    const { manager } = people
    const confirmed = { confirmed: 'yes' }
    for (const answer of [
      await changeRole(world, manager, manager, 'analyst', confirmed),
      await changeRole(world, manager, manager, 'customer', confirmed),
      await changeActive(world, manager, manager, 'no', confirmed),
    ]) {
      expectPage(answer, 409, 'Es la única persona activa con el rol Manager')
    }
    expect(await userOf(world, manager)).toMatchObject({ kind: 'manager', active: true, version: 1 })
  })

  test('an inactive manager is none', async () => {
    const { manager } = people
    await world.person({ kind: 'manager', active: false })
    expect((await changeActive(world, manager, manager, 'no', { confirmed: 'yes' })).status).toBe(409)
  })

  test('one who takes their own rights away has to confirm it, and is out', async () => {
    const { manager } = people
    const other = await world.person({ kind: 'manager', name: 'Marta' })
    const asked = await changeRole(world, manager, manager, 'analyst')
    expectPage(asked, 409, 'Marca la casilla')
    expect((await changeRole(world, manager, manager, 'analyst', { confirmed: 'yes' })).status).toBe(303)
    expect((await world.visit('/admin', manager)).location).toBe('/signin')
    expect((await changeActive(world, other, other, 'no', { confirmed: 'yes' })).status).toBe(409)
  })

  test('of the last two, demoted at the same time by each other, one stays', async () => {
    const { manager } = people
    for (let round = 0; round < 5; round++) {
      const other = await world.person({ kind: 'manager', name: 'Marta' })
      const answers = await Promise.all([
        changeRole(world, manager, other, 'analyst'),
        changeRole(world, other, manager, 'customer'),
        changeActive(world, manager, manager, 'no', { confirmed: 'yes' }),
        changeActive(world, other, other, 'no', { confirmed: 'yes' }),
      ])
      for (const { status } of answers) expect([302, 303, 403, 409]).toContain(status)
      const left = await rowsIn(world, users, { kind: 'manager' })
      expect(left.filter(({ active }) => active)).toHaveLength(1)
      await restore(manager)
    }
  })
})

/** Makes somebody the only manager again, with the session they had. */
async function restore({ id, cookies }: Person) {
  await world.db.update(users).set({ role: 'customer', kind: null }).where(eq(users.kind, 'manager'))
  await world.db.update(users).set({ role: 'staff', kind: 'manager', active: true }).where(eq(users.id, id))
  await world.db.delete(sessions).where(eq(sessions.userId, id))
  const again = await world.secondBrowser({ id } as Person)
  for (const [name, value] of again.cookies) cookies.set(name, value)
}

import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { appointments } from '../../src/server/platform/database/schema/appointments.ts'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { hour, storeVisit, type Visit } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { readable } from '../kit/reading.ts'
import { callAtEleven, clock, donePath, pendingPath } from './desk.ts'

let call: Visit
let client: Person
openEach(async () => {
  ;({ call, client } = await callAtEleven())
})

const visitPath = (list: string, { id }: Pick<Visit, 'id'>) => `/admin/appointments-${list}/${id}`

test('analysts and managers see a call on its own screen, wherever its address came from; its ally stays', async () => {
  const { analyst, manager, ally, gester, technician } = people
  for (const who of [analyst, manager]) {
    const page = await world.visit(pendingPath(call), who)
    expect(page.status).toBe(200)
    for (const words of [call.folio, 'Camila Cruz', 'Sobre autos eléctricos', 'Asesoría', '551 234 56 78'])
      expect(readable(page)).toContain(words)
    expect((await world.visit(visitPath('pending', call), who)).location).toBe(pendingPath(call))
  }
  expect((await world.visit(visitPath('pending', call), ally)).status).toBe(200)
  for (const who of [ally, gester, technician])
    expect((await world.visit(pendingPath(call), who)).location).toBe('/admin')
  expect((await world.visit(pendingPath(call), client)).location).toBe('/')
  await world.db.update(appointments).set({ state: 'done' }).where(eq(appointments.id, call.id))
  for (const who of [analyst, manager]) {
    expect((await world.visit(visitPath('done', call), who)).location).toBe(donePath(call))
    expect((await world.visit(pendingPath(call), who)).location).toBe(donePath(call))
  }
  expect((await world.visit(visitPath('done', call), ally)).status).toBe(200)
})

test('a visit is not on the screens of calls, but one is led to it', async () => {
  const home = await world.home(people.customer)
  const soon = new Date(Date.now() + 30 * hour)
  const visit = await storeVisit(world, people.customer, home, soon, { assigneeId: people.technician.id })
  expect((await world.visit(pendingPath(visit), people.analyst)).location).toBe(visitPath('pending', visit))
  await world.db.update(appointments).set({ state: 'done' }).where(eq(appointments.id, visit.id))
  expect((await world.visit(donePath(visit), people.analyst)).location).toBe(visitPath('done', visit))
})

test('lists, homes and tasks lead everybody to the screen they may open', async () => {
  const { analyst, manager, ally } = people
  await world.db.insert(tasks).values({ subject: 'Llamar', reason: 'coverage', appointmentId: call.id })
  clock(call, -60)
  for (const path of ['/admin/appointments-pending', '/admin'])
    for (const who of [analyst, manager])
      expect((await world.visit(path, who)).text).toContain(`href="${pendingPath(call)}"`)
  for (const path of ['/admin/appointments-pending', '/admin']) {
    const page = await world.visit(path, ally)
    expect(page.text).toContain(`href="${visitPath('pending', call)}"`)
    expect(page.text).not.toContain('-videocall/')
  }
  await world.db.update(appointments).set({ state: 'done' }).where(eq(appointments.id, call.id))
  expect((await world.visit('/admin/appointments-done', manager)).text).toContain(`href="${donePath(call)}"`)
})

test('the room opens to whose call it is, a quarter of an hour before', async () => {
  const { analyst, manager } = people
  const analyst2 = await world.person({ kind: 'analyst', name: 'Ana' })
  const entrance = '?llamada'
  clock(call, -16)
  const early = await world.visit(pendingPath(call), analyst)
  expect(early.text).not.toContain(entrance)
  expect(readable(early)).toMatch(/Abre el .*10:45 a\. m\./)
  clock(call, -15)
  expect((await world.visit(pendingPath(call), analyst)).text).toContain(entrance)
  for (const who of [manager, analyst2]) {
    const page = await world.visit(pendingPath(call), who)
    expect(page.text).not.toContain(entrance)
    expect(readable(page)).toContain('La atiende Andrés Prueba.')
  }
})

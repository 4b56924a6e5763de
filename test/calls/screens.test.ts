import { expect, test } from 'vitest'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { storeVisit } from '../kit/appointments.ts'
import { expectScreen, people, world } from '../kit/open.ts'
import { expectAnswered, readable } from '../kit/reading.ts'
import { after, call, change, client, clock, donePath, newAnalyst, openDesk, pendingPath } from './desk.ts'

openDesk()

const visitPath = (list: string, id = call.id) => `/admin/appointments-${list}/${id}`
const locationOf = async (path: string, who = people.analyst) => (await world.data(path, who)).location

test('redirects analysts and managers from the screens of visits to those of the call, and others away', async () => {
  const { analyst, manager, ally, gester, technician } = people
  for (const who of [analyst, manager]) {
    const words = [call.folio, 'Camila Cruz', 'Sobre autos eléctricos', 'Asesoría', '551 234 56 78']
    await expectScreen(pendingPath(), who, ...words)
    expect(await locationOf(visitPath('pending'), who)).toBe(pendingPath())
  }
  await expectAnswered(world.data(visitPath('pending'), ally), 200)
  for (const who of [ally, gester, technician]) expect(await locationOf(pendingPath(), who)).toBe('/admin')
  expect(await locationOf(pendingPath(), client)).toBe('/')
  await change({ state: 'done' })
  for (const path of [visitPath('done'), pendingPath()]) expect(await locationOf(path)).toBe(donePath())
  await expectAnswered(world.data(visitPath('done'), ally), 200)
})

test('redirects from the screens of calls to those of a visit', async () => {
  const home = await world.home(people.customer)
  const { id } = await storeVisit(world, people.customer, home, after(24 * 60), {
    assigneeId: people.technician.id,
  })
  expect(await locationOf(pendingPath(id))).toBe(visitPath('pending', id))
  await change({ state: 'done' }, { id } as typeof call)
  expect(await locationOf(donePath(id))).toBe(visitPath('done', id))
})

test('lists, homes and tasks link analysts and managers to the call, and its ally to the visit', async () => {
  const { analyst, manager, ally } = people
  await world.db.insert(tasks).values({ subject: 'Llamar', reason: 'coverage', appointmentId: call.id })
  clock(-60)
  for (const path of ['/admin/appointments-pending', '/admin']) {
    for (const who of [analyst, manager]) await expectScreen(path, who, `href="${pendingPath()}"`)
    const { text } = await world.visit(path, ally)
    expect(text).toContain(`href="${visitPath('pending')}"`)
    expect(text).not.toContain('-videocall/')
  }
  await change({ state: 'done' })
  const { text } = await world.visit('/admin/appointments-done', manager)
  expect(text).toContain(`href="${donePath()}"`)
})

test('opens the room to its analyst only, from 15 minutes before', async () => {
  const { analyst, manager } = people
  const visit = (who = analyst) => world.visit(pendingPath(), who)
  clock(-16)
  const early = await visit()
  expect(early.text).not.toContain('?llamada')
  expect(readable(early)).toMatch(/Abre el .*10:45 a\. m\./)
  clock(-15)
  expect((await visit()).text).toContain('?llamada')
  for (const who of [manager, await newAnalyst()]) {
    const page = await visit(who)
    expect(page.text).not.toContain('?llamada')
    expect(readable(page)).toContain('La atiende Andrés Prueba.')
  }
})

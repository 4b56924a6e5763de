import { expect, test } from 'vitest'
import { events, tasks } from '../../src/server/database/office-schema.ts'
import { addressForm, type Person } from '../people.ts'
import { openEach, people, world } from './opening.ts'
import { readable } from './story.ts'

openEach()

const unsure = { ...addressForm, postalCode: '50999', municipality: 'toluca', confirmInArea: 'on' }
const claim = (form: Record<string, string> = {}) =>
  world.post('/address', { ...unsure, ...form }, people.customer)
const close = (taskId: string, by: Person | undefined, result = 'Sí llegamos', suffix = '') =>
  world.post(`/admin${suffix}`, { taskId, result }, by)
const openTask = async () => {
  await claim()
  const [task, ...more] = await world.db.select().from(tasks)
  expect(more).toEqual([])
  return task!
}

test('an address that must be verified makes a call, one however often it is saved', async () => {
  const task = await openTask()
  expect(task).toMatchObject({
    reason: 'coverage',
    personId: people.customer.id,
    phone: '5512345678',
    doneAt: null,
  })
  await claim({ version: '1', street: 'Otra calle' })
  await openTask()
  expect(readable(await world.visit('/address', people.customer))).toContain('te llamamos para confirmar')
})

test('manager and analyst see it with whom to call; nobody else does', async () => {
  const { manager, analyst, technician, gester, ally } = people
  await openTask()
  for (const person of [manager, analyst]) {
    const { text } = await world.visit('/admin', person)
    expect(text).toContain('Verificar si llegamos al domicilio')
    expect(text).toContain('tel:+525512345678')
  }
  for (const person of [technician, gester, ally]) {
    expect((await world.visit('/admin', person)).text).not.toContain('Verificar')
    expect((await world.data('/admin', person)).text).not.toContain('5512345678')
  }
})

test('the analyst closes it with what came of it: row, event, gone from the list', async () => {
  const { manager, analyst } = people
  const task = await openTask()
  const answer = await close(task.id, analyst)
  expect([answer.status, answer.location]).toEqual([303, '/admin'])
  const [closed] = await world.db.select().from(tasks)
  expect(closed).toMatchObject({ takenBy: analyst.id, result: 'Sí llegamos', doneAt: expect.any(Date) })
  const trail = (await world.db.select().from(events)).filter(({ entity }) => entity === 'task')
  expect(trail).toMatchObject([
    { name: 'close', entityId: task.id, actorId: analyst.id, reason: 'Sí llegamos' },
  ])
  expect((await world.visit('/admin', manager)).text).not.toContain('Verificar si llegamos')
  const again = await close(task.id, manager, 'Ya lo vi')
  expect(again.status).toBe(409)
  expect(readable(again)).toContain('Alguien más ya lo atendió.')
  expect((await world.db.select().from(tasks))[0]).toEqual(closed)
})

test('two at once: one closes it', async () => {
  const { manager, analyst } = people
  const { id } = await openTask()
  const answers = await Promise.all([close(id, manager), close(id, analyst), close(id, manager)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409])
})

test('the others close nothing', async () => {
  const { technician, gester, ally, customer, customer2 } = people
  const task = await openTask()
  for (const suffix of ['', '.data']) {
    for (const person of [technician, gester, ally, customer, customer2])
      expect((await close(task.id, person, 'Listo', suffix)).status).toBe(403)
    expect((await close(task.id, undefined, 'Listo', suffix)).location).toBe('/signin')
  }
  expect(await world.db.select().from(tasks)).toEqual([task])
})

test('a result is asked for, and the task must be one', async () => {
  const { manager } = people
  const task = await openTask()
  const answer = await close(task.id, manager, ' a ')
  expect(answer.status).toBe(400)
  expect(readable(answer)).toContain('Escribe en qué quedó.')
  expect((await close(task.id, manager, 'x'.repeat(501))).status).toBe(400)
  expect((await close(task.id, manager, '\u0000\u0000\u0000')).status).toBe(400)
  expect((await close('nada', manager)).status).toBe(400)
  expect((await close(crypto.randomUUID(), manager)).status).toBe(409)
  expect(await world.db.select().from(tasks)).toEqual([task])
})

import { isNull } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { addresses, events, tasks } from '../../src/server/platform/database/schema/projects.ts'
import { openEach, people, world } from '../kit/open.ts'
import { addressForm, type Person } from '../kit/people.ts'
import { emailsAbout, expectWords, readable } from '../kit/reading.ts'

openEach()

const unsure = { ...addressForm, postalCode: '50999', municipality: 'toluca', confirmInArea: 'on' }
const claim = (form: Record<string, string> = {}) =>
  world.post('/address', { ...unsure, ...form }, people.customer)
const close = (taskId: string, by: Person | undefined, result = 'Sí llegamos', suffix = '') =>
  world.post(`/admin${suffix}`, { intent: 'close-task', taskId, result }, by)
const onlyTask = async () => {
  const [task, ...more] = await world.db.select().from(tasks)
  expect(more).toEqual([])
  return task!
}
const openTask = async () => {
  const { id: personId } = people.customer
  await world.db
    .insert(tasks)
    .values({ subject: 'Llamar a un cliente', reason: 'callback', personId, phone: '5512345678' })
  return onlyTask()
}
const openAreaTask = async () => {
  await claim()
  return onlyTask()
}

test('an address that must be verified makes a call, one however often it is saved', async () => {
  const task = await openAreaTask()
  expect(task).toMatchObject({
    reason: 'coverage',
    personId: people.customer.id,
    phone: '5512345678',
    doneAt: null,
  })
  await claim({ version: '1', street: 'Otra calle' })
  await openAreaTask()
  expect(readable(await world.visit('/address', people.customer))).toContain('te llamamos para confirmar')
})

test('manager and analyst see it with whom to call; nobody else does', async () => {
  const { manager, analyst, technician, gester, ally } = people
  await openAreaTask()
  for (const person of [manager, analyst]) {
    const { text } = await world.visit('/admin', person)
    expectWords(text, 'Verificar si llegamos al domicilio', 'tel:+525512345678')
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
  expect((await world.visit('/admin', manager)).text).not.toContain('Llamar a un cliente')
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

describe('whether we reach a home', () => {
  const home = async () => {
    const [row] = await world.db.select().from(addresses).where(isNull(addresses.archivedAt))
    return row!
  }
  const answered = async (by: Person | undefined, answer: string, more: Record<string, string> = {}) => {
    const { id: taskId } = await onlyTask()
    const { version } = await home()
    const form = { intent: 'verify-area', taskId, version: String(version), answer, ...more }
    return world.post('/admin', form, by)
  }
  const letters = async () => {
    const { projectId } = await home()
    return emailsAbout(world, projectId)
  }

  test('the call shows where it is; yes opens the agenda, and its customer reads so', async () => {
    await openAreaTask()
    const page = readable(await world.visit('/admin', people.analyst))
    for (const words of ['50999 Toluca', 'Ver en el mapa', 'Sí llegamos', 'No llegamos'])
      expect(page).toContain(words)
    expect((await world.visit('/agenda-technics-visit', people.customer)).text).not.toContain(
      'name="startsAt"',
    )
    expect((await answered(people.analyst, 'yes')).status).toBe(303)
    expect(await home()).toMatchObject({
      area: 'served',
      areaVerifiedAt: expect.any(Date),
      municipality: 'toluca',
    })
    expect(await onlyTask()).toMatchObject({ result: 'Sí llegamos.', takenBy: people.analyst.id })
    expect((await world.visit('/agenda-technics-visit', people.customer)).text).toContain('name="startsAt"')
    expect(await letters()).toEqual(['area_served to customer'])
  })

  test('the answer stays while its code and municipality do, and is asked anew for another', async () => {
    await openAreaTask()
    await answered(people.manager, 'yes')
    const { version } = await home()
    await claim({ version: String(version), references: 'Portón verde' })
    expect(await home()).toMatchObject({ area: 'served', references: 'Portón verde' })
    await claim({ version: String(version + 1), postalCode: '50998' })
    expect(await home()).toMatchObject({ area: 'to_verify', areaVerifiedAt: null })
    expect((await world.db.select().from(tasks)).filter(({ doneAt }) => !doneAt)).toHaveLength(1)
  })

  test('no is told with what can be done', async () => {
    await openAreaTask()
    expect((await answered(people.manager, 'no')).status).toBe(303)
    expect(await home()).toMatchObject({ area: 'outside' })
    expect(await letters()).toEqual(['area_outside to customer'])
    expect(readable(await world.visit('/', people.customer))).toContain('Todavía no llegamos a tu zona')
  })

  test('free words do not close it, a home that changed is looked at again, and one that is settled needs no answer', async () => {
    const task = await openAreaTask()
    expect((await close(task.id, people.manager)).status).toBe(409)
    expect((await answered(people.manager, 'yes', { version: '7' })).status).toBe(409)
    expect((await answered(people.manager, 'tal vez')).status).toBe(400)
    expect(await home()).toMatchObject({ area: 'to_verify' })
    expect(await onlyTask()).toMatchObject({ doneAt: null })
    await world.post('/address', { ...addressForm, version: '1' }, people.customer)
    expect(await onlyTask()).toMatchObject({ doneAt: expect.any(Date), result: 'El domicilio cambió.' })
  })
})

import { and, eq, isNull } from 'drizzle-orm'
import { addresses, projects, tasks } from '../../src/platform/database/schema/projects.ts'
import {
  analyst,
  db,
  eventsAbout,
  expectScreen,
  fixture,
  manager,
  markupOf,
  openOnce,
  pageText,
  post,
  rowsWhere,
  sentAbout,
  storeRows,
} from '../kit/open.ts'
import { addressForm, type Person } from '../kit/people.ts'
import { expectAnswered, expectShown, expectWords, statusesOf } from '../kit/reading.ts'

openOnce()
let customer: Person
beforeEach(async () => {
  // Each test has the tasks of its own customer only, also on the office's page.
  await db.delete(tasks)
  customer = await fixture.person()
})

const save = (form: Record<string, string> = {}) =>
  post(
    '/address',
    { ...addressForm, postalCode: '50999', municipality: 'toluca', confirmInArea: 'on', ...form },
    customer,
  )
const close = (taskId: string, by: Person, result = 'Sí llegamos') =>
  post('/admin', { intent: 'close-task', taskId, result }, by)
const onlyTask = async () => {
  const [task, ...more] = await rowsWhere(tasks)
  expect(more).toEqual([])
  return task!
}

describe('a call to make', () => {
  let id: string
  beforeEach(async () => {
    await storeRows(tasks, { subject: 'Llamar a un cliente', reason: 'callback', personId: customer.id })
    id = (await onlyTask()).id
  })

  test('of three who close it at once with its result, one succeeds', async () => {
    expect(await statusesOf(close(id, manager), close(id, analyst), close(id, manager))).toEqual([
      303, 409, 409,
    ])
    const closed = await onlyTask()
    expect(closed).toMatchObject({ result: 'Sí llegamos', doneAt: expect.any(Date) })
    expect(await eventsAbout(id)).toMatchObject([
      { name: 'close', actorId: closed.takenBy, reason: 'Sí llegamos' },
    ])
    expect((await fixture.data('/admin', manager)).text).not.toContain('Llamar a un cliente')
    expectShown(await close(id, manager, 'Ya lo vi'), 409, 'Alguien más ya lo atendió.')
    expect(await onlyTask()).toEqual(closed)
  })

  test('is not closed without a result, with one over 500 characters or under an unknown id', async () => {
    const task = await onlyTask()
    expectShown(await close(id, manager, ' a '), 400, 'Escribe en qué quedó.')
    await expectAnswered(close(id, manager, 'x'.repeat(501)), 400)
    await expectAnswered(close(id, manager, '\u0000\u0000\u0000'), 400)
    await expectAnswered(close('nada', manager), 400)
    await expectAnswered(close(crypto.randomUUID(), manager), 409)
    expect(await onlyTask()).toEqual(task)
  })
})

describe('an address to be verified', () => {
  beforeEach(() => save())
  const agendaOf = () => markupOf('/agenda-technics-visit', customer)
  const home = async () => {
    const [row] = await db
      .select({ address: addresses })
      .from(addresses)
      .innerJoin(projects, eq(projects.id, addresses.projectId))
      .where(and(isNull(addresses.archivedAt), eq(projects.customerId, customer.id)))
    return row!.address
  }
  const answered = async (by: Person, answer: string, more: Record<string, string> = {}) => {
    const form = { intent: 'verify-area', taskId: (await onlyTask()).id, answer, ...more }
    return post('/admin', { version: String((await home()).version), ...form }, by)
  }
  const emails = async () => sentAbout((await home()).projectId)

  test('is one call however often it is saved, shown to manager and analyst with the phone', async () => {
    const task = { reason: 'coverage', personId: customer.id, phone: '5512345678', doneAt: null }
    expect(await onlyTask()).toMatchObject(task)
    await save({ version: '1', street: 'Otra calle' })
    await save()
    expect(await onlyTask()).toMatchObject(task)
    await expectScreen('/address', customer, 'te llamamos para confirmar')
    for (const person of [manager, analyst])
      expectWords(await markupOf('/admin', person), 'Verificar si llegamos al domicilio', 'tel:+525512345678')
  })

  test('answered yes opens the agenda', async () => {
    expectWords(
      await pageText('/admin', analyst),
      '50999 Toluca',
      'Ver en el mapa',
      'Sí llegamos',
      'No llegamos',
    )
    expect(await agendaOf()).not.toContain('name="startsAt"')
    await expectAnswered(answered(analyst, 'yes'), 303)
    expect(await home()).toMatchObject({
      area: 'served',
      areaVerifiedAt: expect.any(Date),
      municipality: 'toluca',
    })
    expect(await onlyTask()).toMatchObject({ result: 'Sí llegamos.', takenBy: analyst.id })
    expect(await agendaOf()).toContain('name="startsAt"')
    expect(await emails()).toEqual(['area_served to customer'])
  })

  test('keeps the answer until its postal code changes', async () => {
    await answered(manager, 'yes')
    const { version } = await home()
    await save({ version: String(version), references: 'Portón verde' })
    expect(await home()).toMatchObject({ area: 'served', references: 'Portón verde' })
    await save({ version: String(version + 1), postalCode: '50998' })
    expect(await home()).toMatchObject({ area: 'to_verify', areaVerifiedAt: null })
    const own = await rowsWhere(tasks, { personId: customer.id })
    expect(own.filter(({ doneAt }) => !doneAt)).toHaveLength(1)
  })

  test('an answer of no notifies the customer', async () => {
    await expectAnswered(answered(manager, 'no'), 303)
    expect(await home()).toMatchObject({ area: 'outside' })
    expect(await emails()).toEqual(['area_outside to customer'])
    await expectScreen('/', customer, 'Todavía no llegamos a tu zona')
  })

  test('refuses a free result, a stale version and an unknown answer, and ends when the address changes', async () => {
    await expectAnswered(close((await onlyTask()).id, manager), 409)
    await expectAnswered(answered(manager, 'yes', { version: '7' }), 409)
    await expectAnswered(answered(manager, 'tal vez'), 400)
    expect(await home()).toMatchObject({ area: 'to_verify' })
    expect(await onlyTask()).toMatchObject({ doneAt: null })
    await post('/address', { ...addressForm, version: '1' }, customer)
    expect(await onlyTask()).toMatchObject({ doneAt: expect.any(Date), result: 'El domicilio cambió.' })
  })
})

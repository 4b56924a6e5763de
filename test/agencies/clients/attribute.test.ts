import { eq } from 'drizzle-orm'
import { transaction } from '../../../src/platform/database/client.ts'
import { clients, codes } from '../../../src/platform/database/schema/agencies.ts'
import { quotes } from '../../../src/platform/database/schema/payments.ts'
import { projects } from '../../../src/platform/database/schema/projects.ts'
import { type Code, storeCode, storeTie } from '../../kit/agencies.ts'
import { hour } from '../../kit/appointments.ts'
import {
  ago,
  ally,
  analyst,
  db,
  expectRow,
  expectScreen,
  fixture,
  fromNow,
  manager,
  newHome,
  newPerson,
  openOnce,
  people,
  post,
  rowWhere,
  runSql,
  setRow,
  technician,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { expectAnswered, expectPage, sortedStatuses } from '../../kit/reading.ts'
import { changeRole } from '../../kit/users.ts'

openOnce()
let colleague: Person
let other: Person
beforeAll(async () => {
  const agency = await fixture.agency({ name: 'La de enfrente' })
  colleague = await newPerson({ kind: 'alliate', name: 'Amparo', agencyId: ally.agencyId! })
  other = await newPerson({ kind: 'alliate', name: 'Olga', agencyId: agency.id, phone: '5544443333' })
})

const tiesOf = ({ id }: { id: string }) =>
  db.select().from(clients).where(eq(clients.customerId, id)).orderBy(clients.createdAt, clients.id)
const livingOf = async (person: { id: string }) => (await tiesOf(person)).find(({ endedAt }) => !endedAt)
const usesOf = async ({ id }: Code) => (await rowWhere(codes, { id }))!
const pageOf = ({ id }: { id: string }) => `/admin/users/${id}`
const send = async (customer: Person, form: Record<string, string>) => {
  const seen = (await livingOf(customer))?.id ?? ''
  return post(pageOf(customer), { seen, ...form }, manager)
}
const give = (customer: Person, ally: Person, more = {}) =>
  send(customer, { intent: 'attribution.give', allyId: ally.id, reason: 'Lo dijo por teléfono', ...more })
const takeAway = (customer: Person, more = {}) =>
  send(customer, { intent: 'attribution.end', reason: 'Se equivocó', ...more })

test('a manager attributes a customer to an ally, changes and ends it, and reads all of it as history', async () => {
  const customer = await newPerson()
  const { projectId: id } = await newHome(customer)
  for (const ally of [people.ally, other]) {
    await expectAnswered(give(customer, ally), 303)
    await expectRow(projects, { id }, { agencyId: ally.agencyId })
  }
  await expectAnswered(takeAway(customer), 303)
  await expectRow(projects, { id }, { agencyId: null })
  expect(await tiesOf(customer)).toMatchObject([
    { allyId: ally.id, source: 'manager', endedReason: 'changed', registeredBy: manager.id },
    { allyId: other.id, endedReason: 'Se equivocó' },
  ])
  const words = ['No viene de ninguna concesionaria', 'Lo dijo por teléfono', 'Se equivocó', 'por Mariana']
  await expectScreen(pageOf(customer), manager, ...words)
})

test('a manager is refused an attribution without a reason or an active ally, on a stale page, and of an ally’s own account or staff', async () => {
  const customer = await newPerson()
  expectPage(await give(customer, ally, { reason: ' ' }), 400, 'Escribe por qué.')
  expectPage(await give(customer, ally, { allyId: '' }), 400, 'Elige a un aliado.')
  const gone = await newPerson({ kind: 'alliate', agencyId: ally.agencyId!, active: false })
  for (const nobody of [gone, analyst])
    expectPage(await give(customer, nobody), 409, 'Elige a un aliado activo')
  await give(customer, ally)
  await expectAnswered(give(customer, other, { seen: '' }), 409)
  await expectAnswered(takeAway(customer, { seen: '' }), 409)
  expectPage(await give(customer, ally), 409, 'Ya está atribuido')
  const own = await newPerson({ phone: '5544443333' })
  expectPage(await give(own, other), 409, 'es de un aliado de esa concesionaria')
  await expectAnswered(give(analyst, other), 409)
})

test('of two attributions at once one is kept', async () => {
  const customer = await newPerson()
  const answers = await Promise.all([ally, other].map((ally) => give(customer, ally, { seen: '' })))
  expect(sortedStatuses(answers)).toEqual([303, 409])
  expect(await tiesOf(customer)).toHaveLength(1)
})

test('an attribution keeps the code within its agency; to another one its use is given back, and reopens a used-up code', async () => {
  const customer = await newPerson()
  const code = await storeCode(ally, { maxUses: 1, uses: 1, state: 'exhausted' })
  await storeTie(customer, code)
  await give(customer, colleague)
  expect(await livingOf(customer)).toMatchObject({ allyId: colleague.id, codeId: code.id })
  expect(await usesOf(code)).toMatchObject({ uses: 1, state: 'exhausted' })
  await give(customer, other)
  expect(await livingOf(customer)).toMatchObject({ allyId: other.id, codeId: null })
  expect(await usesOf(code)).toMatchObject({ uses: 0, state: 'active' })
})

test('an ended attribution does not give back the use of a benefit in an accepted or sent quote, or of a free visit that took place', async () => {
  const accepted = await newPerson()
  const { projectId: benefitProjectId } = await newHome(accepted)
  const used = await storeCode(ally, { uses: 1 })
  await setRow(clients, await storeTie(accepted, used), { benefitProjectId })
  await takeAway(accepted)
  expect((await usesOf(used)).uses).toBe(1)

  const customer = await newPerson()
  const draft = await storeDraft(fixture, await visited(customer, technician), analyst)
  const code = await storeCode(ally, { maxUses: 1, benefitKind: 'percent', benefitValue: 1000 } as const)
  await post('/quote', { intent: 'redeem-code', codigo: code.code }, customer)
  await setRow(quotes, draft, { state: 'sent', digest: 'd', sentAt: new Date(), validUntil: fromNow(hour) })
  await takeAway(customer)
  expect(await usesOf(code)).toMatchObject({ uses: 1, state: 'exhausted' })

  const visitor = await newPerson()
  const free = await storeCode(ally, { uses: 1, benefitKind: 'free_visit' })
  const joinedAt = ago(48 * hour)
  await setRow(clients, await storeTie(visitor, free), { joinedAt })
  await visited(visitor, technician)
  await give(visitor, other)
  expect((await usesOf(free)).uses).toBe(1)
})

test('ends the attribution of a customer who becomes staff, and gives the use back', async () => {
  const customer = await newPerson()
  const code = await storeCode(ally, { uses: 1 })
  await storeTie(customer, code)
  await expectAnswered(changeRole(manager, customer, 'analyst'), 303)
  expect(await tiesOf(customer)).toMatchObject([{ endedReason: 'staff' }])
  expect((await usesOf(code)).uses).toBe(0)
})

test('redeems a code that changes hands while its row is locked', async () => {
  const code = await storeCode(await newPerson({ kind: 'alliate', agencyId: ally.agencyId! }))
  const customer = await newPerson()
  const used = await transaction(db, async (tx) => {
    await tx.update(codes).set({ ownerId: ally.id }).where(eq(codes.id, code.id))
    const redeem = post('/quote', { intent: 'redeem-code', codigo: code.code }, customer)
    await expect.poll(waiting).toBe(true)
    return [redeem]
  })
  await expectAnswered(used[0]!, 303)
  expect((await livingOf(customer))!.allyId).toBe(ally.id)
})

/** Whether some statement of this database waits for a lock. */
const waiting = async () =>
  (await runSql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    .rowCount === 1

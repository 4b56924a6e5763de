import { eq, inArray, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { blockDue } from '../../../src/server/accounts/deletion.ts'
import { forgetting } from '../../../src/server/accounts/privacy.ts'
import { databaseFault } from '../../../src/server/platform/database/client.ts'
import { payments } from '../../../src/server/platform/database/schema/payments.ts'
import { events, projects, tasks } from '../../../src/server/platform/database/schema/projects.ts'
import { jobsDb as db, expectRow, openBare, openJobsDbOnce, world } from '../../kit/open.ts'
import { secret } from '../../kit/people.ts'
import { eventsOf, rowIn } from '../../kit/reading.ts'
import { leave, storeTransfer } from '../holdings.ts'

openBare()
openJobsDbOnce()

/** A customer whose account is due for deletion, with a transfer and its history as it was written once. */
async function leaving() {
  const person = await world.person()
  const { projectId } = await world.home(person)
  await leave(world, person, projectId)
  const keys = { trackingKey: 'CLAVE9', rejectedKeys: ['CLAVE7'] }
  const payment = await storeTransfer(world, person, projectId, keys)
  const about = { entity: 'payment', entityId: payment.id }
  const sent = { bank: '012', trackingKey: 'CLAVE8', proofId: 'un-papel' }
  await world.db.insert(events).values([
    { ...about, name: 'send_proof', data: sent },
    { ...about, name: 'reject_proof', data: sent, reason: 'La hizo Xóchitl' },
  ])
  return { person, payment, projectId }
}

test('removes bank, tracking key and reason from the history of a payment', async () => {
  const { payment } = await leaving()
  await blockDue(db, secret, new Date())
  const trail = await eventsOf(world, payment)
  const left = [{ proofId: 'un-papel' }, null]
  expect(trail.map(({ data, name, reason }) => [name, data, reason])).toEqual([
    ['send_proof', ...left],
    ['reject_proof', ...left],
  ])
  await expectRow(
    payments,
    { id: payment.id },
    {
      trackingKey: 'CLAVE9',
      rejectedKeys: [],
    },
  )
})

test('removes what an analyst wrote about closing a project from its task and the project', async () => {
  const { person, projectId } = await leaving()
  await world.db
    .update(projects)
    .set({ lostReason: 'precio', lostNote: 'Se separa' })
    .where(eq(projects.id, projectId))
  const asked = 'Cerrar el proyecto como No concretado, lo pide Ana Prueba'
  const [task] = await world.db
    .insert(tasks)
    .values({ subject: `${asked}: «Se separa»`, reason: 'lose_project', personId: person.id, projectId })
    .returning()
  await blockDue(db, secret, new Date())
  const left = await rowIn(world, tasks, { id: task!.id })
  const project = await rowIn(world, projects, { id: projectId })
  expect([left?.subject, project?.lostNote]).toEqual([asked, null])
})

test('removes the results of tasks about the customer, and closes those left open', async () => {
  const { person, projectId } = await leaving()
  const about = { subject: 'Llamada', reason: 'quote_call', personId: person.id, projectId }
  const rows = await world.db
    .insert(tasks)
    .values([{ ...about, doneAt: new Date(), result: 'Dice que se divorcia' }, about])
    .returning()
  await blockDue(db, secret, new Date())
  const ids = rows.map(({ id }) => id)
  const left = await world.db.select().from(tasks).where(inArray(tasks.id, ids)).orderBy(tasks.id)
  expect(left.map(({ doneAt, result }) => [doneAt !== null, result])).toEqual([
    [true, '–'],
    [true, 'La cuenta se eliminó.'],
  ])
})

test('lets nothing else be removed from the history, and only in a deletion', async () => {
  const { payment } = await leaving()
  const named = (error: unknown) => databaseFault(error).constraint
  const change = (data: ReturnType<typeof sql>, open: boolean) =>
    world.db
      .transaction(async (tx) => {
        if (open) await tx.execute(forgetting)
        await tx.execute(sql`update events set reason = null, data = ${data} where entity_id = ${payment.id}`)
      })
      .then(() => 'done', named)
  expect(await change(sql`data - array['bank', 'trackingKey']`, false)).toBe('events_append_only')
  expect(await change(sql`data - array['bank', 'trackingKey', 'proofId']`, true)).toBe('events_append_only')
  expect(await change(sql`null`, true)).toBe('events_append_only')
  expect(await change(sql`data - array['bank', 'trackingKey']`, true)).toBe('done')
})

import { eq, inArray, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { blockDue } from '../../../src/server/accounts/deletion.ts'
import { forgetting } from '../../../src/server/accounts/privacy.ts'
import { databaseFault } from '../../../src/server/platform/database/client.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { payments } from '../../../src/server/platform/database/schema/payments.ts'
import { events, projects, tasks } from '../../../src/server/platform/database/schema/projects.ts'
import { jobsDb as db, openBare, openJobsDbOnce, world } from '../../kit/open.ts'
import { secret } from '../../kit/people.ts'
import { rowsIn } from '../../kit/reading.ts'

const day = 24 * 3_600_000
openBare()
openJobsDbOnce()

/** Somebody whose days of waiting are over, with a transfer and its history as it was written once. */
async function leaving() {
  const person = await world.person()
  const { projectId } = await world.home(person)
  await world.db.update(projects).set({ closedAt: new Date() }).where(eq(projects.id, projectId))
  await world.db
    .update(users)
    .set({ deletionRequestedAt: new Date(Date.now() - 6 * day) })
    .where(eq(users.id, person.id))
  const came = {
    state: 'paid',
    paidAt: new Date(),
    method: 'spei',
    trackingKey: 'CLAVE9',
  } as const
  const [payment] = await world.db
    .insert(payments)
    .values({
      customerId: person.id,
      projectId,
      folio: `PAG-${person.id.slice(-8)}`,
      concept: 'deposit',
      ...came,
      rejectedKeys: ['CLAVE7'],
      amount: 1,
    })
    .returning()
  const about = { entity: 'payment', entityId: payment!.id }
  const sent = { bank: '012', trackingKey: 'CLAVE8', proofId: 'un-papel' }
  await world.db.insert(events).values([
    { ...about, name: 'send_proof', data: sent },
    { ...about, name: 'reject_proof', data: sent, reason: 'La hizo Xóchitl' },
  ])
  return { person, payment: payment!, projectId }
}

test('the history of a payment keeps no bank and no tracking key of whoever was deleted', async () => {
  const { payment } = await leaving()
  await blockDue(db, secret, new Date())
  const trail = await world.db
    .select({ name: events.name, data: events.data, reason: events.reason })
    .from(events)
    .where(eq(events.entityId, payment.id))
    .orderBy(events.id)
  const left = { data: { proofId: 'un-papel' }, reason: null }
  expect(trail).toEqual([
    { name: 'send_proof', ...left },
    { name: 'reject_proof', ...left },
  ])
  const [kept] = await rowsIn(world, payments, { id: payment.id })
  expect(kept).toMatchObject({ trackingKey: 'CLAVE9', rejectedKeys: [] })
})

test('what an analyst wrote to have a project closed goes too, from its task and from the project', async () => {
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
  const [left] = await rowsIn(world, tasks, { id: task!.id })
  const [project] = await rowsIn(world, projects, { id: projectId })
  expect([left?.subject, project?.lostNote]).toEqual([asked, null])
})

test('what came of calls goes with whom they were about; what was left open says why it ended', async () => {
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

test('the history gives up nothing else of what it says of a transfer, and that only to be forgotten', async () => {
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

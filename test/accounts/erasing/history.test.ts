import { eq, sql } from 'drizzle-orm'
import { forgetting } from '../../../src/accounts/privacy.ts'
import { databaseFault } from '../../../src/platform/database/client.ts'
import { payments } from '../../../src/platform/database/schema/payments.ts'
import { events, projects, tasks } from '../../../src/platform/database/schema/projects.ts'
import { blockDue } from '../../../src/privacy/deletion.ts'
import {
  jobsDb as db,
  eventsAbout,
  expectRow,
  fixture,
  openBare,
  openJobsDbOnce,
  setRow,
  storeRows,
} from '../../kit/open.ts'
import { secret } from '../../kit/people.ts'
import { leave, storeTransfer } from '../holdings.ts'

openBare()
openJobsDbOnce()

/** A customer whose account is due for deletion, with a transfer and its history as it was written once. */
async function leaving() {
  const person = await fixture.person()
  const { projectId } = await fixture.home(person)
  await leave(person, projectId)
  const payment = await storeTransfer(person, projectId, { trackingKey: 'CLAVE9', rejectedKeys: ['CLAVE7'] })
  const about = { entity: 'payment', entityId: payment.id }
  const sent = { bank: '012', trackingKey: 'CLAVE8', proofId: 'un-papel' }
  await storeRows(events, [
    { ...about, name: 'send_proof', data: sent },
    { ...about, name: 'reject_proof', data: sent, reason: 'La hizo Xóchitl' },
  ])
  return { person, payment, projectId }
}

test('removes the words of people from the history of a payment, the tasks and the closing of a project', async () => {
  const { payment, person, projectId } = await leaving()
  await setRow(projects, projectId, {
    lostReason: 'precio',
    lostNote: 'Se separa',
    permitReturned: 'De otra persona',
  })
  const asked = 'Cerrar el proyecto como No concretado, lo pide Ana Prueba'
  const about = { personId: person.id, projectId }
  const called = { ...about, subject: 'Llamada', reason: 'quote_call' }
  await storeRows(tasks, [
    { ...about, subject: `${asked}: «Se separa»`, reason: 'lose_project' },
    { ...called, doneAt: new Date(), result: 'Dice que se divorcia' },
    called,
  ])
  await blockDue(db, secret, new Date())
  const left = [{ proofId: 'un-papel' }, null]
  expect((await eventsAbout(payment)).map(({ data, name, reason }) => [name, data, reason])).toEqual([
    ['send_proof', ...left],
    ['reject_proof', ...left],
  ])
  await expectRow(payments, { id: payment.id }, { trackingKey: 'CLAVE9', rejectedKeys: [] })
  await expectRow(projects, { id: projectId }, { lostNote: null, permitReturned: null })
  const kept = await fixture.db.select().from(tasks).where(eq(tasks.projectId, projectId)).orderBy(tasks.id)
  expect(kept.map(({ subject }) => subject)).toEqual([asked, 'Llamada', 'Llamada'])
  expect(kept.slice(1).map(({ doneAt, result }) => [doneAt !== null, result])).toEqual([
    [true, '–'],
    [true, 'La cuenta se eliminó.'],
  ])
})

test('refuses any other change of the history, and this one but in a deletion', async () => {
  const { payment } = await leaving()
  const change = (set: ReturnType<typeof sql>, isDeleting = true) =>
    fixture.db
      .transaction(async (tx) => {
        if (isDeleting) await tx.execute(forgetting)
        await tx.execute(sql`${set} where entity_id = ${payment.id}`)
      })
      .then(
        () => 'done',
        (error: unknown) => databaseFault(error).constraint,
      )
  const forget = sql`update events set reason = null, data = data - array['bank', 'trackingKey']`
  expect(await change(forget, false)).toBe('events_append_only')
  for (const more of [
    sql`update events set reason = null, data = data - array['bank', 'trackingKey', 'proofId']`,
    sql`update events set reason = null, data = null`,
    sql`update events set name = 'y'`,
    sql`delete from events`,
  ])
    expect(await change(more)).toBe('events_append_only')
  expect(await change(forget)).toBe('done')
})

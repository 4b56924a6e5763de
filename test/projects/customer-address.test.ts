import { expect, test } from 'vitest'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { bookVisit, customer, deactivate, occupy, visit, visitOf } from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { addressForm } from '../kit/people.ts'
import { agreeOn, storeDraft, visited } from '../kit/quotes.ts'
import { emailsAbout, eventsOf, readable, rowsIn } from '../kit/reading.ts'

openEach(bookVisit)
sendJobs()

const page = () => `/admin/users/${customer.id}/cliente`
const correct = (form: Record<string, string>, by = people.manager) =>
  world.post(
    `${page()}/domicilio`,
    { intent: 'correct-address', ...addressForm, version: '1', visitSeen: visit.id, ...form },
    by,
  )
const toluca = { postalCode: '50000' }
const homeOf = async () => {
  const { rows } = await world.db.$client.query(
    'select a.id, street, postal_code, area, a.version from addresses a join projects p on p.id = project_id where customer_id = $1',
    [customer.id],
  )
  return rows[0]
}

test('the manager is asked what becomes of the booked visit, in the words of the office', async () => {
  const text = readable(await world.visit(`${page()}/domicilio`, people.manager))
  for (const words of ['Tiene visita el', `La visita ${visit.folio} va a esta dirección`])
    expect(text).toContain(words)
  expect(text).not.toContain('tu recibo')
  expect((await world.visit(`${page()}/domicilio`, people.analyst)).status).toBe(404)
  expect((await correct({}, people.analyst)).status).toBe(403)
})

test('the visit follows, its customer is told, and the history names the manager', async () => {
  const answer = await correct({ street: 'Calle Nueva', moveVisit: 'on' })
  expect([answer.status, answer.location]).toEqual([303, page()])
  expect((await visitOf(world, customer)).address).toMatchObject({ street: 'Calle Nueva' })
  const [home] = [await homeOf()]
  expect((await eventsOf(world, home.id, 'address')).at(-1)).toMatchObject({
    name: 'update',
    actorId: people.manager.id,
  })
  expect(await emailsAbout(world, visit)).toContain('changed to customer')
  expect(readable(await world.visit(page(), people.manager))).toContain('Domicilio corregido')
})

test('left where it is, the visit keeps its address', async () => {
  expect((await correct({ street: 'Calle Nueva' })).status).toBe(303)
  expect(await visitOf(world, customer)).toEqual(visit)
  expect(await homeOf()).toMatchObject({ street: 'Calle Nueva' })
})

test('where nobody can be there then, the manager chooses among the free times, also past the cut-off', async () => {
  const { technician, technician2 } = people
  await world.db.$client.query(`update appointments set created_at = now() - interval '40 days'`)
  for (const person of [technician, technician2])
    if (person.id !== visit.assigneeId) await deactivate(world, person)
  await occupy(
    world,
    { ...technician, id: visit.assigneeId! },
    new Date(visit.startsAt.getTime() - 90 * 60_000),
  )
  const asked = await correct({ ...toluca, moveVisit: 'on' })
  expect(asked.status).toBe(409)
  expect(readable(asked)).toContain('No cuenta entre sus cambios.')
  const [newStart] = [...asked.text.matchAll(/name="newStart"[^>]*value="([^"]+)"/g)].map(([, at]) => at!)
  expect((await correct({ ...toluca, moveVisit: 'on', newStart: newStart! })).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({
    startsAt: new Date(newStart!),
    municipality: 'toluca',
    movedByCustomer: 0,
  })
})

test('outside our area the visit stays or is cancelled first; to verify is answered at the page', async () => {
  const far = { postalCode: '64000', municipality: 'Monterrey', state: 'nuevo-leon' }
  const refused = await correct({ ...far, moveVisit: 'on' })
  expect([refused.status, readable(refused)]).toEqual([409, expect.stringContaining('o cancélala antes')])
  const unclear = { postalCode: '55000', municipality: 'Toluca', confirmInArea: 'on' }
  expect((await correct(unclear)).status).toBe(303)
  expect(await homeOf()).toMatchObject({ area: 'to_verify' })
  const [task] = await rowsIn(world, tasks, { personId: customer.id })
  const shown = readable(await world.visit(page(), people.analyst))
  for (const words of ['Por verificar', 'No llegamos', 'Sí llegamos']) expect(shown).toContain(words)
  const version = String((await homeOf()).version)
  const form = { intent: 'verify-area', taskId: task!.id, version, answer: 'yes' }
  expect((await world.post(page(), form, people.analyst)).status).toBe(303)
  expect(await homeOf()).toMatchObject({ area: 'served' })
})

test('a stale form, and a visit booked meanwhile, change nothing', async () => {
  expect((await correct({ street: 'Calle Nueva', version: '7' })).status).toBe(409)
  const unseen = await correct({ street: 'Calle Nueva', visitSeen: '' })
  expect([unseen.status, readable(unseen)]).toEqual([409, expect.stringContaining('se agendó la visita')])
  expect(await homeOf()).toMatchObject({ street: addressForm.street, version: 1 })
})

test('the home of an accepted quote is approved at the quote', async () => {
  const { analyst, customer2, manager, technician } = people
  const seen = await visited(world, customer2, technician)
  await agreeOn(world, manager, customer2, await storeDraft(world, seen, analyst))
  const path = `/admin/users/${customer2.id}/cliente/domicilio`
  expect(readable(await world.visit(path, manager))).toContain('otro domicilio se aprueba en su cotización')
  const form = { intent: 'correct-address', ...addressForm, ...toluca, version: '1' }
  const answer = await world.post(path, form, manager)
  expect([answer.status, readable(answer)]).toEqual([409, expect.stringContaining('se aprueba en esa')])
})

test('of an account that nobody proved it is taken over, as every correction does', async () => {
  await world.db.$client.query(`update users set email_verified = false where id = $1`, [customer.id])
  await world.db.$client.query(
    `insert into accounts (user_id, account_id, provider_id, password) values ($1::uuid, $1::text, 'credential', 'x')`,
    [customer.id],
  )
  expect(readable(await world.visit(`${page()}/domicilio`, people.manager))).toContain(
    'cerramos sus sesiones',
  )
  expect((await correct({ street: 'Calle Nueva' })).status).toBe(303)
  expect((await eventsOf(world, customer.id, 'user')).map(({ name }) => name)).toContain('take_over')
})

import { expect, test } from 'vitest'
import { assign, bookVisit, customer, deactivate, occupy, visit, visitOf } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { addressForm } from '../kit/people.ts'
import { emailsAbout, eventsOf, readable } from '../kit/reading.ts'

openEach(bookVisit)

const moveTo = (form: Record<string, string>) =>
  world.post('/address', { ...addressForm, version: '1', moveVisit: 'on', ...form }, customer)
const toluca = { postalCode: '50000' }
const unchanged = async () => expect(await visitOf(world, customer)).toEqual(visit)

test('the form asks whether the visit goes to the new address', async () => {
  const page = readable(await world.visit('/address?editar', customer))
  expect(page).toContain(`La visita ${visit.folio} va a esta dirección`)
})

test('within the municipality the visit takes the new address and keeps all else', async () => {
  expect((await moveTo({ street: 'Calle Nueva' })).status).toBe(303)
  const after = await visitOf(world, customer)
  expect(after).toMatchObject({ state: 'requested', assigneeId: visit.assigneeId, version: 2 })
  expect(after.address).toEqual({ ...visit.address, street: 'Calle Nueva' })
  expect((await eventsOf(world, visit.id, 'appointment')).at(-1)).toMatchObject({
    name: 'change_address',
    actorId: customer.id,
    data: { from: { postalCode: '04000' }, to: { postalCode: '04000' } },
  })
})

test('left where it is, the visit keeps the address it was booked for', async () => {
  const { moveVisit: _, ...form } = { ...addressForm, version: '1', street: 'Calle Nueva', moveVisit: '' }
  expect((await world.post('/address', form, customer)).status).toBe(303)
  await unchanged()
})

test('to another zone: the confirmed person who can still come keeps it', async () => {
  const { technician, manager } = people
  await assign(world, manager, visit, technician)
  expect((await moveTo(toluca)).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'assigned',
    assigneeId: technician.id,
    municipality: 'toluca',
    address: { postalCode: '50000' },
    version: 3,
  })
  const detail = await world.visit(`/admin/appointments-pending/${visit.id}`, technician)
  expect(detail.text).toContain('50000 Toluca')
})

test('to a zone its person does not serve: another, provisional, waits for the manager', async () => {
  const { technician, technician2, manager } = people
  await assign(world, manager, visit, technician)
  await world.db.$client.query(`insert into person_zones values ($1, 'coyoacan')`, [technician.id])
  expect((await moveTo(toluca)).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'requested',
    assigneeId: technician2.id,
    confirmedAt: null,
  })
  for (const person of [technician, technician2])
    expect((await world.visit(`/admin/appointments-pending/${visit.id}`, person)).status).toBe(404)
  expect((await world.visit('/admin/assignations', manager)).text).toContain(visit.folio)
})

test('where nobody can be at that hour: refused whole, and staying put still works', async () => {
  const { technician, technician2 } = people
  const before = new Date(visit.startsAt.getTime() - 75 * 60_000)
  for (const person of [technician, technician2])
    if (person.id !== visit.assigneeId) await deactivate(world, person)
  const person = { ...technician, id: visit.assigneeId! }
  await occupy(world, person, new Date(before.getTime() - 15 * 60_000))
  const answer = await moveTo(toluca)
  expect(answer.status).toBe(409)
  expect(readable(answer)).toContain(`A la hora de la visita ${visit.folio} nadie alcanza a llegar`)
  await unchanged()
  const { rows } = await world.db.$client.query(
    `select postal_code, a.version from addresses a join projects p on p.id = project_id where customer_id = $1`,
    [customer.id],
  )
  expect(rows).toEqual([{ postal_code: '04000', version: 1 }])
  const { moveVisit: _, ...stay } = { ...addressForm, ...toluca, version: '1', moveVisit: '' }
  expect((await world.post('/address', stay, customer)).status).toBe(303)
  await unchanged()
})

/** Nobody can be in Toluca at the visit's hour. */
async function nobodyThen() {
  const { technician, technician2 } = people
  for (const person of [technician, technician2])
    if (person.id !== visit.assigneeId) await deactivate(world, person)
  const person = { ...technician, id: visit.assigneeId! }
  await occupy(world, person, new Date(visit.startsAt.getTime() - 90 * 60_000))
}
const timesIn = ({ text }: { text: string }) =>
  [...text.matchAll(/name="newStart"[^>]*value="([^"]+)"/g)].map(([, start]) => start!)

test('where nobody can be at that hour: another time is chosen in the same form, and is not counted', async () => {
  await nobodyThen()
  const asked = await moveTo({ ...toluca, references: 'Portón verde' })
  expect(asked.status).toBe(409)
  expect(readable(asked)).toContain('Otro horario, en la nueva dirección')
  expect(asked.text).toContain('Portón verde')
  const [newStart, ...more] = timesIn(asked)
  expect(more).toHaveLength(2)
  expect((await moveTo({ ...toluca, newStart: newStart! })).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({
    startsAt: new Date(newStart!),
    municipality: 'toluca',
    address: { postalCode: '50000' },
    movedByCustomer: 0,
    movedByUs: 1,
    sequence: 1,
  })
  expect(await emailsAbout(world, visit)).toEqual(['booked to customer', 'changed to customer'])
})

test('a time that is not free there is not taken, and nothing is saved', async () => {
  await nobodyThen()
  const odd = new Date(visit.startsAt.getTime() + 7 * 60_000).toISOString()
  for (const newStart of [odd, visit.startsAt.toISOString()]) {
    const answer = await moveTo({ ...toluca, newStart })
    expect(answer.status).toBe(409)
    expect(timesIn(answer)).toHaveLength(3)
  }
  expect((await moveTo({ ...toluca, newStart: 'mañana' })).status).toBe(400)
  await unchanged()
})

test('after the cut-off its person may follow, another person or time is for a call', async () => {
  const { manager } = people
  await assign(world, manager, visit, { id: visit.assigneeId! })
  await world.db.$client.query(`update appointments set created_at = now() - interval '40 days'`)
  world.at(new Date(visit.startsAt.getTime() - 20 * 3_600_000))
  await occupy(
    world,
    { ...people.technician, id: visit.assigneeId! },
    new Date(visit.startsAt.getTime() - 90 * 60_000),
  )
  const answer = await moveTo(toluca)
  expect(answer.status).toBe(409)
  expect(readable(answer)).toContain('ya pasó el plazo')
  expect(readable(answer)).toContain('Pedir ayuda')
  expect((await moveTo({ street: 'Calle Nueva' })).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'assigned',
    address: { street: 'Calle Nueva' },
  })
  expect(await emailsAbout(world, visit)).toContain('changed to person')
})

test('an installation follows as a visit does', async () => {
  await world.db.$client.query(
    `update appointments set service = 'installation', minutes = 240 where id = $1`,
    [visit.id],
  )
  expect(readable(await world.visit('/address?editar', customer))).toContain(
    `La instalación ${visit.folio} va a`,
  )
  expect((await moveTo({ street: 'Calle Nueva' })).status).toBe(303)
  expect((await visitOf(world, customer)).address).toMatchObject({ street: 'Calle Nueva' })
})

test('outside our area the visit cannot follow', async () => {
  const answer = await moveTo({ postalCode: '64000', municipality: 'Monterrey', state: 'nuevo-leon' })
  expect(answer.status).toBe(400)
  expect(readable(answer)).toContain('Todavía no llegamos al 64000.')
  await unchanged()
})

test('a stale form moves no visit', async () => {
  expect((await moveTo({ ...toluca, version: '7' })).status).toBe(409)
  await unchanged()
})

test('two changes of address at once end in one of them, visit and address alike', async () => {
  const answers = await Promise.all([moveTo({ street: 'Calle Uno' }), moveTo({ street: 'Calle Dos' })])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
  const { rows } = await world.db.$client.query(
    `select street from addresses a join projects p on p.id = project_id where customer_id = $1`,
    [customer.id],
  )
  expect((await visitOf(world, customer)).address!.street).toBe(rows[0].street)
})

import {
  around,
  assign,
  assignVisit,
  bookVisit,
  customer,
  deactivate,
  expectVisit,
  hour,
  minute,
  occupy,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import {
  db,
  expectEmails,
  expectLastEvent,
  expectScreen,
  fixture,
  manager,
  openEach,
  post,
  sentAbout,
  technician,
  technician2,
} from '../kit/open.ts'
import { addressForm } from '../kit/people.ts'
import { expectAnswered, expectShown, statusesOf } from '../kit/reading.ts'

openEach(bookVisit)

const moveTo = (form: Record<string, string>) =>
  post('/address', { ...addressForm, version: '1', moveVisit: 'on', ...form }, customer)
const toluca = { postalCode: '50000' }
const street = { street: 'Calle Nueva' }
const now = () => visitOf(customer)
const unchanged = async () => expect(await now()).toEqual(visit)
const stored = async () => {
  const { rows } = await db.$client.query(
    `select postal_code, street, a.version from addresses a join projects p on p.id = project_id where customer_id = $1`,
    [customer.id],
  )
  return rows[0]
}
const set = (columns: string) => db.$client.query(`update appointments set ${columns}`)

test('a braked customer takes the visit to no other address', async () => {
  await db.$client.query(`update users set braked_until = now() + interval '1 day' where id = $1`, [
    customer.id,
  ])
  expectShown(await moveTo(street), 409, 'Frenamos los cambios de tu cuenta.')
  await unchanged()
})

test('within the municipality the visit takes the new address and keeps all else', async () => {
  await expectScreen('/address?editar', customer, `La visita ${visit.folio} va a esta dirección`)
  await expectAnswered(moveTo(street), 303)
  const address = { ...visit.address, ...street }
  await expectVisit({
    state: 'requested',
    assigneeId: visit.assigneeId,
    version: 2,
    address,
  })
  await expectLastEvent(visit, {
    name: 'change_address',
    actorId: customer.id,
    data: { from: { postalCode: '04000' }, to: { postalCode: '04000' } },
  })
})

test('an installation follows as well', async () => {
  await set(`service = 'installation', minutes = 240`)
  await expectScreen('/address?editar', customer, `La instalación ${visit.folio} va a`)
  await expectAnswered(moveTo(street), 303)
  await expectVisit({ address: { ...visit.address, ...street } })
})

test('in another zone the confirmed technician who can still come keeps the visit', async () => {
  await assignVisit()
  await expectAnswered(moveTo(toluca), 303)
  await expectVisit({
    state: 'assigned',
    assigneeId: technician.id,
    municipality: 'toluca',
    address: toluca,
    version: 3,
  })
  await expectScreen(`/admin/appointments-pending/${visit.id}`, technician, '50000 Toluca')
})

test('in a zone the technician does not serve another is provisional until the manager confirms', async () => {
  await assignVisit()
  await db.$client.query(`insert into person_zones values ($1, 'coyoacan')`, [technician.id])
  await expectAnswered(moveTo(toluca), 303)
  await expectVisit({ state: 'requested', assigneeId: technician2.id, confirmedAt: null })
  for (const person of [technician, technician2])
    await expectAnswered(fixture.data(`/admin/appointments-pending/${visit.id}`, person), 404)
  expect((await fixture.data('/admin/assignations', manager)).text).toContain(visit.folio)
})

/** No technician can be in Toluca at the hour of the visit. */
async function nobodyThen() {
  for (const person of [technician, technician2]) if (person.id !== visit.assigneeId) await deactivate(person)
  await occupy({ ...technician, id: visit.assigneeId! }, around(visit, -90 * minute))
}
const timesIn = ({ text }: { text: string }) =>
  [...text.matchAll(/name="newStart"[^>]*value="([^"]+)"/g)].map(([, start]) => start!)

test('where nobody can come at that hour the change is refused; the visit may stay at the former address', async () => {
  await nobodyThen()
  const refusal = `A la hora de la visita ${visit.folio} nadie alcanza a llegar`
  expectShown(await moveTo(toluca), 409, refusal)
  await unchanged()
  expect(await stored()).toMatchObject({ postal_code: '04000', version: 1 })
  const stay = { ...addressForm, ...toluca, version: '1' }
  await expectAnswered(post('/address', stay, customer), 303)
  await unchanged()
})

test('where nobody can come at that hour another time is chosen in the same form and not counted', async () => {
  await nobodyThen()
  const asked = await moveTo({ ...toluca, references: 'Portón verde' })
  expectShown(asked, 409, 'Otro horario, en la nueva dirección', 'Portón verde')
  const [newStart, ...more] = timesIn(asked)
  expect(more).toHaveLength(2)
  const odd = around(visit, 7 * minute).toISOString()
  for (const taken of [odd, visit.startsAt.toISOString()]) {
    const answer = await moveTo({ ...toluca, newStart: taken })
    expect([answer.status, timesIn(answer).length]).toEqual([409, 3])
  }
  await expectAnswered(moveTo({ ...toluca, newStart: 'mañana' }), 400)
  await unchanged()
  await expectAnswered(moveTo({ ...toluca, newStart: newStart! }), 303)
  await expectVisit({
    startsAt: new Date(newStart!),
    municipality: 'toluca',
    address: toluca,
    movedByCustomer: 0,
    movedByUs: 1,
    sequence: 1,
  })
  await expectEmails(visit, ['booked to customer', 'changed to customer'])
})

test('after the cut-off the same technician follows and is notified, another technician or time is refused', async () => {
  await assign(manager, visit, { id: visit.assigneeId! })
  await set(`created_at = now() - interval '40 days'`)
  fixture.at(around(visit, -20 * hour))
  await occupy({ ...technician, id: visit.assigneeId! }, around(visit, -90 * minute))
  expectShown(await moveTo(toluca), 409, 'ya pasó el plazo', 'Pedir ayuda')
  await expectAnswered(moveTo(street), 303)
  await expectVisit({ state: 'assigned', address: street })
  expect(await sentAbout(visit)).toContain('changed to person')
})

test('of two changes at once one is saved, in the visit and the address alike', async () => {
  const answers = ['Calle Uno', 'Calle Dos'].map((street) => moveTo({ street }))
  expect(await statusesOf(...answers)).toEqual([303, 409])
  expect((await now()).address!.street).toBe((await stored()).street)
})

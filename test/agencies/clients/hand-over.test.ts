import { and, eq, isNull } from 'drizzle-orm'
import { clients, codes } from '../../../src/platform/database/schema/agencies.ts'
import { clientOf, clientTrailOf, joined, storeCode } from '../../kit/agencies.ts'
import { hour, storeVisit } from '../../kit/appointments.ts'
import {
  analyst,
  customer,
  db,
  expectScreen,
  fixture,
  fromNow,
  manager,
  markupOf,
  newPerson,
  openOnce,
  people,
  post,
  rowWhere,
  technician,
} from '../../kit/open.ts'
import { expectAnswered, expectPage, readable, sortedStatuses } from '../../kit/reading.ts'

openOnce()

test('lists and exports current clients only, and a cancelled visit as cancelled', async () => {
  const nadia = await newPerson({ name: 'Nadia' })
  await joined(nadia, people.ally)
  const ended = { endedAt: new Date(), endedReason: 'Se equivocó' }
  await joined(await newPerson({ name: 'Fuera' }), people.ally, ended)
  const home = await fixture.home(nadia, {}, people.ally.agencyId!)
  const at = (hours: number) => fromNow(hours * hour)
  await storeVisit(fixture, nadia, home, at(-40), { state: 'cancelled', folio: 'VT-PRUEBA-antes' })
  await storeVisit(fixture, nadia, home, at(40), { assigneeId: technician.id })
  const list = '/admin/alliate/clients'
  const page = readable(await fixture.visit(list, people.ally))
  expect(page).toMatch(/Nadia.*Cancelada/)
  expect(page).not.toContain('Fuera')
  const [, row, ...rest] = (await markupOf(`${list}.csv`, people.ally)).replace('\ufeff', '').split('\r\n')
  expect(row).toMatch(/^Nadia,Visita técnica,Técnico,.*Visita técnica,.*,Visita técnica \(cancelada\),/)
  expect(rest).toEqual([''])
})

const ally = (more = {}) => newPerson({ kind: 'alliate', agencyId: people.ally.agencyId!, ...more })
const page = () => `/admin/agency/${people.ally.agencyId}/clientes`
type Id = { id: string }
const handOver = (from: Id, to: Id) =>
  post(page(), { intent: 'clients.hand_over', from: from.id, to: to.id }, manager)
const countOf = ({ id }: Id) => db.$count(clients, and(eq(clients.allyId, id), isNull(clients.endedAt)))
const ownerOf = async ({ id }: Id) => (await rowWhere(codes, { id }))!.ownerId

/** An ally who left, with a client, an invited and a former one, a code that works and a revoked one. */
async function leaver() {
  const from = await ally({ active: false })
  const client = await joined(await newPerson(), from)
  const waiting = await joined(customer, from, {
    customerId: null,
    joinedAt: null,
    name: 'Ivana',
    source: 'counter',
    phone: '5566001122',
    inviteExpiresAt: fromNow(1e9),
  })
  const past = await joined(await newPerson(), from, { endedAt: new Date(), endedReason: 'x' })
  const live = await storeCode(from, { state: 'paused' })
  return { from, client, waiting, past, live, over: await storeCode(from, { state: 'revoked' }) }
}

test('hands current clients and usable codes of an ally who left over to another, once', async () => {
  const { from, client, waiting, past, live, over } = await leaver()
  const to = await ally()
  await expectScreen(page(), manager, '2 clientes y 1 código')
  await expectAnswered(handOver(from, to), 303)
  for (const id of [client, waiting]) {
    expect((await clientOf(id)).allyId).toBe(to.id)
    expect((await clientTrailOf(id)).at(-1)).toBe('hand_over')
  }
  expect((await clientOf(past)).allyId).toBe(from.id)
  expect([await ownerOf(live), await ownerOf(over)]).toEqual([to.id, from.id])
  const invitation = `/admin/alliate/clients/${waiting}`
  await expectScreen(invitation, to, '556 600 11 22')
  await expectAnswered(post(invitation, { intent: 'invite' }, to), 200)
  expectPage(await handOver(from, to), 409, 'ya no tiene clientes ni códigos')
})

test('refuses a receiver who is no other active ally of the agency, and the clients of another agency', async () => {
  const { from } = await leaver()
  const other = await ally({ agencyId: (await fixture.agency()).id })
  for (const to of [await ally({ active: false }), other, analyst, from])
    expectPage(await handOver(from, to), 409, 'Elige a otra persona activa')
  expectPage(await handOver(from, { id: '' }), 400, 'Elige a quién se los pasas.')
  await joined(await newPerson(), other)
  await expectAnswered(handOver(other, people.ally), 409)
  expect([await countOf(from), await countOf(other)]).toEqual([2, 1])
})

test('of two hand-overs at once one gives everything', async () => {
  const { from } = await leaver()
  const both = [await ally(), await ally()]
  expect(sortedStatuses(await Promise.all(both.map((to) => handOver(from, to))))).toEqual([303, 409])
  expect((await Promise.all(both.map(countOf))).toSorted()).toEqual([0, 2])
})

import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { clients, codes } from '../../../src/server/platform/database/schema/agencies.ts'
import { clientOf, clientTrailOf, joined, storeCode } from '../../kit/agencies.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { readable, rowIn } from '../../kit/reading.ts'

openOnce()

const ally = (name: string, more = {}) =>
  world.person({ kind: 'alliate', name, agencyId: people.ally.agencyId!, ...more })
const page = () => `/admin/agency/${people.ally.agencyId}/clientes`
const handOver = (from: Person, to: { id: string }, who = people.manager) =>
  world.post(page(), { intent: 'clients.hand_over', from: from.id, to: to.id }, who)
const livingOf = ({ id }: Person) =>
  world.db
    .select()
    .from(clients)
    .where(and(eq(clients.allyId, id), isNull(clients.endedAt)))
const ownerOf = async (id: string) => (await rowIn(world, codes, { id }))!.ownerId

/** Somebody who leaves, with a client, an invited one, one that ended, a code that serves and one that is over. */
async function leaver() {
  const from = await ally('Lidia', { active: false })
  const customer = await world.person({ name: 'Camila' })
  const client = await joined(world, customer, from)
  const invited = { customerId: null, joinedAt: null, name: 'Ivana', source: 'counter' as const }
  const waiting = await joined(world, await world.person(), from, {
    ...invited,
    phone: '5566001122',
    inviteExpiresAt: new Date(Date.now() + 1e9),
  })
  const past = await joined(world, await world.person(), from, { endedAt: new Date(), endedReason: 'x' })
  const [live, over] = [
    await storeCode(world, from, { state: 'paused' }),
    await storeCode(world, from, { state: 'revoked' }),
  ]
  return { from, client, waiting, past, live, over }
}

test('what somebody holds who leaves is another’s, codes too; what is over stays theirs', async () => {
  const { from, client, waiting, past, live, over } = await leaver()
  const to = await ally('Tania')
  expect(readable(await world.visit(page(), people.manager))).toContain('2 clientes y 1 código')
  expect((await handOver(from, to)).status).toBe(303)
  for (const id of [client, waiting]) {
    expect((await clientOf(world, id)).allyId).toBe(to.id)
    expect((await clientTrailOf(world, id)).at(-1)).toBe('hand_over')
  }
  expect((await clientOf(world, past)).allyId).toBe(from.id)
  expect([await ownerOf(live.id), await ownerOf(over.id)]).toEqual([to.id, from.id])
  // Whoever took over may call them and send the link again.
  const invitation = `/admin/alliate/clients/${waiting}`
  expect(readable(await world.visit(invitation, to))).toContain('556 600 11 22')
  expect((await world.post(invitation, { intent: 'invite' }, to)).status).toBe(200)
  // There is nothing left to give.
  const again = await handOver(from, to)
  expect([again.status, readable(again).includes('ya no tiene clientes ni códigos')]).toEqual([409, true])
})

test('only to another active ally of the same agency', async () => {
  const { from } = await leaver()
  const gone = await ally('Gabriela', { active: false })
  const [elsewhere] = await world.db
    .execute<{ id: string }>(`insert into agencies (name) values ('La de enfrente') returning id` as never)
    .then(({ rows }) => rows)
  const other = await ally('Olga', { agencyId: elsewhere!.id })
  for (const nobody of [gone, other, people.analyst, people.customer, from, { id: elsewhere!.id }]) {
    const answer = await handOver(from, nobody)
    expect([answer.status, readable(answer).includes('Elige a otra persona activa')]).toEqual([409, true])
  }
  expect(readable(await handOver(from, { id: '' }))).toContain('Elige a quién se los pasas.')
  // What somebody of another agency holds is not this agency's to give.
  await joined(world, await world.person(), other)
  expect((await handOver(other, people.ally)).status).toBe(409)
  expect([(await livingOf(from)).length, (await livingOf(other)).length]).toEqual([2, 1])
  // Nor is it an ally's, an analyst's or a customer's to do.
  for (const who of [people.ally, people.analyst, people.customer])
    expect((await handOver(from, people.ally, who)).status).not.toBe(303)
  expect(await livingOf(from)).toHaveLength(2)
})

test('of two at once one gives it all', async () => {
  const { from } = await leaver()
  const [one, two] = [await ally('Uno'), await ally('Dos')]
  const answers = await Promise.all([handOver(from, one), handOver(from, two)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
  const counts = [await livingOf(one), await livingOf(two)].map(({ length }) => length)
  expect(counts.toSorted()).toEqual([0, 2])
})

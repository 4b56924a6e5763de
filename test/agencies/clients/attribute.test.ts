import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashOf } from '../../../src/server/accounts/limits.ts'
import { handOver } from '../../../src/server/agencies/attributions.ts'
import { transaction } from '../../../src/server/platform/database/client.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { clients, codes } from '../../../src/server/platform/database/schema/agencies.ts'
import { quotes } from '../../../src/server/platform/database/schema/payments.ts'
import { events, projects } from '../../../src/server/platform/database/schema/projects.ts'
import { newEmail, password } from '../../kit/accounts.ts'
import { type Code, storeCode, storeTie } from '../../kit/agencies.ts'
import { hour } from '../../kit/appointments.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { readable, rowIn, rowsIn } from '../../kit/reading.ts'
import { changeRole } from '../../kit/users.ts'

openOnce()
let colleague: Person
let other: Person
beforeAll(async () => {
  const agency = await world.agency({ name: 'La de enfrente' })
  colleague = await world.person({ kind: 'alliate', name: 'Amparo', agencyId: people.ally.agencyId! })
  other = await world.person({ kind: 'alliate', name: 'Olga', agencyId: agency.id, phone: '5544443333' })
})

const tiesOf = ({ id }: { id: string }) =>
  world.db.select().from(clients).where(eq(clients.customerId, id)).orderBy(clients.createdAt, clients.id)
const livingOf = async (person: { id: string }) => (await tiesOf(person)).find(({ endedAt }) => !endedAt)
const usesOf = async ({ id }: Code) => (await rowIn(world, codes, { id }))!
const agencyOf = async (projectId: string) => (await rowIn(world, projects, { id: projectId }))!.agencyId
const pageOf = ({ id }: { id: string }) => `/admin/users/${id}`
const give = async (customer: Person, ally: Person, more: Record<string, string> = {}) => {
  const seen = (await livingOf(customer))?.id ?? ''
  const form = { intent: 'attribution.give', seen, allyId: ally.id, reason: 'Lo dijo por teléfono', ...more }
  return world.post(pageOf(customer), form, people.manager)
}
const takeAway = async (customer: Person, more: Record<string, string> = {}) => {
  const seen = (await livingOf(customer))?.id ?? ''
  return world.post(
    pageOf(customer),
    { intent: 'attribution.end', seen, reason: 'Se equivocó', ...more },
    people.manager,
  )
}

describe('the manager', () => {
  test('says who brought a customer, changes it and takes it away, and all of it stays as history', async () => {
    const customer = await world.person()
    const { projectId } = await world.home(customer)
    expect((await give(customer, people.ally)).status).toBe(303)
    expect(await agencyOf(projectId)).toBe(people.ally.agencyId)
    expect((await give(customer, other)).status).toBe(303)
    expect(await agencyOf(projectId)).toBe(other.agencyId)
    expect((await takeAway(customer)).status).toBe(303)
    expect(await agencyOf(projectId)).toBeNull()
    expect(await tiesOf(customer)).toMatchObject([
      { allyId: people.ally.id, source: 'manager', endedReason: 'changed', registeredBy: people.manager.id },
      { allyId: other.id, endedReason: 'Se equivocó' },
    ])
    const page = readable(await world.visit(pageOf(customer), people.manager))
    for (const words of [
      'No viene de ninguna concesionaria',
      'Lo dijo por teléfono',
      'Se equivocó',
      'por Mariana',
    ])
      expect(page).toContain(words)
    // Nobody else reads it: the customer does not exist for them.
    expect((await world.visit(pageOf(customer), people.analyst)).status).toBe(404)
  })

  test('says why, of an active ally, and of what was on the screen', async () => {
    const customer = await world.person()
    const bare = await give(customer, people.ally, { reason: ' ' })
    expect([bare.status, readable(bare).includes('Escribe por qué.')]).toEqual([400, true])
    expect(readable(await give(customer, people.ally, { allyId: '' }))).toContain('Elige a un aliado.')
    const gone = await world.person({ kind: 'alliate', agencyId: people.ally.agencyId!, active: false })
    for (const nobody of [gone, people.analyst]) {
      const answer = await give(customer, nobody)
      expect([answer.status, readable(answer).includes('Elige a un aliado activo')]).toEqual([409, true])
    }
    await give(customer, people.ally)
    expect((await give(customer, other, { seen: '' })).status).toBe(409)
    expect((await takeAway(customer, { seen: '' })).status).toBe(409)
    expect(readable(await give(customer, people.ally))).toContain('Ya está atribuido')
    const own = await world.person({ phone: '5544443333' })
    expect(readable(await give(own, other))).toContain('es de un aliado de esa concesionaria')
    expect(
      (
        await world.post(
          pageOf(people.analyst),
          { intent: 'attribution.give', seen: '', allyId: other.id, reason: 'x' },
          people.manager,
        )
      ).status,
    ).toBe(409)
  })

  test('of two at once one says it', async () => {
    const customer = await world.person()
    const answers = await Promise.all(
      // Both shown before either was sent.
      [people.ally, other].map((ally) => give(customer, ally, { seen: '' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
    expect(await tiesOf(customer)).toHaveLength(1)
  })

  test('within an agency the code stays; to another its use is given back, and opens what was used up', async () => {
    const customer = await world.person()
    const code = await storeCode(world, people.ally, { maxUses: 1, uses: 1, state: 'exhausted' })
    await storeTie(world, customer, code)
    await give(customer, colleague)
    expect(await livingOf(customer)).toMatchObject({ allyId: colleague.id, codeId: code.id })
    expect(await usesOf(code)).toMatchObject({ uses: 1, state: 'exhausted' })
    await give(customer, other)
    expect(await livingOf(customer)).toMatchObject({ allyId: other.id, codeId: null })
    expect(await usesOf(code)).toMatchObject({ uses: 0, state: 'active' })
  })

  test('a benefit that was accepted is a use for good', async () => {
    const customer = await world.person()
    const { projectId } = await world.home(customer)
    const code = await storeCode(world, people.ally, { uses: 1 })
    const { id } = await storeTie(world, customer, code)
    await world.db.update(clients).set({ benefitProjectId: projectId }).where(eq(clients.id, id))
    await takeAway(customer)
    expect((await usesOf(code)).uses).toBe(1)
  })

  test('a benefit that can still be accepted, or a free visit that was had, is not given to somebody else', async () => {
    const customer = await world.person()
    const { analyst, technician } = people
    const draft = await storeDraft(world, await visited(world, customer, technician), analyst)
    const off = { maxUses: 1, benefitKind: 'percent', benefitValue: 1000 } as const
    const code = await storeCode(world, people.ally, off)
    await world.post('/quote', { intent: 'redeem-code', codigo: code.code }, customer)
    const sent = {
      state: 'sent',
      digest: 'd',
      sentAt: new Date(),
      validUntil: new Date(Date.now() + hour),
    } as const
    await world.db.update(quotes).set(sent).where(eq(quotes.id, draft.id))
    await takeAway(customer)
    expect(await usesOf(code)).toMatchObject({ uses: 1, state: 'exhausted' })

    const visitor = await world.person()
    const free = await storeCode(world, people.ally, { uses: 1, benefitKind: 'free_visit' })
    const { id } = await storeTie(world, visitor, free)
    const joinedAt = new Date(Date.now() - 48 * hour)
    await world.db.update(clients).set({ joinedAt }).where(eq(clients.id, id))
    await visited(world, visitor, technician)
    await give(visitor, other)
    expect((await usesOf(free)).uses).toBe(1)
  })
})

describe('whoever is no customer any more', () => {
  test('joins the team, and nobody brought them', async () => {
    const customer = await world.person()
    const code = await storeCode(world, people.ally, { uses: 1 })
    await storeTie(world, customer, code)
    expect((await changeRole(world, people.manager, customer, 'analyst')).status).toBe(303)
    expect(await tiesOf(customer)).toMatchObject([{ endedReason: 'staff' }])
    expect((await usesOf(code)).uses).toBe(0)
  })
})

/** Somebody whom an ally registered at the counter, with the token of their link. */
async function registered(ally: Person, code: Code | null, wish = {}) {
  const token = randomBytes(32).toString('base64url')
  const [row] = await world.db
    .insert(clients)
    .values({
      agencyId: ally.agencyId!,
      allyId: ally.id,
      codeId: code?.id ?? null,
      source: 'counter',
      name: 'Irene',
      lastname: 'Irrepetible',
      phone: '5577776666',
      email: 'irene@irrepetible.mx',

      vehicle: { brand: 'BYD', model: 'Dolphin' } as never,
      consentAt: new Date(),
      registeredBy: ally.id,
      inviteHash: hashOf(token),
      inviteExpiresAt: new Date(Date.now() + 86_400_000),
      ...wish,
    })
    .returning()
  return { id: row!.id, token }
}
const rowOf = async (id: string) => (await rowIn(world, clients, { id }))!
const userOf = async (email: string) => (await rowIn(world, users, { email }))!

describe('a counter invitation', () => {
  const signUp = async (link: string) => {
    const [as, email] = [world.visitor(), newEmail()]
    await world.visit(link, as)
    const query = new URL(link, 'http://x').searchParams
    const sent = { codigo: query.get('codigo') ?? '', registro: query.get('registro') ?? '' }
    await world.post('/signup', { email, password, ...sent }, as)
    return { user: await userOf(email), as }
  }

  test('is joined by its link: its code is used, and the account says from then on who they are', async () => {
    const code = await storeCode(world, people.ally)
    const { id, token } = await registered(people.ally, code)
    const { user } = await signUp(`/approach?codigo=${code.code}&registro=${token}`)
    const row = await rowOf(id)
    const told = { name: null, lastname: null, phone: null, email: null, vehicle: null, inviteHash: null }
    expect(row).toMatchObject({ customerId: user.id, source: 'counter', codeId: code.id, ...told })
    expect((await usesOf(code)).uses).toBe(1)
    const [project] = await rowsIn(world, projects, { customerId: user.id })
    expect(project).toMatchObject({ agencyId: people.ally.agencyId, vehicle: { brand: 'BYD' } })
    const trail = await rowsIn(world, events, { entityId: id })
    expect(JSON.stringify(trail)).not.toContain('rrepetible')
    // The link serves once.
    const second = await signUp(`/approach?registro=${token}`)
    expect(await tiesOf(second.user)).toEqual([])
  })

  test('ties also without its code, and not once it ended', async () => {
    const { id, token } = await registered(
      people.ally,
      await storeCode(world, people.ally, { state: 'paused' }),
    )
    const { user } = await signUp(`/approach?registro=${token}`)
    expect(await rowOf(id)).toMatchObject({ customerId: user.id, codeId: null })
    const late = await registered(people.ally, null, { inviteExpiresAt: new Date(Date.now() - 1000) })
    expect(await tiesOf((await signUp(`/approach?registro=${late.token}`)).user)).toEqual([])
  })

  test('of two at once one joins it', async () => {
    const { id, token } = await registered(people.ally, null)
    const [one, two] = await Promise.all([
      signUp(`/approach?registro=${token}`),
      signUp(`/approach?registro=${token}`),
    ])
    const ties = [...(await tiesOf(one.user)), ...(await tiesOf(two.user))]
    expect(ties).toMatchObject([{ id }])
  })
})

test('a code that is used while its ally’s things are handed over goes along with its client', async () => {
  for (let round = 0; round < 4; round++) {
    const leaver = await world.person({ kind: 'alliate', agencyId: people.ally.agencyId! })
    const code = await storeCode(world, leaver)
    const customer = await world.person()
    const redeem = world.post('/quote', { intent: 'redeem-code', codigo: code.code }, customer)
    const whose = { agencyId: people.ally.agencyId!, from: leaver.id, to: people.ally.id }
    const [used] = await Promise.all([redeem, handOver(world.db, people.manager.actor, whose)])
    expect(used.status).toBe(303)
    expect((await livingOf(customer))!.allyId).toBe(people.ally.id)
  }
})

test('a code that changes hands while its row is waited for is still one', async () => {
  const leaver = await world.person({ kind: 'alliate', agencyId: people.ally.agencyId! })
  const code = await storeCode(world, leaver)
  const customer = await world.person()
  const used = await transaction(world.db, async (tx) => {
    await tx.update(codes).set({ ownerId: people.ally.id }).where(eq(codes.id, code.id))
    const redeem = world.post('/quote', { intent: 'redeem-code', codigo: code.code }, customer)
    await setTimeout(300)
    return [redeem]
  })
  expect((await used[0]!).status).toBe(303)
  expect((await livingOf(customer))!.allyId).toBe(people.ally.id)
})

import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { clients } from '../../src/server/platform/database/schema/agencies.ts'
import { joined } from '../kit/agencies.ts'
import { hour } from '../kit/appointments.ts'
import { openBare, sendJobsOnce, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { sendDraft, storeDraft, visited } from '../kit/quotes.ts'
import { expectStatus, expectWords, insertIn, setIn } from '../kit/reading.ts'
import { cast, openCastOnce } from './cast.ts'
import { mark, markEmail, markPhone, marksFor, marksOf, metBy, openMarksOnce } from './marks.ts'

/**
 * What an ally may learn of a client on the pages of allies, lists and searches, of their colleagues and of the house. What
 * nobody but the office reads of appointments and homes: privacy.test.ts; of quotes and payments: money.test.ts.
 */
openBare()
sendJobsOnce()
openCastOnce()
openMarksOnce()
let colleague: Person
let client: string
let invited: string
beforeAll(async () => {
  colleague = await world.person({ kind: 'alliate', name: 'Aldo', agencyId: cast.ally.agencyId! })
  await plant()
}, 60_000)

/** The team of the house, and the allies of another agency: none of them is an ally's to know. */
const staffUnknown = ['manager', 'analyst', 'technician', 'technician2', 'gester', 'ally2'] as const

async function plant() {
  const { ally, analyst, customer, technician } = cast
  for (const who of ['customer', ...staffUnknown] as const)
    await setIn(world, users, cast[who], {
      ...marksFor(who, 'lastname'),
      phone: markPhone(`${who} phone`),
      email: markEmail(`${who} email`),
    })
  client = await joined(world, customer, ally, { source: 'manager', reason: mark('attribution reason') })
  const visit = await visited(world, customer, technician)
  await sendDraft(world, analyst, await storeDraft(world, visit, analyst))
  await world.db.execute(sql`update appointments set folio = ${mark('folio')}`)
  // Registered by the ally: what was typed is theirs, and not their colleague's.
  const row = await insertIn(world, clients, {
    agencyId: ally.agencyId!,
    allyId: ally.id,
    source: 'counter',
    name: 'Ivana',
    phone: markPhone('typed phone'),
    email: markEmail('typed email'),
    ...marksFor('typed', 'lastname', 'inviteHash'),
    registeredBy: ally.id,
    vehicle: { brand: mark('typed car'), model: null, year: null, deliveredOn: null },
    inviteExpiresAt: new Date(Date.now() + 24 * hour),
  })
  invited = row.id
}

/** Every address that an ally opens, and those of others. */
const pages = () => [
  ...'/admin /account/data / /quote /payments /installation'.split(' '),
  ...`appointments-pending appointments-done cotizations alliate/clients alliate/clients/registrar
      alliate/clients/${client} alliate/codes agencies users users?role=customer account alliate/clients.csv
      appointments-pending.csv appointments-done.csv cotizations.csv`
    .split(/\s+/)
    .map((path) => `/admin/${path}`),
]

const typed = ['typed car', 'typed email', 'typed phone']

test('an ally meets nothing private of a client on any page of theirs', async () => {
  expect(await metBy(cast.ally, ...pages())).toEqual([])
})

test('an ally finds nobody of the house or of another agency: no row, card, search or filter', async () => {
  const words = marksOf(/^(manager|analyst|technician2?|gester|ally2) /).map(([word]) => word)
  for (const query of ['kind=manager', 'role=staff', 'active=no', `agency=${cast.ally2.agencyId}`])
    expect(await metBy(cast.ally, `/admin/users?${query}`), query).toEqual([])
  for (const word of words) {
    const { text } = await world.visit(`/admin/users?text=${word}`, cast.ally)
    expect(text).toContain('No hay nadie con estos filtros.')
  }
  for (const who of staffUnknown) {
    const { id } = cast[who]
    expect(await metBy(cast.ally, `/admin/appointments-pending?person=${id}`), who).toEqual([])
    expectStatus(await world.data(`/admin/users/${id}`, cast.ally), 404)
  }
  // Their own agency's allies they know, with the way to reach them.
  expectWords((await world.visit('/admin/users', cast.ally)).text, colleague.email)
  expectStatus(await world.data(`/admin/users/${colleague.id}`, cast.ally), 200)
}, 60_000)

test('only the ally who typed a client at the counter reads it, and no colleague may invite again', async () => {
  const path = `/admin/alliate/clients/${invited}`
  expect(await metBy(cast.ally, path)).toEqual(typed)
  expect(await metBy(colleague, ...pages(), path)).toEqual([])
  expectWords((await world.visit(path, colleague)).text, 'Ivana')
  expectStatus(await world.post(path, { intent: 'invite' }, colleague), 404)
})

test('neither allies of other agencies nor the house open an ally’s clients', async () => {
  for (const id of [client, invited]) {
    const path = `/admin/alliate/clients/${id}`
    expectStatus(await world.data(path, cast.ally2), 404)
    for (const who of ['manager', 'analyst', 'technician', 'gester'] as const)
      expect((await world.data(path, cast[who])).location).toBe('/admin')
  }
  expect((await world.data('/admin/alliate/clients', cast.ally2)).text).not.toContain(client)
  expectStatus(await world.data(`/admin/agency/${cast.ally.agencyId}/clientes`, cast.ally2), 404)
})

test('an ally reads a client’s first name, stage, whose turn it is, and what was done', async () => {
  const { text } = await world.visit(`/admin/alliate/clients/${client}`, cast.ally)
  expectWords(text, 'Camila', 'Cotización', 'Cliente', 'Visita técnica')
})

test('an ally finds no row by what they may not see of it', async () => {
  const secret = marksOf(/^customer (lastname|phone|email)|^folio/)
  expect(secret).toHaveLength(4)
  for (const list of ['alliate/clients', 'appointments-done', 'cotizations']) {
    const found = async (text: string) =>
      (await world.data(`/admin/${list}?text=${text}`, cast.ally)).text.includes('Camila')
    expect(await found('camila'), list).toBe(true)
    for (const [word, column] of secret) expect(await found(word), `${list} ${column}`).toBe(false)
  }
})

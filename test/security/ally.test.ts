import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { clients } from '../../src/server/platform/database/schema/agencies.ts'
import { calls } from '../../src/server/platform/database/schema/appointments.ts'
import { payments } from '../../src/server/platform/database/schema/payments.ts'
import { addresses, events, tasks } from '../../src/server/platform/database/schema/projects.ts'
import { sendQuote } from '../../src/server/quotes/send.ts'
import { joined } from '../kit/agencies.ts'
import { hour, storeVisit } from '../kit/appointments.ts'
import { openBare, sendJobsOnce, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { content, line, option, storeDraft, visited } from '../kit/quotes.ts'
import { type Cast, openCast, type Who } from './cast.ts'

/**
 * What an ally may learn of a client, attacked: every private column of a client, their appointments, quotes and payments
 * holds a mark, and the ally, a colleague of theirs and one of another agency read every page, its data and every file,
 * and try every id that there is at every address that takes one.
 */
openBare()
sendJobsOnce()
let cast: Cast
let colleague: Person
let client: string
let invited: string
beforeAll(async () => {
  cast = await openCast(world)
  colleague = await world.person({ kind: 'alliate', name: 'Aldo', agencyId: cast.ally.agencyId! })
  await plant()
}, 60_000)

/** The team of the house, and the allies of another agency: none of them is an ally's to know. */
const staffUnknown = ['manager', 'analyst', 'technician', 'technician2', 'gester', 'ally2'] as const

const marks = new Map<string, string>()
const mark = (column: string) => {
  const word = `Xk${String(marks.size).padStart(3, '0')}q`
  marks.set(word.toLowerCase(), column)
  return word
}
const markPhone = (column: string) => {
  const digits = `55930${String(marks.size).padStart(5, '0')}`
  marks.set(digits, column)
  return digits
}

async function plant() {
  const { ally, analyst, customer, technician } = cast
  const { db } = world
  const own = { lastname: mark('lastname'), phone: markPhone('phone'), email: `${mark('email')}@prueba.mx` }
  await db
    .update(users)
    .set({ ...own, email: own.email.toLowerCase() })
    .where(eq(users.id, customer.id))
  for (const who of staffUnknown) {
    const told = { lastname: mark(who), phone: markPhone(who), email: `${mark(who)}@otra.mx`.toLowerCase() }
    await db.update(users).set(told).where(eq(users.id, cast[who].id))
  }
  client = await joined(world, customer, ally, { source: 'manager', reason: mark('attribution reason') })
  const home = await world.home(customer)
  const visit = await visited(world, customer, technician, home)
  const draft = await storeDraft(world, visit, analyst, { content: contentWithMarks() })
  const sent = await sendQuote(db, analyst.actor, draft.id, draft.version, new Date())
  marks.set('98,765', 'quote amount')
  marks.set('9876543', 'quote amount in data')
  marks.set('19.3930017', 'pin')
  await db.update(addresses).set({
    street: mark('street'),
    references: mark('references'),
    gateNotes: mark('gate'),
    latitude: 19.3930017,
    longitude: -99.2,
    receiverName: mark('receiver'),
    receiverPhone: markPhone('receiver phone'),
  })
  await db.execute(sql`update appointments set notes = ${mark('notes')}, closing_note = ${mark('closing note')},
    override_reason = ${mark('override')}, folio = ${mark('appointment folio')},
    address = jsonb_set(address, '{street}', to_jsonb(${mark('snapshot')}::text))`)
  await db.insert(payments).values({
    folio: mark('payment folio'),
    customerId: customer.id,
    projectId: sent.projectId,
    quoteId: sent.id,
    concept: 'deposit',
    amount: 43_219_87,
    state: 'pending',
  })
  marks.set('43,219', 'payment amount')
  marks.set('4321987', 'payment amount in data')
  await db.insert(tasks).values({
    subject: mark('task'),
    reason: 'coverage',
    personId: customer.id,
    projectId: sent.projectId,
  })
  const talk = await storeVisit(world, customer, home, new Date(Date.now() - 50 * hour), {
    service: 'videocall',
    folio: mark('call folio'),
    minutes: 30,
    assigneeId: analyst.id,
    address: null,
    state: 'done',
    outcome: 'completed',
    interest: '01',
  })
  await db
    .insert(calls)
    .values({ appointmentId: talk.id, notes: mark('call notes'), summary: mark('summary') })
  await db.insert(events).values({
    entity: 'client',
    entityId: client,
    name: 'end',
    reason: mark('event reason'),
    data: { x: mark('event') },
  })
  marks.set(customer.id, 'customer id')
  marks.set(sent.projectId, 'project id')
  invited = await inviteSomebody()
}

const contentWithMarks = () => {
  const dear = line('cable', { description: mark('quote line'), unitPrice: 98_765_4300 })
  return content({
    options: [option('essential', { lines: [dear], summary: mark('quote summary') })],
    notes: mark('quote notes'),
  })
}

/** Registered by the ally: what was typed is theirs, and not their colleague's. */
async function inviteSomebody() {
  const [row] = await world.db
    .insert(clients)
    .values({
      agencyId: cast.ally.agencyId!,
      allyId: cast.ally.id,
      source: 'counter',
      name: 'Ivana',
      phone: markPhone('typed phone'),
      email: `${mark('typed email').toLowerCase()}@prueba.mx`,
      lastname: mark('typed lastname'),
      inviteHash: mark('invite hash'),
      registeredBy: cast.ally.id,
      vehicle: { brand: mark('typed car'), model: null, year: null, deliveredOn: null },
      inviteExpiresAt: new Date(Date.now() + 24 * hour),
    })
    .returning({ id: clients.id })
  return row!.id
}

/** Every address that an ally opens, and those of others. */
const pages = () => [
  '/admin',
  '/admin/appointments-pending',
  '/admin/appointments-done',
  '/admin/cotizations',
  '/admin/alliate/clients',
  '/admin/alliate/clients/registrar',
  `/admin/alliate/clients/${client}`,

  '/admin/alliate/codes',
  '/admin/agencies',
  '/admin/users',
  '/admin/users?role=customer',
  '/admin/account',
  ...['', 'codigos', 'clientes', 'comisiones', 'integracion', 'datos'].map(
    (part) => `/admin/agency/${cast.ally.agencyId}/${part}`,
  ),
  '/admin/alliate/clients.csv',
  '/admin/appointments-pending.csv',
  '/admin/appointments-done.csv',
  '/admin/cotizations.csv',
  '/account/data',
  '/',
  '/quote',
  '/payments',
  '/installation',
]

/** Where an id may be guessed. */
const guessed = (id: string) => [
  ...['appointments-pending', 'appointments-done', 'appointment-pending-videocall', 'users', 'agency'].map(
    (path) => `/admin/${path}/${id}`,
  ),
  ...['appointment-done-videocall', 'assignations', 'cotizations/detail-quote', 'cotizations/add-quote'].map(
    (path) => `/admin/${path}/${id}`,
  ),
  ...['cotizations/cobros', 'alliate/clients'].map((path) => `/admin/${path}/${id}`),
  `/calendar/${id}.ics`,
  `/handover/${id}.pdf`,
  `/documents/${id}`,
  ...['quote', 'receipt', 'commissions', 'code'].map((kind) => `/papers/${kind}/${id}.pdf`),
  `/invoices/${id}.json`,
  `/files/${id}/full`,
  `/call/${id}/socket`,
  `/api/v1/clients/${id}`,
]

/** Of everything there is of the client, and of nobody. */
async function allIds(): Promise<string[]> {
  const tables = ['clients', 'appointments', 'quotes', 'payments', 'projects', 'addresses', 'tasks']
  const found = await Promise.all(
    tables.map((table) => world.db.execute<{ id: string }>(sql.raw(`select id from ${table}`))),
  )
  const rows = found.flatMap((one) => one.rows)
  return [...rows.map(({ id }) => id), cast.customer.id, randomUUID()]
}

/** What of the marks somebody meets at an address, in the page, its data, or a header. */
async function met(who: Person, path: string): Promise<string[]> {
  const found = new Set<string>()
  for (const { headers, text } of [await world.visit(path, who), await world.data(path, who)]) {
    const all = `${text}${[...headers].flat().join()}`.toLowerCase()
    const close = all.replace(/(?<=\d)[ .-](?=\d)/g, '')
    // What was asked for is no answer.
    const said = (word: string) =>
      !path.toLowerCase().includes(word) && (all.includes(word) || close.includes(word))
    for (const [word, column] of marks) if (said(word)) found.add(column)
  }
  return [...found]
}

const typed = ['typed phone', 'typed email', 'typed car']

test('an ally meets nothing of a client but what is theirs to know, at no address and under no id', async () => {
  const everywhere = [...pages(), ...(await allIds()).flatMap(guessed)]
  for (const path of everywhere) {
    const own = path.includes(invited) ? typed : []
    expect([path, (await met(cast.ally, path)).filter((column) => !own.includes(column))]).toEqual([path, []])
  }
}, 60_000)

test('of the house’s people, and of other agencies’ allies, an ally meets none: no row, no card, no search, no filter', async () => {
  const ids = staffUnknown.map((who) => cast[who].id)
  const words = [...marks].filter(([, who]) => staffUnknown.some((one) => one === who)).map(([word]) => word)
  const everywhere = [
    ...[
      '',
      '?kind=manager',
      '?role=staff',
      '?active=no',
      `?agency=${cast.ally2.agencyId}`,
      '?text=otra.mx',
    ].map((query) => `/admin/users${query}`),
    ...words.map((word) => `/admin/users?text=${word}`),
    ...ids.flatMap((id) => [`/admin/users/${id}`, `/admin/appointments-pending?person=${id}`]),
  ]
  for (const path of everywhere) expect([path, await met(cast.ally, path)]).toEqual([path, []])
  for (const word of words) {
    const { text } = await world.visit(`/admin/users?text=${word}`, cast.ally)
    expect(text).toContain('No hay nadie con estos filtros.')
  }
  for (const id of ids) expect((await world.visit(`/admin/users/${id}`, cast.ally)).status).toBe(404)
  // Their own agency's allies they know, with the way to reach them.
  const own = await world.visit('/admin/users', cast.ally)
  expect(own.text).toContain(colleague.email)
  expect((await world.visit(`/admin/users/${colleague.id}`, cast.ally)).status).toBe(200)
}, 60_000)

test('what was typed at the counter is read by who typed it, and by no colleague', async () => {
  const path = `/admin/alliate/clients/${invited}`
  expect((await met(cast.ally, path)).toSorted()).toEqual([...typed].toSorted())
  for (const one of [...pages(), path]) expect([one, await met(colleague, one)]).toEqual([one, []])
  expect((await world.visit(path, colleague)).text).toContain('Ivana')
})

test('of another agency’s clients there is nothing at all, nor for anybody who is no ally', async () => {
  for (const id of [client, invited]) {
    const path = `/admin/alliate/clients/${id}`
    expect((await world.visit(path, cast.ally2)).status).toBe(404)
    for (const intent of ['invite', 'withdraw'])
      expect((await world.post(path, { intent }, cast.ally2)).status).toBe(404)
    for (const who of ['manager', 'analyst', 'technician', 'gester'] as Who[])
      expect((await world.visit(path, cast[who])).location).toBe('/admin')
  }
  // A colleague sees who was invited, and can do nothing with it.
  expect(
    (await world.post(`/admin/alliate/clients/${invited}`, { intent: 'invite' }, colleague)).status,
  ).toBe(404)
  const list = await world.data('/admin/alliate/clients', cast.ally2)
  expect(list.text).not.toContain(client)
  const none = await world.data(`/admin/agency/${cast.ally.agencyId}/clientes`, cast.ally2)
  expect(none.status).toBe(404)
})

test('what they may know is there: first name, stage, whose turn, what and when', async () => {
  const { text } = await world.visit(`/admin/alliate/clients/${client}`, cast.ally)
  for (const words of ['Camila', 'Cotización', 'Cliente', 'Visita técnica', 'Asesoría virtual'])
    expect(text).toContain(words)
  const file = await world.visit('/admin/alliate/clients.csv', cast.ally)
  expect(file.text).toContain('Camila,Cotización,Cliente,')
})

test('nobody is found by what one may not see', async () => {
  const found = async (list: string, text: string) => {
    const { text: page } = await world.data(`/admin/${list}?text=${encodeURIComponent(text)}`, cast.ally)
    return page.includes('Camila')
  }
  const lists = ['alliate/clients', 'appointments-done', 'cotizations']
  for (const list of lists) expect([list, await found(list, 'camila')]).toEqual([list, true])
  const secret = [...marks].filter(([, column]) => /lastname|phone|email|folio/.test(column))
  for (const [word, column] of secret)
    for (const list of lists) expect([list, column, await found(list, word)]).toEqual([list, column, false])
})

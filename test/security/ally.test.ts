import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { clients } from '../../src/platform/database/schema/agencies.ts'
import { calls } from '../../src/platform/database/schema/appointments.ts'
import { payments } from '../../src/platform/database/schema/payments.ts'
import { addresses, events, projects, tasks } from '../../src/platform/database/schema/projects.ts'
import { joined } from '../kit/agencies.ts'
import { hour, storeVisit } from '../kit/appointments.ts'
import {
  ago,
  db,
  expectScreen,
  fixture,
  fromNow,
  markupOf,
  openBare,
  runSql,
  sendJobsOnce,
  setRow,
  storeRows,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { content, line, option, sendDraft, storeDraft, visited } from '../kit/quotes.ts'
import { expectStatus, expectWords, insertIn } from '../kit/reading.ts'
import { everyone, openEveryoneOnce } from './everyone.ts'
import { mark, markEmail, markPhone, marksOf, metBy, note, openMarksOnce } from './marks.ts'

/**
 * What an ally may learn of a client, attacked: every private column of a client, their appointments, quotes and payments
 * holds a mark, and the ally, a colleague of theirs and one of another agency read every page and file, and try every id
 * that there is at every address that takes one.
 */
openBare()
sendJobsOnce()
openEveryoneOnce()
openMarksOnce()
let colleague: Person
let client: string
let invited: string
beforeAll(async () => {
  colleague = await fixture.person({ kind: 'alliate', name: 'Aldo', agencyId: everyone.ally.agencyId! })
  await plant()
}, 60_000)

/** The team, and the allies of another agency: none of them is an ally's to know. */
const staffUnknown = ['manager', 'analyst', 'technician', 'technician2', 'gester', 'ally2'] as const

async function plant() {
  const { ally, analyst, customer, technician } = everyone
  for (const who of ['customer', ...staffUnknown] as const)
    await setRow(users, everyone[who], {
      lastname: mark(`${who} lastname`),
      phone: markPhone(`${who} phone`),
      email: markEmail(`${who} email`),
    })
  client = await joined(customer, ally, { source: 'manager', reason: mark('attribution reason') })
  const home = await fixture.home(customer)
  await db
    .update(projects)
    .set({ vehicle: { brand: 'BYD', model: 'Dolphin', year: null, deliveredOn: null } })
  const visit = await visited(customer, technician, home)
  const dear = line('cable', { description: mark('quote line'), unitPrice: 98_765_4300 })
  const offered = content({
    options: [option('essential', { lines: [dear], summary: mark('quote summary') })],
    notes: mark('quote notes'),
  })
  const draft = await storeDraft(fixture, visit, analyst, { content: offered })
  const { id: quoteId, projectId } = await sendDraft(fixture, analyst, draft)
  const whose = { customerId: customer.id, projectId }
  for (const digits of ['98,765', '9876543']) note(digits, 'quote amount')
  await db.update(addresses).set({
    street: mark('street'),
    references: mark('references'),
    gateNotes: mark('gate'),
    latitude: Number(note('19.3930017', 'pin')),
    longitude: -99.2,
    receiverName: mark('receiver'),
    receiverPhone: markPhone('receiver phone'),
  })
  await runSql`update appointments set notes = ${mark('notes')}, closing_note = ${mark('closing note')},
    override_reason = ${mark('override')}, folio = ${mark('appointment folio')},
    address = jsonb_set(address, '{street}', to_jsonb(${mark('snapshot')}::text))`
  const owed = { concept: 'deposit', amount: 43_219_87, state: 'pending' } as const
  await storeRows(payments, { ...whose, ...owed, folio: mark('payment folio'), quoteId })
  for (const digits of ['43,219', '4321987']) note(digits, 'payment amount')
  await storeRows(tasks, { subject: mark('task'), reason: 'coverage', personId: customer.id, projectId })
  const talk = await storeVisit(fixture, customer, home, ago(50 * hour), {
    service: 'videocall',
    folio: mark('call folio'),
    minutes: 30,
    assigneeId: analyst.id,
    address: null,
    state: 'done',
    outcome: 'completed',
    interest: '01',
  })
  await storeRows(calls, { appointmentId: talk.id, notes: mark('call notes'), summary: mark('summary') })
  await storeRows(events, {
    entity: 'client',
    entityId: client,
    name: 'end',
    reason: mark('event reason'),
    data: { x: mark('event') },
  })
  note(customer.id, 'customer id')
  note(projectId, 'project id')
  // Registered by the ally: what was typed is theirs, and of it their colleagues read the car.
  const row = await insertIn({ db }, clients, {
    agencyId: ally.agencyId!,
    allyId: ally.id,
    source: 'counter',
    name: 'Ivana',
    phone: markPhone('typed phone'),
    email: markEmail('typed email'),
    lastname: mark('typed lastname'),
    inviteHash: mark('invite hash'),
    registeredBy: ally.id,
    vehicle: { brand: mark('typed car'), model: null, year: null, deliveredOn: null },
    inviteExpiresAt: fromNow(24 * hour),
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
  ...['', 'codigos', 'clientes', 'comisiones', 'integracion', 'datos'].map(
    (part) => `/admin/agency/${everyone.ally.agencyId}/${part}`,
  ),
]

/** Where an id may be guessed. */
const guessed = (id: string) =>
  `/admin/appointments-pending/* /admin/appointments-done/* /admin/appointment-pending-videocall/*
   /admin/appointment-done-videocall/* /admin/users/* /admin/agency/* /admin/assignations/*
   /admin/cotizations/detail-quote/* /admin/cotizations/add-quote/* /admin/cotizations/cobros/*
   /admin/alliate/clients/* /calendar/*.ics /handover/*.pdf /documents/* /papers/quote/*.pdf
   /papers/receipt/*.pdf /papers/commissions/*.pdf /papers/code/*.pdf /invoices/*.json /files/*/full
   /call/*/socket /api/v1/clients/*`
    .replaceAll('*', id)
    .split(/\s+/)

/** Of everything there is of the client, and of nobody. */
async function allIds(): Promise<string[]> {
  const tables = ['clients', 'appointments', 'quotes', 'payments', 'projects', 'addresses', 'tasks']
  const { rows } = await db.execute<{ id: string }>(
    sql.raw(tables.map((table) => `select id from ${table}`).join(' union all ')),
  )
  return [...rows.map(({ id }) => id), everyone.customer.id, randomUUID()]
}

const typed = ['typed car', 'typed email', 'typed phone']

test('an ally meets nothing private of a client at any address, under any id', async () => {
  for (const path of [...pages(), ...(await allIds()).flatMap(guessed)]) {
    const own = path.includes(invited) ? typed : ['typed car']
    expect(
      (await metBy(everyone.ally, path)).filter((column) => !own.includes(column)),
      path,
    ).toEqual([])
  }
}, 60_000)

test('an ally finds no user of the company or of another agency: no row, card, search or filter', async () => {
  const words = marksOf(/^(manager|analyst|technician2?|gester|ally2) /).map(([word]) => word)
  const queries = [
    '',
    'kind=manager',
    'role=staff',
    'active=no',
    'text=otra.mx',
    `agency=${everyone.ally2.agencyId}`,
    ...words.map((word) => `text=${word}`),
  ]
  for (const query of queries) expect(await metBy(everyone.ally, `/admin/users?${query}`), query).toEqual([])
  for (const word of words) {
    const text = await markupOf(`/admin/users?text=${word}`, everyone.ally)
    expect(text).toContain('No hay nadie con estos filtros.')
  }
  for (const who of staffUnknown) {
    const { id } = everyone[who]
    expect(await metBy(everyone.ally, `/admin/appointments-pending?person=${id}`), who).toEqual([])
    expectStatus(await fixture.data(`/admin/users/${id}`, everyone.ally), 404)
  }
  // Their own agency's allies they know, with the way to reach them.
  expectWords(await markupOf('/admin/users', everyone.ally), colleague.email)
  expectStatus(await fixture.data(`/admin/users/${colleague.id}`, everyone.ally), 200)
}, 60_000)

test('only the ally who typed a client at the counter reads it, and no colleague may invite again', async () => {
  const path = `/admin/alliate/clients/${invited}`
  expect(await metBy(everyone.ally, path)).toEqual(typed)
  expect(await metBy(colleague, ...pages(), path)).toEqual(['typed car'])
  expectWords(await markupOf(path, colleague), 'Ivana')
  expectStatus(await fixture.post(path, { intent: 'invite' }, colleague), 404)
})

test('neither allies of other agencies nor staff open an ally’s clients', async () => {
  for (const id of [client, invited]) {
    const path = `/admin/alliate/clients/${id}`
    expectStatus(await fixture.data(path, everyone.ally2), 404)
    for (const who of ['manager', 'analyst', 'technician', 'gester'] as const)
      expect((await fixture.data(path, everyone[who])).location).toBe('/admin')
  }
  expect((await fixture.data('/admin/alliate/clients', everyone.ally2)).text).not.toContain(client)
  expectStatus(await fixture.data(`/admin/agency/${everyone.ally.agencyId}/clientes`, everyone.ally2), 404)
})

test('an ally reads a client’s first name, car, stage, whose turn it is, what and when', async () => {
  const text = await markupOf(`/admin/alliate/clients/${client}`, everyone.ally)
  expectWords(text, 'Camila · BYD Dolphin', 'Cotización', 'Cliente', 'Visita técnica', 'Asesoría virtual')
  await expectScreen('/admin/appointments-done', everyone.ally, 'Camila · BYD Dolphin')
  const file = await fixture.visit('/admin/alliate/clients.csv', everyone.ally)
  expectWords(file.text, 'Camila,Cotización,Cliente,')
})

test('an ally finds no row by what they may not see of it', async () => {
  const secret = marksOf(/^customer (lastname|phone|email)|folio/)
  expect(secret).toHaveLength(6)
  for (const list of ['alliate/clients', 'appointments-done', 'cotizations']) {
    const found = async (text: string) =>
      (await fixture.data(`/admin/${list}?text=${text}`, everyone.ally)).text.includes('Camila')
    expect(await found('camila'), list).toBe(true)
    for (const [word, column] of secret) expect(await found(word), `${list} ${column}`).toBe(false)
  }
})

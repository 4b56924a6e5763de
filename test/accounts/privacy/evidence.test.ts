import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { asc, eq, sql } from 'drizzle-orm'
import { deleteExpired } from '../../../src/accounts/privacy.ts'
import { consentLabels, consentSources, retentionDays } from '../../../src/accounts/rules/privacy.ts'
import { fiscalOfQuote } from '../../../src/invoices/fiscal-data.ts'
import { deleteOldEmails } from '../../../src/notifications/transport.ts'
import { databaseFault } from '../../../src/platform/database/client.ts'
import {
  blockedAccounts,
  consents,
  dataReads,
  invitations,
  users,
} from '../../../src/platform/database/schema/accounts.ts'
import {
  appointments,
  callMessages,
  callSittings,
  files,
} from '../../../src/platform/database/schema/appointments.ts'
import { whatsappMessages } from '../../../src/platform/database/schema/cfe.ts'
import { events, projects, tasks } from '../../../src/platform/database/schema/projects.ts'
import { newEmail, storeBlocked } from '../../kit/accounts.ts'
import { storeVisit } from '../../kit/appointments.ts'
import { storeFiscal } from '../../kit/invoices.ts'
import {
  analyst,
  customer,
  db,
  expectNotOnPage,
  expectRow,
  expectScreen,
  fixture,
  manager,
  markupOf,
  newPerson,
  openOnce,
  pageText,
  post,
  rowsWhere,
  rowWhere,
  setRow,
  storeRows,
  technician,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { expectLocation, expectPage, expectStatus, expectWords, readable } from '../../kit/reading.ts'
import { fileRow } from '../../kit/reports.ts'
import { inDays, storePaper } from '../holdings.ts'

openOnce()

const consentsOf = async (id: string) =>
  (await db.select().from(consents).where(eq(consents.userId, id)).orderBy(asc(consents.id))).map(
    ({ given, kind, source, version }) => [kind, given, version, source].join(' '),
  )
const versionOf = async ({ id }: Person) => (await rowWhere(users, { id }))?.termsVersion

test('records a consent to WhatsApp notices given with the profile', async () => {
  const form = { name: 'Ana', lastname: 'López', phone: '5512345678' }
  const yes = await newPerson({ name: null })
  const no = await newPerson({ name: null })
  await expectScreen('/completion', yes, 'Quiero avisos de mis citas por WhatsApp')
  await post('/completion', { ...form, whatsapp: 'on' }, yes)
  await post('/completion', form, no)
  expect(await consentsOf(yes.id)).toEqual(['whatsapp true 2025-01 completion'])
  expect(await consentsOf(no.id)).toEqual([])
  expect((await rowWhere(users, { id: yes.id }))!.whatsappOptInAt).toBeInstanceOf(Date)
})

test('asks customers at home, once, to accept changed terms, and closes nothing meanwhile', async () => {
  const person = await newPerson()
  const asked = 'Cambiaron nuestros términos'
  expect(await markupOf('/', person)).not.toContain(asked)
  const later = fixture.under({ TERMS_VERSION: '2026-02' })
  expectWords((await later.visit('/', person)).text, asked)
  expectStatus(await later.visit('/technics-visit', person), 200)
  const accept = (terms: string) => later.post('/?index', { intent: 'accept-terms', terms }, person)
  const stale = await accept('2025-12')
  expect([stale.status, await versionOf(person)]).toEqual([409, '2025-01'])
  expectWords(stale.text, 'volvieron a cambiar')
  await Promise.all([accept('2026-02'), accept('2026-02')])
  expect(await consentsOf(person.id)).toEqual(['terms true 2026-02 home'])
  expect((await later.visit('/', person)).text).not.toContain(asked)
  // A customer who was imported has accepted none.
  await setRow(users, person, { termsVersion: null, termsAcceptedAt: null })
  await expectScreen('/', person, 'Acepta nuestros términos y el aviso de privacidad')
})

test('refuses to change or delete a recorded consent of any kind and source', async () => {
  const { id: userId } = await newPerson()
  const consent = { userId, given: true, version: '1' } as const
  for (const kind of Object.keys(consentLabels) as (keyof typeof consentLabels)[])
    for (const source of Object.keys(consentSources) as (keyof typeof consentSources)[])
      await storeRows(consents, { ...consent, kind, source })
  for (const change of [
    sql`update consents set given = false where user_id = ${userId}`,
    sql`delete from consents where user_id = ${userId}`,
  ]) {
    const fault = await db.execute(change).catch(databaseFault)
    expect(fault).toMatchObject({ constraint: 'evidence_append_only' })
  }
})

/** A customer with a quote that was sent, and fiscal data with their Constancia. */
async function taxpayer() {
  const person = await newPerson()
  const quote = await storeDraft(fixture, await visited(person, technician), analyst, {
    state: 'sent',
    sentAt: new Date(),
    validUntil: inDays(1),
    digest: 'd',
  })
  const constanciaId = await storePaper(person, 'constancia')
  await storeFiscal(person, { rfc: 'GODE561231GR8', state: 'submitted', constanciaId })
  const screen = `/admin/cotizations/detail-quote/${quote.id}`
  return { person, quote, screen, constancia: `/documents/${constanciaId}` }
}

const readsOf = async ({ id: customerId }: Person) =>
  (await rowsWhere(dataReads, { customerId })).map(({ readerId, what }) => [readerId, what])

test('records each read of fiscal data by staff, shown to its owner, whose own reads are not', async () => {
  const { constancia, person, screen } = await taxpayer()
  await expectScreen('/fiscal', person, 'GODE561231GR8')
  expectStatus(await fixture.visit(constancia, person), 200)
  expect(await readsOf(person)).toEqual([])
  // The other parts of the quote read none of it.
  await expectNotOnPage(screen, manager, 'GODE561231GR8')
  expect(await readsOf(person)).toEqual([])
  await expectScreen(`${screen}?parte=fiscal`, analyst, 'GODE561231GR8')
  await fixture.visit(`${screen}?parte=fiscal`, analyst)
  expectStatus(await fixture.visit(constancia, manager), 200)
  expectStatus(await fixture.visit(constancia, technician), 404)
  expect(await readsOf(person)).toEqual([
    [analyst.id, 'fiscal'],
    [manager.id, 'constancia'],
  ])
  const text = await markupOf('/cuenta?datos', person)
  expect(text).toMatch(/Quién consultó tus datos fiscales(?:(?!<h3).)*Constancia de Situación Fiscal/s)
})

test('shows the fiscal data kept of a deleted customer to the manager only', async () => {
  const { constancia, person, quote, screen } = await taxpayer()
  const seen = async (by: Person) => [
    (await fiscalOfQuote(db, by.actor, quote.id)) !== null,
    (await fixture.visit(constancia, by)).status,
    (await fixture.data(`${screen}?parte=fiscal`, by)).status,
  ]
  expect(await seen(analyst)).toEqual([true, 200, 200])
  await setRow(users, person, { deletedAt: new Date() })
  expect(await seen(analyst)).toEqual([false, 404, 404])
  expect(await seen(manager)).toEqual([true, 200, 200])
})

const page = '/admin/users/bloqueadas'
const opens = (as: Person, customerId: string, reason: string) =>
  post(page, { intent: 'open-blocked', customerId, reason }, as)
const openingsOf = async (customerId: string) =>
  (await rowsWhere(dataReads, { customerId })).map(({ readerId, reason, subjectId, what }) => [
    readerId,
    what,
    subjectId,
    reason,
  ])

test('shows a blocked account to the manager once for each given reason, and records it', async () => {
  const id = await storeBlocked()
  expectLocation(await fixture.visit('/admin/users?active=blocked', manager), page)
  const listed = await fixture.visit(page, manager)
  expectPage(listed, 200, id)
  expect(listed.text).not.toContain('Citlali')
  expectWords(readable(listed), 'determinar posibles responsabilidades')

  const answer = await opens(manager, id, 'Oficio 123/2026 de la autoridad')
  expectStatus(answer, 200)
  expect(readable(answer)).toMatch(/Se muestra solo esta vez.*Citlali.*fachada\.jpg.*Oficio 123\/2026/s)
  expect(answer.headers.get('cache-control')).toContain('no-store')
  await opens(manager, id, 'Segunda consulta del mismo oficio')
  expect((await openingsOf(id)).toSorted()).toEqual([
    [manager.id, 'blocked', id, 'Oficio 123/2026 de la autoridad'],
    [manager.id, 'blocked', id, 'Segunda consulta del mismo oficio'],
  ])
  const again = await fixture.visit(page, manager)
  expectWords(again.text, 'Segunda consulta')
  expect(again.text).not.toContain('Citlali')
})

test('refuses a short reason, another key and a suppressed account, and records nothing', async () => {
  const id = await storeBlocked()
  expectPage(await opens(manager, id, 'Oficio 9'), 400, 'al menos 10 letras', '>Oficio 9</textarea>')
  expectWords((await opens(manager, id, ' ')).text, 'Escribe para qué la abres.')
  const other = await storeBlocked('another secret of thirty-two letters')
  expectPage(await opens(manager, other, 'Oficio 123/2026'), 409, 'AUTH_SECRET')
  await db
    .update(blockedAccounts)
    .set({ sealed: null, files: [], suppressedAt: new Date() })
    .where(eq(blockedAccounts.customerId, id))
  expectPage(await opens(manager, id, 'Oficio 123/2026'), 404, 'ya se suprimieron')
  expect(await markupOf(page, manager)).not.toContain(id)
  expect([await openingsOf(id), await openingsOf(other)]).toEqual([[], []])
})

test('shows the manager on a customer’s page who read their fiscal data', async () => {
  const path = `/admin/users/${customer.id}`
  await expectScreen(path, manager, 'Nadie del equipo los ha leído')
  const read = { readerId: analyst.id, customerId: customer.id, subjectId: customer.id }
  await storeRows(dataReads, { ...read, what: 'constancia' })
  const words = /Quién leyó sus datos fiscales.*Constancia de Situación Fiscal.*Analista/s
  expect(await pageText(path, manager)).toMatch(words)
})

/** One thing of each kind that is deleted, so many days old; returns the appointment's id. */
async function oldThings(days: number): Promise<string> {
  const home = await fixture.home(await newPerson())
  const at = inDays(-days)
  const visit = { state: 'cancelled', notes: 'Nota vieja' } as const
  const { id } = await storeVisit(fixture, customer, home, at, visit)
  const chat = { appointmentId: id, side: 'analyst', text: 'Hola', at } as const
  await setRow(projects, home.projectId, { closedAt: at })
  await storeRows(callMessages, { ...chat, id: randomUUID(), authorId: analyst.id })
  const media = { audio: false, video: false, screen: false }
  const sitting = { appointmentId: id, side: 'customer', userId: customer.id, media, leftAt: at } as const
  const browser = { sessionId: randomUUID(), pageId: randomUUID() }
  await storeRows(callSittings, { ...sitting, ...browser, leftBecause: 'left' })
  const event = { entity: 'appointment', entityId: id, name: 'cancel', reason: 'Palabras viejas', at }
  await storeRows(events, event)
  const task = { subject: 'Pide cambios: «algo»', reason: 'quote', phone: '5511112222', result: 'Hecho' }
  await storeRows(tasks, { ...task, doneAt: at })
  await storeRows(files, { ...fileRow(id, 'facade', technician.id), capturedAt: at })
  const invitation = { email: newEmail(), kind: 'analyst', codeHash: randomUUID(), expiresAt: at } as const
  await storeRows(invitations, { ...invitation, invitedBy: manager.id })
  const read = { readerId: manager.id, customerId: customer.id, what: 'fiscal', at } as const
  await storeRows(dataReads, { ...read, subjectId: randomUUID() })
  return id
}

const terms = retentionDays
const expire = (days = 0) => deleteExpired(db, inDays(days))
test.each([
  ['callSittings', terms.callSittings, []],
  ['staffInvitations', terms.staffInvitations, ['callSittings']],
  ['callChats', terms.callChats, ['callSittings', 'staffInvitations']],
] as const)('deletes %s after %i days, and keeps what may stay longer', async (name, term, before) => {
  await oldThings(term - 1)
  expect(Object.keys(await expire()).toSorted()).toEqual(before.toSorted())
  expect(await expire(2)).toMatchObject({ [name]: 1 })
})

test('deletes notes, words of the history and of tasks, photos and recorded reads; facts stay', async () => {
  const id = await oldThings(terms.evidence + 1)
  expect(await expire()).toMatchObject({
    appointmentNotes: 1,
    historyWords: 1,
    taskWords: 1,
    photosWithoutInstallation: 1,
    evidence: 1,
  })
  await expectRow(appointments, { id }, { notes: null, state: 'cancelled' })
  await expectRow(events, { entityId: id, name: 'cancel' }, { reason: null })
  const left = await rowsWhere(tasks, { reason: 'quote' })
  expect(left.at(-1)).toMatchObject({ subject: 'Pide cambios', phone: null, result: '–' })
  expect(await expire()).toEqual({})
})

test('deletes answers to quotes and messages at the end of their term', async () => {
  const ages = async (days: number) => {
    const customer = await newPerson()
    const at = inDays(-days)
    const answered = { reason: 'Muy caro', answeredAt: at }
    await storeDraft(fixture, await visited(customer, technician), analyst, answered)
    const message = { letterId: randomUUID(), template: 'en_camino', createdAt: at } as const
    await storeRows(whatsappMessages, { ...message, userId: customer.id })
  }
  for (const name of ['messages', 'quoteAnswers'] as const) {
    await ages(terms[name] - 1)
    expect(await expire()).not.toHaveProperty(name)
    expect(await expire(2)).toMatchObject({ [name]: 1 })
  }
})

test('deletes e-mails kept as files after 30 days', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'carga-letters-'))
  mkdirSync(path.join(folder, 'outbox'))
  for (const [name, age] of [
    ['old.eml', 31],
    ['new.eml', 29],
  ] as const) {
    const file = path.join(folder, 'outbox', name)
    writeFileSync(file, 'x')
    utimesSync(file, new Date(), inDays(-age))
  }
  expect(await deleteOldEmails(folder, new Date())).toBe(1)
  expect(readdirSync(path.join(folder, 'outbox'))).toEqual(['new.eml'])
  expect(await deleteOldEmails(path.join(folder, 'nowhere'), new Date())).toBe(0)
  await rm(folder, { recursive: true })
})

test('docs/privacy.md has each retention term and each table that points at people', async () => {
  const text = await readFile('docs/privacy.md', 'utf8')
  for (const [name, term] of Object.entries(retentionDays))
    expect(text).toMatch(new RegExp(`\`${name}\`.*\\b${term}\\b`))
  const { rows } = await db.$client.query(`select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid in ('users'::regclass, 'projects'::regclass, 'appointments'::regclass)`)
  expect(rows.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

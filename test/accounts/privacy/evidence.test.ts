import { randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { consentLabels, consentSources } from '../../../src/domain/accounts/privacy.ts'
import { fiscalOfQuote } from '../../../src/server/invoices/fiscal-data.ts'
import { databaseFault } from '../../../src/server/platform/database/client.ts'
import { consents, dataReads, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { documents, fiscalData } from '../../../src/server/platform/database/schema/payments.ts'
import { paperKey } from '../../../src/server/platform/storage/drive.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { rowIn, rowsIn } from '../../kit/reading.ts'
import { memberOf, password, send } from '../own.ts'

openOnce()

const mine = '/cuenta'
const saidBy = async (id: string) =>
  (await world.db.select().from(consents).where(eq(consents.userId, id)).orderBy(asc(consents.id))).map(
    ({ given, kind, source, version }) => [kind, given, version, source].join(' '),
  )
const versionOf = async ({ id }: Person) => (await rowIn(world, users, { id }))?.termsVersion

test('who creates an account agrees to the terms as they stand', async () => {
  await world.post('/signup', { email: 'nueva@prueba.mx', password })
  const [user] = await rowsIn(world, users, { email: 'nueva@prueba.mx' })
  expect(await saidBy(user!.id)).toEqual(['terms true 2025-01 signup'])
})

test('notices: each tick and each tick taken away is a row, and saving the same again is none', async () => {
  const person = await memberOf(world)
  const save = (version: number, form: Record<string, string>) =>
    send(world, person, 'notices', { version: String(version), ...form }, mine)
  await save(1, { whatsapp: 'on', news: 'on' })
  await save(2, { whatsapp: 'on', news: 'on' })
  await save(3, { news: 'on' })
  expect(await saidBy(person.id)).toEqual([
    'whatsapp true 2025-01 account',
    'news true 2025-01 account',
    'whatsapp false 2025-01 account',
  ])
  const { text } = await world.visit('/cuenta?datos', person)
  expect(text).toContain('Retiraste tu consentimiento')
})

test('with the profile a customer may ask for notices by WhatsApp; who is invited to the team is not asked', async () => {
  const form = { name: 'Ana', lastname: 'López', phone: '5512345678' }
  const [yes, no] = [await world.person({ name: null }), await world.person({ name: null })]
  expect((await world.visit('/completion', yes)).text).toContain('Quiero avisos de mis citas por WhatsApp')
  await world.post('/completion', { ...form, whatsapp: 'on' }, yes)
  await world.post('/completion', form, no)
  expect(await saidBy(yes.id)).toEqual(['whatsapp true 2025-01 completion'])
  expect(await saidBy(no.id)).toEqual([])
  const [user] = await rowsIn(world, users, { id: yes.id })
  expect(user!.whatsappOptInAt).toBeInstanceOf(Date)
})

test('when the terms change a customer is asked at home, once, and nothing is closed meanwhile', async () => {
  const person = await world.person()
  const asked = 'Cambiaron nuestros términos'
  expect((await world.visit('/', person)).text).not.toContain(asked)
  const later = world.under({ TERMS_VERSION: '2026-02' })
  expect((await later.visit('/', person)).text).toContain(asked)
  expect((await later.visit('/technics-visit', person)).status).toBe(200)
  const accept = (terms: string) => later.post('/?index', { intent: 'accept-terms', terms }, person)
  const stale = await accept('2025-12')
  expect([stale.status, await versionOf(person)]).toEqual([409, '2025-01'])
  expect(stale.text).toContain('volvieron a cambiar')
  await Promise.all([accept('2026-02'), accept('2026-02')])
  expect(await saidBy(person.id)).toEqual(['terms true 2026-02 home'])
  expect((await later.visit('/', person)).text).not.toContain(asked)
})

test('who came from another system agreed to nothing here: a customer is asked at home, in words of its own', async () => {
  const none = { termsVersion: null, termsAcceptedAt: null }
  const [brought, employed] = [await world.person(), await world.person({ kind: 'analyst' })]
  for (const { id } of [brought, employed]) await world.db.update(users).set(none).where(eq(users.id, id))
  const asked = 'Acepta nuestros términos y el aviso de privacidad'
  const home = (await world.visit('/', brought)).text
  expect([home.includes(asked), home.includes('Cambiaron')]).toEqual([true, false])
  expect((await world.visit('/technics-visit', brought)).status).toBe(200)
  expect((await world.visit('/admin', employed)).text).not.toContain(asked)
  await world.post('/?index', { intent: 'accept-terms', terms: '2025-01' }, brought)
  expect(await saidBy(brought.id)).toEqual(['terms true 2025-01 home'])
  expect((await world.visit('/', brought)).text).not.toContain(asked)
})

test('what was said is never changed, and deleted only after five years', async () => {
  const person = await world.person()
  const said = { userId: person.id, given: true, version: '1' } as const
  for (const kind of Object.keys(consentLabels) as (keyof typeof consentLabels)[])
    for (const source of Object.keys(consentSources) as (keyof typeof consentSources)[])
      await world.db.insert(consents).values({ ...said, kind, source })
  const mine = eq(consents.userId, person.id)
  const named = (error: unknown) => databaseFault(error).constraint
  const changed = world.db.update(consents).set({ given: false }).where(mine)
  expect(await changed.then(() => 'kept', named)).toBe('evidence_append_only')
  expect(
    await world.db
      .delete(consents)
      .where(mine)
      .then(() => 'gone', named),
  ).toBe('evidence_append_only')
})

/** A customer with a quote that was sent, and fiscal data with their Constancia. */
async function taxpayer() {
  const person = await world.person()
  const visit = await visited(world, person, people.technician)
  const sent = {
    state: 'sent',
    sentAt: new Date(),
    validUntil: new Date(Date.now() + 86_400_000),
    digest: 'd',
  } as const
  const quote = await storeDraft(world, visit, people.analyst, sent)
  const id = randomUUID()
  await world.drive.put(paperKey({ id }), Buffer.from('x'), 'application/pdf')
  await world.db.insert(documents).values({
    id,
    customerId: person.id,
    purpose: 'constancia',
    uploadedBy: person.id,
    type: 'application/pdf',
    name: 'constancia.pdf',
    bytes: 1,
    sha256: 'e'.repeat(64),
  })
  await world.db.insert(fiscalData).values({
    customerId: person.id,
    rfc: 'GODE561231GR8',
    legalName: 'EVA',
    regime: '612',
    cfdiUse: 'G03',
    state: 'submitted',
    postalCode: '04000',
    email: 'eva@prueba.mx',
    constanciaId: id,
  })
  return { person, quote, constancia: `/documents/${id}` }
}

const readsOf = async ({ id }: Person) =>
  (
    await world.db.select().from(dataReads).where(eq(dataReads.customerId, id)).orderBy(asc(dataReads.id))
  ).map(({ readerId, what }) => [readerId, what])

test('each look of the staff at fiscal data leaves a row, which their owner reads; their own leaves none', async () => {
  const { constancia, person, quote } = await taxpayer()
  const { analyst, manager, technician } = people
  expect((await world.visit('/fiscal', person)).text).toContain('GODE561231GR8')
  expect((await world.visit(constancia, person)).status).toBe(200)
  expect(await readsOf(person)).toEqual([])
  const page = `/admin/cotizations/detail-quote/${quote.id}`
  // The other parts of the quote read none of it.
  expect((await world.visit(page, manager)).text).not.toContain('GODE561231GR8')
  expect(await readsOf(person)).toEqual([])
  expect((await world.visit(`${page}?parte=fiscal`, analyst)).text).toContain('GODE561231GR8')
  await world.visit(`${page}?parte=fiscal`, analyst)
  expect((await world.visit(constancia, manager)).status).toBe(200)
  expect((await world.visit(constancia, technician)).status).toBe(404)
  expect(await readsOf(person)).toEqual([
    [analyst.id, 'fiscal'],
    [manager.id, 'constancia'],
  ])
  const { text } = await world.visit('/cuenta?datos', person)
  expect(text).toMatch(/Quién consultó tus datos fiscales(?:(?!<h3).)*Constancia de Situación Fiscal/s)
})

test('what the law keeps of a deleted customer is the manager’s alone to read', async () => {
  const { constancia, person, quote } = await taxpayer()
  const { analyst, manager } = people
  const seen = async (by: Person) => [
    (await fiscalOfQuote(world.db, by.actor, quote.id)) !== null,
    (await world.visit(constancia, by)).status,
    (await world.visit(`/admin/cotizations/detail-quote/${quote.id}?parte=fiscal`, by)).status,
  ]
  expect(await seen(analyst)).toEqual([true, 200, 200])
  await world.db.update(users).set({ deletedAt: new Date() }).where(eq(users.id, person.id))
  expect(await seen(analyst)).toEqual([false, 404, 404])
  expect(await seen(manager)).toEqual([true, 200, 200])
})

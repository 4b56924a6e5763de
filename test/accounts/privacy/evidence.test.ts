import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { consentLabels, consentSources } from '../../../src/domain/accounts/privacy.ts'
import { fiscalOfQuote } from '../../../src/server/invoices/fiscal-data.ts'
import { databaseFault } from '../../../src/server/platform/database/client.ts'
import { consents, dataReads, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { storeFiscal } from '../../kit/invoices.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { rowIn } from '../../kit/reading.ts'
import { storePaper } from '../holdings.ts'

openOnce()

const saidBy = async (id: string) =>
  (await world.db.select().from(consents).where(eq(consents.userId, id)).orderBy(asc(consents.id))).map(
    ({ given, kind, source, version }) => [kind, given, version, source].join(' '),
  )
const versionOf = async ({ id }: Person) => (await rowIn(world, users, { id }))?.termsVersion

test('records a consent to WhatsApp notices given with the profile', async () => {
  const form = { name: 'Ana', lastname: 'López', phone: '5512345678' }
  const [yes, no] = [await world.person({ name: null }), await world.person({ name: null })]
  expect((await world.visit('/completion', yes)).text).toContain('Quiero avisos de mis citas por WhatsApp')
  await world.post('/completion', { ...form, whatsapp: 'on' }, yes)
  await world.post('/completion', form, no)
  expect(await saidBy(yes.id)).toEqual(['whatsapp true 2025-01 completion'])
  expect(await saidBy(no.id)).toEqual([])
  expect((await rowIn(world, users, { id: yes.id }))!.whatsappOptInAt).toBeInstanceOf(Date)
})

test('asks customers at home, once, to accept changed terms, and closes nothing meanwhile', async () => {
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

test('asks customers imported without consent in words of their own, and no staff', async () => {
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

test('refuses to change or delete a recorded consent of any kind and source', async () => {
  const person = await world.person()
  const said = { userId: person.id, given: true, version: '1' } as const
  for (const kind of Object.keys(consentLabels) as (keyof typeof consentLabels)[])
    for (const source of Object.keys(consentSources) as (keyof typeof consentSources)[])
      await world.db.insert(consents).values({ ...said, kind, source })
  const mine = eq(consents.userId, person.id)
  const named = (error: unknown) => databaseFault(error).constraint
  for (const change of [
    world.db.update(consents).set({ given: false }).where(mine),
    world.db.delete(consents).where(mine),
  ])
    expect(await change.then(() => 'done', named)).toBe('evidence_append_only')
})

/** A customer with a quote that was sent, and fiscal data with their Constancia. */
async function taxpayer() {
  const person = await world.person()
  const quote = await storeDraft(world, await visited(world, person, people.technician), people.analyst, {
    state: 'sent',
    sentAt: new Date(),
    validUntil: new Date(Date.now() + 86_400_000),
    digest: 'd',
  })
  const constanciaId = await storePaper(world, person, 'constancia')
  await storeFiscal(world, person, { rfc: 'GODE561231GR8', state: 'submitted', constanciaId })
  const screen = `/admin/cotizations/detail-quote/${quote.id}`
  return { person, quote, screen, constancia: `/documents/${constanciaId}` }
}

const readsOf = async ({ id }: Person) =>
  (
    await world.db.select().from(dataReads).where(eq(dataReads.customerId, id)).orderBy(asc(dataReads.id))
  ).map(({ readerId, what }) => [readerId, what])

test('records each read of fiscal data by staff, shown to its owner, whose own reads are not', async () => {
  const { constancia, person, screen } = await taxpayer()
  const { analyst, manager, technician } = people
  expect((await world.visit('/fiscal', person)).text).toContain('GODE561231GR8')
  expect((await world.visit(constancia, person)).status).toBe(200)
  expect(await readsOf(person)).toEqual([])
  // The other parts of the quote read none of it.
  expect((await world.visit(screen, manager)).text).not.toContain('GODE561231GR8')
  expect(await readsOf(person)).toEqual([])
  expect((await world.visit(`${screen}?parte=fiscal`, analyst)).text).toContain('GODE561231GR8')
  await world.visit(`${screen}?parte=fiscal`, analyst)
  expect((await world.visit(constancia, manager)).status).toBe(200)
  expect((await world.visit(constancia, technician)).status).toBe(404)
  expect(await readsOf(person)).toEqual([
    [analyst.id, 'fiscal'],
    [manager.id, 'constancia'],
  ])
  const { text } = await world.visit('/cuenta?datos', person)
  expect(text).toMatch(/Quién consultó tus datos fiscales(?:(?!<h3).)*Constancia de Situación Fiscal/s)
})

test('shows the fiscal data kept of a deleted customer to the manager only', async () => {
  const { constancia, person, quote, screen } = await taxpayer()
  const { analyst, manager } = people
  const seen = async (by: Person) => [
    (await fiscalOfQuote(world.db, by.actor, quote.id)) !== null,
    (await world.visit(constancia, by)).status,
    (await world.data(`${screen}?parte=fiscal`, by)).status,
  ]
  expect(await seen(analyst)).toEqual([true, 200, 200])
  await world.db.update(users).set({ deletedAt: new Date() }).where(eq(users.id, person.id))
  expect(await seen(analyst)).toEqual([false, 404, 404])
  expect(await seen(manager)).toEqual([true, 200, 200])
})

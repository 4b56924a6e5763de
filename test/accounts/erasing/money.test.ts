import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { DocumentPurpose } from '../../../src/domain/documents/document.ts'
import { suppressDue } from '../../../src/server/accounts/blocked-accounts.ts'
import { blockDue } from '../../../src/server/accounts/deletion.ts'
import { deleteFiscalData } from '../../../src/server/accounts/privacy.ts'
import { blockedAccounts, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { clients } from '../../../src/server/platform/database/schema/agencies.ts'
import {
  documents,
  fiscalData,
  invoices,
  payments,
  quotes,
  refunds,
} from '../../../src/server/platform/database/schema/payments.ts'
import { projects, tasks } from '../../../src/server/platform/database/schema/projects.ts'
import { paperKey } from '../../../src/server/platform/storage/drive.ts'
import { sweepFiles } from '../../../src/server/platform/storage/intake.ts'
import { jobsDb as db, openJobsDbOnce, openOnce, people, world } from '../../kit/open.ts'
import { type Person, secret } from '../../kit/people.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { rowsIn } from '../../kit/reading.ts'

const day = 24 * 3_600_000
openOnce()
openJobsDbOnce()

/** Somebody whose project is closed and whose days of waiting are over, with a word in everything they gave. */
async function leaving() {
  const person = await world.person({ name: 'Xóchitl', lastname: 'Irrepetible' })
  const visit = await visited(world, person, people.technician)
  const { projectId } = visit
  await world.db.update(projects).set({ closedAt: new Date() }).where(eq(projects.id, projectId))
  const asked = new Date(Date.now() - 6 * day)
  await world.db.update(users).set({ deletionRequestedAt: asked }).where(eq(users.id, person.id))
  return { person, visit, projectId }
}

const told = {
  addressee: 'Xóchitl Irrepetible',
  acceptedIp: '203.0.113.99',
  reason: 'Razón irrepetible',
  sentAt: new Date(),
  validUntil: new Date(Date.now() + day),
  digest: 'd',
}

async function paper({ id: customerId }: Person, projectId: string, purpose: DocumentPurpose) {
  const id = randomUUID()
  await world.drive.put(paperKey({ id }), Buffer.from('x'), 'application/pdf')
  const row = { id, customerId, projectId, purpose, uploadedBy: customerId, type: 'application/pdf' as const }
  await world.db
    .insert(documents)
    .values({ ...row, name: 'irrepetible.pdf', bytes: 1, sha256: 'e'.repeat(64) })
  return id
}

const fiscalOf = ({ id }: Person, constanciaId: string) => ({
  customerId: id,
  rfc: 'XAXX010101000',
  legalName: 'IRREPETIBLE',
  regime: '612' as const,
  cfdiUse: 'G03' as const,
  constanciaId,
  postalCode: '04000',
  email: 'irrepetible@prueba.mx',
})

/** What ties somebody to an agency, and what an ally typed of them before they had an account. */
async function brought({ email, id: customerId }: Person) {
  const agencyId = people.ally.agencyId!
  const tie = { customerId, joinedAt: new Date(), source: 'manager', reason: 'Irrepetible' } as const
  const typed = {
    name: 'Xóchitl',
    lastname: 'Irrepetible',
    phone: '5512345678',
    email,
    source: 'counter',
  } as const
  await world.db.insert(clients).values([
    { agencyId, ...tie },
    { agencyId, ...typed },
  ])
}

const everythingOf = async ({ id }: Person) =>
  JSON.stringify([
    await rowsIn(world, quotes, { customerId: id }),
    await rowsIn(world, payments, { customerId: id }),
    await rowsIn(world, refunds, { customerId: id }),
    await rowsIn(world, fiscalData, { customerId: id }),
    await rowsIn(world, documents, { customerId: id }),
    await world.db.select().from(tasks),
    await world.db.select().from(clients),
  ])

test('of somebody who accepted and paid nothing, no word stays', async () => {
  const { person, projectId, visit } = await leaving()
  const quote = await storeDraft(world, visit, people.analyst, { ...told, state: 'rejected' })
  const proof = await paper(person, projectId, 'payment_proof')
  const constancia = await paper(person, projectId, 'constancia')
  const whose = { customerId: person.id, projectId, quoteId: quote.id }
  await world.db.insert(payments).values({
    ...whose,
    folio: 'PAG-NADA',
    concept: 'deposit',
    amount: 1,
    state: 'cancelled',
    proofId: proof,
    bank: 'Irrepetible',
    trackingKey: 'IRREPETIBLE',
    note: 'irrepetible',
  })
  await world.db.insert(refunds).values({
    ...whose,
    folio: 'REE-NADA',
    amount: 1,
    reason: 'irrepetible',
    state: 'refused',
    refusedReason: 'No.',
    clabe: '012180001234567899',
    beneficiary: 'Irrepetible',
    decidedAt: new Date(),
  })
  await world.db.insert(fiscalData).values(fiscalOf(person, constancia))
  const subject = 'Rechazó su cotización: «algo irrepetible»'
  await world.db.insert(tasks).values({ subject, reason: 'quote_rejected', quoteId: quote.id })
  await brought(person)
  await blockDue(db, secret, new Date())
  expect(await everythingOf(person)).not.toMatch(/irrepetible|203\.0\.113|012180001234567899/i)
  const [blocked] = await world.db.select().from(blockedAccounts)
  expect(blocked!.files).toHaveLength(2)
})

test('of what was accepted, paid and invoiced, what the law wants kept stays, and nothing else', async () => {
  const { person, projectId, visit } = await leaving()
  const acceptance = { acceptedOption: 'essential', acceptedTotal: 1_160_00, depositAmount: 580_00 }
  const signed = {
    acceptedName: 'Xóchitl Irrepetible',
    acceptedAt: new Date(Date.now() - 1900 * day),
    acceptedDigest: 'd',
  }
  const quote = await storeDraft(world, visit, people.analyst, {
    ...told,
    ...acceptance,
    ...signed,
    state: 'accepted',
  })
  const proof = await paper(person, projectId, 'payment_proof')
  const constancia = await paper(person, projectId, 'constancia')
  const whose = { customerId: person.id, projectId, quoteId: quote.id }
  const paid = {
    state: 'paid',
    paidAt: new Date(),
    method: 'spei',
    trackingKey: 'CLAVE1',
    proofId: proof,
  } as const
  await world.db
    .insert(payments)
    .values({ ...whose, ...paid, folio: 'PAG-LEY', concept: 'deposit', amount: 580_00 })
  await world.db.insert(fiscalData).values(fiscalOf(person, constancia))
  await world.db.insert(invoices).values({ ...whose, kind: 'income', request: {}, total: 1_160_00 })
  await paper(person, projectId, 'payment_proof')
  await blockDue(db, secret, new Date())
  const [kept] = await rowsIn(world, quotes, { id: quote.id })
  expect(kept).toMatchObject({
    ...acceptance,
    acceptedName: 'Xóchitl Irrepetible',
    addressee: told.addressee,
    acceptedIp: null,
    reason: null,
  })
  const [payment] = await rowsIn(world, payments, { folio: 'PAG-LEY' })
  expect(payment).toMatchObject({ trackingKey: 'CLAVE1', proofId: proof, amount: 580_00 })
  const [fiscal] = await rowsIn(world, fiscalData, { customerId: person.id })
  expect(fiscal).toMatchObject({ constanciaId: constancia })
  const [gone] = await rowsIn(world, users, { id: person.id })
  expect(gone).toMatchObject({ name: null, lastname: null })
  const papers = () => rowsIn(world, documents, { customerId: person.id })
  expect((await papers()).map(({ id }) => id).toSorted()).toEqual([proof, constancia].toSorted())
  expect(await deleteFiscalData(db, new Date(Date.now() + 1800 * day))).toBe(0)
  const later = new Date(Date.now() + 1840 * day)
  await world.db.update(quotes).set({ reason: null }).where(eq(quotes.id, quote.id))
  expect(await deleteFiscalData(db, later)).toBe(1)
  expect(await deleteFiscalData(db, later)).toBe(0)
  expect(await everythingOf(person)).not.toMatch(/irrepetible|CLAVE1|constancia.pdf/i)
  const [booked] = await rowsIn(world, payments, { folio: 'PAG-LEY' })
  expect(booked).toMatchObject({ amount: 580_00, state: 'paid', proofId: null })
})

test('papers that the law wants kept outlive the suppression of everything else, and go after five years', async () => {
  const { person, projectId } = await leaving()
  const whose = { customerId: person.id, projectId }
  const proof = await paper(person, projectId, 'payment_proof')
  const xmlId = await paper(person, projectId, 'invoice_xml')
  const pdfId = await paper(person, projectId, 'invoice_pdf')
  const constancia = await paper(person, projectId, 'constancia')
  const permit = await paper(person, projectId, 'condominium_permit')
  await world.db.insert(payments).values({
    ...whose,
    folio: 'PAG-BYTES',
    concept: 'deposit',
    amount: 580_00,
    state: 'paid',
    paidAt: new Date(),
    method: 'spei',
    trackingKey: 'CLAVE2',
    proofId: proof,
  })
  await world.db
    .insert(invoices)
    .values({ ...whose, kind: 'income', request: {}, total: 580_00, xmlId, pdfId })
  await world.db.insert(fiscalData).values(fiscalOf(person, constancia))
  await blockDue(db, secret, new Date())
  const inDays = (days: number) => new Date(Date.now() + days * day)
  await suppressDue(db, world.drive, inDays(366))
  await sweepFiles(db, world.drive, inDays(366))
  const readBy = async (as: Person, id: string) => (await world.visit(`/documents/${id}`, as)).status
  for (const id of [xmlId, pdfId, proof, constancia]) expect(await readBy(people.manager, id)).toBe(200)
  expect(await readBy(people.analyst, xmlId)).toBe(404)
  expect(await world.drive.get(paperKey({ id: permit }))).toBeNull()
  await deleteFiscalData(db, inDays(1840))
  await sweepFiles(db, world.drive, inDays(1840))
  expect(await readBy(people.manager, xmlId)).toBe(404)
  for (const id of [xmlId, pdfId, proof, constancia])
    expect(await world.drive.get(paperKey({ id }))).toBeNull()
})

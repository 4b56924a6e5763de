import { deleteFiscalData } from '../../../src/accounts/privacy.ts'
import type { DocumentPurpose } from '../../../src/documents/rules/document.ts'
import { blockedAccounts } from '../../../src/platform/database/schema/accounts.ts'
import { clients } from '../../../src/platform/database/schema/agencies.ts'
import {
  documents,
  fiscalData,
  invoices,
  payments,
  quotes,
  refunds,
} from '../../../src/platform/database/schema/payments.ts'
import { tasks } from '../../../src/platform/database/schema/projects.ts'
import { paperKey } from '../../../src/platform/storage/drive.ts'
import { sweepFiles } from '../../../src/platform/storage/keep.ts'
import { suppressDue } from '../../../src/privacy/blocked-accounts.ts'
import { blockDue } from '../../../src/privacy/deletion.ts'
import { storeFiscal } from '../../kit/invoices.ts'
import {
  ally,
  analyst,
  jobsDb as db,
  expectRow,
  expectUser,
  fixture,
  manager,
  openJobsDbOnce,
  openOnce,
  rowsWhere,
  rowWhere,
  storeRows,
  technician,
} from '../../kit/open.ts'
import { type Person, secret } from '../../kit/people.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { inDays, leave, storePaper, storeTransfer } from '../holdings.ts'

openOnce()
openJobsDbOnce()

/** A customer whose account is due for deletion, with a visit and their words in everything. */
async function leaving() {
  const person = await fixture.person({ name: 'Xóchitl', lastname: 'Irrepetible' })
  const visit = await visited(person, technician)
  const { projectId } = visit
  await leave(person, projectId)
  return { person, visit, projectId, whose: { customerId: person.id, projectId } }
}

const words = {
  addressee: 'Xóchitl Irrepetible',
  acceptedIp: '203.0.113.99',
  reason: 'Razón irrepetible',
  sentAt: new Date(),
  validUntil: inDays(1),
  digest: 'd',
}
const fiscal = { legalName: 'IRREPETIBLE', email: 'irrepetible@prueba.mx' }

const everythingOf = async ({ id }: Person) =>
  JSON.stringify([
    await rowsWhere(quotes, { customerId: id }),
    await rowsWhere(payments, { customerId: id }),
    await rowsWhere(refunds, { customerId: id }),
    await rowsWhere(fiscalData, { customerId: id }),
    await rowsWhere(documents, { customerId: id }),
    await rowsWhere(tasks),
    await rowsWhere(clients),
  ])

test('leaves no word of a customer who accepted and paid nothing', async () => {
  const { person, projectId, visit, whose } = await leaving()
  const quote = await storeDraft(fixture, visit, analyst, { ...words, state: 'rejected' })
  const proofId = await storePaper(person, 'payment_proof', { projectId })
  const constanciaId = await storePaper(person, 'constancia', { projectId })
  await storeTransfer(person, projectId, {
    state: 'cancelled',
    paidAt: null,
    method: null,
    proofId,
    bank: 'Irrepetible',
    trackingKey: 'IRREPETIBLE',
    note: 'irrepetible',
  })
  await storeRows(refunds, {
    ...whose,
    quoteId: quote.id,
    folio: 'REE-NADA',
    amount: 1,
    reason: 'irrepetible',
    state: 'refused',
    refusedReason: 'No.',
    clabe: '012180001234567899',
    beneficiary: 'Irrepetible',
    decidedAt: new Date(),
  })
  await storeFiscal(person, { ...fiscal, constanciaId })
  const subject = 'Rechazó su cotización: «algo irrepetible»'
  await storeRows(tasks, { subject, reason: 'quote_rejected', quoteId: quote.id })
  // The tie to an agency, and what an ally typed before there was an account.
  const { email, id: customerId } = person
  const agencyId = ally.agencyId!
  await storeRows(clients, [
    { agencyId, customerId, joinedAt: new Date(), source: 'manager', reason: 'Irrepetible' },
    { agencyId, source: 'counter', name: 'Xóchitl', lastname: 'Irrepetible', phone: '5512345678', email },
  ])
  await blockDue(db, secret, new Date())
  expect(await everythingOf(person)).not.toMatch(/irrepetible|203\.0\.113|012180001234567899/i)
  const [blocked] = await rowsWhere(blockedAccounts)
  expect(blocked!.files).toHaveLength(2)
})

test('keeps what the law requires of what was accepted, paid and invoiced, for five years, and nothing else', async () => {
  const { person, projectId, visit, whose } = await leaving()
  const { id: customerId } = person
  const acceptance = { acceptedOption: 'essential', acceptedTotal: 1_160_00, depositAmount: 580_00 }
  const quote = await storeDraft(fixture, visit, analyst, {
    ...words,
    ...acceptance,
    acceptedName: 'Xóchitl Irrepetible',
    acceptedAt: inDays(-1900),
    acceptedDigest: 'd',
    state: 'accepted',
  })
  const paper = (purpose: DocumentPurpose) => storePaper(person, purpose, { projectId })
  const proofId = await paper('payment_proof')
  const constanciaId = await paper('constancia')
  const invoice = { xmlId: await paper('invoice_xml'), pdfId: await paper('invoice_pdf') }
  const unused = [await paper('payment_proof'), await paper('condominium_permit')]
  const { id } = await storeTransfer(person, projectId, { trackingKey: 'CLAVE1', proofId })
  const payment = () => rowWhere(payments, { id })
  await storeFiscal(person, { ...fiscal, constanciaId })
  await storeRows(invoices, {
    ...whose,
    quoteId: quote.id,
    kind: 'income',
    request: {},
    total: 1_160_00,
    ...invoice,
  })
  await blockDue(db, secret, new Date())
  const accepted = { ...acceptance, acceptedName: 'Xóchitl Irrepetible', addressee: words.addressee }
  await expectRow(quotes, { id: quote.id }, { ...accepted, acceptedIp: null, reason: null })
  expect(await payment()).toMatchObject({ trackingKey: 'CLAVE1', proofId, amount: 580_00 })
  await expectRow(fiscalData, { customerId }, { constanciaId })
  await expectUser({ id: customerId }, { name: null, lastname: null })
  const kept = [proofId, constanciaId, ...Object.values(invoice)]
  const papers = await rowsWhere(documents, { customerId })
  expect(papers.map(({ id }) => id).toSorted()).toEqual(kept.toSorted())

  await suppressDue(db, fixture.drive, inDays(366))
  await sweepFiles(db, fixture.drive, inDays(366))
  const readBy = async (as: Person, id: string) => (await fixture.visit(`/documents/${id}`, as)).status
  for (const id of kept) expect(await readBy(manager, id)).toBe(200)
  expect(await readBy(analyst, invoice.xmlId)).toBe(404)
  for (const id of unused) expect(await fixture.drive.get(paperKey({ id }))).toBeNull()

  expect(await deleteFiscalData(db, inDays(1800))).toBe(0)
  expect(await deleteFiscalData(db, inDays(1840))).toBe(1)
  expect(await deleteFiscalData(db, inDays(1840))).toBe(0)
  await sweepFiles(db, fixture.drive, inDays(1840))
  expect(await everythingOf(person)).not.toMatch(/irrepetible|CLAVE1|constancia.pdf/i)
  expect(await payment()).toMatchObject({ amount: 580_00, state: 'paid', proofId: null })
  expect(await readBy(manager, invoice.xmlId)).toBe(404)
  for (const id of kept) expect(await fixture.drive.get(paperKey({ id }))).toBeNull()
})

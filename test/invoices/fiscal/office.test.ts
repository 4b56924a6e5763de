import { fiscalFor, fiscalOfQuote, reviewFiscal } from '../../../src/invoices/fiscal-data.ts'
import { users } from '../../../src/platform/database/schema/accounts.ts'
import type { FiscalEmailJob } from '../../../src/platform/jobs/emails.ts'
import { pdf } from '../../documents/samples.ts'
import { emailsOf } from '../../kit/delivered.ts'
import { fiscalDataOf, sendFiscal, trailOfFiscal } from '../../kit/invoices.ts'
import {
  ally,
  analyst,
  customer,
  customer2,
  db,
  expectEmails,
  expectNotOnPage,
  expectScreen,
  fixture,
  gester,
  manager,
  openEach,
  post,
  sendJobs,
  setRow,
  technician,
} from '../../kit/open.ts'
import { storeDraft, storeSent, visited } from '../../kit/quotes.ts'
import { expectLeadsTo, expectPage, expectRefusal } from '../../kit/reading.ts'

openEach(() => sendFiscal(fixture, customer, {}, pdf()))
sendJobs()

const now = new Date()
const kept = () => fiscalDataOf(fixture, customer)
const verify = (by = analyst, version = 1) =>
  reviewFiscal(db, by.actor, { move: 'verify', customerId: customer.id, version }, now)
const reject = (by = analyst, version = 1, reason = 'El nombre no es el de la Constancia.') =>
  reviewFiscal(db, by.actor, { move: 'reject', customerId: customer.id, version, reason }, now)

const emailsNow = (letter: FiscalEmailJob['letter']) => {
  const to = letter === 'fiscal_submitted' ? 'managers' : 'customer'
  return emailsOf(db, { letter, fiscalOf: customer.id, to } as FiscalEmailJob)
}

test('an analyst verifies fiscal data, and the customer is notified', async () => {
  for (const { actor } of [analyst, manager]) {
    expect(await fiscalFor(db, actor, customer.id)).toMatchObject({ rfc: 'GODE561231GR8', warning: null })
  }
  await verify()
  expect(await kept()).toMatchObject({ state: 'verified', reviewedBy: analyst.id, version: 2 })
  await expectEmails(customer, ['fiscal_submitted to managers', 'fiscal_verified to customer'])
  const event = { name: 'verify', to: 'verified', reason: null, data: null }
  expect((await trailOfFiscal(customer))[0]).toEqual(event)
})

test('other roles do not read fiscal data', async () => {
  const quote = await storeDraft(fixture, await visited(customer, technician), analyst)
  for (const by of [technician, gester, ally, customer2]) {
    expect(await fiscalFor(db, by.actor, customer.id)).toBeNull()
    expect(await fiscalOfQuote(db, by.actor, quote.id)).toBeNull()
  }
  expect((await fiscalOfQuote(db, analyst.actor, quote.id))?.customerId).toBe(customer.id)
  expect(await fiscalOfQuote(db, manager.actor, 'x')).toBeNull()
})

test('only its customer reads a draft, and nobody verifies it', async () => {
  await sendFiscal(fixture, customer2, { intent: 'keep-fiscal' })
  expect(await fiscalFor(db, analyst.actor, customer2.id)).toBeNull()
  expect(await fiscalFor(db, customer2.actor, customer2.id)).toMatchObject({ state: 'draft' })
  const input = { customerId: customer2.id, move: 'verify', version: 1 } as const
  await expectRefusal(reviewFiscal(db, analyst.actor, input, now), 'failed-precondition')
})

test('a rejection tells the customer what to correct, at a proved mailbox only, and ends with the correction', async () => {
  await reject(manager)
  const rejectedReason = 'El nombre no es el de la Constancia.'
  expect(await kept()).toMatchObject({ state: 'rejected', rejectedReason })
  await expectScreen('/fiscal', customer, 'Hay algo que corregir', rejectedReason)
  const [email] = await emailsNow('fiscal_rejected')
  expect(email?.text).toContain('Qué corregir: El nombre no es el de la Constancia.')
  await setRow(users, customer, { emailVerified: false })
  expect((await emailsNow('fiscal_rejected'))[0]?.text).not.toContain('Constancia')
  await sendFiscal(fixture, customer, { legalName: 'Eva Gómez Díaz', version: '2' })
  expect(await kept()).toMatchObject({ state: 'submitted', rejectedReason: null, version: 3 })
  expect(await emailsNow('fiscal_rejected')).toEqual([])
})

test('verifies nothing without a Constancia but generic RFCs', async () => {
  await sendFiscal(fixture, customer2)
  const them = { customerId: customer2.id, move: 'verify' } as const
  const ask = (version: number) => reviewFiscal(db, analyst.actor, { ...them, version }, now)
  await expectRefusal(ask(1), 'failed-precondition', 'falta la Constancia de Situación Fiscal.')
  await sendFiscal(fixture, customer2, { rfc: 'XEXX010101000', version: '1' })
  await ask(2)
  expect(await fiscalDataOf(fixture, customer2)).toMatchObject({ state: 'verified' })
})

test('of two reviews at once one is made', async () => {
  const both = await Promise.allSettled([verify(analyst), reject(manager)])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await kept()).toMatchObject({ version: 2 })
  await expectRefusal(verify(), 'failed-precondition')
})

test('emails managers once of data to review, with a link and no data, and refuses to verify an older version', async () => {
  await sendFiscal(fixture, customer, { postalCode: '03100', version: '1' })
  await expectRefusal(verify(), 'aborted')
  await expectEmails(customer, ['fiscal_submitted to managers'])
  const quote = await storeDraft(fixture, await visited(customer, technician), analyst)
  const [email, ...more] = await emailsNow('fiscal_submitted')
  expect([email?.to, more]).toEqual([manager.email, []])
  expect(email?.text).toContain(
    `https://carga.example/admin/cotizations/detail-quote/${quote.id}?parte=fiscal`,
  )
  expect(email?.text).toContain('Cliente: Camila Prueba')
  for (const own of ['GODE561231GR8', '03100', 'facturas@prueba.mx']) expect(email?.text).not.toContain(own)
  await verify(analyst, 2)
  expect(await emailsNow('fiscal_submitted')).toEqual([])
})

test('the office reviews fiscal data on the screen of a quote', async () => {
  const quote = await storeSent({ customer, technician, maker: analyst })
  const page = `/admin/cotizations/detail-quote/${quote.id}?parte=fiscal`
  const words = ['GODE561231GR8 (persona física)', 'facturas@prueba.mx', 'Verificar datos fiscales']
  for (const by of [manager, analyst]) await expectScreen(page, by, ...words)
  const blank = await post(page, { intent: 'reject-fiscal', version: '1', reason: ' ' }, analyst)
  expectPage(blank, 400, 'Escribe qué hay que corregir.')
  await expectLeadsTo(post(page, { intent: 'verify-fiscal', version: '1' }, analyst), page)
  await expectNotOnPage(page, analyst, 'Verificar datos fiscales')
})

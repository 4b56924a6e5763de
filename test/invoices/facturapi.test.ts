import { askForInvoice } from '../../src/invoices/queries.ts'
import { retryStamp, stampInvoice } from '../../src/invoices/stamp.ts'
import { syncInvoices } from '../../src/invoices/sync-invoices.ts'
import { quotes } from '../../src/platform/database/schema/payments.ts'
import { inShort, invoicesOf, pay, storeAccepted, storeFiscal, storeIssuer, total } from '../kit/invoices.ts'
import { analyst, customer, db, fixture, openEach, runSql, sendJobs, sentAbout, setRow } from '../kit/open.ts'
import type { Quote } from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { expectAnswered, expectRefusal } from '../kit/reading.ts'
import { openFacturapi } from './facturapi-server.ts'

let home: Home
let quote: Quote
let facturapi: Awaited<ReturnType<typeof openFacturapi>>
const deposit = Math.ceil(total / 2)
openEach(async () => {
  facturapi = await openFacturapi()
  home = await fixture.home(customer)
  await storeIssuer()
  await storeFiscal(customer)
  quote = await storeAccepted(customer, home)
  await pay(quote, deposit)
  await askForInvoice(db, customer.actor, quote.id)
})
sendJobs()
afterEach(() => facturapi.close())

const invoices = () => invoicesOf(home.projectId)
const latest = async () => (await invoices()).at(-1)!
/** The state of the invoice, and how often it was stamped. */
const outcome = async () => [(await invoices())[0]!.state, facturapi.stamped.length]
const stamp = async (id?: string, key = 'sk_test_1', drive = fixture.drive) =>
  stampInvoice(db, drive, { key, url: facturapi.url }, id ?? (await latest()).id, new Date())

test('stamps an invoice and its complement through the official library, and keeps their files', async () => {
  await stamp()
  const [income, complement] = await invoices()
  expect(income).toMatchObject({ state: 'issued', uuid: facturapi.stamped[0]?.uuid, providerError: null })
  expect(facturapi.stamped[0]?.body).toMatchObject({
    type: 'I',
    payment_method: 'PPD',
    payment_form: '99',
    use: 'G03',
    idempotency_key: income?.id,
    customer: { tax_id: 'CACX7605101P8', tax_system: '612', address: { zip: '36257' } },
  })
  await stamp(complement!.id)
  expect(await inShort(home.projectId)).toEqual([
    `income issued ${total / 100}`,
    `payment issued ${deposit / 100}`,
  ])
  for (const file of [income!.xmlId, income!.pdfId])
    await expectAnswered(fixture.open(`/documents/${file}`, customer), 200)
  expect(await sentAbout(income!.id)).toContain('invoice_issued to customer')
  expect(await syncInvoices(db)).toBe(0)
})

test('stamps once though the answer was lost, even if its quote is cancelled by then', async () => {
  const { id } = await latest()
  facturapi.troubles.push('lost')
  await expect(stamp(id)).rejects.toThrow('Facturapi no respondió.')
  expect(await latest()).toMatchObject({ state: 'requested', providerError: 'Facturapi no respondió.' })
  await setRow(quotes, quote, { state: 'cancelled' })
  await stamp(id)
  expect(await outcome()).toEqual(['issued', 1])
  const { length } = facturapi.asked
  await stamp(id)
  expect(facturapi.asked).toHaveLength(length)
})

test('does not stamp an invoice of a cancelled quote, and tells staff why', async () => {
  await setRow(quotes, quote, { state: 'cancelled' })
  await stamp()
  expect(await latest()).toMatchObject({
    state: 'requested',
    providerId: null,
    providerError: 'Su cotización se canceló o se reemplazó. Retira esta solicitud.',
  })
  expect(facturapi.stamped).toHaveLength(0)
})

test('two jobs at once stamp once', async () => {
  const { id } = await latest()
  await Promise.all([stamp(id), stamp(id)])
  expect(await outcome()).toEqual(['issued', 1])
})

test('keeps a refused invoice requested with the provider’s message until staff retry it', async () => {
  facturapi.troubles.push(400)
  const { id } = await latest()
  await stamp()
  expect(await latest()).toMatchObject({
    state: 'requested',
    providerId: null,
    providerError: 'Facturapi: El RFC no existe en el SAT',
  })
  await expectRefusal(retryStamp(db, customer.actor, id), 'permission-denied')
  for (let time = 0; time < 2; time++) await retryStamp(db, analyst.actor, id)
  expect((await latest()).providerError).toBeNull()
  // One of the request, one of both retries.
  expect((await runSql`select from pgboss.job where name = 'stamp-invoice'`).rowCount).toBe(2)
  await stamp(id)
  expect(await outcome()).toEqual(['issued', 1])
})

test('tries again after a failing server or a full disk, not with a refused key', async () => {
  for (const status of [408, 409, 429, 500]) {
    facturapi.troubles.push(status)
    await expect(stamp()).rejects.toThrow('Facturapi: El RFC')
  }
  const words = 'Facturapi no acepta la llave configurada.'
  await stamp(undefined, 'sk_test_other')
  expect((await latest()).providerError).toBe(words)
  facturapi.troubles.push(403)
  await stamp()
  expect((await latest()).providerError).toBe(words)
  const full = { ...fixture.drive, put: () => Promise.reject(new Error('full')) }
  await expect(stamp(undefined, undefined, full)).rejects.toThrow('full')
  expect((await latest()).providerError).toBeNull()
})

test('neither issues nor stamps again what was stamped with another total or an unusable file', async () => {
  facturapi.troubles.push('other-total')
  await stamp()
  await stamp()
  expect(await latest()).toMatchObject({
    state: 'requested',
    providerId: facturapi.stamped[0]?.id,
    providerError: expect.stringContaining('Facturapi timbró otra cosa. Total: pedimos'),
  })
  expect(facturapi.stamped).toHaveLength(1)
  for (const [xml, why] of [
    ['<x/>', 'no es un CFDI 4.0'],
    ['x'.repeat(5 * 1024 * 1024 + 1), 'demasiado grande'],
  ] as const) {
    facturapi.stamped[0]!.xml = xml
    await stamp()
    expect((await latest()).providerError).toContain(why)
  }
})

test('does nothing without a provider', async () => {
  await stampInvoice(db, fixture.drive, null, (await latest()).id, new Date())
  expect([(await latest()).state, facturapi.asked]).toEqual(['requested', []])
})

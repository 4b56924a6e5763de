import { eq } from 'drizzle-orm'
import { cancelInvoice, uploadStamped } from '../../src/invoices/issue.ts'
import { askForInvoice, invoiceDesk, ownInvoicing } from '../../src/invoices/queries.ts'
import { syncInvoices } from '../../src/invoices/sync-invoices.ts'
import { correctPayment } from '../../src/payments/correct.ts'
import { insertPayment } from '../../src/payments/rows.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { payments, quotes, refunds } from '../../src/platform/database/schema/payments.ts'
import {
  files,
  inShort,
  invoicesOf,
  newFolio,
  pay,
  storeAccepted,
  storeFiscal,
  storeIssuer,
  total,
  xmlOf,
} from '../kit/invoices.ts'
import {
  analyst,
  customer,
  db,
  expectEmails,
  fixture,
  manager,
  openEach,
  rowWhere,
  sendJobs,
  sentAbout,
  setRow,
} from '../kit/open.ts'
import { acceptQuote, type Quote } from '../kit/payments.ts'
import type { Home, Person } from '../kit/people.ts'
import { expectAnswered, expectRefusal } from '../kit/reading.ts'
import { satFaults } from './sat-rules.ts'

let home: Home
let quote: Quote
openEach(async () => {
  home = await fixture.home(customer)
  await storeIssuer()
  await storeFiscal(customer)
  quote = await storeAccepted(customer, home)
})
sendJobs()

const now = new Date()
const ask = (by: Person, quoteId = quote.id) => askForInvoice(db, by.actor, quoteId)
const short = () => inShort(home.projectId)
const all = () => invoicesOf(home.projectId)
const latest = async () => (await all()).at(-1)!
const deposit = Math.ceil(total / 2)
const income = (state: string) => `income ${state} ${total / 100}`
const complement = (state: string) => `payment ${state} ${deposit / 100}`

type Upload = Partial<{ xml: string; version: number; by: Person; pdf: File }>
async function upload(id: string, { by = manager, ...input }: Upload = {}) {
  const row = (await all()).find((one) => one.id === id)!
  const sent = { ...files(input.xml ?? xmlOf(row.request)), ...(input.pdf && { pdf: input.pdf }) }
  const shown = { invoiceId: id, version: input.version ?? row.version }
  await uploadStamped(db, fixture.drive, by.actor, { ...shown, ...sent }, now)
}
async function cancel(by: Person, invoiceId: string, version?: number) {
  const row = (await all()).find(({ id }) => id === invoiceId)!
  const input = { invoiceId, version: version ?? row.version, reason: 'Datos equivocados.' }
  await cancelInvoice(db, by.actor, input, now)
}

describe('asking', () => {
  beforeEach(() => pay(quote, deposit))

  test('customer, analyst and manager who ask at once and again get one invoice', async () => {
    await Promise.all([customer, analyst, manager].map((by) => ask(by)))
    await ask(customer)
    expect(await short()).toEqual([income('requested')])
    const { id, request } = await latest()
    expect(request).toMatchObject({ MetodoPago: 'PPD', FormaPago: '99', Receptor: { UsoCFDI: 'G03' } })
    expect(satFaults(request)).toEqual([])
    await expectEmails(id, ['invoice_requested to managers'])
  })

  test.each([
    [{ state: 'draft' }, 'Para facturarte necesitamos tus datos fiscales.'],
    [{ state: 'rejected', rejectedReason: 'x' }, 'Para facturarte necesitamos tus datos fiscales.'],
    [{ rfc: 'XAXX010101000' }, 'Con el RFC genérico no hay factura individual. Escribe tu propio RFC.'],
  ] as const)('is refused with fiscal data %o: %s', async (input, words) => {
    await storeFiscal(customer, input)
    await expectRefusal(ask(customer), 'failed-precondition', words)
    const { invoiceable } = await ownInvoicing(db, customer.actor, home.projectId)
    expect(invoiceable[0]?.obstacle).toMatch(/fiscal|generic/)
  })

  test('is refused for a newer version until the invoice of the one before is cancelled, and for a cancelled quote', async () => {
    await setRow(quotes, quote, { state: 'cancelled' })
    await expectRefusal(ask(manager), 'failed-precondition')
    await setRow(quotes, quote, { state: 'accepted' })
    await ask(customer)
    await setRow(quotes, quote, { state: 'superseded' })
    const { content, folio } = quote
    const sums = { acceptedTotal: total, depositAmount: deposit }
    const next = await acceptQuote(customer, home, { folio, revision: 2, content, ...sums })
    await expectRefusal(ask(manager, next.id), 'failed-precondition', 'Cancélala antes')
    const { invoiceable } = await ownInvoicing(db, customer.actor, home.projectId)
    expect(invoiceable).toMatchObject([{ quoteId: next.id, obstacle: 'former' }])
    await cancel(manager, (await latest()).id)
    await ask(customer, next.id)
    expect((await latest()).quoteId).toBe(next.id)
  })

  test('moves the quote to the invoices of its customer, without the errors of a provider', async () => {
    const mine = () => ownInvoicing(db, customer.actor, home.projectId)
    const offered = { quoteId: quote.id, folio: quote.folio, total, obstacle: null }
    expect((await mine()).invoiceable).toEqual([offered])
    await ask(customer)
    const { invoiceable, invoices } = await mine()
    expect(invoiceable).toEqual([])
    expect(invoices).toMatchObject([{ state: 'requested' }])
    expect(invoices[0]).not.toHaveProperty('providerError')
    const receiver = 'CACX7605101P8 XOCHILT CASAS CHAVEZ'
    const desk = await invoiceDesk(db, analyst.actor, home.projectId)
    expect(desk.invoices).toMatchObject([{ terms: { method: 'PPD', form: '99' }, receiver }])
  })
})

test('refuses an invoice before the first payment', async () => {
  const words = 'Podrás pedir tu factura cuando recibamos tu primer pago.'
  await expectRefusal(ask(customer), 'failed-precondition', words)
})

describe('deposit and balance', () => {
  beforeEach(async () => {
    await pay(quote, deposit)
    await ask(customer)
    await upload((await latest()).id)
  })

  test('a complement is requested for each payment of the issued invoice', async () => {
    expect(await short()).toEqual([income('issued'), complement('requested')])
    await pay(quote, total - deposit)
    expect(await syncInvoices(db)).toBe(1)
    expect(await syncInvoices(db)).toBe(0)
    const [invoice, ...complements] = await all()
    const documents = complements.map(({ request }) =>
      request.TipoDeComprobante === 'P' ? request.Pagos.Pago[0]!.DoctoRelacionado[0]! : null,
    )
    const of = { IdDocumento: invoice!.uuid }
    expect(documents).toMatchObject([
      { ...of, NumParcialidad: '1', ImpSaldoInsoluto: ((total - deposit) / 100).toFixed(2) },
      { ...of, NumParcialidad: '2', ImpSaldoInsoluto: '0.00' },
    ])
    expect(complements.flatMap(({ request }) => satFaults(request))).toEqual([])
    expect(await sentAbout(invoice!.id)).toContain('invoice_issued to customer')
  })

  test('a complement has to state its payment and its invoice', async () => {
    const { id, request } = await latest()
    const wrong = xmlOf(request).replace(/MontoTotalPagos="[^"]+"/, 'MontoTotalPagos="1.00"')
    await expectRefusal(upload(id, { xml: wrong }), 'invalid-argument', 'Monto pagado: pedimos $')
    const elsewhere = xmlOf(request).replace(/IdDocumento="[^"]+"/, `IdDocumento="${newFolio()}"`)
    await expectRefusal(upload(id, { xml: elsewhere }), 'invalid-argument', 'Factura relacionada: pedimos')
    await upload(id, { by: analyst })
    expect((await short())[1]).toBe(complement('issued'))
  })

  test('a manager cancels the invoice after its complements, once, and it may be requested again', async () => {
    const [invoice, paid] = await all()
    const early = cancel(manager, invoice!.id)
    await expectRefusal(early, 'failed-precondition', 'Cancela antes sus complementos')
    await expectRefusal(cancel(analyst, paid!.id, paid!.version - 1), 'aborted')
    await cancel(analyst, paid!.id)
    await expectRefusal(cancel(analyst, invoice!.id), 'permission-denied')
    await cancel(manager, invoice!.id)
    await cancel(manager, invoice!.id)
    expect(await short()).toEqual([income('cancelled'), complement('cancelled')])
    expect(await sentAbout(invoice!.id)).toContain('invoice_cancelled to customer')
    await ask(customer)
    expect((await short()).at(-1)).toBe(income('requested'))
  })

  test('a corrected payment withdraws its requested complement, and is refused with a stamped one', async () => {
    const { projectId } = home
    const { id: paymentId, version } = (await rowWhere(payments, { projectId, state: 'paid' }))!
    const none = { amount: 0, reason: 'No llegó.', sure: null, again: null, sureKey: null }
    const input = { paymentId, version, ...none }
    const correct = () => correctPayment(db, manager.actor, input, now)
    const { id } = await latest()
    await upload(id, { by: analyst })
    await expectRefusal(correct(), 'failed-precondition', 'ya tiene su complemento timbrado')
    await cancel(manager, id)
    await correct()
    expect(await short()).toEqual([income('issued'), complement('cancelled')])
    expect(await syncInvoices(db)).toBe(0)
    await pay(quote, deposit)
    expect(await syncInvoices(db)).toBe(1)
    expect((await short()).at(-1)).toBe(complement('requested'))
  })

  test('a cancelled request of a complement is made again', async () => {
    await cancel(analyst, (await latest()).id)
    expect(await syncInvoices(db)).toBe(1)
    expect(await short()).toHaveLength(3)
  })
})

describe('one payment of the whole', () => {
  beforeEach(async () => {
    await pay(quote, total, { method: 'card', cardFunding: 'debit', cardReference: 'pi_1' })
    await ask(manager)
    await upload((await latest()).id)
  })

  test('is stated in the invoice, without a complement; a refund requests a credit note', async () => {
    expect((await latest()).request).toMatchObject({ MetodoPago: 'PUE', FormaPago: '28' })
    expect(await syncInvoices(db)).toBe(0)
    await giveBack(500_00)
    expect(await syncInvoices(db)).toBe(1)
    const { id, kind, request } = await latest()
    expect(kind).toBe('credit_note')
    expect(request).toMatchObject({ Total: '500.00', FormaPago: '03', MetodoPago: 'PUE' })
    expect(satFaults(request)).toEqual([])
    await upload(id)
    expect((await short()).at(-1)).toBe('credit_note issued 500')
  })

  test('and a refund of an overpayment request no credit note', async () => {
    await pay(quote, 300_00, { paymentId: null })
    await giveBack(300_00)
    expect(await syncInvoices(db)).toBe(0)
  })
})

/** Stores a refund that was paid. */
const giveBack = (amount: number) =>
  transaction(db, async (tx) => {
    const { customerId, id: quoteId, projectId } = quote
    const paid = {
      projectId,
      customerId,
      quoteId,
      amount,
      method: 'spei',
      state: 'paid',
      paidAt: new Date(),
    } as const
    const row = { ...paid, reason: 'x', decidedBy: manager.id, decidedAt: now, folio: `REE-${newFolio()}` }
    // What an overpayment proposed.
    await tx.delete(refunds).where(eq(refunds.projectId, quote.projectId))
    const [refund] = await tx.insert(refunds).values(row).returning()
    await insertPayment(tx, { ...paid, refundId: refund!.id, concept: 'refund', amount: -amount }, now)
  })

describe('stamped files', () => {
  beforeEach(async () => {
    await pay(quote, deposit)
    await ask(customer)
  })

  test.each([
    ['RFC de quien emite', /EKU9003173C9/, 'AAA010101AAA'],
    ['RFC de quien recibe', /CACX7605101P8/, 'AAA010101AAA'],
    ['Total', / Total="[^"]+"/, ' Total="1.00"'],
    ['Tipo', /TipoDeComprobante="I"/, 'TipoDeComprobante="E"'],
    ['Moneda', /Moneda="MXN"/, 'Moneda="USD"'],
  ])('are refused with another %s', async (what, from, to) => {
    const { id, request } = await latest()
    const xml = xmlOf(request).replace(from, to)
    await expectRefusal(upload(id, { xml }), 'invalid-argument', `${what}: pedimos`)
    expect(await short()).toEqual([income('requested')])
  })

  test('that differ are shown to the office in a table beside what was asked for', async () => {
    const { id, request, version } = await latest()
    const { pdf, xml } = files(xmlOf(request).replace('PPD', 'PUE'))
    const body = new FormData()
    const fields = { intent: 'issue-invoice', invoiceId: id, version: `${version}`, xml, pdf }
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    const headers = { origin: 'http://carga.test' }
    const path = `/admin/cotizations/detail-quote/${quote.id}?parte=fiscal`
    const answer = await fixture.send(path, analyst, { method: 'POST', headers, body })
    expect(answer.status).toBe(400)
    const page = answer.text.replaceAll('<!-- -->', '')
    expect(page).toContain('Método de pago: pedimos PPD y el XML dice PUE.')
    const row = /<tr[^>]*><td[^>]*>Método de pago<.*?<\/tr>/.exec(page)?.[0].replace(/<[^>]+>/g, '|')
    expect(row?.split(/\|+/)).toEqual(['', 'Método de pago', 'PPD', '≠ PUE', ''])
    expect(page.match(/≠/g)).toHaveLength(1)
  })

  test('are refused without a file, a CFDI, a PDF or the current version', async () => {
    const { id, request } = await latest()
    const xml = xmlOf(request)
    await expectRefusal(upload(id, { xml: '<x/>' }), 'invalid-argument', 'no es un CFDI 4.0')
    const pdf = new File(['<html>'], 'x.pdf')
    await expectRefusal(upload(id, { xml, pdf }), 'invalid-argument', 'No pudimos leer ese archivo')
    await expectRefusal(upload(id, { xml, version: 99 }), 'aborted')
    const nothing = { invoiceId: id, version: 1, xml: null, pdf: null }
    const none = uploadStamped(db, fixture.drive, manager.actor, nothing, now)
    await expectRefusal(none, 'invalid-argument', 'Elige el XML timbrado.')
  })

  test('are accepted once, and their folio for no other invoice', async () => {
    const { id, request } = await latest()
    const uuid = newFolio()
    await upload(id, { xml: xmlOf(request, uuid) })
    await upload(id, { xml: xmlOf(request, uuid) })
    await expectRefusal(upload(id, { xml: xmlOf(request) }), 'failed-precondition')
    const complement = await latest()
    const same = upload(complement.id, { xml: xmlOf(complement.request, uuid) })
    await expectRefusal(same, 'invalid-argument', 'Ese folio fiscal ya está en otra factura.')
  })

  test('include the request as a download for the office', async () => {
    const { id, request } = await latest()
    const answer = await fixture.open(`/invoices/${id}.json`, analyst)
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    expect(await answer.json()).toEqual(request)
    await expectAnswered(fixture.open('/invoices/x.json', manager), 404)
  })
})

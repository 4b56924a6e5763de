import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { cancelInvoice, uploadStamped } from '../../src/server/invoices/issue.ts'
import { askForInvoice, invoiceDesk, ownInvoicing } from '../../src/server/invoices/queries.ts'
import { syncInvoices } from '../../src/server/invoices/sync-invoices.ts'
import { correctPayment } from '../../src/server/payments/correct.ts'
import { insertPayment } from '../../src/server/payments/rows.ts'
import { transaction } from '../../src/server/platform/database/client.ts'
import { quotes, refunds } from '../../src/server/platform/database/schema/payments.ts'
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
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { acceptQuote, type Quote } from '../kit/payments.ts'
import type { Home, Person } from '../kit/people.ts'
import { emailsAbout, expectAnswered, expectRefusal, setIn } from '../kit/reading.ts'
import { satFaults } from './sat-rules.ts'

openEach()
sendJobs()

let home: Home
let quote: Quote
beforeEach(async () => {
  home = await world.home(people.customer)
  await storeIssuer(world)
  await storeFiscal(world, people.customer)
  quote = await storeAccepted(world, people.customer, home)
})

const now = new Date()
const ask = (by: Person, quoteId = quote.id) => askForInvoice(world.db, by.actor, quoteId)
const short = () => inShort(world, home.projectId)
const all = () => invoicesOf(world, home.projectId)
const latest = async () => (await all()).at(-1)!
const deposit = Math.ceil(total / 2)

type Upload = Partial<{ xml: string; version: number; by: Person; pdf: File }>
async function upload(id: string, { by = people.manager, ...wish }: Upload = {}) {
  const row = (await all()).find((one) => one.id === id)!
  const sent = files(wish.xml ?? xmlOf(row.request))
  const shown = { invoiceId: id, version: wish.version ?? row.version }
  await uploadStamped(
    world.db,
    world.drive,
    by.actor,
    { ...shown, ...sent, ...(wish.pdf && { pdf: wish.pdf }) },
    now,
  )
}
async function cancel(by: Person, invoiceId: string, version?: number) {
  const row = (await all()).find(({ id }) => id === invoiceId)!
  const wish = { invoiceId, version: version ?? row.version, reason: 'Datos equivocados.' }
  await cancelInvoice(world.db, by.actor, wish, now)
}

describe('asking', () => {
  beforeEach(() => pay(world, quote, deposit))

  test('customer, analyst and manager who ask at once and again get one invoice', async () => {
    await Promise.all([people.customer, people.analyst, people.manager].map((by) => ask(by)))
    await ask(people.customer)
    expect(await short()).toEqual([`income requested ${total / 100}`])
    const { id, request } = await latest()
    expect(request).toMatchObject({ MetodoPago: 'PPD', FormaPago: '99', Receptor: { UsoCFDI: 'G03' } })
    expect(satFaults(request)).toEqual([])
    expect(await emailsAbout(world, id)).toEqual(['invoice_requested to managers'])
  })

  test.each([
    [{ state: 'draft' }, 'Para facturarte necesitamos tus datos fiscales.'],
    [{ state: 'rejected', rejectedReason: 'x' }, 'Para facturarte necesitamos tus datos fiscales.'],
    [{ rfc: 'XAXX010101000' }, 'Con el RFC genérico no hay factura individual. Escribe tu propio RFC.'],
  ] as const)('is refused with fiscal data %o: %s', async (wish, words) => {
    await storeFiscal(world, people.customer, wish)
    await expectRefusal(ask(people.customer), 'failed-precondition', words)
    const { invoiceable } = await ownInvoicing(world.db, people.customer.actor, home.projectId)
    expect(invoiceable[0]?.obstacle).toMatch(/fiscal|generic/)
  })

  test('is refused for a newer version until the invoice of the one before is cancelled, and for a cancelled quote', async () => {
    await setIn(world, quotes, quote, { state: 'cancelled' })
    await expectRefusal(ask(people.manager), 'failed-precondition')
    await setIn(world, quotes, quote, { state: 'accepted' })
    await ask(people.customer)
    await setIn(world, quotes, quote, { state: 'superseded' })
    const { content, folio } = quote
    const sums = { acceptedTotal: total, depositAmount: deposit }
    const next = await acceptQuote(world, people.customer, home, { folio, revision: 2, content, ...sums })
    await expectRefusal(ask(people.manager, next.id), 'failed-precondition', 'Cancélala antes')
    const { invoiceable } = await ownInvoicing(world.db, people.customer.actor, home.projectId)
    expect(invoiceable).toMatchObject([{ quoteId: next.id, obstacle: 'former' }])
    await cancel(people.manager, (await latest()).id)
    await ask(people.customer, next.id)
    expect((await latest()).quoteId).toBe(next.id)
  })

  test('moves the quote to the invoices of its customer, without the errors of a provider', async () => {
    const mine = () => ownInvoicing(world.db, people.customer.actor, home.projectId)
    expect((await mine()).invoiceable).toEqual([
      { quoteId: quote.id, folio: quote.folio, total, obstacle: null },
    ])
    await ask(people.customer)
    const { invoiceable, invoices } = await mine()
    expect([invoiceable, invoices.map(({ state }) => state)]).toEqual([[], ['requested']])
    expect(Object.keys(invoices[0]!)).not.toContain('providerError')
    const desk = await invoiceDesk(world.db, people.analyst.actor, home.projectId)
    expect(desk.invoices[0]).toMatchObject({
      terms: { method: 'PPD', form: '99' },
      receiver: 'CACX7605101P8 XOCHILT CASAS CHAVEZ',
    })
    const other = await ownInvoicing(world.db, people.customer2.actor, home.projectId)
    expect(other).toEqual({ invoices: [], invoiceable: [] })
  })
})

test('refuses an invoice before the first payment', async () => {
  await expectRefusal(
    ask(people.customer),
    'failed-precondition',
    'Podrás pedir tu factura cuando recibamos tu primer pago.',
  )
})

describe('deposit and balance', () => {
  beforeEach(async () => {
    await pay(world, quote, deposit)
    await ask(people.customer)
    await upload((await latest()).id)
  })

  test('a complement is requested for each payment of the issued invoice', async () => {
    expect(await short()).toEqual([`income issued ${total / 100}`, `payment requested ${deposit / 100}`])
    await pay(world, quote, total - deposit)
    expect(await syncInvoices(world.db)).toBe(1)
    expect(await syncInvoices(world.db)).toBe(0)
    const [income, ...complements] = await all()
    const documents = complements.map(({ request }) =>
      request.TipoDeComprobante === 'P' ? request.Pagos.Pago[0]!.DoctoRelacionado[0]! : null,
    )
    expect(documents.map((one) => [one?.NumParcialidad, one?.ImpSaldoInsoluto, one?.IdDocumento])).toEqual([
      ['1', ((total - deposit) / 100).toFixed(2), income!.uuid],
      ['2', '0.00', income!.uuid],
    ])
    expect(complements.flatMap(({ request }) => satFaults(request))).toEqual([])
    expect(await emailsAbout(world, income!.id)).toContain('invoice_issued to customer')
  })

  test('a complement has to state its payment and its invoice', async () => {
    const { id, request } = await latest()
    const wrong = xmlOf(request).replace(/MontoTotalPagos="[^"]+"/, 'MontoTotalPagos="1.00"')
    await expectRefusal(upload(id, { xml: wrong }), 'invalid-argument', 'Monto pagado: pedimos $')
    const elsewhere = xmlOf(request).replace(/IdDocumento="[^"]+"/, `IdDocumento="${newFolio()}"`)
    await expectRefusal(upload(id, { xml: elsewhere }), 'invalid-argument', 'Factura relacionada: pedimos')
    await upload(id, { by: people.analyst })
    expect((await short())[1]).toBe(`payment issued ${deposit / 100}`)
  })

  test('a manager cancels the invoice after its complements, once, and it may be requested again', async () => {
    const [income, complement] = await all()
    await expectRefusal(
      cancel(people.manager, income!.id),
      'failed-precondition',
      'Cancela antes sus complementos',
    )
    await expectRefusal(cancel(people.analyst, complement!.id, complement!.version - 1), 'aborted')
    await cancel(people.analyst, complement!.id)
    await expectRefusal(cancel(people.analyst, income!.id), 'permission-denied')
    await cancel(people.manager, income!.id)
    await cancel(people.manager, income!.id)
    expect(await short()).toEqual([`income cancelled ${total / 100}`, `payment cancelled ${deposit / 100}`])
    expect(await emailsAbout(world, income!.id)).toContain('invoice_cancelled to customer')
    await ask(people.customer)
    expect((await short()).at(-1)).toBe(`income requested ${total / 100}`)
  })

  test('a corrected payment withdraws its requested complement, and is refused with a stamped one', async () => {
    const { rows } = await world.db.execute<{ paymentId: string; version: number }>(sql`
      select id as "paymentId", version from payments where project_id = ${home.projectId} and state = 'paid'`)
    const none = { amount: 0, reason: 'No llegó.', sure: null, again: null, sureKey: null }
    const correct = () => correctPayment(world.db, people.manager.actor, { ...rows[0]!, ...none }, now)
    const { id } = await latest()
    await upload(id, { by: people.analyst })
    await expectRefusal(correct(), 'failed-precondition', 'ya tiene su complemento timbrado')
    await cancel(people.manager, id)
    await correct()
    expect(await short()).toEqual([`income issued ${total / 100}`, `payment cancelled ${deposit / 100}`])
    expect(await syncInvoices(world.db)).toBe(0)
    await pay(world, quote, deposit)
    expect(await syncInvoices(world.db)).toBe(1)
    expect((await short()).at(-1)).toBe(`payment requested ${deposit / 100}`)
  })

  test('a cancelled request of a complement is made again', async () => {
    await cancel(people.analyst, (await latest()).id)
    expect(await syncInvoices(world.db)).toBe(1)
    expect(await short()).toHaveLength(3)
  })
})

describe('one payment of the whole', () => {
  beforeEach(async () => {
    await pay(world, quote, total, { method: 'card', cardFunding: 'debit', cardReference: 'pi_1' })
    await ask(people.manager)
  })

  test('states how it was paid, and needs no complement', async () => {
    const { id, request } = await latest()
    expect(request).toMatchObject({ MetodoPago: 'PUE', FormaPago: '28' })
    await upload(id)
    expect(await syncInvoices(world.db)).toBe(0)
  })

  test('a refund requests a credit note with its method', async () => {
    await upload((await latest()).id)
    await giveBack(500_00)
    expect(await syncInvoices(world.db)).toBe(1)
    const { kind, request } = await latest()
    expect(kind).toBe('credit_note')
    expect(request).toMatchObject({ Total: '500.00', FormaPago: '03', MetodoPago: 'PUE' })
    expect(satFaults(request)).toEqual([])
    await upload((await latest()).id)
    expect((await short()).at(-1)).toBe('credit_note issued 500')
  })

  test('a refund of an overpayment requests no credit note', async () => {
    await upload((await latest()).id)
    await pay(world, quote, 300_00, { paymentId: null })
    await giveBack(300_00)
    expect(await syncInvoices(world.db)).toBe(0)
  })
})

/** Stores a refund that was paid. */
const giveBack = (amount: number) =>
  transaction(world.db, async (tx) => {
    const whose = { projectId: quote.projectId, customerId: quote.customerId, quoteId: quote.id }
    const paid = { ...whose, amount, method: 'spei', state: 'paid', paidAt: new Date() } as const
    const decided = { reason: 'x', decidedBy: people.manager.id, decidedAt: now }
    const row = { ...paid, ...decided, folio: `REE-${newFolio()}` }
    // What an overpayment proposed.
    await tx.delete(refunds).where(eq(refunds.projectId, quote.projectId))
    const [refund] = await tx.insert(refunds).values(row).returning()
    await insertPayment(tx, { ...paid, refundId: refund!.id, concept: 'refund', amount: -amount }, now)
  })

describe('stamped files', () => {
  beforeEach(async () => {
    await pay(world, quote, deposit)
    await ask(people.customer)
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
    expect(await short()).toEqual([`income requested ${total / 100}`])
  })

  test('are refused without a file, a CFDI, a PDF or the current version', async () => {
    const { id, request } = await latest()
    const xml = xmlOf(request)
    await expectRefusal(upload(id, { xml: '<x/>' }), 'invalid-argument', 'no es un CFDI 4.0')
    const pdf = new File(['<html>'], 'x.pdf')
    await expectRefusal(upload(id, { xml, pdf }), 'invalid-argument', 'No pudimos leer ese archivo')
    await expectRefusal(upload(id, { xml, version: 99 }), 'aborted')
    const nothing = { invoiceId: id, version: 1, xml: null, pdf: null }
    const none = uploadStamped(world.db, world.drive, people.manager.actor, nothing, now)
    await expectRefusal(none, 'invalid-argument', 'Elige el XML timbrado.')
  })

  test('are accepted once, and their folio for no other invoice', async () => {
    const { id, request } = await latest()
    const uuid = newFolio()
    await upload(id, { xml: xmlOf(request, uuid) })
    await upload(id, { xml: xmlOf(request, uuid) })
    await expectRefusal(upload(id, { xml: xmlOf(request) }), 'failed-precondition')
    const complement = await latest()
    const same = xmlOf(complement.request, uuid)
    await expectRefusal(
      upload(complement.id, { xml: same }),
      'invalid-argument',
      'Ese folio fiscal ya está en otra factura.',
    )
  })

  test('are read by the customer and the office', async () => {
    const { id } = await latest()
    await upload(id)
    const { pdfId, xmlId } = (await all())[0]!
    for (const [person, status] of [
      [people.customer, 200],
      [people.analyst, 200],
      [people.customer2, 404],
      [people.technician, 404],
    ] as const)
      for (const file of [pdfId, xmlId])
        await expectAnswered(world.open(`/documents/${file}`, person), status)
  })

  test('include the request as a download for the office', async () => {
    const { id, request } = await latest()
    const answer = await world.open(`/invoices/${id}.json`, people.analyst)
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    expect(await answer.json()).toEqual(request)
    await expectAnswered(world.open('/invoices/x.json', people.manager), 404)
  })
})

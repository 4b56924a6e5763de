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
import { emailsAbout, refusalOf } from '../kit/reading.ts'
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
const cancel = async (by: Person, id: string, reason = 'Datos equivocados.') => {
  const row = (await all()).find((one) => one.id === id)!
  await cancelInvoice(world.db, by.actor, { invoiceId: id, version: row.version, reason }, now)
}

describe('asking', () => {
  beforeEach(() => pay(world, quote, deposit))

  test('its customer, an analyst or a manager asks; twice is once', async () => {
    for (const by of [people.customer, people.analyst, people.manager, people.customer]) await ask(by)
    expect(await short()).toEqual([`income requested ${total / 100}`])
    const { id, request, requestedBy } = await latest()
    expect(requestedBy).toBe(people.customer.id)
    expect(request).toMatchObject({ MetodoPago: 'PPD', FormaPago: '99', Receptor: { UsoCFDI: 'G03' } })
    expect(satFaults(request)).toEqual([])
    expect(await emailsAbout(world, id)).toEqual(['invoice_requested to managers'])
  })

  test('two at once make one', async () => {
    const both = await Promise.allSettled([ask(people.customer), ask(people.manager)])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await short()).toHaveLength(1)
  })

  test('for nobody else does the quote exist, or may they', async () => {
    for (const by of [people.customer2, people.gester, people.ally, people.technician2])
      expect((await refusalOf(ask(by)))[0]).toBe('not-found')
    // Whose visit it was sees the quote, and asks for no invoice.
    expect(['not-found', 'permission-denied']).toContain((await refusalOf(ask(people.technician)))[0])
    expect(await short()).toEqual([])
  })

  test.each([
    [{ state: 'draft' }, 'Para facturarte necesitamos tus datos fiscales.'],
    [{ state: 'rejected', rejectedReason: 'x' }, 'Para facturarte necesitamos tus datos fiscales.'],
    [{ rfc: 'XAXX010101000' }, 'Con el RFC genérico no hay factura individual. Escribe tu propio RFC.'],
  ] as const)('is refused with %o', async (wish, words) => {
    await storeFiscal(world, people.customer, wish)
    expect(await refusalOf(ask(people.customer))).toEqual(['failed-precondition', words])
    const { invoiceable } = await ownInvoicing(world.db, people.customer.actor, home.projectId)
    expect(invoiceable[0]?.obstacle).toMatch(/fiscal|generic/)
  })

  test('of a newer version waits until the invoice of the one before is cancelled: nothing is declared twice', async () => {
    await ask(people.customer)
    await world.db.update(quotes).set({ state: 'superseded' }).where(eq(quotes.id, quote.id))
    const { content, folio } = quote
    const sums = { acceptedTotal: total, depositAmount: deposit }
    const next = await acceptQuote(world, people.customer, home, { folio, revision: 2, content, ...sums })
    expect((await refusalOf(ask(people.manager, next.id)))[1]).toContain('Cancélala antes')
    const { invoiceable } = await ownInvoicing(world.db, people.customer.actor, home.projectId)
    expect(invoiceable).toMatchObject([{ quoteId: next.id, obstacle: 'former' }])
    await cancel(people.manager, (await latest()).id)
    await ask(people.customer, next.id)
    expect((await latest()).quoteId).toBe(next.id)
  })

  test('so is one of a quote that is not accepted', async () => {
    await world.db.update(quotes).set({ state: 'cancelled' }).where(eq(quotes.id, quote.id))
    expect((await refusalOf(ask(people.manager)))[0]).toBe('failed-precondition')
  })

  test('what is shown changes with it: to its customer without what a provider said', async () => {
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

test('before the first payment nothing is invoiced, and without an issuer neither', async () => {
  expect(await refusalOf(ask(people.customer))).toEqual([
    'failed-precondition',
    'Podrás pedir tu factura cuando recibamos tu primer pago.',
  ])
})

describe('deposit and balance', () => {
  beforeEach(async () => {
    await pay(world, quote, deposit)
    await ask(people.customer)
    await upload((await latest()).id)
  })

  test('the invoice is issued, and a complement asked for each payment', async () => {
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

  test('a complement is stamped as any invoice is; it has to be of this payment', async () => {
    const { id, request } = await latest()
    const wrong = xmlOf(request).replace(/MontoTotalPagos="[^"]+"/, 'MontoTotalPagos="1.00"')
    expect((await refusalOf(upload(id, { xml: wrong })))[1]).toMatch(
      /Monto pagado: pedimos \$[\d,]+\.\d\d y el XML dice \$[\d,]+\.\d\d/,
    )
    const elsewhere = xmlOf(request).replace(/IdDocumento="[^"]+"/, `IdDocumento="${newFolio()}"`)
    expect((await refusalOf(upload(id, { xml: elsewhere })))[1]).toContain('Factura relacionada: pedimos')
    await upload(id, { by: people.analyst })
    expect((await short())[1]).toBe(`payment issued ${deposit / 100}`)
  })

  test('the invoice is cancelled after what follows from it, by the manager, and may be asked for again', async () => {
    const [income, complement] = await all()
    expect((await refusalOf(cancel(people.manager, income!.id)))[1]).toContain(
      'Cancela antes sus complementos',
    )
    await cancel(people.analyst, complement!.id)
    for (const by of [people.analyst])
      expect((await refusalOf(cancel(by, income!.id)))[0]).toBe('permission-denied')
    await cancel(people.manager, income!.id)
    await cancel(people.manager, income!.id)
    expect(await short()).toEqual([`income cancelled ${total / 100}`, `payment cancelled ${deposit / 100}`])
    expect(await emailsAbout(world, income!.id)).toContain('invoice_cancelled to customer')
    await ask(people.customer)
    expect((await short()).at(-1)).toBe(`income requested ${total / 100}`)
  })

  test('a payment that is corrected takes back the complement asked for it, not one that the SAT has', async () => {
    const { rows } = await world.db.execute<{ id: string; version: number }>(sql`
      select id, version from payments where project_id = ${home.projectId} and state = 'paid'`)
    const correct = () =>
      correctPayment(
        world.db,
        people.manager.actor,
        {
          paymentId: rows[0]!.id,
          version: rows[0]!.version,
          amount: 0,
          reason: 'No llegó.',
          sure: null,
          again: null,
          sureKey: null,
        },
        now,
      )
    const { id } = await latest()
    await upload(id, { by: people.analyst })
    expect((await refusalOf(correct()))[1]).toContain('ya tiene su complemento timbrado')
    await cancel(people.manager, id)
    await correct()
    expect(await short()).toEqual([`income issued ${total / 100}`, `payment cancelled ${deposit / 100}`])
    expect(await syncInvoices(world.db)).toBe(0)
    // What comes in its place has a complement of its own.
    await pay(world, quote, deposit)
    expect(await syncInvoices(world.db)).toBe(1)
    expect((await short()).at(-1)).toBe(`payment requested ${deposit / 100}`)
  })

  test('a page with an older version cancels nothing', async () => {
    const { id, version } = await latest()
    const wish = { invoiceId: id, version: version - 1, reason: 'Datos equivocados.' }
    const stale = cancelInvoice(world.db, people.manager.actor, wish, now)
    expect((await refusalOf(stale))[0]).toBe('aborted')
    expect((await latest()).version).toBe(version)
  })

  test('a request that was dropped is made again, with the next number', async () => {
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

  test('says how it was paid, and no complement follows', async () => {
    const { id, request } = await latest()
    expect(request).toMatchObject({ MetodoPago: 'PUE', FormaPago: '28' })
    await upload(id)
    expect(await syncInvoices(world.db)).toBe(0)
  })

  test('a refund gives a credit note, with the way it went back', async () => {
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

  test('what was paid too much and given back is no credit note', async () => {
    await upload((await latest()).id)
    await pay(world, quote, 300_00, { paymentId: null })
    await giveBack(300_00)
    expect(await syncInvoices(world.db)).toBe(0)
  })
})

/** A refund that was paid. */
const giveBack = (amount: number) =>
  transaction(world.db, async (tx) => {
    const { customerId, id: quoteId, projectId } = quote
    const whose = { projectId, customerId, quoteId }
    const decided = { decidedBy: people.manager.id, decidedAt: now }
    const [open] = await tx.select().from(refunds).where(eq(refunds.projectId, projectId))
    const paid = {
      ...whose,
      ...decided,
      amount,
      reason: 'x',
      state: 'paid' as const,
      method: 'spei' as const,
      paidAt: now,
    }
    const [refund] = open
      ? await tx.update(refunds).set(paid).where(eq(refunds.id, open.id)).returning()
      : await tx
          .insert(refunds)
          .values({ ...paid, folio: `REE-${newFolio()}` })
          .returning()
    const row = { ...whose, refundId: refund!.id, concept: 'refund', method: 'spei', state: 'paid' } as const
    await insertPayment(tx, { ...row, amount: -amount, paidAt: new Date() }, now)
  })

describe('the files of whoever stamped it', () => {
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
  ])('are refused where they differ in %s', async (what, from, to) => {
    const { id, request } = await latest()
    const [code, words] = await refusalOf(upload(id, { xml: xmlOf(request).replace(from, to) }))
    expect([code, words]).toEqual(['invalid-argument', expect.stringContaining(`${what}: pedimos`)])
    expect(await short()).toEqual([`income requested ${total / 100}`])
  })

  test('are refused when one is missing, no CFDI, no PDF, or the form is old', async () => {
    const { id, request } = await latest()
    const xml = xmlOf(request)
    expect((await refusalOf(upload(id, { xml: '<x/>' })))[1]).toContain('no es un CFDI 4.0')
    expect((await refusalOf(upload(id, { xml, pdf: new File(['<html>'], 'x.pdf') })))[1]).toContain(
      'No pudimos leer ese archivo',
    )
    expect((await refusalOf(upload(id, { xml, version: 99 })))[0]).toBe('aborted')
    const nothing = { invoiceId: id, version: 1, xml: null, pdf: null }
    const none = uploadStamped(world.db, world.drive, people.manager.actor, nothing, now)
    expect((await refusalOf(none))[1]).toBe('Elige el XML timbrado.')
  })

  test('are taken once: again is the same, and the folio fits no other', async () => {
    const { id, request } = await latest()
    const uuid = newFolio()
    await upload(id, { xml: xmlOf(request, uuid) })
    await upload(id, { xml: xmlOf(request, uuid) })
    expect((await refusalOf(upload(id, { xml: xmlOf(request) })))[0]).toBe('failed-precondition')
    const complement = await latest()
    const same = xmlOf(complement.request, uuid)
    expect((await refusalOf(upload(complement.id, { xml: same })))[1]).toBe(
      'Ese folio fiscal ya está en otra factura.',
    )
  })

  test('are handed in by who sees to invoices, and saved by its customer', async () => {
    const { id } = await latest()
    for (const by of [people.customer, people.technician, people.gester, people.ally])
      expect((await refusalOf(upload(id, { by })))[0]).toBe('permission-denied')
    await upload(id)
    const { pdfId, xmlId } = (await all())[0]!
    for (const [person, status] of [
      [people.customer, 200],
      [people.analyst, 200],
      [people.customer2, 404],
      [people.technician, 404],
    ] as const)
      for (const file of [pdfId, xmlId])
        expect((await world.open(`/documents/${file}`, person)).status).toBe(status)
  })

  test('the request is a file for who stamps', async () => {
    const { id, request } = await latest()
    const answer = await world.open(`/invoices/${id}.json`, people.analyst)
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    expect(await answer.json()).toEqual(request)
    expect((await world.open('/invoices/x.json', people.manager)).status).toBe(404)
  })
})

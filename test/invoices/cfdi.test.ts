import { readFileSync, writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { z } from 'zod'
import { readStamped } from '../../src/invoices/issue.ts'
import {
  complementOf,
  creditNoteOf,
  incomeOf,
  type Parties,
  type Share,
  shareCreditedBy,
  shareOfLines,
  shareToldBy,
  shareTotal,
} from '../../src/invoices/rules/cfdi.ts'
import { comparedFields, differencesOf, type Stamped } from '../../src/invoices/rules/cfdi-amounts.ts'
import {
  type Cfdi,
  cfdiSchema,
  type IncomeCfdi,
  type PaymentCfdi,
} from '../../src/invoices/rules/cfdi-schema.ts'
import { formOfPayment, paymentForms, unknownKeys } from '../../src/invoices/rules/sat-catalogues.ts'
import { facturapiBody } from '../../src/invoices/stamp.ts'
import type { QuoteLine } from '../../src/quotes/rules/content.ts'
import { type Totals, totalsOf, totalsOfOption } from '../../src/quotes/rules/totals.ts'
import { centavosIn } from '../../src/shared/money.ts'
import { issuer } from '../kit/invoices.ts'
import { line as quoteLine } from '../kit/quotes.ts'
import { type Body, stampedBy } from './facturapi-server.ts'
import { satFaults } from './sat-rules.ts'

const parties: Parties = {
  issuer: { ...issuer, regime: '601' },
  receiver: {
    rfc: 'CACX7605101P8',
    legalName: 'XOCHILT CASAS CHAVEZ',
    postalCode: '36257',
    regime: '612',
    cfdiUse: 'G03',
  },
}
const uuid = '5F2C1D0A-8A0B-4C9E-9B0F-0A1B2C3D4E5F'
const paidAt = new Date('2026-11-24T22:30:05Z')

const file = new URL('../../docs/cfdi.schema.json', import.meta.url)
const schema = JSON.parse(readFileSync(file, 'utf8'))
const published = new Ajv2020().compile(schema)

// WRITE_SCHEMA=1 writes it anew; `npx biome format --write docs/cfdi.schema.json` then lays it out.
test('docs/cfdi.schema.json is what the schema of requests says', () => {
  const made = z.toJSONSchema(cfdiSchema)
  if (process.env.WRITE_SCHEMA) writeFileSync(file, JSON.stringify(made))
  else expect(schema).toEqual(made)
})

/** Nothing when a request is what the schema, the published one and the SAT's arithmetic say it has to be. */
const faultsOf = (request: Cfdi | null) => {
  if (!request) return ['nothing']
  const parsed = cfdiSchema.safeParse(request)
  const text = JSON.stringify(request)
  return [
    ...(parsed.success ? [] : parsed.error.issues.map(({ message }) => message)),
    ...(published(JSON.parse(text)) ? [] : (published.errors ?? []).map(({ message }) => String(message))),
    ...satFaults(request),
    ...(/-\d|undefined|NaN/.test(text.replaceAll(uuid, '').replace(/"FechaPago":"[^"]+"/g, ''))
      ? [text]
      : []),
  ]
}

const line = (quantity: number, unitPrice: number, iva: 16 | 0 = 16, description = 'Cable') =>
  quoteLine('a', { description, quantity, unitPrice, iva })
const chargedLines = (least: number, most: number) =>
  fc.array(
    fc
      .tuple(
        fc.oneof(
          fc.integer({ min: 1, max: 9_999_999 }),
          fc.integer({ min: 1, max: 40 }).map((n) => n * 1000),
        ),
        fc.oneof(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 400_000_000 })),
        fc.constantFrom(16 as const, 16 as const, 0 as const),
      )
      .map(([quantity, price, iva]) => line(quantity, price, iva)),
    { minLength: least, maxLength: most },
  )
const discounts: fc.Arbitrary<QuoteLine[]> = fc.array(
  fc
    .oneof(
      fc.integer({ min: 1, max: 90_000_00 }).map((amount) => ({ amount, percent: null })),
      fc.integer({ min: 1, max: 100_00 }).map((percent) => ({ amount: null, percent })),
    )
    .map((what) => ({ id: 'd', kind: 'discount' as const, description: 'Descuento', ...what })),
  { maxLength: 2 },
)
const discount = (percent: number) => ({
  id: 'd',
  kind: 'discount' as const,
  description: 'Cortesía',
  amount: null,
  percent,
})
/** What an accepted option with its add-ons comes to, something at least. */
const someTotals = fc
  .tuple(chargedLines(1, 40), discounts, chargedLines(0, 4))
  .map(([lines, taken, addOns]) => {
    const named = addOns.map((addOn, n) => ({ ...addOn, id: `x${n}` }))
    return totalsOfOption(
      { lines: [...lines, ...taken], addOns: named },
      named.map(({ id }) => id),
    )
  })
  .filter(({ total }) => total > 0)

/** An amount cut into pieces, each at least a centavo. */
const cut = (total: number, cuts: readonly number[]) => {
  const marks = [...new Set(cuts.map((at) => Math.floor(at * total)))].filter((at) => at > 0 && at < total)
  const ends = [...marks.toSorted((a, b) => a - b), total]
  return ends.map((end, n) => end - (ends[n - 1] ?? 0))
}
const someCuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 })

const complementsOf = (totals: Totals, amounts: readonly number[]) =>
  amounts.reduce<{ made: PaymentCfdi[]; before: Share[] }>(
    ({ before, made }, amount) => {
      const invoice = { uuid, whole: shareOfLines(totals), before, installment: before.length + 1 }
      const next = complementOf(parties, invoice, { amount, form: '03', paidAt })
      return next ? { made: [...made, next], before: [...before, shareToldBy(next)!] } : { made, before }
    },
    { made: [], before: [] },
  )

const asked = (totals: Totals, amounts: readonly number[]) =>
  incomeOf(
    parties,
    totals,
    amounts.map((amount) => ({ amount, form: '03' })),
  ) as IncomeCfdi

test('for any lines, discounts and add-ons: an invoice passes the SAT’s rules, with the sums of the quote', () =>
  fc.assert(
    fc.property(someTotals, (totals) => {
      const request = asked(totals, [totals.total])
      expect(faultsOf(request)).toEqual([])
      expect(centavosIn(request.SubTotal)).toBe(totals.subtotal)
      expect(centavosIn(request.Descuento ?? '0')).toBe(totals.discount)
      expect(centavosIn(request.Impuestos.TotalImpuestosTrasladados)).toBe(totals.iva)
      expect(centavosIn(request.Total)).toBe(totals.total)
    }),
    { numRuns: 150 },
  ))

test('for any lines, discounts and add-ons, complements of any payments pass them, and add up to the invoice', () => {
  fc.assert(
    fc.property(someTotals, someCuts, (totals, cuts) => {
      const { before, made } = complementsOf(totals, cut(totals.total, cuts))
      expect(made.flatMap(faultsOf)).toEqual([])
      expect(before.reduce((paid, share) => paid + shareTotal(share), 0)).toBe(totals.total)
      expect(made.at(-1)?.Pagos.Pago[0]?.DoctoRelacionado[0]?.ImpSaldoInsoluto).toBe('0.00')
      // Its IVA follows the whole's, which rounding line by line takes away from 16 % of the base.
      const whole = shareOfLines(totals)
      const told = before.reduce((iva, share) => iva + share.iva16, 0)
      const drift = Math.abs(whole.iva16 - whole.base16 * 0.16)
      expect(Math.abs(told - whole.iva16)).toBeLessThanOrEqual(drift + 1)
    }),
    { numRuns: 150 },
  )
})

test('for any lines, discounts and add-ons, credit notes pass them, and never exceed the invoice', () =>
  fc.assert(
    fc.property(someTotals, someCuts, fc.integer({ min: 1, max: 1_000_00 }), (totals, cuts, more) => {
      let before: Share[] = []
      for (const amount of [...cut(totals.total, cuts), more]) {
        const given = { amount, form: '03', relation: '01', about: 'Devolución' } as const
        const note = creditNoteOf(parties, { uuid, whole: shareOfLines(totals), before }, given)
        if (!note) continue
        expect(faultsOf(note)).toEqual([])
        before = [...before, shareCreditedBy(note)!]
      }
      expect(before.reduce((back, share) => back + shareTotal(share), 0)).toBe(totals.total)
    }),
    { numRuns: 100 },
  ))

test('Facturapi, which calculates with six decimals and rounds once, stamps each field as it was asked for', () => {
  const charged = fc
    .tuple(
      // From ten centavos a line: the IVA of two is nothing, and no base says that.
      fc.integer({ min: 100, max: 300_000 }),
      fc.integer({ min: 1_0000, max: 200_000_000 }),
      fc.constantFrom(16 as const, 16 as const, 0 as const),
    )
    .map(([quantity, price, iva]) => line(quantity, price, iva))
  fc.assert(
    fc.property(fc.array(charged, { minLength: 1, maxLength: 40 }), fc.nat(50_00), (lines, percent) => {
      const totals = totalsOf([...lines, discount(percent)])
      const income = asked(totals, [])
      const { made } = complementsOf(totals, [Math.ceil(totals.total / 3), totals.total])
      const given = { amount: totals.total, form: '03', relation: '01', about: 'Devolución' } as const
      const note = creditNoteOf(parties, { uuid, whole: shareOfLines(totals), before: [] }, given)!
      for (const request of [income, ...made, note])
        expect(differencesOf(comparedFields(request, stampedByFacturapi(request)))).toEqual([])
    }),
    { numRuns: 200 },
  )
})

const stampedByFacturapi = (request: Cfdi) =>
  readStamped(Buffer.from(stampedBy(facturapiBody(request, 'k') as Body, uuid))) as Stamped

/** An installation: $19,000.00 before IVA, 5 % off, a permit without IVA. */
const worked = totalsOf([
  line(1000, 128_000_000, 16, 'Cargador de 11.5 kW'),
  line(13_500, 483_750, 16, 'Cable 8 AWG'),
  line(1000, 6_000_0000, 0, 'Derechos | permiso'),
  discount(5_00),
])

describe('worked cases', () => {
  const refundOf = (of: Parties, amount: number) => {
    const given = { amount, form: '03', relation: '01', about: 'Devolución' } as const
    return creditNoteOf(of, { uuid, whole: shareOfLines(worked), before: [] }, given)
  }

  test('deposit and balance, two payments or none are PPD, with a complement each', () => {
    expect(worked).toMatchObject({ subtotal: 19_453_06, discount: 972_65, iva: 2_044_87, total: 20_525_28 })
    expect(asked(worked, [10_262_64])).toMatchObject({ MetodoPago: 'PPD', FormaPago: '99' })
    for (const amounts of [[], [worked.total - 1, 1]]) expect(asked(worked, amounts).MetodoPago).toBe('PPD')
    const { made } = complementsOf(worked, [10_262_64, 10_262_64])
    expect(made.map(({ Pagos }) => Pagos.Pago[0]?.DoctoRelacionado[0])).toMatchObject([
      {
        IdDocumento: uuid,
        NumParcialidad: '1',
        ImpSaldoAnt: '20525.28',
        ImpPagado: '10262.64',
        ImpSaldoInsoluto: '10262.64',
        ImpuestosDR: {
          TrasladosDR: [
            { BaseDR: '6390.20', TasaOCuotaDR: '0.160000', ImporteDR: '1022.44' },
            { BaseDR: '2850.00', TasaOCuotaDR: '0.000000', ImporteDR: '0.00' },
          ],
        },
      },
      { NumParcialidad: '2', ImpSaldoAnt: '10262.64', ImpPagado: '10262.64', ImpSaldoInsoluto: '0.00' },
    ])
    expect(made[0]?.Pagos.Pago[0]).toMatchObject({ FechaPago: '2026-11-24T16:30:05', FormaDePagoP: '03' })
    expect(made[0]?.Receptor.UsoCFDI).toBe('CP01')
    expect(made.flatMap((one) => shareToldBy(one)!.iva16).reduce((a, b) => a + b)).toBe(worked.iva)
  })

  test.each([
    ['spei', null, '03'],
    ['cash', null, '01'],
    ['oxxo', null, '01'],
    ['card', 'credit', '04'],
    ['card', 'debit', '28'],
    ['card', 'prepaid', '28'],
    ['card', 'unknown', '04'],
    ['terminal', null, '04'],
  ] as const)('one payment of the whole by %s (%s) is PUE with %s', (method, funding, form) => {
    const paid = { amount: worked.total, form: formOfPayment(method, funding) }
    const request = incomeOf(parties, worked, [paid])
    expect(request).toMatchObject({ MetodoPago: 'PUE', FormaPago: form })
    expect(Object.keys(paymentForms)).toContain(form)
    expect(faultsOf(request)).toEqual([])
    expect(unknownKeys(request!.Conceptos)).toEqual([])
  })

  test('a refund is a credit note related to its invoice, with the use S01 for the régimen of wages', () => {
    const note = refundOf(parties, 5_000_00)
    expect(note).toMatchObject({
      TipoDeComprobante: 'E',
      Total: '5000.00',
      SubTotal: '4501.87',
      MetodoPago: 'PUE',
      FormaPago: '03',
      CfdiRelacionados: [{ TipoRelacion: '01', UUID: [uuid] }],
      Receptor: { UsoCFDI: 'G02' },
    })
    const receiver = { ...parties.receiver, regime: '605', cfdiUse: 'S01' } as const
    const ofWages = refundOf({ ...parties, receiver }, 100)
    expect(ofWages?.Receptor.UsoCFDI).toBe('S01')
    for (const made of [note, ofWages]) expect(faultsOf(made)).toEqual([])
  })

  test('a wholly discounted line has no tax, and a line of zero is left out', () => {
    const totals = totalsOf([line(1000, 100), line(1000, 100_0000), line(1000, 0)])
    expect(asked(totals, []).Conceptos).toHaveLength(2)
    const alone = totalsOf([line(1000, 3 * 100), { ...worked.lines[0]!.line, id: 'b' }])
    const given = { ...alone, lines: [{ ...alone.lines[0]!, discount: 3, net: 0, iva: 0, total: 0 }] }
    expect(asked(given as Totals, []).Conceptos[0]).toMatchObject({ ObjetoImp: '04', Descuento: '0.03' })
  })

  test('invoices nothing of zero, and no payment beyond the total', () => {
    expect(incomeOf(parties, totalsOf([line(1000, 100_0000), discount(100_00)]), [])).toBeNull()
    const { made } = complementsOf(worked, [worked.total + 200_00, 1])
    expect(made.map(({ Pagos }) => Pagos.Totales.MontoTotalPagos)).toEqual(['20525.28'])
  })

  test('replaces the SAT’s separator, and gives generic RFCs the postal code of the issuer', () => {
    expect(asked(worked, []).Conceptos[2]?.Descripcion).toBe('Derechos / permiso')
    const receiver = { ...parties.receiver, rfc: 'XEXX010101000', regime: '616', cfdiUse: 'S01' } as const
    const request = incomeOf({ ...parties, receiver }, worked, [])
    expect(request?.Receptor.DomicilioFiscalReceptor).toBe('42501')
    expect(faultsOf(request)).toEqual([])
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { incomeOf, type Parties } from '../../src/domain/invoices/cfdi.ts'
import { totalsOf } from '../../src/domain/quotes/totals.ts'
import { facturapiBody } from '../../src/server/invoices/stamp.ts'
import { issuer } from '../kit/invoices.ts'
import { line } from '../kit/quotes.ts'
import { totalOf } from './facturapi-server.ts'

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

const someLines = fc.array(
  fc
    .tuple(
      // From ten centavos a line: the IVA of two is nothing, and no base says that.
      fc.integer({ min: 100, max: 300_000 }),
      fc.integer({ min: 1_0000, max: 200_000_000 }),
      fc.constantFrom(16 as const, 16 as const, 0 as const),
    )
    .map(([quantity, unitPrice, iva]) => line('a', { quantity, unitPrice, iva })),
  { minLength: 1, maxLength: 40 },
)
const discount = fc
  .integer({ min: 0, max: 50_00 })
  .map((percent) => ({ id: 'd', kind: 'discount' as const, description: 'x', amount: null, percent }))

test('a provider that calculates with six decimals and rounds once gets the total of the quote', () => {
  fc.assert(
    fc.property(someLines, discount, (lines, taken) => {
      const totals = totalsOf([...lines, taken])
      const request = incomeOf(parties, totals, [])
      if (!request) return
      const { items } = facturapiBody(request, 'k') as { items: Parameters<typeof totalOf>[0] }
      expect(Math.round(totalOf(items) * 100)).toBe(totals.total)
    }),
    { numRuns: 200 },
  )
})

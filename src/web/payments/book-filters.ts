import { z } from 'zod'
import { conceptLabels, methodLabels, paymentStateFacts } from '../../domain/payment.ts'
import { type PaymentFilters, type PaymentPart, paymentParts } from '../../domain/payment-list.ts'
import { tidy } from '../../domain/tidy.ts'

const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)
const keyOf = <Key extends string>(table: Readonly<Record<Key, unknown>>) =>
  maybe(z.enum(Object.keys(table) as Key[]))

const query = z.object({
  month: maybe(z.string().regex(/^([0-9]|1[01])$/)),
  year: maybe(z.string().regex(/^(19|20)\d\d$/)),
  method: keyOf(methodLabels),
  concept: keyOf(conceptLabels),
  state: keyOf(paymentStateFacts),
  text: maybe(z.preprocess(tidy, z.string().min(1).max(100))),
  after: maybe(z.uuid()),
})

/** The filters of an address, and the place in the ledger; what makes no sense is left out, never an error. */
export function filtersOf(url: URL): { filters: PaymentFilters; after: string | undefined } {
  const { after, ...sent } = query.parse(Object.fromEntries(url.searchParams))
  const filters = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  return { filters, after }
}

/** The part of the page that an address asks for. */
export function partOf(url: URL): PaymentPart {
  const asked = url.searchParams.get('parte') ?? ''
  return Object.hasOwn(paymentParts, asked) ? (asked as PaymentPart) : 'revision'
}

import { and, eq, isNull } from 'drizzle-orm'
import type { Actor } from '../../../domain/access/actor.ts'
import { addressLine } from '../../../domain/projects/address.ts'
import {
  type ChargedLine,
  optionNames,
  optionOf,
  type QuoteContent,
  type QuoteOption,
} from '../../../domain/quotes/content.ts'
import { metresPromise } from '../../../domain/quotes/metres.ts'
import { isOpenQuote } from '../../../domain/quotes/quote.ts'
import { depositOf, sumRows, type Totals, totalsOf, totalsOfOption } from '../../../domain/quotes/totals.ts'
import { warrantyScope } from '../../../domain/reports/warranty.ts'
import type { Settings } from '../../../domain/settings/settings-schema.ts'
import { longDate, money, quantity, unitPrice } from '../../../domain/shared/format.ts'
import { customer } from '../../appointments/visibility.ts'
import { visiblePayments } from '../../payments/rows.ts'
import { quotesVisibleTo, readsOfQuotes } from '../../quotes/transition.ts'
import { type Db, isId } from '../database/client.ts'
import { payments, quotes } from '../database/schema/payments.ts'
import { addresses } from '../database/schema/projects.ts'
import { issuerOf, type PaperLine, type PaperOption, type QuotePaper, type Row } from './paper.ts'

/** What documents say of the company that issues them. */
export type House = { brand: string; settings: Pick<Settings, 'issuer' | 'support'> }

/** The content of a sent version's document: what was offered and, of the accepted option, what was chosen. */
export function quoteDocument(quote: SentQuote, { brand, settings }: House): QuotePaper {
  const { accepted, address, content, digest, folio, revision, sentAt, validUntil } = quote
  return {
    kind: 'quote',
    brand,
    digest,
    folio: `${folio} v${revision}`,
    subtitle: `Versión ${revision}, enviada el ${longDate(sentAt)}. Vence el ${longDate(validUntil)}.`,
    notice: noticeOf(quote),
    issuer: issuerOf(brand, settings),
    people: [
      { label: 'Cliente', value: quote.addressee ?? '' },
      ...(address ? [{ label: 'Domicilio', value: addressLine(address) }] : []),
    ],
    options: content.options.map((option) =>
      quoteText(option, content, accepted?.option === option.id ? accepted.addOns : []),
    ),
    terms: termsOf(content),
  }
}

function noticeOf({ accepted, content, state }: SentQuote): Row | null {
  if (accepted) {
    const option = optionOf(content, accepted.option)
    const added = option?.addOns.filter(({ id }) => accepted.addOns.includes(id)) ?? []
    const what = [option ? optionNames[option.id] : '', ...added.map(({ description }) => description)]
    return {
      label: `Aceptada por ${accepted.name} el ${longDate(accepted.at)}: ${what.filter(Boolean).join(' + ')}`,
      value: `${money(accepted.total)} con IVA`,
    }
  }
  if (isOpenQuote(state)) return null
  return { label: 'Esta versión ya no se puede aceptar.', value: '' }
}

/** Without what was added the lines are those of the offer; what may still be added stays out of the sums. */
function quoteText(
  option: QuoteOption,
  { depositPercent }: QuoteContent,
  added: readonly string[],
): PaperOption {
  const totals = totalsOfOption(option, added)
  return {
    title: optionNames[option.id],
    note: [option.summary, metresPromise(option)].filter(Boolean).join(' '),
    lines: totals.lines.map(({ line }) => lineOf(line)),
    addOns: option.addOns
      .filter(({ id }) => !added.includes(id))
      .map((line) => ({
        ...lineOf(line),
        description: `${line.description} (con IVA ${money(totalsOf([line]).total)})`,
      })),
    sums: sumsOf(option, totals, depositPercent),
  }
}

const lineOf = (line: ChargedLine): PaperLine => ({
  description: line.description,
  quantity: `${quantity(line.quantity)} ${line.unit}`,
  unitPrice: unitPrice(line.unitPrice),
  amount: money(totalsOf([line]).subtotal),
})

function sumsOf(option: QuoteOption, totals: Totals, depositPercent: number): PaperOption['sums'] {
  const deposit = depositOf(totals.total, depositPercent)
  return [
    ...sumRows(option, totals).map(({ amount, label, isTotal = false }) => ({
      label,
      value: money(amount),
      isTotal,
    })),
    ...(deposit > 0
      ? [{ label: `Anticipo al aceptar (${depositPercent} %)`, value: money(deposit), isTotal: false }]
      : []),
  ]
}

const termsOf = ({ exclusions, notes, refundTerms, warrantyMonths }: QuoteContent) =>
  [
    {
      title: 'Garantía',
      lines: warrantyMonths > 0 ? [`${warrantyMonths} meses sobre la instalación.`, ...warrantyScope] : [],
    },
    { title: 'Qué no incluye', lines: linesIn(exclusions) },
    { title: 'Si cancelas', lines: linesIn(refundTerms) },
    { title: 'Notas', lines: linesIn(notes) },
  ].filter(({ lines }) => lines.length > 0)

const linesIn = (text: string) => text.split('\n').filter((one) => one.trim() !== '')

/** A version as it was sent; null for actors who may not see it, or may not read its amounts. */
export async function sentQuote(db: Db, actor: Actor, id: string) {
  if (!isId(id) || (actor.kind !== null && readsOfQuotes[actor.kind] !== 'all')) return null
  const [row] = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, id), quotesVisibleTo(actor)))
  if (!row?.sentAt || !row.validUntil || row.digest === null) return null
  const { acceptedAddOns, acceptedAt, acceptedName, acceptedOption, acceptedTotal } = row
  return {
    folio: row.folio,
    revision: row.revision,
    state: row.state,
    content: row.content,
    addressee: row.addressee,
    address: row.address,
    digest: row.digest,
    sentAt: row.sentAt,
    validUntil: row.validUntil,
    accepted:
      acceptedAt && acceptedOption !== null && acceptedTotal !== null
        ? {
            at: acceptedAt,
            name: acceptedName ?? '',
            option: acceptedOption,
            addOns: acceptedAddOns,
            total: acceptedTotal,
          }
        : null,
  }
}

type SentQuote = NonNullable<Awaited<ReturnType<typeof sentQuote>>>

/** A paid payment or refund; null for actors who may not see it, or before it is paid. */
export async function paidPayment(db: Db, actor: Actor, id: string) {
  if (!isId(id)) return null
  const [row] = await db
    .select({ payment: payments, quote: quotes, customer: customer.fullName, address: addresses })
    .from(payments)
    .innerJoin(customer, eq(customer.id, payments.customerId))
    .leftJoin(quotes, eq(quotes.id, payments.quoteId))
    .leftJoin(addresses, and(eq(addresses.projectId, payments.projectId), isNull(addresses.archivedAt)))
    .where(
      and(
        eq(payments.id, id),
        eq(payments.state, 'paid'),
        isNull(payments.reversedAt),
        isNull(payments.reversesId),
        visiblePayments(actor),
      ),
    )
  if (!row?.payment.paidAt) return null
  const { amount, concept, folio, method, paidAt, trackingKey } = row.payment
  const { address, customer: name, quote } = row
  return { amount, concept, folio, method, paidAt, trackingKey, address, quote, customer: name }
}

export type PaidPayment = NonNullable<Awaited<ReturnType<typeof paidPayment>>>

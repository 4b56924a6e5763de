import { and, eq, isNull } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { customer } from '../appointments/visibility.ts'
import { ledgerFactsOf, visiblePayments } from '../payments/rows.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { payments, quotes } from '../platform/database/schema/payments.ts'
import { addresses } from '../platform/database/schema/projects.ts'
import {
  type ComparedOptions,
  issuerOf,
  type PaperLine,
  type PaperOption,
  type QuotePaper,
  type Row,
} from '../platform/pdf/paper.ts'
import { addressLine } from '../projects/rules/address.ts'
import { answersOf } from '../reports/prefilled.ts'
import { answerInWords } from '../reports/rules/answer-words.ts'
import { type Supply, supplies } from '../reports/rules/circuit.ts'
import { calculationOf } from '../reports/rules/passport.ts'
import { questionOf } from '../reports/rules/progress.ts'
import { gaugeLabels } from '../reports/rules/visit-report.ts'
import { warrantyScope } from '../reports/rules/warranty.ts'
import type { Company } from '../settings/rules/settings.ts'
import { figure, longDate, lowerFirst, money, quantity, unitPrice } from '../shared/format.ts'
import { comparedItems } from './rules/comparison.ts'
import {
  type ChargedLine,
  optionNames,
  optionOf,
  type QuoteContent,
  type QuoteOption,
} from './rules/content.ts'
import { metresPromise } from './rules/metres.ts'
import { isOpenQuote } from './rules/quote.ts'
import { depositOf, sumRows, type Totals, totalsOf, totalsOfOption } from './rules/totals.ts'
import { quotesVisibleTo, readsOfQuotes } from './transition.ts'

/** The content of a sent version's document: what was offered and, of the accepted option, what was chosen. */
export function quoteDocument(quote: SentQuote, { brand, settings }: Company): QuotePaper {
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
    compared: comparedOf(content, accepted),
    basis: quote.basis,
    options: content.options.map((option) =>
      quoteText(option, content, accepted?.option === option.id ? accepted.addOns : []),
    ),
    terms: termsOf(content),
  }
}

/** Totals and deposits, and of the lines those that not every option includes alike. */
function comparedOf(
  { depositPercent, options }: QuoteContent,
  accepted: SentQuote['accepted'],
): ComparedOptions | null {
  if (options.length < 2) return null
  const totals = options.map(
    (option) => totalsOfOption(option, accepted?.option === option.id ? accepted.addOns : []).total,
  )
  const row = (label: string, values: readonly string[], isTotal = false) => ({ label, values, isTotal })
  return {
    heads: options.map(({ id }) => optionNames[id]),
    rows: [
      row('Total con IVA', totals.map(money), true),
      ...(depositPercent > 0
        ? [
            row(
              `Anticipo (${depositPercent}\u00a0%)`,
              totals.map((total) => money(depositOf(total, depositPercent))),
            ),
          ]
        : []),
      ...comparedItems(options)
        .filter(({ differs }) => differs)
        .map(({ description, lines }) =>
          row(
            description,
            lines.map((line) => (line ? lineOf(line).quantity : 'No incluye')),
          ),
        ),
    ],
  }
}

/** What the visit found, by which the offer was calculated; null where it says nothing of a circuit. */
async function basisOf(db: Db, appointmentId: string): Promise<string | null> {
  const answers = await answersOf(db, appointmentId)
  const { chargerDistance, conductor, supply } = answers
  const said = (name: string) => answerInWords(questionOf('visit', name)!, answers[name])?.toLowerCase()
  const way = said('route')
  const crossed = answers.walls === 'none' ? null : said('walls')
  const breaker = calculationOf(answers)?.circuit.breaker
  const parts = [
    breaker && `interruptor de ${breaker}\u00a0A`,
    typeof conductor === 'string' && `cable ${gaugeLabels[conductor] ?? conductor}`,
    typeof chargerDistance === 'number' && `${figure(chargerDistance, 1)}\u00a0m del tablero al cargador`,
    way && `ruta ${way}`,
    crossed && `cruza muros (${crossed})`,
    typeof supply === 'string' &&
      supply in supplies &&
      `suministro ${lowerFirst(supplies[supply as Supply])}`,
  ].filter(Boolean)
  return parts.length === 0 ? null : `Base técnica: ${parts.join(', ')}. NOM-001-SEDE-2012.`
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
  quantity: `${quantity(line.quantity)}\u00a0${line.unit}`,
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
      ? [{ label: `Anticipo al aceptar (${depositPercent}\u00a0%)`, value: money(deposit), isTotal: false }]
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
    basis: row.kind === 'installation' ? await basisOf(db, row.appointmentId) : null,
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
  const left = quote && concept !== 'refund' ? await owedOf(db, row.payment.projectId, quote.id) : null
  return { amount, concept, folio, method, paidAt, trackingKey, address, quote, left, customer: name }
}

/** What is still owed of an accepted quote, as its project's account has it; null of any other. */
async function owedOf(db: Db, projectId: string, quoteId: string): Promise<number | null> {
  const { accepted, ledger } = await ledgerFactsOf(db, projectId)
  const isIt = accepted.some(({ id, kind }) => id === quoteId && kind === 'installation')
  return isIt ? (ledger.quote?.owed ?? null) : null
}

export type PaidPayment = NonNullable<Awaited<ReturnType<typeof paidPayment>>>

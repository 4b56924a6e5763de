import { addressLine } from '../../../domain/projects/address.ts'
import {
  type ChargedLine,
  type DiscountLine,
  isCharged,
  optionNames,
  optionOf,
  type QuoteContent,
  type QuoteOption,
} from '../../../domain/quotes/content.ts'
import { isOpenQuote } from '../../../domain/quotes/quote.ts'
import {
  benefitLineId,
  depositOf,
  discountsOf,
  priceWithIva,
  type Totals,
  totalsOf,
  totalsOfOption,
} from '../../../domain/quotes/totals.ts'
import { figure, longDate, money, percent, quantity, unitPrice } from '../../../domain/shared/format.ts'
import type { PaperLine, PaperOption, QuotePaper, Row } from './paper.ts'
import type { SentQuote } from './queries.ts'

/** Puts a sent version into the words of its document: all options, or what was agreed of it. */
export function writeQuote(quote: SentQuote, brand: string): QuotePaper {
  const { address, content, digest, folio, revision, sentAt, validUntil } = quote
  return {
    ...{ kind: 'quote', brand, digest, folio: `${folio} v${revision}` },
    subtitle: `Versión ${revision}, enviada el ${longDate(sentAt)}. Vale hasta el ${longDate(validUntil)}.`,
    notice: noticeOf(quote),
    people: [
      { label: 'Cliente', value: quote.addressee ?? '' },
      ...(address ? [{ label: 'Domicilio', value: addressLine(address) }] : []),
    ],
    options: content.options.map((option) => written(option, content)),
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

function written(option: QuoteOption, { depositPercent }: QuoteContent): PaperOption {
  const totals = totalsOfOption(option)
  return {
    title: optionNames[option.id],
    note: [option.summary, metresNote(option)].filter(Boolean).join(' '),
    lines: option.lines.filter(isCharged).map(lineOf),
    addOns: option.addOns.map((line) => ({
      ...lineOf(line),
      description: `${line.description} (con IVA ${money(totalsOf([line]).total)})`,
    })),
    sums: sumsOf(option, totals, depositPercent),
  }
}

const metresNote = ({ metres }: QuoteOption) =>
  metres &&
  `Incluye ${figure(metres.included / 10, 1)} m de cable; cada metro más cuesta ${money(priceWithIva(metres.furtherPrice, 16))} con IVA.`

const lineOf = (line: ChargedLine): PaperLine => ({
  description: line.description,
  quantity: `${quantity(line.quantity)} ${line.unit}`,
  unitPrice: unitPrice(line.unitPrice),
  amount: money(totalsOf([line]).subtotal),
})

function sumsOf({ lines }: QuoteOption, totals: Totals, depositPercent: number): Row[] {
  const deposit = depositOf(totals.total, depositPercent)
  return [
    { label: 'Subtotal sin IVA', value: money(totals.subtotal) },
    ...discountsOf(lines).map(({ amount, line }) => ({ label: discountLabel(line), value: money(-amount) })),
    { label: 'IVA', value: money(totals.iva) },
    { label: 'Total con IVA', value: money(totals.total) },
    ...(deposit > 0 ? [{ label: `Anticipo al aceptar (${depositPercent} %)`, value: money(deposit) }] : []),
  ]
}

/** A code says by itself how much it gives. */
const discountLabel = (line: DiscountLine) =>
  line.id === benefitLineId
    ? line.description
    : `Descuento: ${line.description} ${line.percent === null ? money(line.amount) : percent(line.percent)}`

const termsOf = ({ exclusions, notes, refundTerms, warrantyMonths }: QuoteContent) =>
  [
    { title: 'Garantía', lines: warrantyMonths > 0 ? [`${warrantyMonths} meses sobre la instalación.`] : [] },
    { title: 'Qué no incluye', lines: linesIn(exclusions) },
    { title: 'Si cancelas', lines: linesIn(refundTerms) },
    { title: 'Notas', lines: linesIn(notes) },
  ].filter(({ lines }) => lines.length > 0)

const linesIn = (text: string) => text.split('\n').filter((one) => one.trim() !== '')

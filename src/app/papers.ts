import { and, eq } from 'drizzle-orm'
import { toCardinal } from 'n2words/es-MX'
import type { Actor } from '../access/rules/actor.ts'
import type { Modules } from '../access/rules/routes.ts'
import { codesVisibleTo } from '../agencies/codes.ts'
import { type ListedCommission, type ReconciledLine, statementFor } from '../agencies/commission-queries.ts'
import { benefitFrom, benefitWords, codeStateBy } from '../agencies/rules/codes.ts'
import {
  agencyState,
  commissionFolio,
  commissionStateFacts,
  commissionStates,
  settlesCommissions,
} from '../agencies/rules/commissions.ts'
import { writeBatch, writeCalculation, writePower, writeRequest } from '../cfe/case-letters.ts'
import { caseSeen, type SeenCase } from '../cfe/queries.ts'
import { conceptLabels, methodLabels, receiptSums } from '../payments/rules/payment.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { codes } from '../platform/database/schema/agencies.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import type { EmailJob } from '../platform/jobs/emails.ts'
import {
  type CodeCardPaper,
  issuerOf,
  type LetterPaper,
  type ReceiptPaper,
  type Row,
  type StatementLine,
  type StatementPaper,
} from '../platform/pdf/paper.ts'
import { drawQr } from '../platform/pdf/qr.ts'
import { renderPdf, renderWritten } from '../platform/pdf/render.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { log } from '../platform/telemetry/log.ts'
import { addressLine } from '../projects/rules/address.ts'
import { type PaidPayment, paidPayment, quoteDocument, sentQuote } from '../quotes/quote-paper.ts'
import { agreedTotals } from '../quotes/rules/totals.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import type { Company } from '../settings/rules/settings.ts'
import { formatPhone, longDate, longMonth, money, numericDate, percent, shortDate } from '../shared/format.ts'
import { refuse } from '../shared/refusal.ts'

type From = { db: Db; drive: Drive; brand: string; baseUrl: string; modules: Modules }
type Document = { folio: string; pdf: Uint8Array<ArrayBuffer> }

/**
 * The documents about money, by the kind in their address, each with its folio. For actors who may not read one, it
 * does not exist.
 */
export const moneyPapers: Record<string, (from: From, actor: Actor, id: string) => Promise<Document>> = {
  async quote({ db, brand }, actor, id) {
    const quote = (await sentQuote(db, actor, id)) ?? refuse('not-found')
    const { settings } = await currentStaffing(db)
    const paper = quoteDocument(quote, { brand, settings })
    return { folio: paper.folio.replace(' ', '-'), pdf: await renderPdf(paper, actor.id) }
  },
  async code({ db, ...house }, actor, id) {
    const paper = await writeCodeCard(db, actor, id, house, new Date())
    return { folio: paper.folio, pdf: await renderPdf(paper, actor.id) }
  },
  receipt,
  solicitud: (from, actor, id) =>
    caseLetter(
      async (seen, brand, now) =>
        writeRequest(seen, brand, now, (await writeCalculation(from.db, seen, brand, now)) !== null),
      from,
      actor,
      id,
    ),
  memoria: (from, actor, id) =>
    caseLetter((...letter) => writeCalculation(from.db, ...letter), from, actor, id),
  'carta-poder': (from, actor, id) => caseLetter(writePower, from, actor, id),
  async tramites({ modules, ...from }, actor, id) {
    if (!modules.has('gesties')) refuse('not-found')
    const write = () => writeBatch(from, actor, id.split('~'), new Date())
    const { paper, pdf } = await renderWritten(write, actor.id)
    return { folio: paper.folio, pdf }
  },
  async commissions({ db, brand }, actor, id) {
    const paper = (await readStatement(db, actor, id, brand)) ?? refuse('not-found')
    return { folio: paper.folio, pdf: await renderPdf(paper, actor.id) }
  },
}

async function receipt(
  { brand, db }: Pick<From, 'db' | 'brand'>,
  actor: Pick<Actor, 'id' | 'role' | 'kind' | 'agencyId'>,
  id: string,
) {
  const paid = (await paidPayment(db, actor as Actor, id)) ?? refuse('not-found')
  const { settings } = await currentStaffing(db)
  return { folio: paid.folio, pdf: await renderPdf(writeReceipt(paid, { brand, settings }), actor.id) }
}

/** The receipt that goes with the e-mail of a payment; none where it can't be made now: the customer's account has it. */
export async function receiptFor(house: Pick<From, 'db' | 'brand'>, job: EmailJob, customerId: string) {
  if (job.to !== 'customer' || job.letter !== 'payment_received') return null
  const customer = { id: customerId, role: 'customer', kind: null, agencyId: null } as const
  try {
    const { folio, pdf } = await receipt(house, customer, job.paymentId)
    return { filename: `recibo-${folio}.pdf`, content: pdf }
  } catch (err) {
    log.error({ err, payment: job.paymentId }, 'an e-mail goes without its receipt')
    return null
  }
}

/** A letter of a case with CFE, while the case has letters. */
async function caseLetter(
  write: (seen: SeenCase, brand: string, now: Date) => LetterPaper | null | Promise<LetterPaper | null>,
  { brand, db, modules }: From,
  actor: Actor,
  id: string,
) {
  const seen = modules.has('gesties') ? await caseSeen(db, actor, id) : null
  const paper = (await write(seen ?? refuse('not-found'), brand, new Date())) ?? refuse('not-found')
  return { folio: paper.folio, pdf: await renderPdf(paper, actor.id) }
}

/** The content of the counter card of a usable code. */
async function writeCodeCard(
  db: Db,
  actor: Actor,
  id: string,
  house: { brand: string; baseUrl: string },
  now: Date,
): Promise<CodeCardPaper> {
  const [row] = isId(id)
    ? await db
        .select({ code: codes, agency: agencies.name })
        .from(codes)
        .innerJoin(agencies, eq(agencies.id, codes.agencyId))
        .where(and(eq(codes.id, id), codesVisibleTo(actor)))
    : []
  if (!row) return refuse('not-found')
  const { agency, code } = row
  const state = codeStateBy(code, now)
  if (state !== 'active' && state !== 'paused')
    refuse('failed-precondition', 'Este código ya no se puede compartir, o todavía no está activo.')
  const benefit = benefitFrom({ kind: code.benefitKind, value: code.benefitValue })
  const link = `${house.baseUrl}/approach?codigo=${code.code}`
  return {
    kind: 'code',
    folio: code.code,
    brand: house.brand,
    agency,
    link,
    qr: drawQr(link),
    benefit: benefit.kind === 'none' ? null : benefitWords(benefit),
    notes: [
      code.endsOn ? `Úsalo hasta el ${longDate(code.endsOn)}.` : null,
      benefit.kind === 'percent' || benefit.kind === 'amount'
        ? 'El descuento se aplica a tu cotización. Un beneficio por instalación.'
        : null,
    ].filter((note) => note !== null),
  }
}

/** The content of the receipt of a paid payment or refund. */
function writeReceipt(paid: PaidPayment, house: Company): ReceiptPaper {
  const { amount, concept, folio, method, paidAt } = paid
  const { iva, net } = receiptSums(amount, paid.quote && agreedTotals(paid.quote))
  const isRefund = concept === 'refund'
  return {
    kind: 'receipt',
    brand: house.brand,
    folio,
    title: isRefund ? 'Comprobante de reembolso' : 'Recibo de pago',
    subtitle: `${isRefund ? 'Reembolsado' : 'Pagado'} el ${longDate(paidAt)}`,
    amount: { label: isRefund ? 'Te reembolsamos' : 'Recibimos', value: money(Math.abs(amount)) },
    people: [
      { label: 'Nombre', value: paid.customer },
      ...(paid.address ? [{ label: 'Domicilio', value: addressLine(paid.address) }] : []),
    ],
    payment: [
      { label: 'Concepto', value: conceptLabels[concept] },
      ...(paid.quote ? [{ label: 'Cotización', value: paid.quote.folio }] : []),
      ...(method ? [{ label: 'Forma de pago', value: methodLabels[method] }] : []),
      ...leftOf(paid),
      ...(paid.trackingKey ? [{ label: 'Clave de rastreo', value: paid.trackingKey }] : []),
    ],
    sums: [
      { label: 'Importe sin IVA', value: money(net), isTotal: false },
      { label: 'IVA', value: money(iva), isTotal: false },
      { label: 'Total', value: money(amount), isTotal: true },
    ],
    inWords: amountInWords(Math.abs(amount)),
    issuer: issuerOf(house.brand, house.settings),
    notes: [
      'Este recibo no es una factura. Pide tu CFDI en tus pagos, con tus datos fiscales.',
      `Si algo no coincide, llámanos al ${formatPhone(house.settings.support.phone)} o escribe a ${house.settings.support.email}.`,
    ],
  }
}

/** What is left to pay of the accepted quote on the day that the paper is made. */
function leftOf({ left, quote }: PaidPayment): Row[] {
  if (left === null || !quote) return []
  const value = left === 0 ? 'Nada: está pagada' : `${money(left)}, al ${shortDate(new Date())}`
  return [{ label: 'Falta de esta cotización', value }]
}

/** An amount in centavos as a cheque says it: "Mil un pesos 05/100 M.N.". The library's numbers stand alone: before a noun "uno" is "un". */
export function amountInWords(centavos: number): string {
  const pesos = Math.floor(centavos / 100)
  const words = toCardinal(pesos).replaceAll('veintiuno', 'veintiún').replace(/uno\b/g, 'un')
  const noun = /mill[oó]n(es)?$/.test(words) ? ' de pesos' : pesos === 1 ? ' peso' : ' pesos'
  return `${words[0]!.toUpperCase()}${words.slice(1)}${noun} ${String(centavos % 100).padStart(2, '0')}/100 M.N.`
}

/**
 * The content of the statement that an address names ("{agency}~2026-11"); null for actors who may see no sums of that
 * agency. An ally reads sums, and no lines: a percentage of one price would reveal the price.
 */
async function readStatement(
  db: Db,
  actor: Actor,
  id: string,
  brand: string,
): Promise<StatementPaper | null> {
  const [agencyId = '', month = ''] = id.split('~')
  const read = await statementFor(db, actor, agencyId, month)
  if (!read) return null
  const { agency, lines, payouts, reconciled, sums } = read
  const { settings } = await currentStaffing(db)
  return {
    kind: 'statement',
    brand,
    folio: `COM-${month}`,
    title: `Comisiones de ${longMonth(`${month}-01`)}`,
    subtitle: `${agency.name}. Al ${longDate(new Date())}.`,
    closing: { label: 'Saldo por pagar al cierre del mes', value: money(sums.closing) },
    account: [
      { label: 'Saldo anterior', value: money(sums.opening), isTotal: false },
      { label: 'Comisiones ganadas en el mes', value: money(sums.earned), isTotal: false },
      { label: 'Ajustes del mes', value: money(sums.adjusted), isTotal: false },
      { label: 'Transferido en el mes', value: money(0 - sums.transferred), isTotal: false },
      { label: 'Saldo al cierre', value: money(sums.closing), isTotal: true },
    ],
    states: commissionStates.map((state) => ({
      label: commissionStateFacts[state].label,
      value: money(sums[state]),
    })),
    lines: settlesCommissions(actor) ? lines.map(written) : reconciled.map(told),
    transfers: payouts.map(({ amount, paidOn, reference }) => ({
      label: `${numericDate(paidOn)}, ${reference}`,
      value: money(amount),
    })),
    notes: [
      'Cada comisión se gana al terminar una instalación, sobre el precio sin IVA que su cliente aceptó.',
      'Se aprueba cuando su cliente terminó de pagar y pasaron 15 días. Las cantidades son antes de IVA.',
    ],
    issuer: issuerOf(brand, settings),
  }
}

/** A row for its agency, without an amount. */
const told = (row: ReconciledLine): StatementLine => ({
  day: numericDate(row.earnedAt),
  what: `${row.folio}, ${row.customer}`,
  basis: [row.adjusts ? `Ajuste de ${row.adjusts}` : row.ally, row.reference].filter(Boolean).join(', '),
  amount: row.paidOn ? numericDate(row.paidOn) : '',
  state: agencyState(row, new Date()).words,
})

const written = (row: ListedCommission): StatementLine => ({
  day: numericDate(row.earnedAt),
  what: `${row.folio}, ${row.customer} (${commissionFolio(row.id)})`,
  basis: row.kind === 'adjustment' ? `Ajuste: ${row.reason}` : agreed(row),
  amount: money(row.amount),
  state: commissionStateFacts[row.state].label,
})

const agreed = ({ basis, termsKind, termsValue }: ListedCommission) =>
  termsKind === 'percent'
    ? `${percent(termsValue)} de ${money(basis)}`
    : `${money(termsValue)} por instalación`

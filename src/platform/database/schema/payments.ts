import { bigint, boolean, date, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { DocumentPurpose, DocumentType } from '../../../documents/rules/document.ts'
import type { InvoiceKind, InvoiceState } from '../../../invoices/rules/invoice.ts'
import type { CfdiUse, FiscalState, Regime } from '../../../invoices/rules/taxpayer.ts'
import type { BankColumns, SignAnswers } from '../../../payments/rules/bank-columns.ts'
import type { BankLineState } from '../../../payments/rules/bank-matching.ts'

import type { FeeOutcome } from '../../../payments/rules/ledger.ts'
import type { Concept, PaymentMethod, PaymentState, RefundState } from '../../../payments/rules/payment.ts'
import type { IvaRate, LineKind, QuoteContent } from '../../../quotes/rules/content.ts'
import type { ApprovalAnswer, QuoteKind, QuoteState } from '../../../quotes/rules/quote.ts'
import { at, id, json, now, stamps } from '../client.ts'
import type { AddressSnapshot } from './projects.ts'

/** The tables of quotes, payments and invoices as Drizzle sees them. */
const amount = (name: string) => bigint(name, { mode: 'number' })

export const catalogueItems = pgTable('catalogue_items', {
  id: id(),
  code: text('code').notNull(),
  description: text('description').notNull(),
  kind: text('kind').$type<Exclude<LineKind, 'discount'>>().notNull(),
  unit: text('unit').notNull(),
  unitPrice: amount('unit_price').notNull(),
  unitCost: amount('unit_cost'),
  iva: smallint('iva').$type<IvaRate>().notNull().default(16),
  satProduct: text('sat_product').notNull(),
  satUnit: text('sat_unit').notNull(),
  active: boolean('active').notNull().default(true),
  position: integer('position').notNull().default(0),
  ...stamps,
})

export const documents = pgTable('documents', {
  id: id(),
  /** Whose it is: a customer's, or an agency's. */
  customerId: uuid('customer_id'),
  agencyId: uuid('agency_id'),
  projectId: uuid('project_id'),
  purpose: text('purpose').$type<DocumentPurpose>().notNull(),
  name: text('name').notNull(),
  type: text('type').$type<DocumentType>().notNull(),
  bytes: integer('bytes').notNull(),
  sha256: text('sha256').notNull(),
  uploadedBy: uuid('uploaded_by').notNull(),
  createdAt: now('created_at'),
  replacedAt: at('replaced_at'),
})

export const quotes = pgTable('quotes', {
  id: id(),
  folio: text('folio').notNull(),
  revision: integer('revision').notNull().default(1),
  kind: text('kind').$type<QuoteKind>().notNull().default('installation'),
  projectId: uuid('project_id').notNull(),
  customerId: uuid('customer_id').notNull(),
  /** That of its project, kept by a trigger. */
  agencyId: uuid('agency_id'),
  appointmentId: uuid('appointment_id').notNull(),
  replacesId: uuid('replaces_id'),
  state: text('state').$type<QuoteState>().notNull().default('draft'),
  content: json<QuoteContent>('content').notNull(),
  addressee: text('addressee'),
  address: json<AddressSnapshot | null>('address'),
  digest: text('digest'),
  lowestTotal: amount('lowest_total').notNull().default(0),
  highestTotal: amount('highest_total').notNull().default(0),
  discountShare: integer('discount_share').notNull().default(0),
  belowList: integer('below_list').notNull().default(0),
  belowCost: boolean('below_cost').notNull().default(false),
  madeBy: uuid('made_by').notNull(),
  sentAt: at('sent_at'),
  sentBy: uuid('sent_by'),
  viewedAt: at('viewed_at'),
  validUntil: at('valid_until'),
  answeredAt: at('answered_at'),
  reason: text('reason'),
  acceptedOption: text('accepted_option'),
  acceptedAddOns: text('accepted_add_ons').array().notNull().default([]),
  acceptedTotal: amount('accepted_total'),
  depositAmount: amount('deposit_amount'),
  acceptedName: text('accepted_name'),
  acceptedIp: text('accepted_ip'),
  acceptedDigest: text('accepted_digest'),
  acceptedAt: at('accepted_at'),
  endedAt: at('ended_at'),
  reminded3dAt: at('reminded_3d_at'),
  reminded1dAt: at('reminded_1d_at'),
  ...stamps,
})

export const refunds = pgTable('refunds', {
  id: id(),
  folio: text('folio').notNull(),
  projectId: uuid('project_id').notNull(),
  customerId: uuid('customer_id').notNull(),
  quoteId: uuid('quote_id'),
  state: text('state').$type<RefundState>().notNull().default('requested'),
  amount: amount('amount').notNull(),
  materials: amount('materials').notNull().default(0),
  reason: text('reason').notNull(),
  requestedBy: uuid('requested_by'),
  method: text('method').$type<Exclude<PaymentMethod, 'oxxo'>>(),
  sourceId: uuid('source_id'),
  clabe: text('clabe'),
  beneficiary: text('beneficiary'),
  accountAt: at('account_at'),
  decidedBy: uuid('decided_by'),
  decidedAt: at('decided_at'),
  refusedReason: text('refused_reason'),
  proofId: uuid('proof_id'),
  paidAt: at('paid_at'),
  ...stamps,
})

export const payments = pgTable('payments', {
  id: id(),
  folio: text('folio').notNull(),
  projectId: uuid('project_id').notNull(),
  customerId: uuid('customer_id').notNull(),
  quoteId: uuid('quote_id'),
  appointmentId: uuid('appointment_id'),
  refundId: uuid('refund_id'),
  concept: text('concept').$type<Concept>().notNull(),
  method: text('method').$type<PaymentMethod>(),
  state: text('state').$type<PaymentState>().notNull().default('pending'),
  amount: amount('amount').notNull(),
  dueAt: at('due_at'),
  expiresAt: at('expires_at'),
  bank: text('bank'),
  trackingKey: text('tracking_key'),
  proofId: uuid('proof_id'),
  proofSentAt: at('proof_sent_at'),
  rejectedReason: text('rejected_reason'),
  /** The tracking keys of its rejected proofs, in capitals. */
  rejectedKeys: text('rejected_keys').array().notNull().default([]),
  reviewedBy: uuid('reviewed_by'),
  reviewedAt: at('reviewed_at'),
  paidAt: at('paid_at'),
  /** When a correction of a month that is over counts; null where that is `paidAt`. */
  countsAt: at('counts_at'),
  recordedBy: uuid('recorded_by'),
  note: text('note'),
  cardReference: text('card_reference'),
  cardFunding: text('card_funding'),
  voucherExpiresAt: at('voucher_expires_at'),
  followsId: uuid('follows_id'),
  /** Of a row that takes back what was booked by mistake, and of the one that it took back. */
  reversesId: uuid('reverses_id'),
  reversedAt: at('reversed_at'),
  feeOutcome: text('fee_outcome').$type<FeeOutcome>(),
  remindedAt: at('reminded_at'),
  ...stamps,
})

export const checkouts = pgTable('checkouts', {
  id: id(),
  paymentId: uuid('payment_id').notNull(),
  /** Stripe's name of it; null until Stripe answered. */
  session: text('session'),
  state: text('state')
    .$type<'opening' | 'open' | 'waiting' | 'paid' | 'failed' | 'expired'>()
    .notNull()
    .default('opening'),
  amount: amount('amount').notNull(),
  url: text('url'),
  intent: text('intent'),
  expiresAt: at('expires_at').notNull(),
  lookedAt: at('looked_at'),
  ...stamps,
})

export const stripeEvents = pgTable('stripe_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  outcome: text('outcome').notNull(),
  receivedAt: now('received_at'),
})

export const fiscalData = pgTable('fiscal_data', {
  customerId: uuid('customer_id').primaryKey(),
  state: text('state').$type<FiscalState>().notNull().default('draft'),
  rfc: text('rfc').notNull(),
  legalName: text('legal_name').notNull(),
  regime: text('regime').$type<Regime>().notNull(),
  cfdiUse: text('cfdi_use').$type<CfdiUse>().notNull(),
  postalCode: text('postal_code').notNull(),
  email: text('email').notNull(),
  constanciaId: uuid('constancia_id'),
  rejectedReason: text('rejected_reason'),
  submittedAt: at('submitted_at'),
  reviewedBy: uuid('reviewed_by'),
  reviewedAt: at('reviewed_at'),
  ...stamps,
})

/** What an author asks the manager about a draft, and the answer to the version it names. */
export const quoteApprovals = pgTable('quote_approvals', {
  id: id(),
  quoteId: uuid('quote_id').notNull(),
  reason: text('reason').notNull(),
  askedBy: uuid('asked_by').notNull(),
  askedAt: now('asked_at'),
  answer: text('answer').$type<ApprovalAnswer>(),
  words: text('words'),
  answeredBy: uuid('answered_by'),
  answeredAt: at('answered_at'),
  quoteVersion: integer('quote_version'),
})

export const invoices = pgTable('invoices', {
  id: id(),
  projectId: uuid('project_id').notNull(),
  customerId: uuid('customer_id').notNull(),
  quoteId: uuid('quote_id'),
  paymentId: uuid('payment_id'),
  relatesToId: uuid('relates_to_id'),
  kind: text('kind').$type<InvoiceKind>().notNull(),
  state: text('state').$type<InvoiceState>().notNull().default('requested'),
  request: json<unknown>('request').notNull(),
  total: amount('total').notNull(),
  uuid: text('uuid'),
  xmlId: uuid('xml_id'),
  pdfId: uuid('pdf_id'),
  providerId: text('provider_id'),
  providerError: text('provider_error'),
  requestedBy: uuid('requested_by'),
  issuedAt: at('issued_at'),
  issuedBy: uuid('issued_by'),
  cancelledAt: at('cancelled_at'),
  cancelledBy: uuid('cancelled_by'),
  cancelReason: text('cancel_reason'),
  ...stamps,
})

/** The bank's data about the account, as Drizzle sees it. */
export const bankStatements = pgTable('bank_statements', {
  id: id(),
  name: text('name').notNull(),
  sha256: text('sha256').notNull(),
  content: text('content'),
  head: integer('head').notNull(),
  headWords: text('head_words').notNull(),
  columns: json<BankColumns>('columns').notNull(),
  account: text('account').notNull().default(''),
  answers: json<SignAnswers>('answers').notNull().default({}),
  uploadedBy: uuid('uploaded_by').notNull(),
  readAt: at('read_at'),
  linesNew: integer('lines_new').notNull().default(0),
  linesKnown: integer('lines_known').notNull().default(0),
  debits: integer('debits').notNull().default(0),
  unread: integer('unread').array().notNull().default([]),
  /** The days of its movements, debits too; null before it is read. */
  coversFrom: date('covers_from', { mode: 'string' }),
  coversTo: date('covers_to', { mode: 'string' }),
  ...stamps,
})

export const bankLines = pgTable('bank_lines', {
  id: id(),
  statementId: uuid('statement_id').notNull(),
  hash: text('hash').notNull(),
  rowNumber: integer('row_number').notNull(),
  bookedOn: date('booked_on', { mode: 'string' }).notNull(),
  amount: bigint('amount', { mode: 'number' }).notNull(),
  description: text('description').notNull(),
  reference: text('reference').notNull(),
  trackingKey: text('tracking_key'),
  state: text('state').$type<BankLineState>().notNull().default('open'),
  paymentId: uuid('payment_id'),
  reason: text('reason'),
  decidedBy: uuid('decided_by'),
  decidedAt: at('decided_at'),
  ...stamps,
})

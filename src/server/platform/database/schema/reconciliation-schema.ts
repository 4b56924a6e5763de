import { bigint, date, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { BankLineState } from '../../../../domain/payments/bank-matching.ts'
import type { BankColumns } from '../../../../domain/payments/bank-statement.ts'
import { at, id, json, stamps } from '../columns.ts'

/** What the bank tells of the account, as Drizzle sees it; 0010_office.sql is the truth. */

export const bankStatements = pgTable('bank_statements', {
  id: id(),
  name: text('name').notNull(),
  sha256: text('sha256').notNull(),
  content: text('content'),
  head: integer('head').notNull(),
  headWords: text('head_words').notNull(),
  columns: json<BankColumns>('columns').notNull(),
  uploadedBy: uuid('uploaded_by').notNull(),
  readAt: at('read_at'),
  linesNew: integer('lines_new').notNull().default(0),
  linesKnown: integer('lines_known').notNull().default(0),
  debits: integer('debits').notNull().default(0),
  unread: integer('unread').array().notNull().default([]),
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

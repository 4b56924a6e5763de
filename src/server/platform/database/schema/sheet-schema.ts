import { date, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { AnswerValue, Redo, SheetKind, SheetState } from '../../../../domain/reports/report.ts'
import { at, json, now, stamps } from '../columns.ts'

/** The tables of the work on site as Drizzle sees them; 0006_on_site.sql is the truth. */

export const sheets = pgTable('sheets', {
  appointmentId: uuid('appointment_id').primaryKey(),
  kind: text('kind').$type<SheetKind>().notNull(),
  state: text('state').$type<SheetState>().notNull().default('draft'),
  submittedAt: at('submitted_at'),
  submittedBy: uuid('submitted_by'),
  capturedAt: at('captured_at'),
  reviewedAt: at('reviewed_at'),
  reviewedBy: uuid('reviewed_by'),
  returnReason: text('return_reason'),
  redo: json<Redo>('redo').notNull().default({}),
  chargerBrand: text('charger_brand'),
  chargerSerial: text('charger_serial'),
  warrantyUntil: date('warranty_until'),
  claimedAt: at('claimed_at'),
  claimedBy: uuid('claimed_by'),
  claimAnsweredAt: at('claim_answered_at'),
  claimRefusal: text('claim_refusal'),
  ...stamps,
})

export const sheetAnswers = pgTable(
  'sheet_answers',
  {
    appointmentId: uuid('appointment_id').notNull(),
    name: text('name').notNull(),
    value: json<AnswerValue>('value'),
    revision: integer('revision').notNull().default(1),
    changedAt: at('changed_at').notNull(),
    arrivedAt: now('arrived_at'),
    changedBy: uuid('changed_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.appointmentId, table.name] })],
)

export const faults = pgTable('faults', {
  id: uuid('id').primaryKey(),
  appointmentId: uuid('appointment_id').notNull(),
  customerId: uuid('customer_id').notNull(),
  description: text('description').notNull(),
  visitId: uuid('visit_id'),
  closedAt: at('closed_at'),
  ...stamps,
})

export const files = pgTable('files', {
  id: uuid('id').primaryKey(),
  appointmentId: uuid('appointment_id').notNull(),
  slot: text('slot').notNull(),
  faultId: uuid('fault_id'),
  sentSha256: text('sent_sha256').notNull(),
  sha256: text('sha256').notNull(),
  type: text('type').$type<'image/jpeg' | 'image/png'>().notNull(),
  bytes: integer('bytes').notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  capturedAt: at('captured_at').notNull(),
  arrivedAt: now('arrived_at'),
  keptBecause: text('kept_because'),
  uploadedBy: uuid('uploaded_by').notNull(),
  replacedAt: at('replaced_at'),
})

import { bigint, boolean, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { ConsentKind, ConsentSource } from '../../domain/consent.ts'
import type { ReadOf } from '../../domain/data-read.ts'
import { now } from './columns.ts'

/** The tables of data protection as Drizzle sees them; 0011_privacy.sql is the truth. */

export const consents = pgTable('consents', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  userId: uuid('user_id').notNull(),
  kind: text('kind').$type<ConsentKind>().notNull(),
  given: boolean('given').notNull(),
  version: text('version').notNull(),
  source: text('source').$type<ConsentSource>().notNull(),
  at: now('at'),
})

export const dataReads = pgTable('data_reads', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  readerId: uuid('reader_id').notNull(),
  customerId: uuid('customer_id').notNull(),
  what: text('what').$type<ReadOf>().notNull(),
  subjectId: uuid('subject_id').notNull(),
  reason: text('reason'),
  span: timestamp('span', { withTimezone: true }),
  at: now('at'),
})

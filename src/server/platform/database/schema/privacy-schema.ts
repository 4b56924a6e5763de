import { sql } from 'drizzle-orm'
import { bigint, boolean, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { ConsentKind, ConsentSource, ReadOf } from '../../../../domain/accounts/privacy.ts'
import { at, now } from '../columns.ts'

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
  span: at('span')
    .notNull()
    .default(sql`date_bin('10 minutes', now(), timestamptz '2025-01-01 00:00:00+00')`),
  at: now('at'),
})

/** A picture or paper of a blocked account, where its bytes still lie. */
export type BlockedFile = { key: string; name: string; type: string }

export const blockedAccounts = pgTable('blocked_accounts', {
  customerId: uuid('customer_id').primaryKey(),
  sealed: text('sealed'),
  files: jsonb('files').$type<BlockedFile[]>().notNull().default([]),
  blockedAt: at('blocked_at').notNull(),
  suppressAt: at('suppress_at').notNull(),
  suppressedAt: at('suppressed_at'),
})

import { bigint, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { CallSide } from '../../../../domain/calls/room.ts'
import type { Media, Signal } from '../../../../domain/calls/schema.ts'
import { at, id, now, stamps } from '../columns.ts'

/** The tables of video calls as Drizzle sees them; 0005_video.sql is the truth. */

export const calls = pgTable('calls', {
  appointmentId: uuid('appointment_id').primaryKey(),
  metAt: at('met_at'),
  keepsWaitingAt: at('keeps_waiting_at'),
  notes: text('notes').notNull().default(''),
  notesVersion: integer('notes_version').notNull().default(0),
  summary: text('summary'),
  nextSteps: text('next_steps'),
  ...stamps,
})

/** Why somebody is no longer in the room. */
export type LeftBecause = 'left' | 'replaced' | 'lost' | 'ended' | 'signed_out' | 'taken_over'

export const callSittings = pgTable('call_sittings', {
  id: id(),
  appointmentId: uuid('appointment_id').notNull(),
  side: text('side').$type<CallSide>().notNull(),
  userId: uuid('user_id').notNull(),
  sessionId: uuid('session_id').notNull(),
  pageId: uuid('page_id').notNull(),
  connectionId: uuid('connection_id'),
  media: jsonb('media').$type<Media>().notNull(),
  joinedAt: now('joined_at'),
  seenAt: now('seen_at'),
  lostAt: at('lost_at'),
  leftAt: at('left_at'),
  leftBecause: text('left_because').$type<LeftBecause>(),
})

export const callSignals = pgTable('call_signals', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  toSitting: uuid('to_sitting').notNull(),
  fromSitting: uuid('from_sitting').notNull(),
  body: jsonb('body').$type<Signal>().notNull(),
  at: now('at'),
})

export const callMessages = pgTable('call_messages', {
  id: uuid('id').primaryKey(),
  appointmentId: uuid('appointment_id').notNull(),
  authorId: uuid('author_id').notNull(),
  side: text('side').$type<CallSide>().notNull(),
  text: text('text').notNull(),
  at: now('at'),
})

export const presence = pgTable('presence', {
  userId: uuid('user_id').primaryKey(),
  seenAt: now('seen_at'),
})

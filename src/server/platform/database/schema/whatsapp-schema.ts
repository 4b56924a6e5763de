import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { MessageState, Template } from '../../../../domain/notifications/whatsapp.ts'
import { id, now } from '../columns.ts'

/** The messages by WhatsApp as Drizzle sees them; 0012_whatsapp.sql is the truth. */
export const whatsappMessages = pgTable('whatsapp_messages', {
  id: id(),
  letterId: uuid('letter_id').notNull(),
  userId: uuid('user_id').notNull(),
  template: text('template').$type<Template>().notNull(),
  state: text('state').$type<MessageState>().notNull().default('queued'),
  wamid: text('wamid'),
  fault: text('fault'),
  createdAt: now('created_at'),
  stateAt: now('state_at'),
})

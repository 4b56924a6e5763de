import { bigint, boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { at, id, now, stamps } from '../columns.ts'

/** What the house keeps for everyone: settings, dealerships, what happened, what is to be done. Drizzle's view: the migrations are the truth. */

export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
  updatedBy: uuid('updated_by'),
  updatedAt: now('updated_at').$onUpdate(() => new Date()),
  version: integer('version').notNull().default(1),
})

/** What forms were answered, so that one sent again hears the same. */
export const formAnswers = pgTable('form_answers', {
  place: text('place').primaryKey(),
  answer: text('answer').notNull(),
  createdAt: now('created_at'),
})

export const agencies = pgTable('agencies', {
  id: id(),
  name: text('name').notNull(),
  brand: text('brand'),
  contact: text('contact'),
  phone: text('phone'),
  email: text('email'),
  address: text('address'),
  municipality: text('municipality'),
  active: boolean('active').notNull().default(true),
  commissionKind: text('commission_kind').$type<'percent' | 'amount'>().notNull().default('percent'),
  commissionValue: integer('commission_value').notNull().default(0),
  benefitKind: text('benefit_kind')
    .$type<'none' | 'percent' | 'amount' | 'free_visit'>()
    .notNull()
    .default('none'),
  benefitValue: integer('benefit_value').notNull().default(0),
  notes: text('notes'),
  ...stamps,
})

export const events = pgTable('events', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  entity: text('entity').notNull(),
  entityId: uuid('entity_id').notNull(),
  actorId: uuid('actor_id'),
  name: text('name').notNull(),
  fromState: text('from_state'),
  toState: text('to_state'),
  reason: text('reason'),
  data: jsonb('data'),
  at: now('at'),
})

export const tasks = pgTable('tasks', {
  id: id(),
  subject: text('subject').notNull(),
  reason: text('reason').notNull(),
  personId: uuid('person_id'),
  projectId: uuid('project_id'),
  appointmentId: uuid('appointment_id'),
  quoteId: uuid('quote_id'),
  urgent: boolean('urgent').notNull().default(false),
  phone: text('phone'),
  dueAt: now('due_at'),
  takenBy: uuid('taken_by'),
  result: text('result'),
  doneAt: at('done_at'),
  ...stamps,
})

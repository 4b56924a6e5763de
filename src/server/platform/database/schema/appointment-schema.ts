import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type {
  AppointmentState,
  ClosingReason,
  Interest,
  Outcome,
  Service,
} from '../../../../domain/appointments/appointment.ts'
import { at, id, now, range, stamps } from '../columns.ts'
import type { AddressSnapshot } from './project-schema.ts'

/** Visits and calls, who waits for an earlier one, and what was offered. Drizzle's view: the migrations are the truth. */

export const appointments = pgTable('appointments', {
  id: id(),
  folio: text('folio').notNull(),
  service: text('service').$type<Service>().notNull(),
  state: text('state').$type<AppointmentState>().notNull().default('requested'),
  customerId: uuid('customer_id').notNull(),
  projectId: uuid('project_id').notNull(),
  /** That of its project, kept by a trigger. */
  agencyId: uuid('agency_id'),
  assigneeId: uuid('assignee_id'),
  confirmedAt: at('confirmed_at'),
  startsAt: at('starts_at').notNull(),
  minutes: integer('minutes').notNull(),
  during: range('during').notNull().generatedAlwaysAs(sql`visit_range(starts_at, minutes)`),
  municipality: text('municipality'),
  address: jsonb('address').$type<AddressSnapshot>(),
  interest: text('interest').$type<Interest>(),
  notes: text('notes'),
  bookedBy: uuid('booked_by'),
  sequence: integer('sequence').notNull().default(0),
  movedByCustomer: integer('moved_by_customer').notNull().default(0),
  movedByUs: integer('moved_by_us').notNull().default(0),
  outcome: text('outcome').$type<Outcome>(),
  closingReason: text('closing_reason').$type<ClosingReason>(),
  closingNote: text('closing_note'),
  late: boolean('late').notNull().default(false),
  overrideReason: text('override_reason'),
  setOutAt: at('set_out_at'),
  startedAt: at('started_at'),
  pausedAt: at('paused_at'),
  finishedAt: at('finished_at'),
  customerWaitingSince: at('customer_waiting_since'),
  customerCameAt: at('customer_came_at'),
  callBackAskedAt: at('call_back_asked_at'),
  takenOverAt: at('taken_over_at'),
  nobodyCameAt: at('nobody_came_at'),
  timeSetAt: now('time_set_at'),
  reminded24hAt: at('reminded_24h_at'),
  reminded2hAt: at('reminded_2h_at'),
  requestKey: uuid('request_key').notNull(),
  requestDigest: text('request_digest').notNull(),
  ...stamps,
})

export const unprovedBookings = pgTable('unproved_bookings', {
  appointmentId: uuid('appointment_id').primaryKey(),
  network: text('network').notNull(),
})

export const slotWishes = pgTable('slot_wishes', {
  id: id(),
  customerId: uuid('customer_id').notNull(),
  projectId: uuid('project_id').notNull(),
  service: text('service').$type<Service>().notNull(),
  appointmentId: uuid('appointment_id'),
  before: at('before'),
  endedAt: at('ended_at'),
  endedBecause: text('ended_because').$type<'claimed' | 'withdrawn' | 'appointment_over' | 'passed'>(),
  ...stamps,
})

export const slotOffers = pgTable('slot_offers', {
  id: id(),
  wishId: uuid('wish_id').notNull(),
  startsAt: at('starts_at').notNull(),
  expiresAt: at('expires_at').notNull(),
  answer: text('answer').$type<'claimed' | 'declined' | 'gone'>(),
  answeredAt: at('answered_at'),
  createdAt: now('created_at'),
})

export const moveOffers = pgTable('move_offers', {
  id: id(),
  appointmentId: uuid('appointment_id').notNull(),
  absentId: uuid('absent_id').notNull(),
  assigneeId: uuid('assignee_id').notNull(),
  fromStartsAt: at('from_starts_at').notNull(),
  toStartsAt: at('to_starts_at').notNull(),
  harm: integer('harm').notNull(),
  madeBy: uuid('made_by').notNull(),
  expiresAt: at('expires_at').notNull(),
  answer: text('answer').$type<'accepted' | 'declined' | 'expired' | 'withdrawn' | 'gone'>(),
  answeredAt: at('answered_at'),
  ...stamps,
})

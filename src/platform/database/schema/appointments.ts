import { sql } from 'drizzle-orm'
import { bigint, boolean, date, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type {
  AppointmentState,
  ClosingReason,
  Interest,
  Outcome,
  Service,
} from '../../../appointments/rules/appointment.ts'
import type { NobodyCameAnswer } from '../../../appointments/rules/nobody-came.ts'
import type { LateChoice } from '../../../appointments/rules/running-late.ts'
import type { CallSide } from '../../../calls/rules/room.ts'
import type { Media, Signal } from '../../../calls/rules/schema.ts'
import type { AnswerValue, Redo, SheetKind, SheetState } from '../../../reports/rules/report.ts'
import { at, id, json, now, range, stamps } from '../client.ts'
import type { AddressSnapshot } from './projects.ts'

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
  nobodyCameAnswer: text('nobody_came_answer').$type<NobodyCameAnswer>(),
  nobodyCameAnsweredAt: at('nobody_came_answered_at'),
  runningLateMinutes: integer('running_late_minutes').$type<LateChoice>(),
  runningLateAt: at('running_late_at'),
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

/** The link to an appointment that its customer shared. */
export const sharedVisits = pgTable('shared_visits', {
  appointmentId: uuid('appointment_id').primaryKey(),
  secretHash: text('secret_hash').notNull(),
  /** In Mexico City: moved to another day, the appointment is shared no more. */
  day: date('day').notNull(),
  createdAt: now('created_at'),
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

/** The tables of video calls as Drizzle sees them. */
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

/** Why a person is no longer in the room. */
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

/** The tables of the work on site as Drizzle sees them. */
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

/** The secret of the address that proves a hand-over; made when its document first is. */
export const handoverProofs = pgTable('handover_proofs', {
  appointmentId: uuid('appointment_id').primaryKey(),
  secret: uuid('secret').notNull().defaultRandom(),
  /** The technician's when the document was made; null where there was none. */
  credential: text('credential'),
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

/** Every value that an answer has had, written by the database; numbers and yes or no keep their value. */
export const sheetAnswerHistory = pgTable('sheet_answer_history', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  appointmentId: uuid('appointment_id').notNull(),
  name: text('name').notNull(),
  value: json<AnswerValue>('value'),
  changedAt: at('changed_at').notNull(),
  arrivedAt: at('arrived_at').notNull(),
  changedBy: uuid('changed_by').notNull(),
})

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

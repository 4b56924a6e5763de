import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Charger, Vehicle } from '../../../projects/rules/equipment.ts'
import { ofCfe } from '../../../projects/rules/next-step.ts'
import type { LostReason, Stage, Waiting } from '../../../projects/rules/stages.ts'
import type { ConditionKind } from '../../../reports/rules/report.ts'
import { at, id, now, stamps } from '../client.ts'

/** What the house keeps for everyone: settings, dealerships, what happened, what is to be done. Drizzle's view: the migrations are the truth. */
export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
  updatedBy: uuid('updated_by'),
  updatedAt: now('updated_at').$onUpdate(() => new Date()),
  version: integer('version').notNull().default(1),
})

/** The answers of forms, so that one sent again gets the same answer. */
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

/** Who took a line of the office's work, and until when it is put off, by what the line is about. */
export const workMarks = pgTable('work_marks', {
  subject: uuid('subject').primaryKey(),
  kind: text('kind').notNull(),
  takenBy: uuid('taken_by'),
  snoozedUntil: at('snoozed_until'),
  updatedAt: now('updated_at'),
})

/** How far each project is, as Drizzle sees it. */
export const projectStandings = pgTable('project_standings', {
  projectId: uuid('project_id').primaryKey(),
  customerId: uuid('customer_id').notNull(),
  stage: text('stage').$type<Stage>().notNull().default('intake'),
  waitingOn: text('waiting_on').$type<Waiting>().notNull().default('none'),
  since: at('since'),
  updatedAt: now('updated_at'),
})

/** What a customer wants installed, and where. Drizzle's view: the migrations are the truth. */
export const projects = pgTable('projects', {
  id: id(),
  customerId: uuid('customer_id').notNull(),
  agencyId: uuid('agency_id'),
  vehicle: jsonb('vehicle').$type<Vehicle>(),
  charger: jsonb('charger').$type<Charger>(),
  quoteAcceptedAt: at('quote_accepted_at'),
  depositPaidAt: at('deposit_paid_at'),
  permitNeeded: boolean('permit_needed').notNull().default(false),
  permitReceivedAt: at('permit_received_at'),
  permitValidAt: at('permit_valid_at'),
  /** Why its reviewer asked for another one. */
  permitReturned: text('permit_returned'),
  closedAt: at('closed_at'),
  lostReason: text('lost_reason').$type<LostReason>(),
  lostNote: text('lost_note'),
  /** Which of the places of its customer's open projects it holds. */
  place: smallint('place').notNull().default(1),
  /** When its customer chose it among several, the last time. */
  chosenAt: at('chosen_at'),
  ...stamps,
})

/** What an approved visit found that must be met before a project's charger is used. */
export const conditions = pgTable('conditions', {
  projectId: uuid('project_id').notNull(),
  kind: text('kind').$type<ConditionKind>().notNull(),
  visitId: uuid('visit_id').notNull(),
  limitAmps: smallint('limit_amps'),
  heldAmps: smallint('held_amps'),
  createdAt: now('created_at'),
  metAt: at('met_at'),
  metBy: uuid('met_by'),
  blocksBooking: boolean('blocks_booking')
    .notNull()
    .generatedAlwaysAs(
      sql`met_at is null and limit_amps is null and kind in (${sql.raw(ofCfe.map((kind) => `'${kind}'`).join())})`,
    ),
})

export const addresses = pgTable('addresses', {
  id: id(),
  projectId: uuid('project_id').notNull(),
  postalCode: text('postal_code').notNull(),
  regionGroup: text('region_group'),
  municipality: text('municipality').notNull(),
  state: text('state').notNull(),
  area: text('area').$type<'served' | 'outside' | 'to_verify'>().notNull(),
  areaVerifiedAt: at('area_verified_at'),
  colonia: text('colonia').notNull(),
  street: text('street').notNull(),
  outerNumber: text('outer_number').notNull(),
  innerNumber: text('inner_number'),
  betweenStreets: text('between_streets'),
  references: text('references'),
  receiverName: text('receiver_name'),
  receiverPhone: text('receiver_phone'),
  dwelling: text('dwelling').notNull(),
  parking: text('parking').notNull(),
  gateNotes: text('gate_notes'),
  cfeServiceNumber: text('cfe_service_number'),
  /** Its pin: both, or neither. */
  latitude: doublePrecision('latitude'),
  longitude: doublePrecision('longitude'),
  archivedAt: at('archived_at'),
  wantsNoticeAt: at('wants_notice_at'),
  /** When the manager approved it in the place of the home that was quoted. */
  approvedAt: at('approved_at'),
  ...stamps,
})

export type AddressRow = typeof addresses.$inferSelect

/** What an appointment keeps of the address it was booked for. Not the pin: what a quote is signed for holds the same. */
export type AddressSnapshot = Omit<
  AddressRow,
  | 'id'
  | 'projectId'
  | 'archivedAt'
  | 'areaVerifiedAt'
  | 'wantsNoticeAt'
  | 'approvedAt'
  | 'latitude'
  | 'longitude'
  | 'createdAt'
  | 'updatedAt'
  | 'version'
>

export const postalCodes = pgTable('postal_codes', {
  postalCode: text('postal_code').notNull(),
  colonia: text('colonia').notNull(),
  municipality: text('municipality').notNull(),
  state: text('state').notNull(),
})

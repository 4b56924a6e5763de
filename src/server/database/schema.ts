import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Role, StaffKind } from '../../domain/actor.ts'
import type { AppointmentState, Outcome } from '../../domain/appointment.ts'
import type { DayOutcome } from '../../domain/day-outcome.ts'
import type { Charger, Vehicle } from '../../domain/equipment.ts'
import type { Interest } from '../../domain/options.ts'
import type { ClosingReason } from '../../domain/reasons.ts'
import type { Service } from '../../domain/services.ts'
import { at, id, now, range, stamps } from './columns.ts'

/** The tables as Drizzle sees them. The SQL files beside this one are the truth: constraints and indexes stand there. */

export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
  updatedBy: uuid('updated_by'),
  updatedAt: now('updated_at').$onUpdate(() => new Date()),
  version: integer('version').notNull().default(1),
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

export const users = pgTable('users', {
  id: id(),
  email: text('email').notNull(),
  emailVerified: boolean('email_verified').notNull().default(false),
  name: text('name'),
  lastname: text('lastname'),
  phone: text('phone'),
  image: text('image'),
  role: text('role').$type<Role>().notNull().default('customer'),
  kind: text('kind').$type<StaffKind>(),
  agencyId: uuid('agency_id'),
  active: boolean('active').notNull().default(true),
  termsVersion: text('terms_version'),
  termsAcceptedAt: at('terms_accepted_at'),
  signedUpAt: now('signed_up_at'),
  twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
  whatsappOptInAt: at('whatsapp_opt_in_at'),
  newsOptInAt: at('news_opt_in_at'),
  deletionRequestedAt: at('deletion_requested_at'),
  deletedAt: at('deleted_at'),
  ...stamps,
})

export const sessions = pgTable('sessions', {
  id: id(),
  token: text('token').notNull(),
  userId: uuid('user_id').notNull(),
  expiresAt: at('expires_at').notNull(),
  ipAddress: text('ip_address'),
  userAgent: text('user_agent'),
  createdAt: now('created_at'),
  updatedAt: now('updated_at'),
  lastUsedAt: now('last_used_at'),
})

export const accounts = pgTable('accounts', {
  id: id(),
  userId: uuid('user_id').notNull(),
  accountId: text('account_id').notNull(),
  providerId: text('provider_id').notNull(),
  password: text('password'),
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  idToken: text('id_token'),
  accessTokenExpiresAt: at('access_token_expires_at'),
  refreshTokenExpiresAt: at('refresh_token_expires_at'),
  scope: text('scope'),
  createdAt: now('created_at'),
  updatedAt: now('updated_at'),
})

export const verifications = pgTable('verifications', {
  id: id(),
  identifier: text('identifier').notNull(),
  value: text('value').notNull(),
  expiresAt: at('expires_at').notNull(),
  createdAt: now('created_at'),
  updatedAt: now('updated_at'),
})

export const limits = pgTable('limits', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  windowEndsAt: at('window_ends_at').notNull(),
})

export const signInFailures = pgTable('sign_in_failures', {
  accountHash: text('account_hash').primaryKey(),
  count: integer('count').notNull(),
  lastAt: at('last_at').notNull(),
  waitsUntil: at('waits_until').notNull(),
})

export const letterCodes = pgTable('letter_codes', {
  id: id(),
  purpose: text('purpose').$type<'reset_password' | 'verify_email'>().notNull(),
  userId: uuid('user_id').notNull(),
  codeHash: text('code_hash').notNull(),
  expiresAt: at('expires_at').notNull(),
  usedAt: at('used_at'),
  createdAt: now('created_at'),
})

export const twoFactors = pgTable('two_factors', {
  id: id(),
  userId: uuid('user_id').notNull(),
  secret: text('secret').notNull(),
  backupCodes: text('backup_codes').notNull(),
  verified: boolean('verified').notNull().default(false),
  failedVerificationCount: integer('failed_verification_count').notNull().default(0),
  lockedUntil: at('locked_until'),
  startedAt: now('started_at'),
  sessionId: uuid('session_id'),
})

export const usedTotpCodes = pgTable(
  'used_totp_codes',
  { userId: uuid('user_id').notNull(), code: text('code').notNull(), usedAt: now('used_at') },
  (table) => [primaryKey({ columns: [table.userId, table.code] })],
)

export const invitations = pgTable('invitations', {
  id: id(),
  email: text('email').notNull(),
  kind: text('kind').$type<StaffKind>().notNull(),
  agencyId: uuid('agency_id'),
  codeHash: text('code_hash').notNull(),
  invitedBy: uuid('invited_by'),
  expiresAt: at('expires_at').notNull(),
  acceptedAt: at('accepted_at'),
  acceptedBy: uuid('accepted_by'),
  withdrawnAt: at('withdrawn_at'),
  ...stamps,
})

export const shifts = pgTable('shifts', {
  id: id(),
  personId: uuid('person_id').notNull(),
  weekday: smallint('weekday').notNull(),
  starts: smallint('starts').notNull(),
  ends: smallint('ends').notNull(),
})

export const personZones = pgTable(
  'person_zones',
  { personId: uuid('person_id').notNull(), municipality: text('municipality').notNull() },
  (table) => [primaryKey({ columns: [table.personId, table.municipality] })],
)

export const timeOff = pgTable('time_off', {
  id: id(),
  personId: uuid('person_id').notNull(),
  during: range('during').notNull(),
  reason: text('reason'),
  approvedAt: at('approved_at'),
  approvedBy: uuid('approved_by'),
  refusedAt: at('refused_at'),
  refusedBy: uuid('refused_by'),
  refusedReason: text('refused_reason'),
  withdrawnAt: at('withdrawn_at'),
  createdAt: now('created_at'),
})

export const travelMinutes = pgTable(
  'travel_minutes',
  {
    fromMunicipality: text('from_municipality').notNull(),
    toMunicipality: text('to_municipality').notNull(),
    minutes: smallint('minutes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.fromMunicipality, table.toMunicipality] })],
)

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
  closedAt: at('closed_at'),
  ...stamps,
})

export const addresses = pgTable('addresses', {
  id: id(),
  projectId: uuid('project_id').notNull(),
  postalCode: text('postal_code').notNull(),
  regionGroup: text('region_group'),
  municipality: text('municipality').notNull(),
  state: text('state').notNull(),
  area: text('area').$type<'served' | 'outside' | 'to_verify'>().notNull(),
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
  archivedAt: at('archived_at'),
  wantsNoticeAt: at('wants_notice_at'),
  ...stamps,
})

export type AddressRow = typeof addresses.$inferSelect
/** What an appointment keeps of the address it was booked for. */
export type AddressSnapshot = Omit<
  AddressRow,
  'id' | 'projectId' | 'archivedAt' | 'wantsNoticeAt' | 'createdAt' | 'updatedAt' | 'version'
>

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
  during: range('during').generatedAlwaysAs(sql`visit_range(starts_at, minutes)`),
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

export const postalCodes = pgTable('postal_codes', {
  postalCode: text('postal_code').notNull(),
  colonia: text('colonia').notNull(),
  municipality: text('municipality').notNull(),
  state: text('state').notNull(),
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

export const calendarFeeds = pgTable('calendar_feeds', {
  userId: uuid('user_id').primaryKey(),
  secretHash: text('secret_hash').notNull(),
  lastReadAt: at('last_read_at'),
  createdAt: now('created_at'),
})

type DayPlanState = 'running' | 'ready' | 'stopped' | 'failed' | 'applied'
/** How far a calculation is; cost and bound in minutes, the bound null while nothing is proved. */
export type DayPlanProgress = { phase: string; seconds: number; cost: number; bound: number | null }
/** What a plan changes, with the version of every appointment it is about, by id; nobody may take those that are stuck. */
export type StoredDayPlan = DayOutcome & { versions: Record<string, number>; stuck: string[] }

export const dayPlans = pgTable('day_plans', {
  id: id(),
  date: text('date').notNull(),
  zones: text('zones').array().notNull().default([]),
  state: text('state').$type<DayPlanState>().notNull().default('running'),
  madeBy: uuid('made_by').notNull(),
  progress: jsonb('progress').$type<DayPlanProgress>(),
  plan: jsonb('plan').$type<StoredDayPlan>(),
  beatAt: now('beat_at'),
  appliedAt: at('applied_at'),
  ...stamps,
})

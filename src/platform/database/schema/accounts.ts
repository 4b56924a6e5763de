import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Role, StaffKind } from '../../../access/rules/actor.ts'
import type { ConsentKind, ConsentSource, ReadOf } from '../../../accounts/rules/privacy.ts'
import type { DayOutcome } from '../../../dispatch/rules/day-plan.ts'
import type { NewsKind } from '../../../notifications/rules/push.ts'
import type { SavedList } from '../../../users/rules/saved-view.ts'
import { at, bytes, id, now, range, stamps } from '../client.ts'

/** People, how they sign in, and who was invited. Drizzle's view: the migrations are the truth. */
export const users = pgTable('users', {
  id: id(),
  email: text('email').notNull(),
  emailVerified: boolean('email_verified').notNull().default(false),
  name: text('name'),
  lastname: text('lastname'),
  /** Name and last name; empty until the person has given one. Worked out when it is read. */
  fullName: text('full_name')
    .notNull()
    .generatedAlwaysAs(sql`coalesce(name || ' ' || lastname, name, lastname, '')`),
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
  /** Kinds of news that no device shows. */
  unwantedNews: text('unwanted_news').array().$type<NewsKind[]>().notNull().default([]),
  deletionRequestedAt: at('deletion_requested_at'),
  deletedAt: at('deleted_at'),
  /** The customer that stands for this one since a merge. */
  mergedIntoId: uuid('merged_into_id'),
  brakedUntil: at('braked_until'),
  /** Written by a trigger. */
  phoneChangedAt: now('phone_changed_at'),
  ...stamps,
})

/** By what a customer knows who comes; the photo is read by its address only. */
export const visitCards = pgTable('visit_cards', {
  userId: uuid('user_id').primaryKey(),
  vehicle: text('vehicle'),
  colour: text('colour'),
  plates: text('plates'),
  credential: text('credential'),
  photo: bytes('photo'),
  photoTag: text('photo_tag'),
  updatedAt: now('updated_at'),
})

/** What a merge of two customers moved. */
export const customerMerges = pgTable('customer_merges', {
  id: id(),
  keptId: uuid('kept_id').notNull(),
  endedId: uuid('ended_id').notNull(),
  mergedBy: uuid('merged_by').notNull(),
  mergedAt: now('merged_at'),
  moved: jsonb('moved').$type<MovedRows>().notNull(),
  profile: jsonb('profile').$type<MergedProfile>().notNull(),
  endedProjectId: uuid('ended_project_id'),
  endedClientId: uuid('ended_client_id'),
  undoneAt: at('undone_at'),
  undoneBy: uuid('undone_by'),
})

/** The keys of rows by `table.column`. */
export type MovedRows = Record<string, string[]>

type Profile = { name: string | null; lastname: string | null; phone: string | null }
/** Name and phone of the customer that stands; neither once the account is deleted. */
export type MergedProfile = { before?: Profile; after?: Profile }

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
  /** Of one that the manager closed: when it would have ended. */
  formerExpiresAt: at('former_expires_at'),
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

export const signInFailures = pgTable('sign_in_failures', {
  accountHash: text('account_hash').primaryKey(),
  count: integer('count').notNull(),
  lastAt: at('last_at').notNull(),
  waitsUntil: at('waits_until').notNull(),
})

export const letterCodes = pgTable('letter_codes', {
  id: id(),
  purpose: text('purpose')
    .$type<'reset_password' | 'verify_email' | 'change_email' | 'object_email'>()
    .notNull(),
  userId: uuid('user_id').notNull(),
  emailChangeId: uuid('email_change_id'),
  codeHash: text('code_hash').notNull(),
  /** Whether only the mailbox received it. */
  provesMailbox: boolean('proves_mailbox').notNull().default(true),
  expiresAt: at('expires_at').notNull(),
  usedAt: at('used_at'),
  createdAt: now('created_at'),
})

export const emailChanges = pgTable('email_changes', {
  id: id(),
  userId: uuid('user_id').notNull(),
  oldEmail: text('old_email').notNull(),
  newEmail: text('new_email').notNull(),
  askedBy: uuid('asked_by').notNull(),
  askedAt: now('asked_at'),
  appliedAt: at('applied_at'),
  endedAt: at('ended_at'),
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
  /** Turned on without an authenticator. */
  byPasskey: boolean('by_passkey').notNull().default(false),
})

/** Columns by the sign-in library's names. */
export const passkeys = pgTable('passkeys', {
  id: id(),
  userId: uuid('user_id').notNull(),
  name: text('name').notNull(),
  publicKey: text('public_key').notNull(),
  credentialID: text('credential_id').notNull(),
  counter: bigint('counter', { mode: 'number' }).notNull(),
  deviceType: text('device_type').notNull(),
  backedUp: boolean('backed_up').notNull(),
  transports: text('transports'),
  aaguid: text('aaguid'),
  createdAt: now('created_at'),
  lastUsedAt: at('last_used_at'),
})

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

export const importedUsers = pgTable('imported_users', {
  source: text('source').notNull(),
  sourceId: text('source_id').notNull(),
  userId: uuid('user_id').notNull(),
  importedAt: now('imported_at'),
})

/** The tables of data protection as Drizzle sees them. */
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

/** When and where people work, and the plans made of it. Drizzle's view: the migrations are the truth. */
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

/** Where a person's days begin. */
export const dayStarts = pgTable('day_starts', {
  personId: uuid('person_id').primaryKey(),
  municipality: text('municipality').notNull(),
})

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

export const calendarFeeds = pgTable('calendar_feeds', {
  userId: uuid('user_id').primaryKey(),
  secretHash: text('secret_hash').notNull(),
  lastReadAt: at('last_read_at'),
  createdAt: now('created_at'),
})

/** A browser that shows news. */
export const pushSubscriptions = pgTable('push_subscriptions', {
  id: id(),
  userId: uuid('user_id').notNull(),
  sessionId: uuid('session_id').notNull(),
  endpoint: text('endpoint').notNull(),
  p256dh: text('p256dh').notNull(),
  auth: text('auth').notNull(),
  createdAt: now('created_at'),
  answeredAt: at('answered_at'),
})

/** The filters of a list that a person keeps under a name. */
export const savedViews = pgTable('saved_views', {
  id: id(),
  ownerId: uuid('owner_id').notNull(),
  list: text('list').$type<SavedList>().notNull(),
  name: text('name').notNull(),
  query: text('query').notNull(),
  createdAt: now('created_at'),
})

type DayPlanState = 'running' | 'ready' | 'stopped' | 'failed' | 'applied'

/** How far a calculation is; cost and bound in minutes, the bound null while nothing is proved. */
export type DayPlanProgress = { phase: string; seconds: number; cost: number; bound: number | null }

/** What a plan changes, with the version of every appointment it is about, by id; no one may take those that are stuck. */
export type StoredDayPlan = DayOutcome & { versions: Record<string, number>; stuck: string[] }

export const dayPlans = pgTable('day_plans', {
  id: id(),
  date: date('date', { mode: 'string' }).notNull(),
  zones: text('zones').array().notNull().default([]),
  state: text('state').$type<DayPlanState>().notNull().default('running'),
  madeBy: uuid('made_by').notNull(),
  progress: jsonb('progress').$type<DayPlanProgress>(),
  plan: jsonb('plan').$type<StoredDayPlan>(),
  beatAt: now('beat_at'),
  appliedAt: at('applied_at'),
  ...stamps,
})

/** What customers' acts wrote, for two days (`outward.ts`). */
export const outward = pgTable('outward', {
  id: text('id').primaryKey(),
  receiver: text('receiver').notNull(),
  readerId: uuid('reader_id').notNull(),
  causedBy: uuid('caused_by').notNull(),
  kind: text('kind').notNull(),
  gatherMinutes: integer('gather_minutes'),
  at: now('at'),
})

/** Numbers, hashed, that were asked whether they want messages. */
export const whatsappNumbers = pgTable('whatsapp_numbers', {
  hash: text('hash').primaryKey(),
  askedAt: now('asked_at'),
  agreedAt: at('agreed_at'),
})

/** What networks tried in vain, or began, by the hour. */
export const networkCounts = pgTable(
  'network_counts',
  {
    hour: at('hour').notNull(),
    kind: text('kind').notNull(),
    network: text('network').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.kind, table.network] })],
)

export const closedNetworks = pgTable('closed_networks', {
  network: text('network').primaryKey(),
  until: at('until').notNull(),
  closedBy: uuid('closed_by').notNull(),
})

import { bigint, boolean, date, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { BenefitKind } from '../../../agencies/rules/agency.ts'
import type { ClientSource, ClientStage } from '../../../agencies/rules/clients.ts'
import type { CodeState } from '../../../agencies/rules/codes.ts'
import type { CommissionKind, CommissionState } from '../../../agencies/rules/commissions.ts'
import type {
  DeliveryFault,
  DeliveryState,
  EventType,
  Payload,
  StopReason,
} from '../../../agencies/rules/integrations.ts'
import type { Vehicle } from '../../../projects/rules/equipment.ts'
import type { Waiting } from '../../../projects/rules/stages.ts'
import { at, id, json, now, stamps } from '../client.ts'

/** The tables of allies as Drizzle sees them. */

export const codes = pgTable('codes', {
  id: id(),
  code: text('code').notNull(),
  agencyId: uuid('agency_id').notNull(),
  ownerId: uuid('owner_id').notNull(),
  label: text('label'),
  benefitKind: text('benefit_kind').$type<BenefitKind>().notNull().default('none'),
  /** Hundredths of a percent, or centavos before IVA. */
  benefitValue: integer('benefit_value').notNull().default(0),
  startsOn: date('starts_on', { mode: 'string' }).notNull(),
  endsOn: date('ends_on', { mode: 'string' }),
  maxUses: integer('max_uses').notNull(),
  uses: integer('uses').notNull().default(0),
  state: text('state').$type<CodeState>().notNull().default('draft'),
  askedAt: at('asked_at'),
  approvedAt: at('approved_at'),
  approvedBy: uuid('approved_by'),
  refusedReason: text('refused_reason'),
  ...stamps,
})

export const clients = pgTable('clients', {
  id: id(),
  agencyId: uuid('agency_id').notNull(),
  allyId: uuid('ally_id'),
  codeId: uuid('code_id'),
  source: text('source').$type<ClientSource>().notNull(),
  customerId: uuid('customer_id'),
  name: text('name'),
  lastname: text('lastname'),
  phone: text('phone'),
  email: text('email'),
  vehicle: json<Vehicle | null>('vehicle'),
  /** What the agency's own system calls them. */
  reference: text('reference'),
  consentAt: at('consent_at'),
  consentVersion: text('consent_version'),
  registeredBy: uuid('registered_by'),
  inviteHash: text('invite_hash'),
  inviteExpiresAt: at('invite_expires_at'),
  joinedAt: at('joined_at'),
  reason: text('reason'),
  benefitProjectId: uuid('benefit_project_id'),
  stage: text('stage').$type<ClientStage>().notNull().default('invited'),
  waitingOn: text('waiting_on').$type<Waiting>().notNull().default('none'),
  standingSince: at('standing_since'),
  endedAt: at('ended_at'),
  endedReason: text('ended_reason'),
  requestKey: uuid('request_key'),
  ...stamps,
})

const amount = (name: string) => bigint(name, { mode: 'number' })

export const commissionPayouts = pgTable('commission_payouts', {
  id: id(),
  agencyId: uuid('agency_id').notNull(),
  amount: amount('amount').notNull(),
  paidOn: date('paid_on', { mode: 'string' }).notNull(),
  reference: text('reference').notNull(),
  proofId: uuid('proof_id').notNull(),
  paidBy: uuid('paid_by').notNull(),
  requestKey: uuid('request_key').notNull(),
  createdAt: now('created_at'),
})

export const commissions = pgTable('commissions', {
  id: id(),
  kind: text('kind').$type<CommissionKind>().notNull(),
  state: text('state').$type<CommissionState>().notNull().default('pending'),
  agencyId: uuid('agency_id').notNull(),
  allyId: uuid('ally_id'),
  projectId: uuid('project_id').notNull(),
  quoteId: uuid('quote_id').notNull(),
  appointmentId: uuid('appointment_id').notNull(),
  adjustsId: uuid('adjusts_id'),
  basis: amount('basis').notNull().default(0),
  termsKind: text('terms_kind').$type<'percent' | 'amount'>().notNull(),
  termsValue: integer('terms_value').notNull(),
  amount: amount('amount').notNull(),
  reason: text('reason'),
  earnedAt: at('earned_at').notNull(),
  approvedAt: at('approved_at'),
  payoutId: uuid('payout_id'),
  madeBy: uuid('made_by'),
  requestKey: uuid('request_key'),
  ...stamps,
})

export const apiKeys = pgTable('api_keys', {
  id: id(),
  agencyId: uuid('agency_id').notNull(),
  name: text('name').notNull(),
  prefix: text('prefix').notNull(),
  keyHash: text('key_hash').notNull(),
  scopes: text('scopes').array().notNull(),
  sandbox: boolean('sandbox').notNull().default(false),
  expiresAt: at('expires_at'),
  lastUsedAt: at('last_used_at'),
  madeBy: uuid('made_by').notNull(),
  revokedAt: at('revoked_at'),
  revokedBy: uuid('revoked_by'),
  createdAt: now('created_at'),
})

export const apiRequests = pgTable(
  'api_requests',
  {
    apiKeyId: uuid('api_key_id').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    digest: text('digest').notNull(),
    status: integer('status').notNull(),
    answer: json<unknown>('answer').notNull(),
    createdAt: now('created_at'),
  },
  (table) => [primaryKey({ columns: [table.apiKeyId, table.idempotencyKey] })],
)

export const webhookEndpoints = pgTable('webhook_endpoints', {
  id: id(),
  agencyId: uuid('agency_id').notNull(),
  url: text('url').notNull(),
  /** Sealed under the key of the application. */
  secret: text('secret').notNull(),
  previousSecret: text('previous_secret'),
  previousUntil: at('previous_until'),
  active: boolean('active').notNull().default(true),
  madeBy: uuid('made_by').notNull(),
  failingSince: at('failing_since'),
  stoppedAt: at('stopped_at'),
  stoppedReason: text('stopped_reason').$type<StopReason>(),
  ...stamps,
})

export const webhookEvents = pgTable('webhook_events', {
  id: id(),
  agencyId: uuid('agency_id').notNull(),
  clientId: uuid('client_id'),
  type: text('type').$type<EventType>().notNull(),
  payload: json<Payload>('payload').notNull(),
  createdAt: now('created_at'),
})

export const webhookDeliveries = pgTable('webhook_deliveries', {
  id: id(),
  endpointId: uuid('endpoint_id').notNull(),
  eventId: uuid('event_id').notNull(),
  state: text('state').$type<DeliveryState>().notNull().default('pending'),
  tries: integer('tries').notNull().default(0),
  nextTryAt: at('next_try_at'),
  lastStatus: integer('last_status'),
  lastError: text('last_error').$type<DeliveryFault>(),
  deliveredAt: at('delivered_at'),
  replayedBy: uuid('replayed_by'),
  createdAt: now('created_at'),
  updatedAt: now('updated_at').$onUpdate(() => new Date()),
})

import { boolean, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Charger, Vehicle } from '../../../../domain/projects/equipment.ts'
import type { LostReason } from '../../../../domain/projects/project.ts'
import { at, id, stamps } from '../columns.ts'

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
  closedAt: at('closed_at'),
  lostReason: text('lost_reason').$type<LostReason>(),
  lostNote: text('lost_note'),
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
  archivedAt: at('archived_at'),
  wantsNoticeAt: at('wants_notice_at'),
  /** When the manager approved it in the place of the home that was quoted. */
  approvedAt: at('approved_at'),
  ...stamps,
})

export type AddressRow = typeof addresses.$inferSelect
/** What an appointment keeps of the address it was booked for. */
export type AddressSnapshot = Omit<
  AddressRow,
  | 'id'
  | 'projectId'
  | 'archivedAt'
  | 'areaVerifiedAt'
  | 'wantsNoticeAt'
  | 'approvedAt'
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

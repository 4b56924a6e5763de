import { boolean, date, jsonb, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { CaseKind, CaseState, CaseTurn } from '../../../cfe/rules/case.ts'
import type { CasePaperName, PaperState } from '../../../cfe/rules/papers.ts'
import type { MessageState, Template } from '../../../notifications/rules/whatsapp.ts'
import { at, id, now, stamps } from '../client.ts'

/** The tables of cases with CFE as Drizzle sees them. */
/** What the last step of a case replaced, and who may undo it until when; in `before` and `was` moments are text. */
type CaseUndo = {
  before: object
  by: string
  until: number
  /** The paper that was asked for. */
  paper: { name: CasePaperName; was: object | null } | null
}

const measured = (name: string) => numeric(name, { mode: 'number', precision: 4, scale: 1 })

export const cfeCases = pgTable('cfe_cases', {
  id: id(),
  folio: text('folio').notNull(),
  projectId: uuid('project_id').notNull(),
  customerId: uuid('customer_id').notNull(),
  kind: text('kind').$type<CaseKind>().notNull(),
  state: text('state').$type<CaseState>().notNull().default('gathering'),
  heldFrom: text('held_from').$type<CaseState>(),
  gesterId: uuid('gester_id'),
  quoteId: uuid('quote_id'),
  openedBy: uuid('opened_by'),
  holderName: text('holder_name'),
  serviceNumber: text('service_number'),
  meterNumber: text('meter_number'),
  poleMetres: measured('pole_metres'),
  chargerKilowatts: measured('charger_kilowatts'),
  contractedKilowatts: measured('contracted_kilowatts'),
  requestedKilowatts: measured('requested_kilowatts'),
  approvedKilowatts: measured('approved_kilowatts'),
  tariff: text('tariff'),
  isThreePhase: boolean('is_three_phase').notNull().default(false),
  needsPermit: boolean('needs_permit').notNull().default(false),
  needsUvie: boolean('needs_uvie').notNull().default(false),
  requestNumber: text('request_number'),
  contractNumber: text('contract_number'),
  newMeterNumber: text('new_meter_number'),
  filedAt: at('filed_at'),
  steppedOn: date('stepped_on', { mode: 'string' }),
  undo: jsonb('undo').$type<CaseUndo>(),
  correctedBy: text('corrected_by').$type<'customer' | 'gester'>(),
  reason: text('reason'),
  holdReason: text('hold_reason'),
  waitingOn: text('waiting_on').$type<CaseTurn>().notNull().default('none'),
  waitingSince: at('waiting_since').notNull().defaultNow(),
  dueOn: date('due_on', { mode: 'string' }),
  closedAt: at('closed_at'),
  ...stamps,
})

export const cfePapers = pgTable('cfe_papers', {
  caseId: uuid('case_id').notNull(),
  name: text('name').$type<CasePaperName>().notNull(),
  label: text('label'),
  askedFrom: text('asked_from').$type<'customer' | 'gester'>(),
  state: text('state').$type<PaperState>().notNull().default('pending'),
  documentId: uuid('document_id'),
  reason: text('reason'),
  receivedAt: at('received_at'),
  reviewedBy: uuid('reviewed_by'),
  reviewedAt: at('reviewed_at'),
})

/** The messages by WhatsApp as Drizzle sees them. */
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

import { date, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { DayOutcome } from '../../../../domain/scheduling/day-plan.ts'
import { at, id, now, range, stamps } from '../columns.ts'

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

type DayPlanState = 'running' | 'ready' | 'stopped' | 'failed' | 'applied'
/** How far a calculation is; cost and bound in minutes, the bound null while nothing is proved. */
export type DayPlanProgress = { phase: string; seconds: number; cost: number; bound: number | null }
/** What a plan changes, with the version of every appointment it is about, by id; nobody may take those that are stuck. */
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

import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Stage, Waiting } from '../../../../domain/projects/project.ts'
import { at, now } from '../columns.ts'

/** How far each project is, as Drizzle sees it; 0010_office.sql is the truth. */

export const projectStandings = pgTable('project_standings', {
  projectId: uuid('project_id').primaryKey(),
  customerId: uuid('customer_id').notNull(),
  stage: text('stage').$type<Stage>().notNull().default('intake'),
  waitingOn: text('waiting_on').$type<Waiting>().notNull().default('none'),
  since: at('since'),
  updatedAt: now('updated_at'),
})

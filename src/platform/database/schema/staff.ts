import { boolean, date, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { CalendarFault } from '../../../users/rules/busy-calendar.ts'
import type { StaffPaperKind } from '../../../users/rules/staff-paper.ts'
import { at, id, multirange, now } from '../client.ts'

/** Papers of people and, without a person, of the company. */
export const staffPapers = pgTable('staff_papers', {
  id: id(),
  personId: uuid('person_id'),
  kind: text('kind').$type<StaffPaperKind>().notNull(),
  number: text('number').notNull(),
  issued: date('issued').notNull(),
  expires: date('expires').notNull(),
  documentId: uuid('document_id').notNull(),
  checkedAt: at('checked_at'),
  checkedBy: uuid('checked_by'),
  createdAt: now('created_at'),
  warned: smallint('warned'),
})

/** The calendars of staff's own. */
export const busyCalendars = pgTable('busy_calendars', {
  id: id(),
  personId: uuid('person_id').notNull(),
  sealed: text('sealed').notNull(),
  host: text('host').notNull(),
  ending: text('ending').notNull(),
  allDay: boolean('all_day').notNull().default(false),
  busy: multirange('busy').notNull().default('{}'),
  unread: integer('unread').notNull().default(0),
  etag: text('etag'),
  fault: text('fault').$type<CalendarFault>(),
  failures: integer('failures').notNull().default(0),
  failingSince: at('failing_since'),
  readAt: at('read_at'),
  nextReadAt: at('next_read_at').defaultNow(),
  createdAt: now('created_at'),
})

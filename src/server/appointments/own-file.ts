import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/database.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { ownAppointment } from './calendar-queries.ts'
import { customersEntry, performersEntry } from './entries.ts'
import { calendarFile, type Source } from './file.ts'

/** One of the actor's own appointments as a calendar file, with its folio. Others' do not exist. */
export async function ownCalendarFile(
  db: Db,
  actor: Actor,
  id: string,
  source: Source,
): Promise<{ folio: string; file: string }> {
  const [row, { settings }] = await Promise.all([ownAppointment(db, actor, id), currentStaffing(db)])
  if (!row) return refuse('not-found')
  const entryOf = actor.role === 'customer' ? customersEntry : performersEntry
  const entry = entryOf(row, { whole: true }, { ...source, settings })
  return { folio: row.folio, file: calendarFile(entry, source) }
}

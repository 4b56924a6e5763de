import { sql } from 'drizzle-orm'
import type { Span } from '../../domain/scheduling/roster.ts'
import { toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { timeOff } from '../platform/database/schema/staff-schema.ts'

/** From when until when an absence is, its end not included. */
export const bounds = {
  from: sql`lower(${timeOff.during})`.mapWith(timeOff.createdAt),
  to: sql`upper(${timeOff.during})`.mapWith(timeOff.createdAt),
}

/** Asked for, and neither answered nor withdrawn. */
export const isOpen = sql`${timeOff.approvedAt} is null and ${timeOff.refusedAt} is null and ${timeOff.withdrawnAt} is null`

const farthest = 2 * 365 * 1440

/** A span as it is stored, or a refusal where it is over, or too far ahead. */
export function duringOf({ start, end }: Span, now: Date): string {
  if (end <= toMinutes(now))
    refuse('invalid-argument', undefined, { errors: { to: 'Esas fechas ya pasaron.' } })
  const last = toMinutes(now) + farthest
  if (end > last)
    refuse('invalid-argument', undefined, {
      errors: { [start > last ? 'from' : 'to']: 'Es demasiado lejos: hasta dos años adelante.' },
    })
  return `[${toDate(start).toISOString()},${toDate(end).toISOString()})`
}

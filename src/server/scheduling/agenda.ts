import { type Ask, type OpenDay, openSlots } from '../../domain/availability.ts'
import { daysFrom, toMinutes } from '../../domain/calendar.ts'
import type { Service } from '../../domain/services.ts'
import type { Db } from '../database/database.ts'
import { loadBusy } from './busy.ts'
import { currentStaffing, type Staffing } from './roster.ts'

const aDay = 1440

/** The question for the engine: this service in this zone, seen from now, over its whole horizon. */
export function askFor({ settings, travel }: Staffing, service: Service, zone: number, now: Date): Ask {
  const minute = toMinutes(now)
  const days = daysFrom(minute, settings.services[service].horizonDays + 1)
  return { service, zone, now: minute, days, settings, travel }
}

/** Every slot that somebody can really take, day by day; `without` is an appointment that would be moved there. A day more on
 * both sides is loaded, for what reaches over midnight. */
export async function offeredDays(
  db: Db,
  service: Service,
  zone: number,
  now: Date,
  without?: string,
): Promise<OpenDay[]> {
  const staffing = await currentStaffing(db)
  const ask = askFor(staffing, service, zone, now)
  const [first, last] = [ask.days[0], ask.days.at(-1)]
  if (!first || !last) return []
  const busy = await loadBusy(db.$client, { from: first.start - aDay, to: last.end + aDay, without })
  return openSlots(staffing.roster, busy.of(staffing), ask)
}

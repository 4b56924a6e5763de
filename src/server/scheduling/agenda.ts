import type { Service } from '../../domain/appointments/appointment.ts'
import { type Ask, type OpenDay, slotSearch } from '../../domain/scheduling/availability.ts'
import { daysFrom, toMinutes } from '../../domain/shared/calendar.ts'
import type { Db } from '../platform/database/database.ts'
import { loadBusyOfSome } from './busy.ts'
import { currentStaffing, type Staffing } from './roster.ts'

const aDay = 1440

/** The question for the engine: this service in this zone, seen from now, over its whole horizon. */
export function askFor({ settings, travel }: Staffing, service: Service, zone: number, now: Date): Ask {
  const minute = toMinutes(now)
  const days = daysFrom(minute, settings.services[service].horizonDays + 1)
  return { service, zone, now: minute, days, settings, travel }
}

/** Of so many people the appointments are read at first; each time this does not settle every slot, of twice as many. */
const atFirst = 16

/** Every slot that somebody can really take, day by day; `without` is an appointment that would be moved there. A day more on
 * both sides is loaded, for what reaches over midnight. What it reads grows with how rare free time is, not with the house. */
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
  const range = { from: first.start - aDay, to: last.end + aDay, without }
  const search = slotSearch(staffing.roster, ask)
  const { people } = search
  for (let [done, some] = [0, atFirst]; done < people.length; done += some, some *= 2) {
    const part = people.slice(done, done + some)
    if (!search.look(part, await loadBusyOfSome(db.$client, staffing, part, range))) break
  }
  return search.days()
}

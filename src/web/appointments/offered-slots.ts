import type { Service } from '../../domain/appointments/appointment.ts'
import { toDate, toMinutes } from '../../domain/shared/calendar.ts'
import type { Db } from '../../server/platform/database/client.ts'
import { offeredDays } from '../../server/scheduling/choose.ts'
import { currentStaffing } from '../../server/scheduling/roster.ts'

/** The days of a service and the free starts of one of them, the wanted one or the first, for a slot to be chosen from;
 * `without` is an appointment that would be moved there: its own start is no other one. */
export async function offeredSlots(
  db: Db,
  service: Service,
  zone: number,
  wanted: string | null,
  without?: { id: string; startsAt: Date },
) {
  const [{ settings }, open] = await Promise.all([
    currentStaffing(db),
    offeredDays(db, service, zone, new Date(), without?.id),
  ])
  const own = without && toMinutes(without.startsAt)
  const days = open.map(({ date, starts }) => ({ date, starts: starts.filter((start) => start !== own) }))
  const free = days.filter(({ starts }) => starts.length > 0)
  const chosen = free.find(({ date }) => date === wanted) ?? free[0]
  return {
    minutes: settings.services[service].minutes,
    window: settings.arrivalWindowMinutes,
    days: days.map(({ date, starts }) => ({ date, free: starts.length })),
    chosen: chosen
      ? { date: chosen.date, starts: chosen.starts.map((start) => toDate(start).toISOString()) }
      : null,
    soonest: free[0]?.starts[0] === undefined ? null : toDate(free[0].starts[0]).toISOString(),
  }
}

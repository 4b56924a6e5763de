import type { Settings } from '../settings/settings-schema.ts'
import type { ChangeRights } from './appointment.ts'
import type { Service } from './services.ts'

type Booked = { service: Service; createdAt: Date; startsAt: Date; movedByCustomer: number }

/** Until when its customer may change or cancel an appointment, the first minutes after booking included, and how many more
 * times it may be moved. */
export function changeRights(
  { service, createdAt, startsAt, movedByCustomer }: Booked,
  { freeChangeAfterBookingMinutes, rescheduleLimit, services }: Settings,
): ChangeRights {
  const cutOff = startsAt.getTime() - services[service].freeChangeHours * 3_600_000
  const grace = createdAt.getTime() + freeChangeAfterBookingMinutes * 60_000
  return {
    until: new Date(Math.min(Math.max(cutOff, grace), startsAt.getTime())),
    left: Math.max(0, rescheduleLimit - movedByCustomer),
  }
}

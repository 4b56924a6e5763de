import { toDate, toMinutes } from '../shared/calendar.ts'

/** How long a customer who booked has to verify their e-mail before the slot is released. */
export const hoursToProve = 4
/** A booking made by staff for a caller is kept until this long before its start. */
const keptUntilHours = 12
/** Near the start, a customer has at least this long. */
const graceHours = 2

/** An unverified customer's appointment: when it was made, its start, and whether staff made it. */
export type UnprovedBooking = { bookedAt: Date; startsAt: Date; isForCaller: boolean }

/** When an unverified customer's appointment is released. */
export function letGoAt({ bookedAt, isForCaller, startsAt }: UnprovedBooking): Date {
  const booked = toMinutes(bookedAt)
  const late = Math.max(toMinutes(startsAt) - keptUntilHours * 60, booked + graceHours * 60)
  return toDate(isForCaller ? late : Math.min(late, booked + hoursToProve * 60))
}

/** So many appointments of unproved mailboxes may stand at once that were booked from one network: a family's, a shop's. */
export const mostOfANetwork = 6

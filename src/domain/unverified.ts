import { toDate, toMinutes } from './calendar.ts'

/** Whoever booked by themselves has this long to prove their mailbox: somebody who never meant to come holds no more. */
export const hoursToProve = 4
/** One that staff booked, for somebody they spoke to, is kept until this long before its start. */
const keptUntilHours = 12
/** Near the start, whoever booked has at least this long. */
const graceHours = 2

/** When an appointment of somebody unverified was made, for when, and whether staff made it. */
export type UnprovedBooking = { bookedAt: Date; startsAt: Date; isForCaller: boolean }

/** When an appointment of somebody unverified is let go. */
export function letGoAt({ bookedAt, isForCaller, startsAt }: UnprovedBooking): Date {
  const booked = toMinutes(bookedAt)
  const late = Math.max(toMinutes(startsAt) - keptUntilHours * 60, booked + graceHours * 60)
  return toDate(isForCaller ? late : Math.min(late, booked + hoursToProve * 60))
}

/** So many appointments of unproved mailboxes may stand at once that were booked from one network: a family's, a shop's. */
export const mostOfANetwork = 6

import { toDate, toMinutes } from './calendar.ts'

/** An appointment whose customer's mailbox nobody proved is kept until this long before its start. */
export const keptUntilHours = 12
/** Whoever books later than that has this long to prove it. */
const graceHours = 2

/** When an appointment of somebody unverified is let go. */
export const letGoAt = (bookedAt: Date, startsAt: Date): Date =>
  toDate(Math.max(toMinutes(startsAt) - keptUntilHours * 60, toMinutes(bookedAt) + graceHours * 60))

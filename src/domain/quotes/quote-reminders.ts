import { toMinutes } from '../shared/calendar.ts'
import { beforeQuietHours, isQuiet } from '../shared/reminders.ts'

/** The two letters before a quote can be accepted no more, the nearer one last. */
export const quoteReminders = ['quote_reminder_3d', 'quote_reminder_1d'] as const
export type QuoteReminder = (typeof quoteReminders)[number]

const daysBefore: Record<QuoteReminder, number> = { quote_reminder_3d: 3, quote_reminder_1d: 1 }

const remindAt = (validUntil: Date, kind: QuoteReminder): Date =>
  beforeQuietHours(toMinutes(validUntil) - daysBefore[kind] * 24 * 60)

type Awaited = { validUntil: Date; sentAt: Date; reminded: Record<QuoteReminder, boolean> }

/**
 * The reminder to send now, or null, as with appointments: whose moment had passed when the quote was sent is not sent at
 * all; of two that are due only the nearer one is, and nothing goes out in the quiet hours or once it is over.
 */
export function dueQuoteReminder({ validUntil, sentAt, reminded }: Awaited, now: Date): QuoteReminder | null {
  if (validUntil <= now || isQuiet(toMinutes(now))) return null
  const due = quoteReminders.filter((kind) => {
    const moment = remindAt(validUntil, kind)
    return moment <= now && moment > sentAt
  })
  const nearest = due.at(-1)
  return nearest && !reminded[nearest] ? nearest : null
}

/** The longest a reminder can leave before the end, in hours: three days, and the evening it moves to. */
export const earliestQuoteReminderHours = 3 * 24 + 12

import { mayRemind } from '../../payments/rules/receivable.ts'
import { beforeQuietHours, isQuiet, localDate, toMinutes } from '../../shared/calendar.ts'
import { hasMailbox } from '../../shared/mailbox.ts'

/** The two reminders before a quote expires, the nearer one last. */
export const quoteReminders = ['quote_reminder_3d', 'quote_reminder_1d'] as const
export type QuoteReminder = (typeof quoteReminders)[number]

const daysBefore: Record<QuoteReminder, number> = { quote_reminder_3d: 3, quote_reminder_1d: 1 }

const remindAt = (validUntil: Date, kind: QuoteReminder): Date =>
  beforeQuietHours(toMinutes(validUntil) - daysBefore[kind] * 24 * 60)

type Awaited = { validUntil: Date; sentAt: Date; reminded: Record<QuoteReminder, boolean> }

/**
 * The reminder to send now, or null, as with appointments: one whose moment had passed when the quote was sent is
 * skipped; of two due reminders only the nearer one is sent, and none in the quiet hours or after the quote's end.
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

/** The reminders of the system that one of the office's takes the place of: those due on its day, and those before. */
export const remindersUntil = (validUntil: Date, now: Date): readonly QuoteReminder[] =>
  quoteReminders.filter(
    (kind) => localDate(toMinutes(remindAt(validUntil, kind))) <= localDate(toMinutes(now)),
  )

/** A customer as the office is about to remind them: when the quote was sent, and the last reminder of it. */
type Told = { email: string; active: boolean; sentAt: Date | null; remindedAt: Date | null }

/** Why the customer of an open quote is sent no reminder now, in words for the office; null where one is sent. */
export function noReminderReason({ active, email, remindedAt, sentAt }: Told, now: Date): string | null {
  if (!active) return 'Su cuenta está desactivada.'
  if (!hasMailbox(email)) return 'No tiene correo: llámale.'
  if (!mayRemind(sentAt, now)) return 'Se envió hoy. Mañana puedes recordársela.'
  if (!mayRemind(remindedAt, now)) return 'Hoy ya recibió un recordatorio. Mañana puedes enviarle otro.'
  return null
}

/** What a reminder says first, by the local days that are left. */
export function timeLeftWords(validUntil: Date, now: Date): string {
  const dayOf = (at: Date) => Temporal.PlainDate.from(localDate(toMinutes(at)))
  const { days } = dayOf(now).until(dayOf(validUntil))
  if (days <= 0) return 'Hoy vence tu cotización'
  return days === 1 ? 'Mañana vence tu cotización' : `Te quedan ${days} días para aceptar tu cotización`
}

/** The earliest a reminder is sent before the end, in hours: three days, plus the shift to the evening before. */
export const earliestQuoteReminderHours = 3 * 24 + 12

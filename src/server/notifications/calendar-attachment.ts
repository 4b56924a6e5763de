import { customersEntry, type Dated, invitation, performersEntry } from '../appointments/calendar.ts'
import type { CalendarAttachment, EmailContext } from './email.ts'
import type { Recipient } from './recipients.ts'

type Method = CalendarAttachment['method']
type Appointment = Dated & { customer: Pick<Recipient, 'name'>; was: { startsAt: Date | null } }

/** The calendar file of a customer's e-mail. In a mailbox that nobody proved it says neither where nor to whom. */
export function customersCalendar(
  method: Method,
  appointment: Appointment,
  { email, emailVerified, name }: Recipient,
  context: EmailContext,
): CalendarAttachment {
  const entry = customersEntry(appointment, { whole: emailVerified }, context)
  const shown = emailVerified ? entry : { ...entry, location: null }
  const attendee = { email, name: emailVerified ? name : null }
  return { method, content: invitation(shown, method, attendee, context) }
}

/** The calendar file of an e-mail to whoever carries it out; who was taken off takes it out of theirs. */
export function performersCalendar(
  method: Method,
  appointment: Appointment,
  reader: Recipient,
  context: EmailContext,
): CalendarAttachment {
  const { customer, startsAt, was } = appointment
  // Where it is now, and for whom, is no business of a person taken off.
  const known =
    method === 'CANCEL'
      ? { ...appointment, startsAt: was.startsAt ?? startsAt, customer: null }
      : { ...appointment, customer: customer.name }
  const entry = performersEntry(known, { whole: method === 'REQUEST' }, context)
  const shown = method === 'CANCEL' ? { ...entry, location: null } : entry
  return { method, content: invitation(shown, method, reader, context) }
}

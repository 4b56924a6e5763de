import { customersEntry, performersEntry } from '../calendar/entries.ts'
import { invitation, type Method } from '../calendar/file.ts'
import type { AppointmentLetters } from './jobs.ts'
import type { Letter } from './transport.ts'
import type { Mailbox } from './recipients.ts'
import type { House, Told } from './told.ts'

type Calendar = Letter['calendar'] | null

/** What a customer's letter does to their calendar; null leaves it as it is. */
const forCustomer: Record<AppointmentLetters['customer'], Method | null> = {
  booked: 'REQUEST',
  assigned: 'REQUEST',
  changed: 'REQUEST',
  cancelled: 'CANCEL',
  on_the_way: null,
  no_person: 'REQUEST',
  let_go: 'CANCEL',
  called_off: 'CANCEL',
  analyst_missed: 'CANCEL',
  reminder_24h: null,
  reminder_2h: null,
  finished: null,
  not_possible: null,
  half_done: null,
  no_show: null,
  nobody_came: null,
  fault_received: null,
}

const forPerson: Record<AppointmentLetters['person'], Method | null> = {
  assigned: 'REQUEST',
  changed: 'REQUEST',
  cancelled: 'CANCEL',
  no_person: 'CANCEL',
  called_off: 'CANCEL',
  sheet_returned: null,
  claim_reopened: null,
  claim_declined: null,
}

/** The calendar file of a customer's letter. In a mailbox that nobody proved it says neither where nor to whom. */
export function customersCalendar(
  kind: AppointmentLetters['customer'],
  told: Told,
  reader: Mailbox,
  house: House,
): Calendar {
  const method = forCustomer[kind]
  if (!method) return null
  const { emailVerified } = reader
  const entry = customersEntry(told, { whole: emailVerified }, house)
  const shown = emailVerified ? entry : { ...entry, location: null }
  const name = emailVerified ? reader.name : null
  return { method, content: invitation(shown, method, { email: reader.email, name }, house) }
}

/** The calendar file of a letter to whoever carries it out; whoever was taken off takes it out of theirs. */
export function performersCalendar(
  kind: AppointmentLetters['person'],
  told: Told & { theirs: boolean; customer: string | null },
  reader: Mailbox,
  house: House,
): Calendar {
  const method = kind === 'changed' && !told.theirs ? 'CANCEL' : forPerson[kind]
  if (!method) return null
  // Where it is now, and for whom, is no business of somebody taken off.
  const known =
    method === 'CANCEL' ? { ...told, startsAt: told.was.startsAt ?? told.startsAt, customer: null } : told
  const entry = performersEntry(known, { whole: method === 'REQUEST' }, house)
  const shown = method === 'CANCEL' ? { ...entry, location: null } : entry
  return { method, content: invitation(shown, method, reader, house) }
}

import { randomUUID } from 'node:crypto'
import type { Service } from '../../../src/appointments/rules/appointment.ts'
import { projects } from '../../../src/platform/database/schema/projects.ts'
import { minuteAt, toDate } from '../../../src/shared/calendar.ts'
import type { Fixture } from '../../kit/fixture.ts'
import { set } from '../../kit/payments.ts'
import type { Person } from '../../kit/people.ts'
import { workday } from '../../kit/users.ts'

/** The screen on which each service is booked. */
export const agendas: Record<Service, string> = {
  technical_visit: '/agenda-technics-visit',
  installation: '/agenda-installation',
  videocall: '/agenda-videocall',
}

/** Postal codes of as many municipalities, from Álvaro Obregón to Toluca. */
const codes = ['01000', '04000', '06000', '09000', '11000', '14000', '16000', '53000', '50000', '07000']

/** Customers all over the town, whose installations could be booked at once. */
export async function customersOf(
  fixture: Pick<Fixture, 'person' | 'home' | 'db'>,
  count: number,
): Promise<Person[]> {
  const customers: Person[] = []
  for (let n = 0; n < count; n++) {
    const customer = await fixture.person({ name: `Camila ${n}` })
    await fixture.home(customer, { postalCode: codes[n % codes.length]! })
    customers.push(customer)
  }
  const paid = new Date()
  await fixture.db.update(projects).set({ quoteAcceptedAt: paid, depositPaidAt: paid })
  return customers
}

/** So many to take visits or calls, in a company whose customers may book as often a day as they like. */
export async function teamOf(
  fixture: Pick<Fixture, 'db' | 'person'>,
  kind: 'tecnician' | 'analyst',
  count: number,
) {
  await set(fixture, { outward: { bookingsPerDay: 10_000 } })
  return Promise.all(Array.from({ length: count }, (_, n) => fixture.person({ kind, name: `Tomás ${n}` })))
}

/** The starts of a working day some days ahead, every half hour from 9:00 on. */
export const startsOn = (nth: number, count = 17): Date[] =>
  Array.from({ length: count }, (_, n) => toDate(minuteAt(workday(nth), '09:00') + n * 30))

/** Sends a booking as the page's script does. */
export const bookBy = (
  { post }: Pick<Fixture, 'post'>,
  customer: Person,
  service: Service,
  startsAt: Date,
  form: Record<string, string> = {},
) =>
  post(
    `${agendas[service]}.data`,
    { startsAt: startsAt.toISOString(), requestKey: randomUUID(), ...extra[service], ...form },
    customer,
  )

/** What a form asks besides the time. */
const extra: Record<Service, Record<string, string>> = {
  technical_visit: {},
  installation: {},
  videocall: { interest: '01' },
}

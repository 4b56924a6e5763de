import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { projects } from '../../../src/platform/database/schema/projects.ts'
import { db, fixture, post, setRow } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'

/** The booking screens besides the visits': where each is, and the route that answers. */
export const installations = { path: '/agenda-installation', route: 'book-installation' }
export const calls = { path: '/agenda-videocall', route: 'book-videocall' }

/** Makes an installation bookable: the quote accepted, the deposit paid. */
export const makeReady = (projectId: string) =>
  setRow(projects, projectId, { quoteAcceptedAt: new Date(), depositPaidAt: new Date() })

/** A home of a customer's where an installation may be booked; what is there already stays. */
export async function readyHome(customer: Person): Promise<string> {
  const [open] = await db
    .select()
    .from(projects)
    .where(and(eq(projects.customerId, customer.id), isNull(projects.closedAt)))
  const { id } = open ?? { id: (await fixture.home(customer)).projectId }
  await makeReady(id)
  return id
}

/** Sends the booking form of a call. */
export const bookCall = (customer: Person, startsAt: string, form: Record<string, string> = {}) =>
  post(calls.path, { startsAt, interest: '01', requestKey: randomUUID(), ...form }, customer)

/** Sends the booking form of an installation. */
export const bookInstallation = (customer: Person, startsAt: string, form: Record<string, string> = {}) =>
  post(installations.path, { startsAt, requestKey: randomUUID(), ...form }, customer)

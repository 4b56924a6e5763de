import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { appointmentPath } from '../../src/appointments/rules/appointment-path.ts'
import { appointments, callSittings, calls } from '../../src/platform/database/schema/appointments.ts'
import { around, minute, storeVisit, type Visit } from '../kit/appointments.ts'
import { ally, analyst, db, fixture, newPerson, openEach, rowWhere, setRow, storeRows } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { at, workday } from '../kit/users.ts'

/** A call at eleven of some working day, and its customer, of the ally's agency. */
export let call: Visit
export let client: Person

/** Gives each test people and a call of the analyst's. */
export function openDesk() {
  openEach(async () => {
    client = await newPerson({ name: 'Camila', lastname: 'Cruz' })
    call = await storeCall(client, at(workday(), '11:00'), analyst)
  })
}

export const storeCall = async (customer: Person, startsAt: Date, { id: assigneeId }: Person) =>
  storeVisit(fixture, customer, await fixture.home(customer, {}, ally.agencyId!), startsAt, {
    folio: `AV-PRUEBA-${randomUUID().slice(0, 8)}`,
    service: 'videocall',
    minutes: 30,
    municipality: null,
    interest: '02',
    assigneeId,
  })

export const newAnalyst = (name = 'Ana') => newPerson({ kind: 'analyst', name })

const service = 'videocall'
export const pendingPath = (id = call.id) => appointmentPath('pending', { id, service })
export const donePath = (id = call.id) => appointmentPath('done', { id, service })

/** Sends one of the forms of the screen of a call. */
export const press = (by: Person, move: string, form: Record<string, string> = {}) =>
  fixture.post(pendingPath(), { move, ...form }, by)
export const takeOver = (by: Person) => press(by, 'takeOver', { version: String(call.version) })

export const now = async () => (await rowWhere(appointments, { id: call.id }))!
export const change = (set: Partial<Visit>, { id } = call) => setRow(appointments, id, set)
export const storedCall = () => rowWhere(calls, { appointmentId: call.id })

/** So many minutes after the start of the call. */
export const after = (minutes: number) => around(call, minutes * minute)
export const clock = (minutes: number) => fixture.at(after(minutes))

/** A participant joins the room, in minutes after the start: rows as the socket of a call leaves them. */
export async function joins(by: Person, minutes: number, of = call) {
  const joinedAt = around(of, minutes * minute)
  const isCustomer = by.id === of.customerId
  await storeRows(callSittings, {
    appointmentId: of.id,
    side: isCustomer ? 'customer' : 'analyst',
    userId: by.id,
    sessionId: randomUUID(),
    pageId: randomUUID(),
    media: { audio: true, video: true, screen: false },
    joinedAt,
  })
  if (isCustomer) await change({ customerCameAt: joinedAt, customerWaitingSince: joinedAt }, of)
}

/** And leaves it. */
export async function leaves(by: Person, minutes: number, of = call) {
  await db
    .update(callSittings)
    .set({ leftAt: around(of, minutes * minute), leftBecause: 'left' })
    .where(
      and(eq(callSittings.appointmentId, of.id), eq(callSittings.userId, by.id), isNull(callSittings.leftAt)),
    )
  if (by.id === of.customerId) await change({ customerWaitingSince: null }, of)
}

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { appointmentPath } from '../../src/appointments/rules/appointment-path.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { daysFrom, isHoliday, minuteAt, toDate, toMinutes } from '../../src/shared/calendar.ts'
import type { Fixture } from './fixture.ts'
import {
  fixture,
  manager,
  newHome,
  newPerson,
  type People,
  post,
  rowsWhere,
  runSql,
  setRow,
  technician,
} from './open.ts'
import type { Home, Person } from './people.ts'
import { insertIn, loaded, readable } from './reading.ts'

export type Visit = typeof appointments.$inferSelect
type Stored = Partial<typeof appointments.$inferInsert>

export const agenda = '/agenda-technics-visit'
export const minute = 60_000
export const hour = 60 * minute

/** When a visit starts, moved by some milliseconds: for the clock. */
export const around = ({ startsAt }: Pick<Visit, 'startsAt'>, by: number) => new Date(startsAt.getTime() + by)

type Agenda = {
  days: { date: string; free: number }[]
  chosen: { date: string; starts: string[] }
  requestKey: string
}

const visits = { path: agenda, route: 'appointments/screens/book' }

/** What a booking screen offers a customer, on a day of its own choice or on one given; the visits' by default. */
export const agendaOf = async (customer: Person, date = '', { path, route } = visits) =>
  loaded<Agenda>(
    await fixture.data(`${path}${date && `${path.includes('?') ? '&' : '?'}dia=${date}`}`, customer),
    route,
  )

/** The free starts of a whole working day some days ahead; `nth` counts such days. */
export async function slots(customer: Person, nth = 0, of = visits): Promise<string[]> {
  const { days } = await agendaOf(customer, '', of)
  const most = Math.max(...days.map(({ free }) => free))
  const whole = days.filter(({ free }, ahead) => free === most && ahead > 2)
  return (await agendaOf(customer, whole[nth]!.date, of)).chosen.starts
}

/** Sends the booking form. */
export const book = (customer: Person, startsAt: string, form: Record<string, string> = {}) =>
  post(agenda, { startsAt, requestKey: randomUUID(), ...form }, customer)

export const visitsOf = ({ id }: Person): Promise<Visit[]> => rowsWhere(appointments, { customerId: id })

/** A customer's only visit, as stored. */
export async function visitOf(customer: Person): Promise<Visit> {
  const [visit, ...more] = await visitsOf(customer)
  if (!visit || more.length > 0) throw new Error('Not one visit.')
  return visit
}

/** A customer at home who booked through the screen; without a start, the third of the first whole day. */
export async function customerWithVisit(startsAt?: string, home: Record<string, string> = {}) {
  const customer = await newPerson({ name: 'Camila' })
  await newHome(customer, home)
  const answer = await book(customer, startsAt ?? (await slots(customer))[2]!)
  if (answer.status !== 303) throw new Error(`Not booked: ${readable(answer)}`)
  return { customer, visit: await visitOf(customer) }
}

/** A visit written straight into the database: assigned and confirmed in Coyoacán, by default. */
export async function storeVisit(
  fixture: Pick<Fixture, 'db'>,
  customer: Person,
  { projectId, address }: Home,
  startsAt: Date,
  input: Stored = {},
): Promise<Visit> {
  const row = {
    folio: `VT-PRUEBA-${randomUUID().slice(0, 8)}`,
    service: 'technical_visit' as const,
    state: 'assigned' as const,
    minutes: 60,
    municipality: address.municipality,
    confirmedAt: new Date(),
    requestKey: randomUUID(),
    requestDigest: 'none',
    ...input,
  }
  return insertIn(fixture, appointments, { ...row, customerId: customer.id, projectId, address, startsAt })
}

/** The same for a customer whose home is new. */
export const visitAtHome = async (customer: Person, startsAt: Date, input?: Stored) =>
  storeVisit(fixture, customer, await newHome(customer), startsAt, input)

/** A visit proposed to a technician of its own, at eleven on a working day of the coming week; no one confirmed it. */
export async function proposedVisit(): Promise<Visit & { assigneeId: string }> {
  const { date } = daysFrom(toMinutes(new Date()), 14).find(
    ({ date, weekday }, ahead) => ahead > 2 && weekday < 5 && !isHoliday(date, []),
  )!
  const { id: assigneeId } = await newPerson({ kind: 'tecnician' })
  const customer = await newPerson()
  const start = toDate(minuteAt(date, '11:00'))
  const input = { state: 'requested', assigneeId, confirmedAt: null } as const
  return { ...(await storeVisit(fixture, customer, await newHome(customer), start, input)), assigneeId }
}

/** Holds a technician at a time with another customer's visit. */
export async function occupy(person: Person, startsAt: Date, home: Record<string, string> = {}) {
  const customer = await newPerson()
  return storeVisit(fixture, customer, await newHome(customer, home), startsAt, { assigneeId: person.id })
}

/** The manager's form of one appointment. */
export const assign = (
  manager: Person,
  { id, version }: Pick<Visit, 'id' | 'version'>,
  to: Pick<Person, 'id'>,
  form: Record<string, string> = {},
) =>
  post(
    `/admin/assignations/${id}`,
    { intent: 'give', version: String(version), assigneeId: to.id, ...form },
    manager,
  )

export const deactivate = ({ id }: Person) => setRow(users, id, { active: false })

/** Fails unless no appointment, no event of one and no e-mail exist. */
export async function nothingBooked() {
  const { rows } = await runSql`select (select count(*)::int from appointments) as visits,
    (select count(*)::int from events where entity = 'appointment') as events, (select count(*)::int from pgboss.job) as letters`
  expect(rows).toEqual([{ visits: 0, events: 0, letters: 0 }])
}

/** Presses a button of the screen of an appointment's assignee; `suffix` is `.data` for the page's own script. */
export const move = (
  by: Person | undefined,
  { id, service = 'technical_visit' }: Pick<Visit, 'id'> & Partial<Visit>,
  name: string,
  form: Record<string, string> = {},
  suffix = '',
) => post(appointmentPath('pending', { id, service }) + suffix, { move: name, ...form }, by)

/** The customer who booked `visit`. */
export let customer: People['customer']
export let visit: Visit

/** A step: a visit booked through the screen. */
export async function bookVisit() {
  ;({ customer, visit } = await customerWithVisit())
}

/** A step: the manager gives the visit to the technician. */
export async function assignVisit() {
  await assign(manager, visit, technician)
  await readAgain()
}

/** Takes the visit as it is stored now. */
export async function readAgain() {
  visit = await visitOf(customer)
}

/** Expects some values of a customer's only visit as it is stored now. */
export const expectVisit = async (expected: Partial<Record<keyof Visit, unknown>>, of: Person = customer) =>
  expect(await visitOf(of)).toMatchObject(expected)

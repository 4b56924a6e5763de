import { and, asc, between, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { feedDays } from '../../domain/appointments/list.ts'
import type { Db } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { assignee, customer } from './people.ts'
import { visibleTo } from './visible.ts'

/** What entries are made of; a person only provisionally chosen is nobody yet. */
const dated = {
  id: appointments.id,
  folio: appointments.folio,
  service: appointments.service,
  state: appointments.state,
  startsAt: appointments.startsAt,
  minutes: appointments.minutes,
  sequence: appointments.sequence,
  updatedAt: appointments.updatedAt,
  municipality: appointments.municipality,
  address: appointments.address,
  performer: sql<string | null>`case when ${appointments.confirmedAt} is not null
    then nullif(${assignee.fullName}, '') end`,
  customer: customer.name,
}

type Owner = Pick<Actor, 'id' | 'role'>

/** One's own: booked, or confirmed to carry out. */
const ownOf = ({ id, role }: Owner): SQL | undefined =>
  role === 'customer'
    ? eq(appointments.customerId, id)
    : and(eq(appointments.assigneeId, id), isNotNull(appointments.confirmedAt))

const rowsOf = (db: Db, where: SQL | undefined) =>
  db
    .select(dated)
    .from(appointments)
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(where)

/** One of the actor's own appointments, as long as they may see it; undefined when it is another's, or does not exist. */
export async function ownAppointment(db: Db, actor: Actor, id: string) {
  if (!isId(id)) return undefined
  const [row] = await rowsOf(db, and(eq(appointments.id, id), ownOf(actor), visibleTo(actor)))
  return row
}

/** Somebody's own appointments of the last and the next weeks. Cancelled ones are among them, so that calendars strike them out. */
export function ownAppointments(db: Db, owner: Owner, now: Date) {
  const daysFrom = (days: number) => new Date(now.getTime() + days * 24 * 3_600_000)
  const during = between(appointments.startsAt, daysFrom(-feedDays.past), daysFrom(feedDays.ahead))
  return rowsOf(db, and(ownOf(owner), during)).orderBy(asc(appointments.startsAt), asc(appointments.id))
}

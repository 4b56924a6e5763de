import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type {
  AppointmentState,
  ClosingReason,
  Outcome,
  Service,
} from '../../domain/appointments/appointment.ts'
import type { ListFilters, ListName } from '../../domain/appointments/list.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, planned } from '../platform/database/database.ts'
import { type Cursor, headOf, inOrder, type Narrowed, narrowed } from './narrowed.ts'
import { byWeek, isSearched } from './words.ts'
import { yearsOf } from './years.ts'

/** One appointment with what its export tells. */
export type Exported = {
  id: string
  startsAt: Date
  folio: string
  service: Service
  state: AppointmentState
  minutes: number
  customer: string
  phone: string | null
  email: string
  municipality: string | null
  postalCode: string | null
  assignee: string | null
  confirmed: boolean
  outcome: Outcome | null
  closingReason: ClosingReason | null
  closingNote: string | null
}

/** How many rows stand in memory at once, however many there are. */
const chunk = 1000

/** All rows of a list under some filters, chunk by chunk, for the manager only. Each chunk is read when it is asked for. */
export async function exportOf(db: Db, actor: Actor, list: ListName, filters: ListFilters, now: Date) {
  if (actor.kind !== 'manager') refuse('not-found')
  const { span } = await yearsOf(db, actor, list)
  return chunks(db, narrowed(actor, list, filters, now, span))
}

async function* chunks(db: Db, wanted: Narrowed): AsyncGenerator<Exported[]> {
  let after: Cursor | null = null
  do {
    const rows: Exported[] = (await planned<Row>(db, rowsOf(wanted, after))).map(exported)
    yield rows
    const last = rows.at(-1)
    after = last && rows.length === chunk ? { at: last.startsAt, id: last.id } : null
  } while (after)
}

const idsOf = (wanted: Narrowed, after: Cursor | null): SQL =>
  isSearched(wanted) ? byWeek(wanted, after, chunk) : headOf(wanted, after, chunk)

const rowsOf = (wanted: Narrowed, after: Cursor | null) =>
  sql`select appointments.id, appointments.starts_at, appointments.folio, appointments.service, appointments.state,
      appointments.minutes, customer.full_name, customer.phone, customer.email,
      appointments.municipality, appointments.address ->> 'postalCode',
      nullif(assignee.full_name, ''), appointments.confirmed_at is not null,
      appointments.outcome, appointments.closing_reason, appointments.closing_note
    from (${idsOf(wanted, after)}) head join appointments on appointments.id = head.id
      join users customer on customer.id = appointments.customer_id
      left join users assignee on assignee.id = appointments.assignee_id
    order by ${inOrder(wanted.order, 'head')}`

type Row = [
  ...[id: string, startsAt: Date, folio: string, service: Service, state: AppointmentState, minutes: number],
  ...[customer: string, phone: string | null, email: string, municipality: string | null],
  ...[postalCode: string | null, assignee: string | null, confirmed: boolean, outcome: Outcome | null],
  ...[closingReason: ClosingReason | null, closingNote: string | null],
]

function exported(row: Row): Exported {
  const [id, startsAt, folio, service, state, minutes, customer, phone, email, municipality, ...more] = row
  const [postalCode, assignee, confirmed, outcome, closingReason, closingNote] = more
  const what = { id, startsAt, folio, service, state, minutes }
  const who = { customer, phone, email, municipality, postalCode, assignee, confirmed }
  return { ...what, ...who, outcome, closingReason, closingNote }
}

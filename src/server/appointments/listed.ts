import { type SQL, sql } from 'drizzle-orm'
import type { AppointmentState, Service } from '../../domain/appointments/appointment.ts'
import type { Count } from '../../domain/appointments/list.ts'
import type { SheetState } from '../../domain/reports/report.ts'
import { inOrder, type Narrowed } from './narrowed.ts'

export const pageSize = 50

/** A row of a list as it is stored. */
export type Listed = [
  id: string | null,
  folio: string,
  service: Service,
  state: AppointmentState,
  startsAt: Date,
  municipality: string | null,
  customer: string,
  firstName: string | null,
  assignee: string | null,
  confirmed: boolean,
  waitingSince: Date | null,
  isWarranty: boolean,
  sheetState: SheetState | null,
]
/** One row more than a page holds says that there is another. */
export type Found = { count: Count; listed: Listed[] }

/** A count beside the rows of a page, whose ids and starts `ids` finds. */
export const pageAndCount = (count: SQL, ids: SQL, { order }: Narrowed) =>
  sql`select (${count}), page.* from (values (1)) one left join (${rowsOf(ids)}) page on true
    order by ${inOrder(order, 'page')}`

const rowsOf = (ids: SQL) =>
  sql`select appointments.id, appointments.folio, appointments.service, appointments.state, appointments.starts_at,
      appointments.municipality, customer.full_name, customer.name,
      nullif(assignee.full_name, ''), appointments.confirmed_at is not null,
      appointments.customer_waiting_since, exists (select from faults where faults.visit_id = appointments.id), sheets.state
    from (${ids}) head join appointments on appointments.id = head.id
      join users customer on customer.id = appointments.customer_id
      left join users assignee on assignee.id = appointments.assignee_id
      left join sheets on sheets.appointment_id = appointments.id`

/** The answer of `pageAndCount`: what stands beside the rows, and the rows. */
export const parted = <Beside>(rows: readonly [beside: Beside, ...listed: Listed][]) => ({
  beside: rows[0]?.[0],
  listed: rows.flatMap(([, ...row]) => (row[0] === null ? [] : [row])),
})

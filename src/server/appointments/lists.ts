import type { Actor } from '../../domain/access/actor.ts'
import { readsCalls } from '../../domain/access/routes.ts'
import { type AppointmentState, isActive, type Service } from '../../domain/appointments/appointment.ts'
import {
  type Count,
  countOf,
  countUntil,
  type ListFilters,
  type ListName,
} from '../../domain/appointments/list.ts'
import type { SheetState } from '../../domain/reports/report.ts'
import { type Db, planned } from '../platform/database/database.ts'
import { type Found, type Listed, pageAndCount, pageSize, parted } from './listed.ts'
import {
  type Cursor,
  countUpTo,
  cursorOf,
  headOf,
  type Narrowed,
  type Narrowing,
  narrowed,
} from './narrowed.ts'
import { searchPage } from './search.ts'
import { isSearched } from './words.ts'
import { yearsOf } from './years.ts'

/** One appointment as its list shows it. */
export type ListedAppointment = {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  startsAt: Date
  municipality: string | null
  customer: string
  assignee: string | null
  confirmed: boolean
  /** Since when the customer of a call is in its room, for those who may go there. */
  waitingSince: Date | null
  /** Whether it answers a fault of an installation under warranty. */
  isWarranty: boolean
  /** How far its sheet is, for those who may read it. */
  sheetState: SheetState | null
}

/** What narrows a list, and where a page of it stands. */
export type Filters = Narrowing & { after?: string }

/** `years` are those of the whole list that are not among the filter's own. */
export type Page = Count & { rows: ListedAppointment[]; years: number[]; next: string | null }

/** What is to be done, soonest first. */
export const listPending = (db: Db, actor: Actor, filters: Filters, now: Date) =>
  listPage(db, actor, 'pending', filters, now)
/** What was done or ended otherwise, newest first. */
export const listDone = (db: Db, actor: Actor, filters: Filters, now: Date) =>
  listPage(db, actor, 'done', filters, now)
/** What waits for the manager: booked, its person not confirmed. */
export const listToAssign = (db: Db, actor: Actor, filters: Filters) =>
  listPage(db, actor, 'pending', { ...filters, state: 'requested' }, new Date())

/** How many rows a list shows this actor under these filters, counted as the list does. */
export async function countListed(db: Db, actor: Actor, list: ListName, filters: ListFilters, now: Date) {
  const wanted = narrowed(actor, list, filters, now, noYears)
  const [row] = await planned<[counted: number]>(db, countUpTo(countUntil, wanted))
  return countOf(row?.[0] ?? 0)
}

/** Only a month without a year asks for years. */
const noYears = [0, 0] as const

async function listPage(
  db: Db,
  actor: Actor,
  list: ListName,
  { after, ...filters }: Filters,
  now: Date,
): Promise<Page> {
  const asksYears = filters.month !== undefined && filters.year === undefined
  const known = yearsOf(db, actor, list)
  const wanted = narrowed(actor, list, filters, now, asksYears ? (await known).span : noYears)
  const place = cursorOf(after)
  const read = isSearched(wanted) ? searchPage(db, wanted, place) : readPage(db, wanted, place)
  const [{ count, listed }, { others }] = await Promise.all([read, known])
  const rows = listed.slice(0, pageSize).map((row) => asSeenBy(actor, row))
  const last = listed.length > pageSize ? rows.at(-1) : undefined
  return { ...count, rows, years: others, next: last ? `${last.startsAt.getTime()}_${last.id}` : null }
}

/** One question for the page and the count: a page costs the server more in questions than in rows. */
async function readPage(db: Db, wanted: Narrowed, after: Cursor | null): Promise<Found> {
  const ids = headOf(wanted, after, pageSize + 1)
  const { beside, listed } = parted<number>(
    await planned(db, pageAndCount(countUpTo(countUntil, wanted), ids, wanted)),
  )
  return { count: countOf(beside ?? 0), listed }
}

/** An ally learns first name, state, type and date, and no folio to speak for a client with; a customer not who is only provisionally chosen. */
function asSeenBy(actor: Actor, row: Listed): ListedAppointment {
  const [id, folio, service, state, startsAt, municipality, customer, firstName, assignee, ...more] = row
  const [confirmed, waiting, isWarranty, sheetState] = more
  const waitingSince = actor.kind && readsCalls(actor.kind) && isActive(state) ? waiting : null
  const common = { id: id ?? '', folio, service, state, startsAt, confirmed, waitingSince }
  if (actor.kind === 'alliate')
    return {
      ...{ ...common, folio: '', confirmed: false, customer: firstName ?? '', municipality: null },
      ...{ assignee: null, isWarranty: false, sheetState: null },
    }
  const isTold = actor.role === 'staff' || confirmed
  return { ...common, customer, municipality, assignee: isTold ? assignee : null, isWarranty, sheetState }
}

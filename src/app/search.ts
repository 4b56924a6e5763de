import { and, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type Actor, allyAgencyOf, type StaffKind } from '../access/rules/actor.ts'
import { usersVisibleTo } from '../accounts/people.ts'
import { agenciesVisibleTo } from '../agencies/agency-queries.ts'
import { codesByText } from '../agencies/codes.ts'
import { payoutsByReference } from '../agencies/commission-queries.ts'
import { matchesSearch } from '../appointments/list-filter.ts'
import { type AppointmentState, activeStates, type Service } from '../appointments/rules/appointment.ts'
import { readsFirstNamesOnly } from '../appointments/rules/list.ts'
import { assignee, confirmedAssignee, customer, stateIn, visibleTo } from '../appointments/visibility.ts'
import { listClients } from '../customers/clients.ts'
import { projectsVisibleTo } from '../customers/queries.ts'
import { visibleInvoices } from '../invoices/sync-invoices.ts'
import { openMovementsByKey } from '../payments/bank-matching.ts'
import { newestQuoteOf, pathOf, visiblePayments, visibleRefunds } from '../payments/rows.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { contains, holds } from '../platform/database/lists.ts'
import { primaryOf } from '../platform/database/replica.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { cfeCases } from '../platform/database/schema/cfe.ts'
import { invoices, payments, quotes, refunds } from '../platform/database/schema/payments.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { casesVisibleTo } from '../projects/cases.ts'
import { readsProjects } from '../projects/rules/pipeline.ts'
import { countingVersions } from '../quotes/list.ts'
import { quotesVisibleTo } from '../quotes/transition.ts'
import type { Search } from '../shared/search.ts'
import { managesPeople } from '../users/rules/user.ts'

/** The rows of each kind that one search reads. */
const MAX_FOUND = 20
/** Of a name that many have, or a street that many live in, the people who are compared. */
const MAX_NAMED = 1_000

/**
 * Who searches for what. Each kind below is found as its own list shows it: what they may not see is not found, and a kind
 * that the text can't mean is not asked for.
 */
export type SearchRequest = { db: Db; actor: Actor; search: Search; now: Date }

/** Whether a text may be the number of a paper, and its forms in capitals: with its signs and without. */
const isPaper = ({ key, text }: Search) => key !== null || /\d{3}/.test(text)
const papersOf = ({ key, text }: Search) => [...(key ? [key] : []), text.toUpperCase()]

const rows = (most: number) => sql.raw(String(most))
const matchesWords = (words: SQL, { words: typed }: Search) =>
  sql`${words} @@ (select format(beginning_with(${sql.param(typed)}::text[]), '', '')::tsquery)`
const personWords = sql`person_words(users.name, users.lastname, users.email, users.phone)`

/** The likeliest people first: of this phone, of this very name, of one that begins so; then the newest. */
const byLikeness = ({ phone, text }: Search) => {
  // Selected, the text is made plain once and not for each row, whose name stands plain before its mailbox.
  const typed = sql`(select plain_text(${text}))`
  return sql`users.phone is not distinct from ${phone ?? ''} desc,
    starts_with(replace(users.searchable, '  ', ' '), ${typed} || ' ' || users.email) desc,
    starts_with(users.searchable, ${typed}) desc, users.id desc`
}

/** A customer with their home and next appointment. */
export type FoundCustomer = {
  id: string
  name: string
  email: string
  phone: string | null
  active: boolean
  street: string | null
  colonia: string
  municipality: string
  service: Service | null
  startsAt: string
  state: AppointmentState
  /** The phone of who receives at their home, where that is the one looked for. */
  receiver: string | null
}

/**
 * By name, phone, e-mail, the address of their home or the phone of who receives there; by those of a record that was
 * merged, too. The manager finds all, others those whose project they see.
 */
export async function findCustomers({ db, actor, search }: SearchRequest): Promise<FoundCustomer[]> {
  if (search.words.length === 0 || readsProjects(actor) === 'none') return []
  // None has no phone's digits.
  const phone = search.phone ?? ''
  const found = await db.execute<FoundCustomer>(
    sql`with named as materialized (
        select coalesce(users.merged_into_id, users.id) as id from users
        where ${holds(users.role, 'customer')} and users.deleted_at is null
          and ${matchesWords(personWords, search)} limit ${rows(MAX_NAMED)}
      ), housed as materialized (
        select projects.customer_id as id from addresses join projects on projects.id = addresses.project_id
        where addresses.archived_at is null and ${matchesWords(addressWords, search)} limit ${rows(MAX_NAMED)}
      ), receiving as materialized (
        select projects.customer_id as id from addresses join projects on projects.id = addresses.project_id
        where addresses.archived_at is null and addresses.receiver_phone = ${phone} limit ${rows(MAX_NAMED)}
      ), likeliest as materialized (
        -- The likeliest first, so that no more are asked for who may see them than it takes.
        select ranked.id, ranked.place from unnest(array(
          select users.id from (select id from named union select id from housed union select id from receiving) found
            join users on users.id = found.id
          order by ${byLikeness(search)}
        )) with ordinality ranked (id, place)
        where (select true from users where users.id = ranked.id and ${customersVisibleTo(actor)}) limit ${rows(MAX_FOUND)}
      )
      select users.id, coalesce(nullif(users.full_name, ''), users.email) as name, users.email, users.phone, users.active,
        home.street || ' ' || home.outer_number as street, home.colonia, home.municipality, next.service,
        next.starts_at as "startsAt", next.state, case when home.receiver_phone = ${phone} then home.receiver_phone end as receiver
      from likeliest join users on users.id = likeliest.id
        left join lateral (
          select projects.id from projects left join addresses on addresses.project_id = projects.id and addresses.archived_at is null
          where projects.customer_id = users.id and ${projectsVisibleTo(actor) ?? sql`true`}
          -- Of several homes the one that was looked for.
          order by coalesce(${matchesWords(addressWords, search)} or addresses.receiver_phone = ${phone}, false) desc,
            projects.closed_at is null desc, projects.created_at desc limit 1
        ) project on true
        left join addresses home on home.project_id = project.id and home.archived_at is null
        left join lateral (
          select appointments.service, appointments.starts_at, appointments.state from appointments
          where appointments.customer_id = users.id and ${stateIn(activeStates)} and ${visibleTo(actor) ?? sql`true`}
          order by appointments.starts_at limit 1
        ) next on true
      order by likeliest.place`,
  )
  return found.rows
}

const addressWords = sql`address_words(addresses.street, addresses.outer_number, addresses.colonia, addresses.postal_code)`

const customersVisibleTo = (actor: Actor) =>
  managesPeople(actor)
    ? usersVisibleTo(actor)
    : sql`exists (select from projects where projects.customer_id = users.id and ${projectsVisibleTo(actor) ?? sql`true`})`

/** The staff of whom the actor reads the directory. */
export async function findStaff({ db, actor, search }: SearchRequest) {
  if (search.words.length === 0) return []
  return db
    .select({
      id: users.id,
      name: users.fullName,
      email: users.email,
      phone: users.phone,
      kind: sql<StaffKind>`${users.kind}`,
      active: users.active,
    })
    .from(users)
    .where(and(holds(users.role, 'staff'), usersVisibleTo(actor), matchesWords(personWords, search)))
    .orderBy(byLikeness(search))
    .limit(MAX_FOUND)
}

/** Dealerships by name, brand, contact or phone. */
export async function findAgencies({ db, actor, search }: SearchRequest) {
  if (search.words.length === 0) return []
  const { active, brand, contact, id, municipality, name, phone } = agencies
  const words = sql`concat_ws(' ', ${name}, ${brand}, ${contact}, ${phone})`
  return db
    .select({ id, name, brand, municipality, phone, active })
    .from(agencies)
    .where(and(agenciesVisibleTo(actor), ...search.words.map((word) => contains(words, word))))
    .orderBy(desc(active), sql`${name} collate es`)
    .limit(MAX_FOUND)
}

const ownHome = sql`concat_ws(' ', ${appointments.address} ->> 'street', ${appointments.address} ->> 'outerNumber',
  ${appointments.address} ->> 'colonia', ${appointments.address} ->> 'postalCode')`

/** By folio; and by customer or address for a technician, who reads no customer but those of their own appointments. */
export async function findAppointments({ db, actor, search }: SearchRequest) {
  if (readsFirstNamesOnly(actor)) return []
  const { folio, id, municipality, service, startsAt, state } = appointments
  const byWords = readsProjects(actor) === 'none' && search.words.length > 0
  if (search.folios.length === 0 && !byWords) return []
  const words = or(
    matchesSearch({ words: search.words, weights: '' }),
    and(...search.words.map((word) => contains(ownHome, word))),
  )
  return db
    .select({
      id,
      folio,
      service,
      state,
      startsAt,
      municipality,
      customer: customer.fullName,
      phone: customer.phone,
      assignee: confirmedAssignee,
    })
    .from(appointments)
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(and(visibleTo(actor), or(isOneOf(folio, search.folios), byWords ? words : undefined)))
    .orderBy(desc(startsAt))
    .limit(MAX_FOUND)
}

const isOneOf = (column: PgColumn, values: Search['folios']) =>
  sql`${column} = any(${sql.param(values)}::text[])`

/** The current version of a quote, by its folio; an ally reads no folio. */
export async function findQuotes({ db, actor, search: { folios } }: SearchRequest) {
  if (folios.length === 0 || readsFirstNamesOnly(actor)) return []
  return db
    .select({ id: quotes.id, folio: quotes.folio, state: quotes.state, customer: users.fullName })
    .from(quotes)
    .innerJoin(users, eq(users.id, quotes.customerId))
    .where(and(quotesVisibleTo(actor), countingVersions, isOneOf(quotes.folio, folios)))
    .orderBy(desc(quotes.createdAt))
    .limit(MAX_FOUND)
}

/** By folio, or by the tracking key of a transfer. Money is read where it is written, whatever the lists are read from. */
export async function findPayments({ db, actor, search: { folios, key } }: SearchRequest) {
  if (folios.length === 0 && key === null) return []
  const { amount, concept, folio, id, projectId, reversedAt, reversesId, state, trackingKey } = payments
  const found = await primaryOf(db)
    .select({
      id,
      folio,
      concept,
      reversedAt,
      reversesId,
      state,
      amount,
      trackingKey,
      projectId,
      customer: users.fullName,
      quoteId: newestQuoteOf(projectId),
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.customerId))
    .where(and(visiblePayments(actor), or(isOneOf(folio, folios), sql`upper(${trackingKey}) = ${key ?? ''}`)))
    .orderBy(desc(payments.createdAt))
    .limit(MAX_FOUND)
  return found.map(withAccount)
}

export async function findRefunds({ db, actor, search: { folios } }: SearchRequest) {
  if (folios.length === 0) return []
  const { amount, decidedBy, folio, id, projectId, state } = refunds
  const about = { customer: users.fullName, quoteId: newestQuoteOf(projectId) }
  const found = await primaryOf(db)
    .select({ id, folio, state, amount, decidedBy, projectId, ...about })
    .from(refunds)
    .innerJoin(users, eq(users.id, refunds.customerId))
    .where(and(visibleRefunds(actor), isOneOf(folio, folios)))
    .limit(MAX_FOUND)
  return found.map(withAccount)
}

/** Where the office reads a project's account. */
const withAccount = <Row extends { projectId: string; quoteId: string | null }>(row: Row) => ({
  ...row,
  to: pathOf(row.projectId, row.quoteId),
})

/** By folio, or by the number that CFE gave to the request or the service. */
export async function findCases({ db, actor, search: { folios, key, text } }: SearchRequest) {
  // A request's number is kept as it was typed, with its signs.
  const number = /\d{3}/.test(text) ? text.toUpperCase() : null
  if (folios.length === 0 && key === null && number === null) return []
  const { folio, id, kind, requestNumber, serviceNumber, state } = cfeCases
  const numbers = sql`upper(${requestNumber}) in (${key ?? ''}, ${number ?? ''}) or ${serviceNumber} = ${key ?? ''}`
  return db
    .select({
      id,
      folio,
      kind,
      state,
      requestNumber,
      serviceNumber,
      customerId: cfeCases.customerId,
      customer: users.fullName,
    })
    .from(cfeCases)
    .innerJoin(users, eq(users.id, cfeCases.customerId))
    .where(and(casesVisibleTo(actor), or(isOneOf(folio, folios), numbers)))
    .limit(MAX_FOUND)
}

/** By the id that the SAT gave to a stamped invoice. */
export async function findInvoices({ db, actor, search: { text } }: SearchRequest) {
  if (!isId(text)) return []
  const { id, kind, projectId, state, uuid } = invoices
  const found = await primaryOf(db)
    .select({ id, kind, state, uuid, projectId, customer: users.fullName, quoteId: newestQuoteOf(projectId) })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.customerId))
    .where(and(visibleInvoices(actor), sql`lower(${uuid}) = ${text.toLowerCase()}`))
    .limit(MAX_FOUND)
  return found.map(withAccount)
}

/** The clients of an ally's own agency, by their first names: the ally's own list. */
export async function findClients({ db, actor, search: { text, words }, now }: SearchRequest) {
  const agencyId = allyAgencyOf(actor)
  if (!agencyId || words.length === 0) return []
  return (await listClients(db, actor, agencyId, { text }, now)).rows.slice(0, MAX_FOUND)
}

/** By phone, those whom an ally registered and who have no account yet; for those who read all projects. */
export async function findInvited({ db, actor, search: { phone } }: SearchRequest) {
  if (!phone || readsProjects(actor) !== 'all') return []
  return db
    .select({
      id: clients.id,
      agencyId: clients.agencyId,
      agency: agencies.name,
      name: sql<string>`concat_ws(' ', ${clients.name}, ${clients.lastname})`,
      phone: clients.phone,
    })
    .from(clients)
    .innerJoin(agencies, eq(agencies.id, clients.agencyId))
    .where(and(eq(clients.phone, phone), isNull(clients.customerId), isNull(clients.endedAt)))
    .limit(MAX_FOUND)
}

/** A dealership's code. */
export const findCodes = async ({ db, actor, search: { code } }: SearchRequest) =>
  code ? codesByText(db, actor, code) : []

/** Transfers that match no payment, by their tracking key. */
export const findMovements = async ({ db, actor, search: { key } }: SearchRequest) =>
  key ? openMovementsByKey(primaryOf(db), actor, key, MAX_FOUND) : []

/** Commissions paid, by a reference as it was typed. */
export const findPayouts = async ({ db, actor, search }: SearchRequest) =>
  isPaper(search) ? payoutsByReference(primaryOf(db), actor, papersOf(search), MAX_FOUND) : []

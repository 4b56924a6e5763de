import { randomInt } from 'node:crypto'
import { and, countDistinct, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { contains, inOrder, keyset, listPage } from '../platform/database/lists.ts'
import { oncePerPage } from '../platform/database/reads.ts'
import { sessions, users } from '../platform/database/schema/accounts.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { minuteAt, timeZone, toDate } from '../shared/calendar.ts'
import type { ListOrder } from '../shared/count.ts'
import { refuse } from '../shared/refusal.ts'
import {
  type ConversionCounts,
  editsAgencies,
  type MonthCount,
  readsAgencyWork,
  seesAllAgencies,
} from './rules/agency.ts'
import { clientSources, endingInWords, readsEndedAttributions } from './rules/clients.ts'
import { benefitFrom, benefitWords } from './rules/codes.ts'
import { seesCommissionSums, settlesCommissions } from './rules/commissions.ts'

/** The rows an actor may see: an ally only their own agency, a customer none. */
export const agenciesVisibleTo = (actor: Actor): SQL | undefined => {
  if (seesAllAgencies(actor)) return undefined
  return actor.agencyId ? eq(agencies.id, actor.agencyId) : sql`false`
}

/** The filters and the order of the list, and the position of a page: `after` is the last agency of the page before. */
type AgencyFilters = { text?: string; active?: 'yes' | 'no'; order?: ListOrder<'clients'>; after?: string }

const byName = keyset(agencies, {
  direction: 'asc',
  key: (of) => [sql`${of.name} collate es`, of.id],
  id: agencies.id,
})
/** Of some dealerships, so that counting the clients of each is quick. The most first. */
const byClients = keyset(agencies, {
  direction: 'desc',
  key: (of) => [
    sql`(select count(*) from clients where clients.agency_id = ${of.id} and clients.ended_at is null)`,
    of.id,
  ],
  id: agencies.id,
})

/** Who does not read the work of agencies is not told it by their order either. */
const orderFor = (actor: Actor, order: AgencyFilters['order']) =>
  inOrder(byName, order, { clients: readsAgencyWork(actor) ? byClients : byName })

const alliesCount = sql<number>`(select count(*)::int from users where users.agency_id = agencies.id and users.active)`

/** Counted like the lists of clients and the agency's own figures; null for actors who read contact facts only. */
const workOf = (actor: Actor) =>
  readsAgencyWork(actor)
    ? {
        clients: sql<
          number | null
        >`(select count(*)::int from clients where clients.agency_id = agencies.id and clients.ended_at is null)`,
        installations: sql<
          number | null
        >`(select count(*)::int from appointments where appointments.agency_id = agencies.id
          and appointments.service = 'installation' and appointments.state = 'done'
          and coalesce(appointments.outcome, 'completed') = 'completed')`,
      }
    : { clients: sql<number | null>`null`, installations: sql<number | null>`null` }

/**
 * The agencies an actor may see, in Spanish order, with the number of allies, clients and installations of each. Text
 * is searched without accents.
 */
export async function listAgencies(db: Db, actor: Actor, filters: AgencyFilters) {
  const wanted = and(agenciesVisibleTo(actor), ...narrowed(filters))
  const order = orderFor(actor, filters.order)
  const read = (after: SQL | undefined, limit: number) =>
    db
      .select({
        id: agencies.id,
        name: agencies.name,
        brand: agencies.brand,
        contact: agencies.contact,
        phone: agencies.phone,
        municipality: agencies.municipality,
        active: agencies.active,
        allies: alliesCount,
        ...workOf(actor),
      })
      .from(agencies)
      .where(and(wanted, after))
      .orderBy(...order.orderBy)
      .limit(limit)
  const [page, total] = await Promise.all([listPage(read, order, filters.after), db.$count(agencies, wanted)])
  return { ...page, total }
}

export type ListedAgency = Awaited<ReturnType<typeof listAgencies>>['rows'][number]

function narrowed({ text, active }: AgencyFilters): SQL[] {
  const words = sql`concat_ws(' ', ${agencies.name}, ${agencies.brand}, ${agencies.contact})`
  return [
    ...(text ? [contains(words, text)] : []),
    ...(active ? [eq(agencies.active, active === 'yes')] : []),
  ]
}

const shown = {
  id: agencies.id,
  name: agencies.name,
  brand: agencies.brand,
  contact: agencies.contact,
  phone: agencies.phone,
  email: agencies.email,
  address: agencies.address,
  municipality: agencies.municipality,
  active: agencies.active,
  version: agencies.version,
}
const terms = {
  commissionKind: agencies.commissionKind,
  commissionValue: agencies.commissionValue,
  benefitKind: agencies.benefitKind,
  benefitValue: agencies.benefitValue,
  notes: agencies.notes,
}

/**
 * One agency as an actor may see it, or null. Its terms and our notes are read from the database only for actors who
 * edit it.
 */
export const agencyFor = oncePerPage(async (db: Db, actor: Actor, id: string) => {
  if (!isId(id)) return null
  const within = and(eq(agencies.id, id), agenciesVisibleTo(actor))
  if (editsAgencies(actor)) {
    const [row] = await db
      .select({ ...shown, terms })
      .from(agencies)
      .where(within)
    return row ?? null
  }
  const [row] = await db.select(shown).from(agencies).where(within)
  return row ? { ...row, terms: null } : null
})

/** How many allies of an agency have a session open. */
export async function signedInAllies(db: Db, agencyId: string, now: Date): Promise<number> {
  const [row] = await db
    .select({ people: countDistinct(sessions.userId) })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(users.agencyId, agencyId), gt(sessions.expiresAt, now)))
  return row?.people ?? 0
}

/** The characters of a code: none that can be mistaken for another. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 8

/** A new code's text that is unused and cannot be guessed. */
export async function suggestCode(db: Db): Promise<string> {
  for (;;) {
    const text = Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
    const [taken] = await db.select({ id: codes.id }).from(codes).where(eq(codes.code, text))
    if (!taken) return text
  }
}

/** An event of a code, a client or a commission of an agency; of its client only the first name. */
export type AgencyEvent = {
  id: string
  about: 'code' | 'client' | 'commission' | 'commission_payout' | 'agency'
  name: string
  toState: string | null
  at: Date
  /** The code's text, or the client's first name. */
  subject: string | null
  /** Centavos, of a payout to the agency. */
  amount: number | null
  /**
   * The first name of the ally who did it; null for any other actor, and `byCustomer` says whether it was the client.
   */
  ally: string | null
  byCustomer: boolean
}

const MAX_ACTIVITY = 8

/** A handover leaves an event for each client and code; the agency's list shows only its own single event. */
const told = sql`events.name <> 'hand_over'`

/** The events of one kind of record, newest first; `rows` are those of the agency, each with an id and a label. */
const eventsOf = (about: AgencyEvent['about'], rows: SQL, condition: SQL = told) => sql`(
  select events.id, events.entity, events.name, events.to_state, events.at, events.actor_id, thing.subject, thing.amount
  from (${rows}) thing join events on events.entity = ${sql.raw(`'${about}'`)} and events.entity_id = thing.id
  where ${condition} order by events.id desc limit ${sql.raw(String(MAX_ACTIVITY))})`

const codesOf = (agencyId: string) =>
  sql`select codes.id, codes.code as subject, null::bigint as amount from codes where codes.agency_id = ${agencyId}`

/** A former client's events are not shown to the agency. */
const clientsOf = (agencyId: string, actor: Actor) => sql`
  select clients.id, coalesce(customer.name, clients.name) as subject, null::bigint as amount
  from clients left join users customer on customer.id = clients.customer_id
  where clients.agency_id = ${agencyId} and ${readsEndedAttributions(actor) ? sql`true` : sql`clients.ended_at is null`}`
const payoutsOf = (
  agencyId: string,
) => sql`select commission_payouts.id, null::text as subject, commission_payouts.amount
  from commission_payouts where commission_payouts.agency_id = ${agencyId}`
const commissionsOf = (
  agencyId: string,
) => sql`select commissions.id, customer.name as subject, commissions.amount
  from commissions join projects on projects.id = commissions.project_id
  join users customer on customer.id = projects.customer_id where commissions.agency_id = ${agencyId}`
const agencyItself = (agencyId: string) =>
  sql`select ${agencyId}::uuid as id, null::text as subject, null::bigint as amount`

/**
 * The latest events of an agency's codes, clients and commissions. Single commissions are the manager's: a percentage
 * of one price would reveal the price.
 */
export async function agencyActivity(db: Db, actor: Actor, agencyId: string): Promise<AgencyEvent[]> {
  if (!readsAgencyWork(actor)) refuse('not-found')
  const earnings = seesCommissionSums(actor)
  const parts = [
    eventsOf('code', codesOf(agencyId)),
    eventsOf('client', clientsOf(agencyId, actor)),
    eventsOf('agency', agencyItself(agencyId), sql`events.name = 'hand_over'`),
    ...(earnings ? [eventsOf('commission_payout', payoutsOf(agencyId))] : []),
    ...(settlesCommissions(actor) ? [eventsOf('commission', commissionsOf(agencyId))] : []),
  ]
  const own = seesAllAgencies(actor) ? sql`true` : sql`${agencyId}::uuid = ${actor.agencyId}::uuid`
  const { rows } = await db.execute<Row>(sql`
    select last.id, last.entity, last.name, last.to_state, last.at, last.subject, last.amount,
      case when maker.agency_id = ${agencyId}::uuid then maker.name end as ally,
      coalesce(maker.role = 'customer', false) as by_customer
    from (${sql.join(parts, sql` union all `)}) last left join users maker on maker.id = last.actor_id
    where ${own} order by last.id desc limit ${sql.raw(String(MAX_ACTIVITY))}`)
  return rows.map(shownEvent)
}

type Row = {
  id: string
  entity: AgencyEvent['about']
  name: string
  to_state: string | null
  at: Date | string
  subject: string | null
  amount: string | number | null
  ally: string | null
  by_customer: boolean
}

const shownEvent = ({ entity, to_state, at, amount, by_customer, ...row }: Row): AgencyEvent => ({
  id: String(row.id),
  about: entity,
  name: row.name,
  toState: to_state,
  at: new Date(at),
  subject: row.subject,
  amount: amount === null ? null : Number(amount),
  ally: row.ally,
  byCustomer: by_customer,
})

/** The agency for the figures; none where the actor may not see or count it. */
function counted(actor: Actor, agencyId: string): SQL {
  if (!readsAgencyWork(actor)) refuse('not-found')
  return sql`exists (select 1 from agencies where ${and(eq(agencies.id, agencyId), agenciesVisibleTo(actor))})`
}

const monthOf = (at: SQL) => sql<string>`to_char(${at} at time zone ${sql.raw(`'${timeZone}'`)}, 'YYYY-MM')`

/** Within consecutive months. */
function within(at: SQL, months: readonly string[]): SQL {
  const midnight = (month: string) => toDate(minuteAt(`${month}-01`, '00:00'))
  const end = Temporal.PlainYearMonth.from(months.at(-1)!).add({ months: 1 }).toString()
  return sql`${at} >= ${midnight(months[0]!)} and ${at} < ${midnight(end)}`
}

/** An installation that was completed. */
const installed = sql`${appointments.service} = 'installation' and ${appointments.state} = 'done'
  and coalesce(${appointments.outcome}, 'completed') = 'completed'`

/** In the month in which it was finished, like its commission. */
const finishedAt = sql`coalesce(${appointments.finishedAt}, ${appointments.startsAt})`

/** The number of installations finished for an agency's clients, by month; months without any are left out. */
export const installationsByMonth = (
  db: Db,
  actor: Actor,
  agencyId: string,
  months: readonly string[],
): Promise<MonthCount[]> =>
  db
    .select({ month: monthOf(finishedAt), count: sql<number>`count(*)::int` })
    .from(appointments)
    .where(
      and(
        eq(appointments.agencyId, agencyId),
        installed,
        within(finishedAt, months),
        counted(actor, agencyId),
      ),
    )
    .groupBy(sql`1`)

/** The people an agency brought in these months: its clients, and those whose invitation expired without an account. */
const brought = (actor: Actor, agencyId: string, months: readonly string[]) =>
  and(
    eq(clients.agencyId, agencyId),
    sql`(${clients.endedAt} is null or (${clients.customerId} is null and ${clients.endedReason} = 'expired'))`,
    within(sql`${clients.createdAt}`, months),
    counted(actor, agencyId),
  )

/** The number of people an agency brought, by month; months without any are left out. */
export const broughtByMonth = (
  db: Db,
  actor: Actor,
  agencyId: string,
  months: readonly string[],
): Promise<MonthCount[]> =>
  db
    .select({ month: monthOf(sql`${clients.createdAt}`), count: sql<number>`count(*)::int` })
    .from(clients)
    .where(brought(actor, agencyId, months))
    .groupBy(sql`1`)

const hasInstallation = sql`exists (select 1 from appointments where ${appointments.customerId} = ${clients.customerId}
  and ${appointments.agencyId} = ${clients.agencyId} and ${installed})`

// An installation counts as accepted, also where its quote was cancelled afterwards.
const hasAccepted = sql`(${hasInstallation} or exists (select 1 from quotes where quotes.customer_id = ${clients.customerId}
  and quotes.agency_id = ${clients.agencyId} and quotes.kind = 'installation' and quotes.state = 'accepted'))`

/** How far the people whom an agency brought in these months have come. */
export async function conversionCounts(
  db: Db,
  actor: Actor,
  agencyId: string,
  months: readonly string[],
): Promise<ConversionCounts> {
  const where = (condition: SQL) => sql<number>`(count(*) filter (where ${condition}))::int`
  const [row] = await db
    .select({
      brought: sql<number>`count(*)::int`,
      joined: where(sql`${clients.customerId} is not null`),
      accepted: where(hasAccepted),
      installed: where(hasInstallation),
    })
    .from(clients)
    .where(brought(actor, agencyId, months))
  return row ?? { brought: 0, joined: 0, accepted: 0, installed: 0 }
}

/** The first year with data of an agency; null where there is none yet. */
export async function firstYearOf(db: Db, actor: Actor, agencyId: string): Promise<number | null> {
  const earliest = sql<Date | null>`least(
    (select min(${clients.createdAt}) from clients where ${clients.agencyId} = ${agencyId}),
    (select min(${finishedAt}) from appointments where ${appointments.agencyId} = ${agencyId} and ${installed}))`
  const { rows } = await db.execute<{ year: number | null }>(
    sql`select extract(year from ${earliest} at time zone ${sql.raw(`'${timeZone}'`)})::int as year
      where ${counted(actor, agencyId)}`,
  )
  return rows[0]?.year ?? null
}

/** The agencies that brought a customer, for the customer to read. */
export async function ownAgencies(db: Db, customerId: string) {
  const rows = await db
    .select({ client: clients, agency: agencies.name, code: codes })
    .from(clients)
    .innerJoin(agencies, eq(agencies.id, clients.agencyId))
    .leftJoin(codes, eq(codes.id, clients.codeId))
    .where(eq(clients.customerId, customerId))
    .orderBy(desc(clients.joinedAt))
  return rows.map(({ agency, client, code }) => ({
    Concesionaria: agency,
    'Cómo llegaste': clientSources[client.source],
    Código: code?.code ?? null,
    Beneficio: code && benefitWords(benefitFrom({ kind: code.benefitKind, value: code.benefitValue })),
    'Aceptaste que nos diera tus datos': client.consentAt,
    Desde: client.joinedAt,
    'Por qué': client.reason,
    Hasta: client.endedAt,
    'Por qué terminó': client.endedReason && endingInWords(client.endedReason),
  }))
}

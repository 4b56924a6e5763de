import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { readsAgencyWork } from '../../domain/agencies/agency.ts'
import { seesCommissionSums } from '../../domain/agencies/commissions.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/client.ts'

/** What happened to a code, a client or a commission of an agency, with no more of its client than the first name. */
export type AgencyEvent = {
  id: string
  about: 'code' | 'client' | 'commission' | 'commission_payout' | 'agency'
  name: string
  toState: string | null
  at: Date
  /** The code's text, or the client's first name. */
  subject: string | null
  /** Centavos, of what went to the agency. */
  amount: number | null
  /** The ally who did it, by first name; of anybody else null, and `byCustomer` says whether it was the client. */
  ally: string | null
  byCustomer: boolean
}

const shown = 8

/** Of each client and code that is handed over a trace is left; the agency's own says it once. */
const told = sql`events.name <> 'hand_over'`

/** One kind of thing's own events, newest first; `rows` are those of the agency, each with an id and what it is called. */
const eventsOf = (about: AgencyEvent['about'], rows: SQL, condition: SQL = told) => sql`(
  select events.id, events.entity, events.name, events.to_state, events.at, events.actor_id, thing.subject, thing.amount
  from (${rows}) thing join events on events.entity = ${sql.raw(`'${about}'`)} and events.entity_id = thing.id
  where ${condition} order by events.id desc limit ${sql.raw(String(shown))})`

const codesOf = (agencyId: string) =>
  sql`select codes.id, codes.code as subject, null::bigint as amount from codes where codes.agency_id = ${agencyId}`
/** Whoever is no client of an agency's any more is none of its business. */
const clientsOf = (agencyId: string, actor: Actor) => sql`
  select clients.id, coalesce(customer.name, clients.name) as subject, null::bigint as amount
  from clients left join users customer on customer.id = clients.customer_id
  where clients.agency_id = ${agencyId} and ${actor.kind === 'manager' ? sql`true` : sql`clients.ended_at is null`}`
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
 * The last that happened to an agency's codes, clients and commissions. Single commissions are the manager's: a percentage
 * of one price would tell the price.
 */
export async function agencyActivity(db: Db, actor: Actor, agencyId: string): Promise<AgencyEvent[]> {
  if (!readsAgencyWork(actor)) refuse('not-found')
  const earnings = seesCommissionSums(actor)
  const parts = [
    eventsOf('code', codesOf(agencyId)),
    eventsOf('client', clientsOf(agencyId, actor)),
    eventsOf('agency', agencyItself(agencyId), sql`events.name = 'hand_over'`),
    ...(earnings ? [eventsOf('commission_payout', payoutsOf(agencyId))] : []),
    ...(actor.kind === 'manager' ? [eventsOf('commission', commissionsOf(agencyId))] : []),
  ]
  const own = actor.kind === 'alliate' ? sql`${agencyId}::uuid = ${actor.agencyId}::uuid` : sql`true`
  const { rows } = await db.execute<Row>(sql`
    select last.id, last.entity, last.name, last.to_state, last.at, last.subject, last.amount,
      case when maker.agency_id = ${agencyId}::uuid then maker.name end as ally,
      coalesce(maker.role = 'customer', false) as by_customer
    from (${sql.join(parts, sql` union all `)}) last left join users maker on maker.id = last.actor_id
    where ${own} order by last.id desc limit ${sql.raw(String(shown))}`)
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
  ...{ id: String(row.id), about: entity, name: row.name, toState: to_state, at: new Date(at) },
  ...{ subject: row.subject, amount: amount === null ? null : Number(amount) },
  ...{ ally: row.ally, byCustomer: by_customer },
})

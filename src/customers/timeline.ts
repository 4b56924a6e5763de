import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type Actor, isOffice } from '../access/rules/actor.ts'
import { accountsOf } from '../accounts/privacy.ts'
import { visibleTo } from '../appointments/visibility.ts'
import { visibleInvoices } from '../invoices/sync-invoices.ts'
import { visiblePayments, visibleRefunds } from '../payments/rows.ts'
import { type Db, queryRows } from '../platform/database/client.ts'
import { listed } from '../platform/database/lists.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import { appointments, faults, moveOffers, slotWishes } from '../platform/database/schema/appointments.ts'
import { cfeCases, whatsappMessages } from '../platform/database/schema/cfe.ts'
import { invoices, payments, quotes, refunds } from '../platform/database/schema/payments.ts'
import { addresses, agencies, projects, tasks } from '../platform/database/schema/projects.ts'
import { casesVisibleTo } from '../projects/cases.ts'
import { quotesVisibleTo } from '../quotes/transition.ts'
import { managesPeople } from '../users/rules/user.ts'
import { projectsVisibleTo } from './queries.ts'
import type { TimelineEntity } from './rules/timeline.ts'
import { takesTasks } from './tasks.ts'

const PAGE_ROWS = 25

/** One thing that happened with a customer, and the row it happened to. */
export type TimelineEvent = {
  id: number
  entity: TimelineEntity
  entityId: string
  name: string
  toState: string | null
  /** Null for an actor who does not read prices: what was typed may name them. */
  reason: string | null
  data: unknown
  at: Date
  /** No one is the system. */
  actor: string | null
  /** Whether the customer did it. */
  isTheirs: boolean
}

type Asked = {
  /** The events that are shown, by entity; others are left out. */
  names: Readonly<Record<TimelineEntity, readonly string[]>>
  entities: readonly TimelineEntity[]
  /** The id of the last event of the previous page. */
  before: number | null
}

/** The ids of a customer's rows of one kind, by the visibility of their lists; null where the actor reads none of them. */
type Source = (db: Db, actor: Actor, customerId: string) => SQL | null

const projectsOf = (db: Db, actor: Actor, customerId: string) =>
  db
    .select({ id: projects.id })
    .from(projects)
    .where(and(sql`${projects.customerId} = ${customerId}`, projectsVisibleTo(actor)))

const self = (customerId: string) => sql`(${accountsOf(customerId)})`

const sources: Record<TimelineEntity, Source> = {
  user: (_db, actor, customerId) => (isOffice(actor) ? self(customerId) : null),
  letter: (_db, actor, customerId) => (isOffice(actor) ? self(customerId) : null),
  whatsapp: (db, actor, customerId) =>
    isOffice(actor)
      ? sql`${db
          .select({ id: whatsappMessages.id })
          .from(whatsappMessages)
          .where(sql`${whatsappMessages.userId} in ${self(customerId)}`)}`
      : null,
  fiscal: (_db, actor, customerId) => (isOffice(actor) ? self(customerId) : null),
  project: (db, actor, customerId) => sql`${projectsOf(db, actor, customerId)}`,
  address: (db, actor, customerId) =>
    sql`${db
      .select({ id: addresses.id })
      .from(addresses)
      .where(inArray(addresses.projectId, projectsOf(db, actor, customerId)))}`,
  appointment: (db, actor, customerId) =>
    sql`${db
      .select({ id: appointments.id })
      .from(appointments)
      .where(and(inArray(appointments.projectId, projectsOf(db, actor, customerId)), visibleTo(actor)))}`,
  sheet: (db, actor, customerId) => (isOffice(actor) ? sources.appointment(db, actor, customerId) : null),
  quote: (db, actor, customerId) =>
    sql`${db
      .select({ id: quotes.id })
      .from(quotes)
      .where(and(sql`${quotes.customerId} = ${customerId}`, quotesVisibleTo(actor)))}`,
  payment: (db, actor, customerId) =>
    sql`${db
      .select({ id: payments.id })
      .from(payments)
      .where(and(sql`${payments.customerId} = ${customerId}`, visiblePayments(actor)))}`,
  refund: (db, actor, customerId) =>
    sql`${db
      .select({ id: refunds.id })
      .from(refunds)
      .where(and(inArray(refunds.projectId, projectsOf(db, actor, customerId)), visibleRefunds(actor)))}`,
  invoice: (db, actor, customerId) =>
    sql`${db
      .select({ id: invoices.id })
      .from(invoices)
      .where(and(inArray(invoices.projectId, projectsOf(db, actor, customerId)), visibleInvoices(actor)))}`,
  cfe_case: (db, actor, customerId) =>
    sql`${db
      .select({ id: cfeCases.id })
      .from(cfeCases)
      .where(and(inArray(cfeCases.projectId, projectsOf(db, actor, customerId)), casesVisibleTo(actor)))}`,
  task: (db, actor, customerId) =>
    takesTasks(actor)
      ? sql`${db.select({ id: tasks.id }).from(tasks).where(sql`${tasks.personId} = ${customerId}`)}`
      : null,
  fault: (db, actor, customerId) =>
    isOffice(actor)
      ? sql`${db.select({ id: faults.id }).from(faults).where(sql`${faults.customerId} = ${customerId}`)}`
      : null,
  client: (db, actor, customerId) =>
    isOffice(actor)
      ? sql`${db.select({ id: clients.id }).from(clients).where(sql`${clients.customerId} = ${customerId}`)}`
      : null,
  slot_wish: (db, actor, customerId) =>
    isOffice(actor)
      ? sql`${db.select({ id: slotWishes.id }).from(slotWishes).where(sql`${slotWishes.customerId} = ${customerId}`)}`
      : null,
  move_offer: (db, actor, customerId) =>
    isOffice(actor)
      ? sql`${db
          .select({ id: moveOffers.id })
          .from(moveOffers)
          .where(sql`${moveOffers.appointmentId} in ${sources.appointment(db, actor, customerId)}`)}`
      : null,
}

/** Of an account's events those that the whole office reads; the others are for who manages people. */
const officeReads = ['merge', 'undo_merge']

/** The entities of which an actor reads something. */
export const readsOfTimeline = (db: Db, actor: Actor): TimelineEntity[] =>
  (Object.keys(sources) as TimelineEntity[]).filter((entity) => sources[entity](db, actor, '') !== null)

type Row = [
  id: string,
  entity: TimelineEntity,
  entityId: string,
  name: string,
  toState: string | null,
  reason: string | null,
  data: unknown,
  at: Date,
  actorId: string | null,
  actor: string | null,
]

/**
 * What happened with a customer, the newest first, a page of it. The caller has checked that the actor may open the
 * customer's page.
 */
export async function customerTimeline(db: Db, actor: Actor, customerId: string, asked: Asked) {
  const parts = asked.entities.flatMap((entity) => {
    const source = sources[entity](db, actor, customerId)
    const names = asked.names[entity].filter(
      (name) => entity !== 'user' || managesPeople(actor) || officeReads.includes(name),
    )
    return source ? [eventsOf(entity, source, names, asked.before)] : []
  })
  if (parts.length === 0) return { rows: [], next: null }
  const found = await queryRows<Row>(
    db,
    sql`select event.id, event.entity, event.entity_id, event.name, event.to_state, event.reason, event.data, event.at,
        coalesce(users.merged_into_id, event.actor_id), nullif(users.full_name, '')
      from (${sql.join(parts, sql` union all `)}) event left join users on users.id = event.actor_id
      order by event.id desc limit ${sql.raw(String(PAGE_ROWS + 1))}`,
  )
  const rows = found.slice(0, PAGE_ROWS).map((row) => toldTo(actor, customerId, row))
  const shown = await subjectsOf(db, actor, rows)
  return { rows: shown, next: found.length > PAGE_ROWS ? rows.at(-1)!.id : null }
}

export type TimelineRow = Awaited<ReturnType<typeof customerTimeline>>['rows'][number]

/** An entity's rows are few, and found by their index one by one. */
const eventsOf = (
  entity: TimelineEntity,
  source: SQL,
  names: readonly string[],
  before: number | null,
) => sql`
  select events.id, events.entity, events.entity_id, events.name, events.to_state, events.reason, events.data, events.at, events.actor_id
  from events where events.entity in (${listed([entity])}) and events.entity_id in ${source}
    and events.name in (${listed(names)}) ${before === null ? sql`` : sql`and events.id < ${before}`}
    ${entity === 'letter' ? notSentLater : sql``}`

/** A letter that failed and went out at a later try is shown once. */
const notSentLater = sql`and not (events.to_state = 'failed' and exists (
  select from events later where later.entity = 'letter' and later.entity_id = events.entity_id
    and later.id > events.id and later.data ->> 'job' = events.data ->> 'job'))`

function toldTo(actor: Actor, customerId: string, row: Row): TimelineEvent {
  const [id, entity, entityId, name, toState, reason, data, at, actorId, who] = row
  const office = isOffice(actor)
  return {
    id: Number(id),
    entity,
    entityId,
    name,
    toState,
    reason: office ? reason : null,
    data: office ? data : null,
    at,
    actor: who,
    isTheirs: actorId === customerId,
  }
}

/** The rows that some events happened to, as far as they name themselves. */
async function subjectsOf(db: Db, actor: Actor, rows: readonly TimelineEvent[]) {
  const idsOf = (...entities: TimelineEntity[]) => [
    ...new Set(rows.flatMap(({ entity, entityId }) => (entities.includes(entity) ? [entityId] : []))),
  ]
  const office = isOffice(actor)
  const [visits, offers, paid, back, cases, calls, messages, brought] = await Promise.all([
    some(idsOf('appointment', 'sheet'), (ids) =>
      db
        .select({
          id: appointments.id,
          folio: appointments.folio,
          service: appointments.service,
          state: appointments.state,
        })
        .from(appointments)
        .where(inArray(appointments.id, ids)),
    ),
    some(idsOf('quote'), (ids) =>
      db
        .select({ id: quotes.id, folio: quotes.folio, revision: quotes.revision })
        .from(quotes)
        .where(inArray(quotes.id, ids)),
    ),
    some(office ? idsOf('payment') : [], (ids) =>
      db
        .select({
          id: payments.id,
          folio: payments.folio,
          concept: payments.concept,
          amount: payments.amount,
          reversesId: payments.reversesId,
          projectId: payments.projectId,
        })
        .from(payments)
        .where(inArray(payments.id, ids)),
    ),
    some(office ? idsOf('refund') : [], (ids) =>
      db
        .select({
          id: refunds.id,
          folio: refunds.folio,
          amount: refunds.amount,
          projectId: refunds.projectId,
        })
        .from(refunds)
        .where(inArray(refunds.id, ids)),
    ),
    some(idsOf('cfe_case'), (ids) =>
      db.select({ id: cfeCases.id, folio: cfeCases.folio }).from(cfeCases).where(inArray(cfeCases.id, ids)),
    ),
    some(idsOf('task'), (ids) =>
      db.select({ id: tasks.id, subject: tasks.subject }).from(tasks).where(inArray(tasks.id, ids)),
    ),
    some(idsOf('whatsapp'), (ids) =>
      db
        .select({
          id: whatsappMessages.id,
          template: whatsappMessages.template,
          state: whatsappMessages.state,
          fault: whatsappMessages.fault,
        })
        .from(whatsappMessages)
        .where(inArray(whatsappMessages.id, ids)),
    ),
    some(idsOf('client'), (ids) =>
      db
        .select({ id: clients.id, agency: agencies.name })
        .from(clients)
        .innerJoin(agencies, eq(agencies.id, clients.agencyId))
        .where(inArray(clients.id, ids)),
    ),
  ])
  const by = <Found extends { id: string }>(list: readonly Found[], id: string) =>
    list.find((one) => one.id === id) ?? null
  return rows.map((row) => ({
    ...row,
    appointment: by(visits, row.entityId),
    quote: by(offers, row.entityId),
    payment: by(paid, row.entityId),
    refund: by(back, row.entityId),
    cfeCase: by(cases, row.entityId),
    task: by(calls, row.entityId),
    message: by(messages, row.entityId),
    client: by(brought, row.entityId),
  }))
}

const some = async <Found>(ids: string[], read: (ids: string[]) => Promise<Found[]>): Promise<Found[]> =>
  ids.length > 0 ? read(ids) : []

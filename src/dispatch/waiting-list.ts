import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { type Actor, assertCustomer } from '../access/rules/actor.ts'
import { bookableProject } from '../appointments/project-appointments.ts'
import {
  activeStates,
  type Service,
  serviceFacts,
  services,
  upcomingStates,
} from '../appointments/rules/appointment.ts'
import {
  byPatience,
  helps,
  mayComeEarlier,
  mostNews,
  offersAtOnce,
  slotOfferEndsAt,
  type WaitingEntry,
} from '../appointments/rules/rules.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { appointments, slotOffers, slotWishes } from '../platform/database/schema/appointments.ts'
import { addresses } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import type { Jobs } from '../platform/jobs/queues.ts'
import { announce } from '../platform/live/announcements.ts'
import { openProjectOf, type ProjectOwner } from '../projects/open-project.ts'
import { candidates, offeredDays, type Placement, questionFor } from '../scheduling/choose.ts'
import { currentStaffing, zoneOf } from '../scheduling/roster.ts'
import { outsideQuietHours, toDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'

type Freed = Jobs['offer-freed-slot']

/** A request as the choice needs it. */
type Input = WaitingEntry & {
  id: string
  customerId: string
  service: Service
  appointmentId: string | null
  municipality: string | null
  /** Whether they have another open offer: one at a time. */
  thinks: boolean
}

/**
 * Offers a freed start to the first customers in line for whom an assignee is available, a few at a time; when they
 * decline or let it expire, to the next. No letters are sent at night. Returns how many were notified. May run twice.
 */
export async function offerFreedSlot(db: Db, freed: Freed, now: Date): Promise<number> {
  const startsAt = new Date(freed.startsAt)
  if (startsAt <= now) return 0
  const awake = outsideQuietHours(now)
  if (awake > now) {
    await transaction(db, (tx) => enqueue(tx, 'offer-freed-slot', freed, awake))
    return 0
  }
  await endIdleWishes(db, now)
  const line = await waitingFor(db, freed.service, startsAt, now)
  const chosen = await firstInLine(line, startsAt, db, now)
  if (chosen.length === 0) {
    if (!freed.once && line.some(({ thinks }) => thinks)) await lookAgain(db, freed, startsAt, now)
    return 0
  }
  const offered = await transaction(db, (tx) => holdOut(tx, freed, chosen, startsAt, now))
  if (offered.length > 0) announce(db, { people: offered, desk: false })
  return offered.length
}

/** The customers who may use it, in order, until enough of them have an available assignee. */
async function firstInLine(line: readonly Input[], startsAt: Date, db: Db, now: Date): Promise<Input[]> {
  const chosen: Input[] = []
  for (const input of line.filter(({ thinks }) => !thinks)) {
    const placement = placementFor(input, startsAt)
    if (candidates(await questionFor(db, placement, now), placement.start).length > 0) chosen.push(input)
    if (chosen.length === offersAtOnce) break
  }
  return chosen
}

/** All customers whom it would help have another open offer: checked again when those are over. */
const lookAgain = (db: Db, freed: Freed, startsAt: Date, now: Date) =>
  transaction(db, (tx) => enqueue(tx, 'offer-freed-slot', freed, slotOfferEndsAt(now, startsAt)))

const placementFor = ({ appointmentId, municipality, service }: Input, startsAt: Date): Placement => ({
  service,
  zone: serviceFacts[service].needsTravel ? zoneOf(municipality) : -1,
  start: toMinutes(startsAt),
  ...(appointmentId && { without: appointmentId }),
})

/**
 * Open requests for services of the same kind of staff, without customers who were offered this start, gave it up
 * themselves for a later one, or have another appointment then.
 */
async function waitingFor(db: Db, freed: Service, startsAt: Date, now: Date): Promise<Input[]> {
  const alike = services.filter((one) => serviceFacts[one].by === serviceFacts[freed].by)
  const { rows } = await db.execute<{
    id: string
    customer_id: string
    service: Service
    appointment_id: string | null
    municipality: string | null
    since: string
    has: string | null
    thinks: boolean
  }>(sql`
    select w.id, w.customer_id, w.service, w.appointment_id, w.created_at as since, a.starts_at as has,
      coalesce(a.municipality, d.municipality) as municipality,
      exists (select 1 from slot_offers o where o.wish_id = w.id and o.answer is null and o.expires_at > ${now}) as thinks
    from slot_wishes w
    join users u on u.id = w.customer_id and u.active
    left join appointments a on a.id = w.appointment_id
    left join addresses d on d.project_id = w.project_id and d.archived_at is null
    where w.ended_at is null and w.service = any(${sql.param(alike)}::text[])
      and not exists (select 1 from slot_offers o where o.wish_id = w.id and o.starts_at = ${startsAt})
      and not exists (select 1 from events e where e.entity = 'appointment' and e.entity_id = w.appointment_id
        and e.actor_id = w.customer_id and e.data->>'was' = ${startsAt.toISOString()})
      and not exists (select 1 from appointments b where b.customer_id = w.customer_id and b.id is distinct from w.appointment_id
        and b.state in (${listed(activeStates)}) and b.during @> ${startsAt}::timestamptz)
    order by w.created_at limit 200`)
  return rows
    .map((row) => ({
      id: row.id,
      customerId: row.customer_id,
      service: row.service,
      appointmentId: row.appointment_id,
      municipality: row.municipality,
      thinks: row.thinks,
      since: new Date(row.since),
      has: row.has === null ? null : new Date(row.has),
    }))
    .filter((input) => helps(input, startsAt))
    .sort(byPatience)
}

/**
 * Writes the offers with their letters and the next check, unless others still have an open offer of the same start.
 */
async function holdOut(tx: Tx, freed: Freed, chosen: readonly Input[], startsAt: Date, now: Date) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${freed.startsAt}, 726004))`)
  const open = await tx.execute(
    sql`select 1 from slot_offers o join slot_wishes w on w.id = o.wish_id
      where o.starts_at = ${startsAt} and o.answer is null and o.expires_at > ${now} and w.ended_at is null limit 1`,
  )
  if ((open.rowCount ?? 0) > 0) return []
  const expiresAt = slotOfferEndsAt(now, startsAt)
  const made = await tx
    .insert(slotOffers)
    .values(chosen.map(({ id }) => ({ wishId: id, startsAt, expiresAt })))
    .onConflictDoNothing()
    .returning({ id: slotOffers.id, wishId: slotOffers.wishId })
  for (const { id } of made)
    await enqueue(tx, 'letter', { letter: 'slot_offer', offerId: id, to: 'customer' })
  if (!freed.once) await enqueue(tx, 'offer-freed-slot', freed, expiresAt)
  return chosen
    .filter(({ id }) => made.some(({ wishId }) => wishId === id))
    .map(({ customerId }) => customerId)
}

/** Customers who wait for the same: a service, in a municipality where that matters. */
type Group = { service: Service; zone: number; waiting: number }

/**
 * Checks what opened for waiting customers by other causes than a cancellation or a move, which offer their start at
 * once: a released assignee, more hours or zones, withdrawn time off, a new person (docs/areas/scheduling.md). The engine is
 * queried once for each group; starts that were not open at the last check are offered to customers without an open
 * offer. Returns how many were notified. May run twice; at night it waits for the morning.
 */
export async function lookForEarlier(db: Db, now: Date): Promise<number> {
  if (outsideQuietHours(now) > now) return 0
  await endIdleWishes(db, now)
  const groups = await groupsWaiting(db)
  await forgetOthers(db, groups)
  let heard = 0
  for (const group of groups) heard += await lookFor(db, group, now)
  return heard
}

async function groupsWaiting(db: Db): Promise<Group[]> {
  const { rows } = await db.execute<{ service: Service; municipality: string | null; waiting: number }>(sql`
    select w.service, coalesce(a.municipality, d.municipality) as municipality, count(*)::int as waiting
    from slot_wishes w
    join users u on u.id = w.customer_id and u.active
    left join appointments a on a.id = w.appointment_id
    left join addresses d on d.project_id = w.project_id and d.archived_at is null
    where w.ended_at is null group by 1, 2 order by 1, 2`)
  const groups = new Map<string, Group>()
  for (const { municipality, service, waiting } of rows) {
    const { needsTravel } = serviceFacts[service]
    const zone = needsTravel ? zoneOf(municipality) : -1
    if (needsTravel && zone < 0) continue
    const known = groups.get(`${service} ${zone}`)
    groups.set(`${service} ${zone}`, { service, zone, waiting: waiting + (known?.waiting ?? 0) })
  }
  return [...groups.values()]
}

/** Groups without a waiting customer are not stored: a new one begins with the starts open then. */
const forgetOthers = (db: Db, groups: readonly Group[]) =>
  db.execute(sql`
    delete from open_slots where (service || ' ' || zone) <> all(${sql.param(
      groups.map(({ service, zone }) => `${service} ${zone}`),
    )}::text[])`)

async function lookFor(db: Db, { service, zone, waiting }: Group, now: Date): Promise<number> {
  const open = (await offeredDays(db, service, zone, now)).flatMap(({ starts }) => starts)
  const { rows } = await db.execute<{ starts: number[] }>(
    sql`select starts from open_slots where service = ${service} and zone = ${zone}`,
  )
  const known = rows[0] && new Set(rows[0].starts)
  const news = known ? open.filter((start) => !known.has(start)) : []
  const most = Math.min(mostNews, Math.ceil(waiting / offersAtOnce))
  let heard = 0
  for (const start of news.slice(0, most))
    heard += await offerFreedSlot(db, { service, startsAt: toDate(start).toISOString(), once: true }, now)
  await transaction(db, (tx) =>
    tx.execute(sql`
      insert into open_slots (service, zone, starts) values (${service}, ${zone}, ${sql.param(open)}::int[])
      on conflict (service, zone) do update set starts = excluded.starts`),
  )
  return heard
}

/** Ends idle requests: the appointment began or is over, or one was booked meanwhile. */
const endIdleWishes = (db: Queryable, now: Date) =>
  db.execute(sql`
    update slot_wishes w set ended_at = ${now}, ended_because = case when w.appointment_id is null then 'passed' else 'appointment_over' end
    where ended_at is null and case when w.appointment_id is null
      then exists (select 1 from appointments a where a.project_id = w.project_id and a.service = w.service
        and a.state in (${listed(activeStates)}))
      else not exists (select 1 from appointments a where a.id = w.appointment_id
        and a.state in (${listed(upcomingStates)}) and a.starts_at > ${now}) end`)

/** The customer wants an earlier time than booked, or any time where none is free. Asked again, nothing changes. */
export async function askEarlier(db: Db, actor: Actor, service: Service, now: Date): Promise<void> {
  assertCustomer(actor)
  const project = await openProjectOf(db, actor)
  if (!project) return refuse('failed-precondition', 'Primero agenda una cita.')
  await endIdleWishes(db, now)
  const { hindrance } = await bookableProject(db, actor, service)
  const { settings } = await currentStaffing(db)
  await transaction(db, async (tx) => {
    const waits = await bookedAhead(tx, project.id, service, now)
    if (waits && !mayComeEarlier(waits, settings, now))
      refuse('failed-precondition', 'Tu cita ya está muy cerca: no puede abrirse un horario antes.')
    if (!waits && hindrance) refuse('failed-precondition', 'Ahora no tienes una cita que se pueda adelantar.')
    const [input] = await tx
      .insert(slotWishes)
      .values({
        customerId: actor.id,
        projectId: project.id,
        service,
        appointmentId: waits?.id ?? null,
        before: waits?.startsAt ?? null,
      })
      .onConflictDoNothing()
      .returning({ id: slotWishes.id })
    if (input) await trace(tx, actor, input.id, 'ask', { service, appointmentId: waits?.id ?? null })
  })
  announce(db, { people: [actor.id], desk: false })
}

/** The appointment to move earlier. */
async function bookedAhead(tx: Tx, projectId: string, service: Service, now: Date) {
  const [booked] = await tx
    .select({ id: appointments.id, service: appointments.service, startsAt: appointments.startsAt })
    .from(appointments)
    .where(
      and(
        eq(appointments.projectId, projectId),
        eq(appointments.service, service),
        sql`${appointments.state} in (${listed(upcomingStates)}) and ${appointments.startsAt} > ${now}`,
      ),
    )
  return booked
}

/** The customer no longer waits; their open offers end. Asked again, nothing changes. */
export async function stopWaiting(db: Db, actor: Actor, service: Service, now: Date): Promise<void> {
  assertCustomer(actor)
  await transaction(db, async (tx) => {
    const project = await openProjectOf(tx, actor)
    const [input] = await tx
      .update(slotWishes)
      .set({ endedAt: now, endedBecause: 'withdrawn' })
      .where(
        and(
          ofOwn({ id: actor.id, projectId: project?.id }),
          eq(slotWishes.service, service),
          isNull(slotWishes.endedAt),
        ),
      )
      .returning({ id: slotWishes.id })
    if (!input) return
    await tx
      .update(slotOffers)
      .set({ answer: 'declined', answeredAt: now })
      .where(and(eq(slotOffers.wishId, input.id), isNull(slotOffers.answer)))
    await trace(tx, actor, input.id, 'withdraw')
  })
  announce(db, { people: [actor.id], desk: false })
}

const trace = (tx: Tx, actor: Actor, id: string, name: string, data: object = {}) =>
  record(tx, { entity: 'slot_wish', entityId: id, actorId: actor.id, name, data })

export type OwnWaiting = {
  isWaiting: boolean
  /** The open offer; `isUnavailable` when no assignee is available any more. */
  offer: { id: string; startsAt: Date; expiresAt: Date; isGone: boolean } | null
}

/** Their own requests, of the project that is meant where they have several. */
const ofOwn = ({ id, projectId }: ProjectOwner) =>
  and(eq(slotWishes.customerId, id), projectId ? eq(slotWishes.projectId, projectId) : undefined)

/** Whether a customer waits for an earlier time of some services, and their open offer of each; none where they do not wait. */
export async function waitingOf(
  db: Db,
  actor: Actor,
  asked: readonly Service[],
  now: Date,
): Promise<Map<Service, OwnWaiting>> {
  const rows = await db
    .selectDistinctOn([slotWishes.service], {
      service: slotWishes.service,
      appointmentId: slotWishes.appointmentId,
      municipality: sql<string | null>`coalesce(${appointments.municipality}, ${addresses.municipality})`,
      offer: { id: slotOffers.id, startsAt: slotOffers.startsAt, expiresAt: slotOffers.expiresAt },
    })
    .from(slotWishes)
    .leftJoin(appointments, eq(appointments.id, slotWishes.appointmentId))
    .leftJoin(addresses, and(eq(addresses.projectId, slotWishes.projectId), isNull(addresses.archivedAt)))
    .leftJoin(
      slotOffers,
      and(
        eq(slotOffers.wishId, slotWishes.id),
        isNull(slotOffers.answer),
        gt(slotOffers.expiresAt, now),
        // After a move, their appointment may be as early already.
        or(isNull(appointments.id), lt(slotOffers.startsAt, appointments.startsAt)),
      ),
    )
    .where(and(ofOwn(actor), inArray(slotWishes.service, [...asked]), isNull(slotWishes.endedAt)))
    .orderBy(slotWishes.service, slotOffers.startsAt)
  type Found = [Service, OwnWaiting]
  const found = rows.map(async ({ appointmentId, municipality, offer, service }): Promise<Found> => {
    if (!offer) return [service, { isWaiting: true, offer: null }]
    const start = toMinutes(offer.startsAt)
    const placement = {
      service,
      zone: serviceFacts[service].needsTravel ? zoneOf(municipality) : -1,
      start,
      promised: true,
      ...(appointmentId && { without: appointmentId }),
    }
    const able = candidates(await questionFor(db, placement, now), start)
    return [service, { isWaiting: true, offer: { ...offer, isGone: able.length === 0 } }]
  })
  return new Map(await Promise.all(found))
}

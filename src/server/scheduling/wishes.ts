import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { activeStates, type Service, upcomingStates } from '../../domain/appointments/appointment.ts'
import { mayComeEarlier } from '../../domain/appointments/rules.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { bookableProject } from '../appointments/appointments-queries.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { appointments, slotOffers, slotWishes } from '../platform/database/schema/appointments.ts'
import { announce } from '../platform/live/announcements.ts'
import { openProjectOf } from '../projects/open-project.ts'
import { currentStaffing } from './roster.ts'

/** Ends what nobody waits for any more: the appointment began or is over, or one was booked meanwhile. */
export const endIdleWishes = (db: Queryable, now: Date) =>
  db.execute(sql`
    update slot_wishes w set ended_at = ${now}, ended_because = case when w.appointment_id is null then 'passed' else 'appointment_over' end
    where ended_at is null and case when w.appointment_id is null
      then exists (select 1 from appointments a where a.project_id = w.project_id and a.service = w.service
        and a.state in (${listed(activeStates)}))
      else not exists (select 1 from appointments a where a.id = w.appointment_id
        and a.state in (${listed(upcomingStates)}) and a.starts_at > ${now}) end`)

/** The customer would come earlier than booked, or at all where nothing is free. Asked again, nothing changes. */
export async function askEarlier(db: Db, actor: Actor, service: Service, now: Date): Promise<void> {
  if (actor.role !== 'customer') refuse('permission-denied')
  const project = await openProjectOf(db, actor.id)
  if (!project) return refuse('failed-precondition', 'Primero agenda una cita.')
  await endIdleWishes(db, now)
  const { hindrance } = await bookableProject(db, actor.id, service)
  const { settings } = await currentStaffing(db)
  await transaction(db, async (tx) => {
    const waits = await bookedAhead(tx, project.id, service, now)
    if (waits && !mayComeEarlier(waits, settings, now))
      refuse('failed-precondition', 'Tu cita ya está muy cerca: no puede abrirse un horario antes.')
    if (!waits && hindrance) refuse('failed-precondition', 'Ahora no tienes una cita que se pueda adelantar.')
    const [wish] = await tx
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
    if (wish) await trace(tx, actor, wish.id, 'ask', { service, appointmentId: waits?.id ?? null })
  })
  announce(db, { people: [actor.id], desk: false })
}

/** The appointment that would come earlier. */
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

/** The customer no longer waits; what was held out to them is let go. Asked again, nothing changes. */
export async function stopWaiting(db: Db, actor: Actor, service: Service, now: Date): Promise<void> {
  if (actor.role !== 'customer') refuse('permission-denied')
  await transaction(db, async (tx) => {
    const [wish] = await tx
      .update(slotWishes)
      .set({ endedAt: now, endedBecause: 'withdrawn' })
      .where(
        and(eq(slotWishes.customerId, actor.id), eq(slotWishes.service, service), isNull(slotWishes.endedAt)),
      )
      .returning({ id: slotWishes.id })
    if (!wish) return
    await tx
      .update(slotOffers)
      .set({ answer: 'declined', answeredAt: now })
      .where(and(eq(slotOffers.wishId, wish.id), isNull(slotOffers.answer)))
    await trace(tx, actor, wish.id, 'withdraw')
  })
  announce(db, { people: [actor.id], desk: false })
}

const trace = (tx: Tx, actor: Actor, id: string, name: string, data: object = {}) =>
  record(tx, { entity: 'slot_wish', entityId: id, actorId: actor.id, name, data })

import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import type { Address } from '../../domain/address.ts'
import { toMinutes } from '../../domain/calendar.ts'
import { refuse } from '../../domain/refusal.ts'
import { hold } from '../appointments/changes.ts'
import { snapshot } from '../appointments/insert-booked.ts'
import type { Db, Tx } from '../database/database.ts'
import { type AddressRow, appointments } from '../database/schema.ts'
import { record } from '../events/changes.ts'
import { openProjectOf } from '../projects/queries.ts'
import { candidates, holdAndCheck, type Placement, type Question, questionFor } from '../scheduling/choose.ts'
import { zoneOf } from '../scheduling/roster.ts'

type Visit = typeof appointments.$inferSelect

/** How a booked visit follows its customer to another address: with its person, or with a new provisional one. */
export type VisitMove = {
  visit: Visit
  /** Null when the municipality stays and nothing about the itinerary changes. */
  check: { question: Question; placement: Placement; personId: string } | null
}

/** The visit that waits at the customer's address, while it may still be moved. */
export async function bookedVisitOf(db: Db, actor: Actor): Promise<Visit | null> {
  const project = await openProjectOf(db, actor.id)
  if (!project) return null
  const [visit] = await db
    .select()
    .from(appointments)
    .where(
      and(
        eq(appointments.projectId, project.id),
        eq(appointments.service, 'technical_visit'),
        inArray(appointments.state, ['requested', 'assigned']),
      ),
    )
  return visit ?? null
}

/** Decides who goes to the new address at the promised time; a Refusal when nobody can. */
export async function visitMoveFor(
  db: Db,
  actor: Actor,
  address: Address,
  now: Date,
): Promise<VisitMove | null> {
  const visit = await bookedVisitOf(db, actor)
  if (!visit) return null
  if (address.area !== 'served')
    return refuse(
      'failed-precondition',
      `Tu visita ${visit.folio} está agendada y todavía no llegamos a ese código postal. Guarda sin moverla o pide ayuda.`,
    )
  if (visit.municipality === address.municipality) return { visit, check: null }
  const placement = {
    service: visit.service,
    zone: zoneOf(address.municipality),
    start: toMinutes(visit.startsAt),
    without: visit.id,
    promised: true,
  }
  const question = await questionFor(db, placement, now)
  const able = candidates(question, placement.start)
  const personId = able.find((one) => one.id === visit.assigneeId)?.id ?? able[0]?.id
  if (!personId)
    return refuse(
      'failed-precondition',
      `A la hora de tu visita ${visit.folio} nadie alcanza a llegar a la nueva dirección. Guarda sin moverla o pide ayuda para cambiarla.`,
    )
  return { visit, check: { question, placement, personId } }
}

/** Writes the new address into the visit, its person held and checked again. */
export async function moveVisitToAddress(
  tx: Tx,
  actor: Actor,
  { visit, check }: VisitMove,
  address: AddressRow,
  now: Date,
) {
  // First the row, then the day: the order in which assigning and confirming hold them.
  const held = await hold(tx, actor, visit.id)
  if (held.version !== visit.version) refuse('aborted')
  if (check) {
    const against = await holdAndCheck(tx, check.question.staffing, check.placement, check.personId, now)
    if (against?.length !== 0) refuse('aborted', 'Mientras tanto cambió la agenda. Vuelve a guardar.')
  }
  const stays = !check || check.personId === visit.assigneeId
  const [moved] = await tx
    .update(appointments)
    .set({
      address: snapshot(address),
      municipality: address.municipality,
      version: sql`${appointments.version} + 1`,
      ...(!stays && { assigneeId: check.personId, confirmedAt: null, state: 'requested' as const }),
    })
    .where(eq(appointments.id, visit.id))
    .returning()
  if (!moved) refuse('aborted')
  await record(tx, {
    entity: 'appointment',
    entityId: visit.id,
    actorId: actor.id,
    name: 'change_address',
    fromState: visit.state,
    toState: moved.state,
    data: { from: areaOf(visit), to: areaOf(moved), assigneeId: moved.assigneeId },
  })
}

/** The history is never erased, so it keeps the part of town and not the address. */
const areaOf = ({ address }: Pick<typeof appointments.$inferSelect, 'address'>) =>
  address && { postalCode: address.postalCode, municipality: address.municipality }

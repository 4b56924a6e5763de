import { eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Held, hold } from '../appointments/appointments-changes.ts'
import { snapshot } from '../appointments/insert-booked.ts'
import { moveTo, placementAt } from '../appointments/reschedule.ts'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import type { AddressRow } from '../platform/database/schema/project-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { holdAndCheck } from '../scheduling/choose.ts'
import type { VisitMove } from './booked-visit.ts'

/** Writes the new address into what is booked, its person held and checked again. Answers how it stands then. */
export async function followToAddress(
  tx: Tx,
  actor: Actor,
  { visit, check }: VisitMove,
  address: AddressRow,
  now: Date,
): Promise<Held> {
  // First the row, then the day: the order in which assigning and confirming hold them.
  const held = await hold(tx, actor, visit.id)
  if (held.version !== visit.version) refuse('aborted')
  const place = { municipality: address.municipality, address: snapshot(address) }
  if (!check) return writePlace(tx, actor, held, place, held.assigneeId)
  const { personId, question, start } = check
  const { staffing } = question
  if (start !== toMinutes(held.startsAt)) {
    const outcome = await moveTo(tx, actor, held, { start, personId, staffing, place, because: 'ours' }, now)
    return 'against' in outcome ? refuse('aborted', meanwhile) : outcome
  }
  const placement = placementAt(held, { start, promised: true, place })
  const against = await holdAndCheck(tx, staffing, placement, personId, now)
  if (against?.length !== 0) refuse('aborted', meanwhile)
  return writePlace(tx, actor, held, place, personId)
}

const meanwhile = 'Mientras tanto cambió la agenda. Vuelve a guardar.'

async function writePlace(
  tx: Tx,
  actor: Actor,
  held: Held,
  place: Pick<Held, 'municipality' | 'address'>,
  personId: string | null,
): Promise<Held> {
  const stays = personId === held.assigneeId
  const [moved] = await tx
    .update(appointments)
    .set({
      ...place,
      sequence: held.sequence + 1,
      version: sql`${appointments.version} + 1`,
      ...(!stays && { assigneeId: personId, confirmedAt: null, state: 'requested' as const }),
    })
    .where(eq(appointments.id, held.id))
    .returning()
  if (!moved) return refuse('aborted')
  await record(tx, {
    entity: 'appointment',
    entityId: held.id,
    actorId: actor.id,
    name: 'change_address',
    fromState: held.state,
    toState: moved.state,
    data: { from: areaOf(held), to: areaOf(moved), assigneeId: moved.assigneeId },
  })
  await tell(tx, held, stays)
  return moved
}

/** The customer's calendar gets the new place; a confirmed person hears old and new, or that somebody else goes. */
async function tell(tx: Tx, held: Held, stays: boolean) {
  const about = {
    appointmentId: held.id,
    was: { startsAt: held.startsAt.toISOString(), zone: held.municipality },
  }
  await enqueue(tx, 'letter', { ...about, letter: 'changed', to: 'customer' })
  if (!held.assigneeId || !held.confirmedAt) return
  const letter = stays ? ('changed' as const) : ('no_person' as const)
  await enqueue(tx, 'letter', { ...about, letter, to: 'person', personId: held.assigneeId })
}

/** The history is never erased, so it keeps the part of town and not the address. */
const areaOf = ({ address }: Pick<Held, 'address'>) =>
  address && { postalCode: address.postalCode, municipality: address.municipality }

import type { Actor } from '../../domain/access/actor.ts'
import { appointmentMachine } from '../../domain/appointments/transitions.ts'
import {
  type AppointmentRow,
  affectedUserIds,
  factsOf,
  lockAppointment,
  transition,
} from '../appointments/transition.ts'
import { type Db, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { calls } from '../platform/database/schema/appointments.ts'
import { announce } from '../platform/live/announcements.ts'
import { askToCallCustomer } from '../projects/projects-queries.ts'

/** Its customer goes on waiting in the room of a call: they are asked again after a while. */
export async function keepWaiting(db: Db, actor: Actor, id: string, now: Date): Promise<void> {
  const held = await transaction(db, async (tx) => {
    const row = await lockAppointment(tx, actor, id)
    appointmentMachine.next('keepWaiting', actor, factsOf(row), now)
    // Not a version of the appointment: whoever is about to take the call over would find it changed.
    await tx
      .insert(calls)
      .values({ appointmentId: id, keepsWaitingAt: now })
      .onConflictDoUpdate({ target: calls.appointmentId, set: { keepsWaitingAt: now } })
    await record(tx, { entity: 'appointment', entityId: id, actorId: actor.id, name: 'keepWaiting' })
    return row
  })
  announce(db, { people: affectedUserIds(held) })
}

/** Its customer would rather be phoned: an urgent task for analysts and managers. Said again, it is the same one. */
export async function askCallBack(db: Db, actor: Actor, id: string, now: Date): Promise<AppointmentRow> {
  const moved = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, actor, id)
    if (held.callBackAskedAt !== null) return held
    const after = await transition(tx, actor, held, 'askCallBack', now, { callBackAskedAt: now })
    const subject = `Llamar por teléfono: el cliente lo pidió en su videollamada ${held.folio}`
    await askToCallCustomer(tx, after, { subject, reason: 'call_back' })
    return after
  })
  announce(db, { people: affectedUserIds(moved) })
  return moved
}

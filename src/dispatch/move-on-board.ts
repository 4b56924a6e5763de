import type { z } from 'zod'
import type { Actor } from '../access/rules/actor.ts'
import { assign } from '../appointments/assign.ts'
import { changeTime, getAppointment } from '../appointments/change-time.ts'
import type { givingInput } from '../appointments/rules/schema.ts'
import type { AppointmentRow } from '../appointments/transition.ts'
import type { Db } from '../platform/database/client.ts'

type BoardMove = z.output<typeof givingInput> & { exceptionsOnly?: boolean }

/**
 * The manager assigns an appointment to a person, at its time or at another one: that person must be available. `from` is
 * when it was until then.
 */
export async function moveOnBoard(
  db: Db,
  actor: Actor,
  id: string,
  move: BoardMove,
  now: Date,
): Promise<{ moved: AppointmentRow; from: Date }> {
  const { startsAt: from } = await getAppointment(db, actor, id)
  const { startsAt = from } = move
  const moved =
    startsAt.getTime() === from.getTime()
      ? await assign(db, actor, id, move, now)
      : await changeTime(db, actor, id, { ...move, startsAt }, now)
  return { moved, from }
}

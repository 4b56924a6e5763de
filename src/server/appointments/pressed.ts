import { theTime } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Tx } from '../platform/database/database.ts'

/** A phone's clock may be so far ahead, in milliseconds. */
const AHEAD = 2 * 60_000
/** After so long nobody can tell any more what happened meanwhile, in milliseconds. */
const LONGEST = 72 * 60 * 60_000

/** When something was pressed without a network, as the rules judge it; refused where it can't have been then. */
export function pressedAt(at: Date, now: Date): Date {
  if (at.getTime() > now.getTime() + AHEAD)
    refuse('invalid-argument', 'La hora de tu teléfono va adelantada. Corrígela y vuelve a enviar.')
  if (at.getTime() < now.getTime() - LONGEST)
    refuse('failed-precondition', 'Esto se hizo hace más de tres días. Llama a la gerencia para registrarlo.')
  return at < now ? at : now
}

/** Whether we heard of this very press before. */
export async function isHeard(tx: Tx, id: string, name: string, actorId: string, at: Date): Promise<boolean> {
  const { rows } = await tx.$client.query(
    `select 1 from events where entity = 'appointment' and entity_id = $1 and name = $2 and actor_id = $3
       and (data ->> 'pressedAt')::timestamptz = $4 limit 1`,
    [id, name, actorId, at],
  )
  return rows.length > 0
}

/** What the history keeps of a press: its time as it was told, and as it was judged where the phone's clock was ahead. */
export const pressTrace = (pressed: Date, at: Date) => ({
  pressedAt: pressed,
  ...(at < pressed && { judgedAt: at }),
})

/** Refuses what was pressed before a change of the appointment that we heard of earlier. */
export async function refuseOvertaken(tx: Tx, id: string, at: Date): Promise<void> {
  const { rows } = await tx.$client.query<{ made: Date }>(
    `select max(coalesce((data ->> 'judgedAt')::timestamptz, (data ->> 'pressedAt')::timestamptz, at)) as made from events
     where entity = 'appointment' and entity_id = $1 and to_state is not null`,
    [id],
  )
  const made = rows[0]?.made
  if (made && made > at)
    refuse(
      'failed-precondition',
      `Llegó tarde: después, a ${theTime(made)}, la cita cambió. Actualiza la página para ver cómo va.`,
    )
}

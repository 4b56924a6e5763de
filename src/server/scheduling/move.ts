import type { z } from 'zod'
import type { Actor } from '../../domain/access/actor.ts'
import type { givingInput } from '../../domain/appointments/schema.ts'
import type { Held } from '../appointments/appointments-changes.ts'
import { assign } from '../appointments/assign.ts'
import { changeTime } from '../appointments/change-time.ts'
import { seen } from '../appointments/seen.ts'
import type { Db } from '../platform/database/database.ts'

type BoardMove = z.output<typeof givingInput>

/** The manager gives an appointment to somebody, at its time or at another one: whoever it is has to be able to. */
export async function moveOnBoard(
  db: Db,
  actor: Actor,
  id: string,
  move: BoardMove,
  now: Date,
): Promise<Held> {
  const row = await seen(db, actor, id)
  const stays = !move.startsAt || move.startsAt.getTime() === row.startsAt.getTime()
  if (stays) return assign(db, actor, id, move, now)
  return changeTime(db, actor, id, { ...move, startsAt: move.startsAt! }, now)
}

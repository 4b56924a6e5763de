import type { Actor } from '../../domain/actor.ts'
import { activeStates, doneStates } from '../../domain/appointment.ts'
import type { Db } from '../database/database.ts'
import { countIn } from './queries.ts'

/** How many rows each list shows this actor, by the list's own condition. */
export const countPending = (db: Db, actor: Actor) => countIn(db, actor, activeStates)
export const countDone = (db: Db, actor: Actor) => countIn(db, actor, doneStates)
export const countToAssign = (db: Db, actor: Actor) => countIn(db, actor, ['requested'])

import type { Actor } from '../../domain/actor.ts'
import { figuresOf } from '../../server/appointments/counts.ts'
import { daysAhead } from '../../server/appointments/days-ahead.ts'
import { listPending } from '../../server/appointments/lists.ts'
import { nextOwn } from '../../server/appointments/next-own.ts'
import type { Db } from '../../server/database/database.ts'
import { openTasks, takesTasks } from '../../server/tasks/queries.ts'
import { dateTime, relative } from '../format.ts'

/** How many days the manager sees ahead, and how many appointments an ally. */
const daysShown = 14
const rowsShown = 5

/** What a kind's home shows; null or empty where a block is not theirs. */
export async function loadBlocks(db: Db, actor: Actor, now: Date) {
  const [figures, tasks, next, days, upcoming] = await Promise.all([
    figuresOf(db, actor, now),
    openTasks(db, actor),
    nextOwn(db, actor, now),
    actor.kind === 'manager' ? daysAhead(db, actor, now, daysShown) : null,
    actor.kind === 'alliate' ? listPending(db, actor, {}, now) : null,
  ])
  const toDo = { label: 'Pendientes', to: '#pendientes', total: tasks.total, isMore: false, urgent: false }
  return {
    figures: takesTasks(actor) ? [...figures, toDo] : figures,
    tasks: tasks.rows.map(({ createdAt, ...task }) => ({ ...task, since: relative(createdAt, now) })),
    next: next && { ...next, when: dateTime(next.startsAt) },
    days,
    upcoming: upcoming?.rows.slice(0, rowsShown) ?? null,
  }
}

import type { Actor } from '../../domain/access/actor.ts'
import type { Modules } from '../../domain/access/routes.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { dateSpan, dateTime, relative } from '../../domain/shared/format.ts'
import { figuresOf } from '../../server/appointments/counts.ts'
import { daysAhead } from '../../server/appointments/days-ahead.ts'
import { listPending } from '../../server/appointments/lists.ts'
import { nextOwn } from '../../server/appointments/next-own.ts'
import { callsWaiting, type WaitingCall } from '../../server/calls/who-waits.ts'
import { waitingCases } from '../../server/cfe/list.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { type StoppedJobs, stoppedJobs } from '../../server/platform/jobs/dead-letters.ts'
import { claimReason } from '../../server/projects/call-customer.ts'
import { openTasks, takesTasks } from '../../server/projects/tasks-queries.ts'
import { openTimeOffRequests } from '../../server/users/time-off-requests.ts'
import { settingsPath } from '../settings/pages.ts'
import { loadAlly } from './ally-loader.ts'
import { figure, loadDesk } from './desk-loader.ts'

/** How many days the manager sees ahead, and how many appointments an ally. */
const daysShown = 14
const rowsShown = 5

/** What a kind's home shows; null or empty where a block is not theirs. */
export async function loadBlocks(db: Db, actor: Actor, now: Date, on: Modules) {
  const today = localDate(toMinutes(now))
  const read = await Promise.all([
    figuresOf(db, actor, now),
    loadDesk(db, actor, now, on),
    loadAlly(db, actor, now),
    openTasks(db, actor),
    openTimeOffRequests(db, actor),
    nextOwn(db, actor, now),
    actor.kind === 'manager' ? daysAhead(db, actor, now, daysShown) : null,
    actor.kind === 'alliate' ? listPending(db, actor, {}, now) : null,
    callsWaiting(db, actor, now),
    stoppedJobs(db, actor),
    on.has('gesties') && worksOnCases(actor) ? waitingCases(db, actor, today) : null,
  ])
  const [figures, desk, ally, tasks, timeOff, next, days, upcoming, waiting, stopped, cases] = read
  return {
    ...desk,
    ally,
    figures: [
      ...(ally?.figures ?? []),
      ...figures,
      ...desk.figures,
      ...(cases ? caseFigures(actor, cases) : []),
      ...(actor.kind === 'manager' ? [figure('Permisos por aprobar', '#permisos', timeOff.length)] : []),
      ...stoppedFigure(stopped),
      ...(takesTasks(actor) ? [figure('Pendientes', '#pendientes', tasks.total)] : []),
    ],
    tasks: takesTasks(actor)
      ? tasks.rows.map(({ createdAt, reason, ...task }) => ({
          ...task,
          since: relative(createdAt, now),
          claim: reason !== claimReason ? null : actor.kind === 'manager' ? 'decides' : 'waits',
        }))
      : null,
    timeOff:
      actor.kind !== 'manager'
        ? null
        : timeOff.map(({ id, personId, person, from, to, reason }) => ({
            ...{ id, personId, person, reason },
            when: dateSpan(from, to),
          })),
    isGesterWithoutCases: actor.kind === 'gester' && !on.has('gesties'),
    next: next && { ...next, when: dateTime(next.startsAt) },
    days,
    now,
    waiting,
    refreshIn: nextMoment(waiting ?? [], now),
    upcoming: upcoming?.rows.slice(0, rowsShown) ?? null,
  }
}

const worksOnCases = ({ kind }: Actor) => kind === 'gester' || kind === 'manager'
const caseFigures = ({ kind }: Actor, { late, yours }: { late: number; yours: number }) => [
  figure(
    kind === 'gester' ? 'Trámites en tu turno' : 'Trámites en turno del gestor',
    '/admin/gesties?turn=gester',
    yours,
  ),
  { ...figure('Trámites atrasados', '/admin/gesties', late), urgent: true },
]

export type Blocks = Awaited<ReturnType<typeof loadBlocks>>

/** Shown only while there are any: what nobody tries any more is to be looked at, and usually there is none. */
function stoppedFigure(stopped: readonly StoppedJobs[]) {
  const total = stopped.reduce((sum, { count }) => sum + count, 0)
  const to = `${settingsPath()}#tareas-detenidas`
  return total > 0 ? [{ ...figure('Tareas automáticas detenidas', to, total), urgent: true }] : []
}

/** In how many milliseconds the next of these calls may be taken by somebody else. */
function nextMoment(waiting: readonly WaitingCall[], now: Date): number | null {
  const ahead = waiting.map(({ takeOverAt }) => takeOverAt.getTime() - now.getTime()).filter((ms) => ms > 0)
  return ahead.length > 0 ? Math.min(...ahead) : null
}

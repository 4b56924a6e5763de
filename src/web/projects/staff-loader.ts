import { type Actor, allyAgencyOf, isAlly, isGester } from '../../domain/access/actor.ts'
import type { Modules } from '../../domain/access/routes.ts'
import { type ClientStage, clientStages } from '../../domain/agencies/clients.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { worksOnCases } from '../../domain/cfe/case.ts'
import { conceptLabels, refundStateFacts } from '../../domain/payments/payment.ts'
import { decidesClaims, sheetLabels } from '../../domain/reports/report.ts'
import { managesSchedule } from '../../domain/scheduling/roster.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { dateSpan, dateTime, money, relative } from '../../domain/shared/format.ts'
import type { Tone } from '../../domain/shared/state-machine.ts'
import { clientsByStage } from '../../server/agencies/clients.ts'
import { commissionMonths } from '../../server/agencies/commission-queries.ts'
import { daysAhead, nextOwn } from '../../server/appointments/list-filter.ts'
import { figuresOf, listPending } from '../../server/appointments/lists.ts'
import { callsWaiting, type WaitingCall } from '../../server/calls/queries.ts'
import { waitingCases } from '../../server/cfe/queries.ts'
import { proofsToReview, refundsToSettle } from '../../server/payments/queries.ts'
import type { Db } from '../../server/platform/database/client.ts'
import { type StoppedQueue, stoppedJobs } from '../../server/platform/jobs/dead-letters.ts'
import { claimReason } from '../../server/projects/open-project.ts'
import { openTasks, takesTasks } from '../../server/projects/tasks.ts'
import { listToQuote } from '../../server/quotes/figures.ts'
import { returnedSheets, sheetsToReview } from '../../server/reports/queries.ts'
import { openTimeOffRequests } from '../../server/users/schedule.ts'
import { clientsPath } from '../agencies/agency-paths.ts'
import { listQuery } from '../lib/lists.tsx'
import { settingsPath } from '../settings/pages.ts'

/** How many days the manager sees ahead, and how many appointments an ally. */
const daysShown = 14
const rowsShown = 5

/** `lists` is read for lists and figures; `db` for money, calls and whatever is decided here. */
type Sources = { db: Db; lists: Db }

/** What a kind's home shows; null or empty where a block is not theirs. */
export async function loadBlocks({ db, lists }: Sources, actor: Actor, now: Date, on: Modules) {
  const today = localDate(toMinutes(now))
  const read = await Promise.all([
    figuresOf(lists, actor, now),
    loadDesk({ db, lists }, actor, now, on),
    loadAlly({ db, lists }, actor, now),
    openTasks(db, actor),
    openTimeOffRequests(db, actor),
    nextOwn(db, actor, now),
    managesSchedule(actor) ? daysAhead(lists, actor, now, daysShown) : null,
    isAlly(actor) ? listPending(lists, actor, {}, now) : null,
    callsWaiting(db, actor, now),
    stoppedJobs(db, actor),
    on.has('gesties') && worksOnCases(actor) ? waitingCases(lists, actor, today) : null,
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
      ...(managesSchedule(actor) ? [figure('Permisos por aprobar', '#permisos', timeOff.length)] : []),
      ...stoppedFigure(stopped),
      ...(takesTasks(actor) ? [figure('Pendientes', '#pendientes', tasks.total)] : []),
    ],
    tasks: takesTasks(actor)
      ? tasks.rows.map(({ createdAt, reason, ...task }) => ({
          ...task,
          since: relative(createdAt, now),
          claim: reason !== claimReason ? null : decidesClaims(actor) ? 'decides' : 'waits',
        }))
      : null,
    timeOff: !managesSchedule(actor)
      ? null
      : timeOff.map(({ id, personId, person, from, to, reason }) => ({
          id,
          personId,
          person,
          reason,
          when: dateSpan(from, to),
        })),
    isGesterWithoutCases: isGester(actor) && !on.has('gesties'),
    next: next && { ...next, when: dateTime(next.startsAt) },
    days,
    now,
    waiting,
    refreshIn: nextMoment(waiting ?? [], now),
    upcoming: upcoming?.rows.slice(0, rowsShown) ?? null,
  }
}

const caseFigures = (actor: Actor, { late, yours }: { late: number; yours: number }) => [
  figure(
    isGester(actor) ? 'Trámites en tu turno' : 'Trámites en turno del gestor',
    '/admin/gesties?turn=gester',
    yours,
  ),
  { ...figure('Trámites atrasados', '/admin/gesties', late), urgent: true },
]

export type Blocks = Awaited<ReturnType<typeof loadBlocks>>

/** Shown only while there are any: stopped tasks are not retried and need a review, and usually there is none. */
function stoppedFigure(stopped: readonly StoppedQueue[]) {
  const total = stopped.reduce((sum, { count }) => sum + count, 0)
  const to = `${settingsPath()}#tareas-detenidas`
  return total > 0 ? [{ ...figure('Tareas automáticas detenidas', to, total), urgent: true }] : []
}

/** In how many milliseconds another analyst may take the next of these calls. */
function nextMoment(waiting: readonly WaitingCall[], now: Date): number | null {
  const ahead = waiting.map(({ takeOverAt }) => takeOverAt.getTime() - now.getTime()).filter((ms) => ms > 0)
  return ahead.length > 0 ? Math.min(...ahead) : null
}

/** An ally's home: the clients of their agency by stage, and its commissions in sums. Null for all other users. */
async function loadAlly({ db, lists }: Sources, actor: Actor, now: Date) {
  const agencyId = allyAgencyOf(actor)
  if (!agencyId) return null
  const [stages, { sums }] = await Promise.all([
    clientsByStage(lists, agencyId, now),
    commissionMonths(db, actor, agencyId),
  ])
  const rows = clientStages.map((stage) => ({ stage, count: stages[stage], to: stagePath(stage) }))
  return {
    agencyId,
    sums,
    stages: rows.filter(({ count }) => count > 0),
    figures: [
      figure(
        'Clientes',
        clientsPath,
        rows.reduce((sum, { count }) => sum + count, 0),
      ),
    ],
  }
}

export type AllyBlocks = NonNullable<Awaited<ReturnType<typeof loadAlly>>>

const stagePath = (stage: ClientStage) => `${clientsPath}${listQuery({ stage })}`

/** One thing that waits at the user's desk; the whole of it is at `to`. */
export type AtDesk = {
  id: string
  to: string
  title: string
  folio: string
  since: string
  note: string | null
  badge: { label: string; tone: Tone } | null
}

/** What waits at the user's desk, each list with its figure; null where it is not theirs. */
async function loadDesk({ db, lists }: Sources, actor: Actor, now: Date, on: Modules) {
  const [toQuote, reports, proofs, refunds, returned] = await Promise.all([
    listToQuote(lists, actor),
    sheetsToReview(lists, actor),
    proofsToReview(db, actor),
    refundsToSettle(db, actor),
    returnedSheets(lists, actor),
  ])
  return {
    figures: [
      ...(reports ? [figure('Por cotizar', '/admin/cotizations#por-cotizar', toQuote.total)] : []),
      ...(reports ? [figure('Reportes por revisar', '#reportes', reports.total)] : []),
      ...(proofs
        ? [
            figure(
              'Comprobantes por revisar',
              on.has('payments') ? '/admin/payments' : '#comprobantes',
              proofs.total,
            ),
          ]
        : []),
      ...(refunds ? [figure('Reembolsos por atender', '#reembolsos', refunds.total)] : []),
    ],
    toReview: reports?.rows.map((row) => reportAtDesk(row, now)) ?? null,
    returned: returned?.rows.map((row) => returnedAtDesk(row, now)) ?? null,
    proofs:
      proofs?.rows.map((row) => moneyAtDesk(row, { note: conceptLabels[row.concept], badge: null }, now)) ??
      null,
    refunds:
      refunds?.rows.map((row) => moneyAtDesk(row, { note: null, badge: refundStateFacts[row.state] }, now)) ??
      null,
  }
}

/** A figure, and the list that it counts. */
const figure = (label: string, to: string, total: number) => ({
  label,
  to,
  total,
  isMore: false,
  urgent: false,
})

type Sheet = NonNullable<Awaited<ReturnType<typeof sheetsToReview>>>['rows'][number]

const reportAtDesk = (row: Sheet, now: Date): AtDesk => ({
  ...sheetAtDesk(row, row.submittedAt, now),
  note: row.technician,
  badge: row.returnReason ? { label: 'Corregido', tone: 'wait' } : null,
})

const returnedAtDesk = (row: Sheet, now: Date): AtDesk => ({
  ...sheetAtDesk(row, row.reviewedAt, now),
  note: row.returnReason,
  badge: null,
})

const sheetAtDesk = (row: Sheet, since: Date | null, now: Date) => ({
  id: row.id,
  folio: row.folio,
  to: appointmentPath('done', row),
  title: `${sheetLabels[row.kind]} · ${row.customer}`,
  since: relative(since ?? now, now),
})

type Money = Pick<AtDesk, 'id' | 'to' | 'folio'> & { amount: number; customer: string; since: Date | null }

const moneyAtDesk = (row: Money, about: Pick<AtDesk, 'note' | 'badge'>, now: Date): AtDesk => ({
  id: row.id,
  to: row.to,
  folio: row.folio,
  ...about,
  title: `${money(row.amount)} · ${row.customer}`,
  since: relative(row.since ?? now, now),
})

import {
  type Actor,
  allyAgencyOf,
  isAlly,
  isGester,
  isOffice,
  isTechnician,
} from '../../access/rules/actor.ts'
import type { Modules } from '../../access/rules/routes.ts'
import { commissionMonths } from '../../agencies/commission-queries.ts'
import { type ClientStage, clientStages } from '../../agencies/rules/clients.ts'
import { clientsPath } from '../../agencies/screens/agency-paths.ts'
import { nightOf } from '../../appointments/desk.ts'
import { daysAhead, nextOwn } from '../../appointments/list-filter.ts'
import { type CountedFigure, figuresOf, listPending } from '../../appointments/lists.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { loadOwnDay } from '../../appointments/screens/day/own-day.ts'
import { callsWaiting, type WaitingCall } from '../../calls/queries.ts'
import { listCases, waitingCases } from '../../cfe/queries.ts'
import { caseKindLabels, caseStateFacts, worksOnCases } from '../../cfe/rules/case.ts'
import { listQuery } from '../../kit/list/filters.ts'
import type { Db } from '../../platform/database/client.ts'
import { returnedSheets } from '../../reports/queries.ts'
import { sheetLabels } from '../../reports/rules/report.ts'
import { managesSchedule } from '../../scheduling/rules/roster.ts'
import { localDate, minuteAt, toDate, toMinutes } from '../../shared/calendar.ts'
import { dateTime, relative, shortDate } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { clientsByStage } from '../clients.ts'
import { nightWords, shownOf, type WorkView, whenWords, workSummary, workWait } from '../rules/work.ts'
import { marksOfWork, officeColleagues, type WorkMark } from '../work-marks.ts'
import { lineOf, readWork, type WorkGroup, type WorkLine } from './work-lines.ts'

/** How many days the manager sees ahead, and how many appointments an ally. */
const daysShown = 14
const rowsShown = 5

/** `lists` is read for lists and figures; `db` for money, calls and whatever is decided here. */
type Sources = { db: Db; lists: Db }

type Reader = { actor: Actor; now: Date; on: Modules; view: WorkView }

/** What a kind's home shows; null or empty where a block is not theirs. */
export async function loadBlocks({ db, lists }: Sources, { actor, now, on, view }: Reader) {
  const today = localDate(toMinutes(now))
  const atCfe = on.has('gesties') && worksOnCases(actor) ? waitingCases(lists, actor, today) : null
  const reader = { actor, cases: atCfe, now, on, view }
  const read = await Promise.all([
    figuresOf(lists, actor, now),
    isOffice(actor)
      ? readWork({ db, lists }, { ...reader, isAnySnoozed: false })
      : isGester(actor) && atCfe
        ? readCaseWork(lists, actor, now)
        : null,
    nightOf(db, actor, now),
    returnedSheets(lists, actor),
    loadAlly({ db, lists }, actor, now),
    isTechnician(actor) ? null : nextOwn(db, actor, now),
    managesSchedule(actor) ? daysAhead(lists, actor, now, daysShown) : null,
    isAlly(actor) ? listPending(lists, actor, {}, now) : null,
    callsWaiting(db, actor, now),
    atCfe,
    loadOwnDay(db, actor, now),
    isOffice(actor) ? officeColleagues(db, actor) : null,
    marksOfWork(db, actor, now),
  ])
  const [counted, firstGroups, night, returned, ally, next, days, upcoming, waiting, cases, ...rest] = read
  const [day, colleagues, marks] = rest
  // Behind what is put off stand others.
  const isAnySnoozed = marks.some(({ snoozedUntil }) => snoozedUntil && snoozedUntil > now)
  const groups = isAnySnoozed ? await readWork({ db, lists }, { ...reader, isAnySnoozed }) : firstGroups
  return {
    ally,
    figures: [...(ally?.figures ?? []), ...counted, ...(cases ? caseFigures(actor, cases) : [])],
    work: groups && {
      ...workOf(
        isOffice(actor) ? viewed(groups, marks, { actor, now, view }) : groups,
        isGester(actor) && cases?.hasAny === false,
      ),
      view: isOffice(actor) ? view : null,
      colleagues:
        colleagues?.toSorted((one, other) => Number(other.id === actor.id) - Number(one.id === actor.id)) ??
        null,
      marks: viewsOfMarks(marks, actor, now),
    },
    night: night && nightAtDesk(night, now, on),
    returned: returned?.map((row) => returnedAtDesk(row, now)) ?? null,
    isGesterWithoutCases: isGester(actor) && !on.has('gesties'),
    next: next && { ...next, when: dateTime(next.startsAt) },
    day,
    days,
    now,
    waiting,
    refreshIn: nextMoment(waiting ?? [], now),
    upcoming: upcoming?.rows.slice(0, rowsShown) ?? null,
  }
}

/** The groups, with of their lines those that a view lists. */
function viewed(
  groups: WorkGroup[],
  marks: WorkMark[],
  { actor, now, view }: Pick<Reader, 'actor' | 'now' | 'view'>,
) {
  const bySubject = new Map(marks.map((mark) => [mark.subject, mark]))
  return groups.map((group) => {
    const own = group.lines.map((line) => marked(line, bySubject.get(line.id), now))
    const isProposed = group.kind === 'to_confirm' && view === null
    const proposed = isProposed ? own.filter(({ isSnoozed }) => !isSnoozed) : []
    return { ...group, proposed, lines: shownOf(own, actor, view, now) }
  })
}

/** A line, with who took it and whether it is put off: not once it is of another kind. */
function marked(line: WorkLine, mark: WorkMark | undefined, now: Date): WorkLine {
  if (!mark) return line
  const { snoozedUntil, takenBy, taker } = mark
  const until = mark.kind === line.kind && snoozedUntil && snoozedUntil > now ? snoozedUntil : null
  const known = [taker && `La tomó ${taker}`, until && `Pospuesta hasta ${whenWords(until, now)}`, line.facts]
  return { ...line, takenBy, isSnoozed: until !== null, facts: known.filter(Boolean).join(' · ') }
}

/** What marks make to be asked for: what the actor took, and what is put off. */
function viewsOfMarks(marks: WorkMark[], actor: Actor, now: Date): ('mias' | 'pospuestas')[] {
  const isMine = marks.some(({ takenBy }) => takenBy === actor.id)
  const isAnySnoozed = marks.some(({ snoozedUntil }) => snoozedUntil && snoozedUntil > now)
  return [...(isMine ? (['mias'] as const) : []), ...(isAnySnoozed ? (['pospuestas'] as const) : [])]
}

const workOf = (groups: WorkGroup[], hasNoCases: boolean) => ({
  groups,
  empty: hasNoCases
    ? 'Todavía no hay trámites. Se abren solos cuando se acepta una cotización que los necesita.'
    : 'Todo está al día. Lo nuevo aparece aquí solo.',
  summary: workSummary(groups.map(({ count }) => count)),
})

type Night = NonNullable<Awaited<ReturnType<typeof nightOf>>>

/** What the system did by itself, in a sentence with its list; null where it did nothing. */
function nightAtDesk({ counts, rows, since }: Night, now: Date, on: Modules) {
  const words = nightWords(counts, since, now)
  const lines = rows.map(({ startsAt, ...row }) => {
    return { ...row, to: appointmentPath('pending', row), when: whenWords(startsAt, now) }
  })
  const { letGo = 0, offers = 0, payments = 0, quotes = 0, ...outcomes } = counts
  const more = Object.values(outcomes).reduce((sum, one) => sum + one, 0) - lines.length
  const ended = [
    letGo > 0 && { to: '/admin/appointments-done?state=cancelled', label: 'Citas canceladas' },
    quotes > 0 && { to: '/admin/cotizations?state=expired', label: 'Cotizaciones vencidas' },
    payments > 0 &&
      on.has('payments') && { to: '/admin/payments/libro?state=expired', label: 'Pagos caducados' },
    offers > 0 && { to: '/admin/appointments-pending?view=sin-persona', label: 'Citas sin persona' },
  ].filter((one) => one !== false)
  return words === null ? null : { words, lines, more, ended }
}

/** The office reads late cases among its work; a gester has them as a figure. */
const caseFigures = (actor: Actor, { late, yours }: { late: number; yours: number }): CountedFigure[] => {
  const turn = '/admin/gesties?turn=gester'
  if (!isGester(actor)) return [{ ...figure('Trámites que le tocan al gestor', turn, yours), ...gestersTurn }]
  return [
    {
      ...figure('Trámites en tu turno', turn, yours),
      one: 'trámite en tu turno',
      many: 'trámites en tu turno',
    },
    { ...figure('Trámites atrasados', '/admin/gesties', late), ...lateWords, urgent: true },
  ]
}

const lateWords = { one: 'trámite atrasado', many: 'trámites atrasados' }
const gestersTurn = { one: 'trámite que le toca al gestor', many: 'trámites que le tocan al gestor' }

export type Blocks = Awaited<ReturnType<typeof loadBlocks>>

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

/** A figure, and the list that it counts. */
const figure = (label: string, to: string, total: number): CountedFigure => ({
  label,
  one: label,
  many: label,
  to,
  total,
  isMore: false,
})

type Returned = NonNullable<Awaited<ReturnType<typeof returnedSheets>>>[number]

/** A sheet that came back to its technician. */
const returnedAtDesk = (row: Returned, now: Date) => ({
  id: row.id,
  folio: row.folio,
  to: appointmentPath('done', row),
  title: `${sheetLabels[row.kind]} · ${row.customer}`,
  since: relative(row.reviewedAt ?? now, now),
  note: row.returnReason,
})

/** The cases whose turn is their gester's, what is due first at the top. */
async function readCaseWork(lists: Db, actor: Actor, now: Date): Promise<WorkGroup[]> {
  const { isMore, rows, total } = await listCases(lists, actor, { turn: 'gester' })
  const today = localDate(toMinutes(now))
  const lines = rows.map(({ customer, dueOn, folio, id, kind, municipality, state, waitingSince }) => {
    const line = lineOf('case', now, {
      id,
      at: waitingSince,
      title: customer,
      to: `/admin/gesties/${id}`,
      facts: [
        caseKindLabels[kind],
        caseStateFacts[state].label,
        municipality && municipalityLabel(municipality),
        dueOn && `Para el ${shortDate(dueOn)}`,
        folio,
      ],
      act: { how: 'open', label: 'Abrir', to: `/admin/gesties/${id}` },
    })
    const isLate = dueOn !== null && dueOn < today
    return isLate ? { ...line, wait: workWait('late_cases', toDate(minuteAt(dueOn, '00:00')), now) } : line
  })
  const all = '/admin/gesties?turn=gester'
  return lines.length > 0 ? [{ kind: 'case', count: { total, isMore }, all, lines, proposed: [] }] : []
}

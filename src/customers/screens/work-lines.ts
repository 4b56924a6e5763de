import type { Actor } from '../../access/rules/actor.ts'
import type { Modules } from '../../access/rules/routes.ts'
import { codesAtDesk } from '../../agencies/codes.ts'
import { agencyPath } from '../../agencies/screens/agency-paths.ts'
import { appointmentsAtDesk, type DeskAppointment } from '../../appointments/desk.ts'
import { serviceFacts } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { proofsToReview, refundsToSettle } from '../../payments/queries.ts'
import { conceptLabels, refundStateFacts } from '../../payments/rules/payment.ts'
import { figurePath } from '../../payments/screens/office-path.ts'
import type { Db } from '../../platform/database/client.ts'
import { stoppedJobs } from '../../platform/jobs/dead-letters.ts'
import { lateRounds } from '../../platform/jobs/rounds.ts'
import { claimReason } from '../../projects/open-project.ts'
import { customerPath, pipelinePartPath } from '../../projects/rules/pipeline.ts'
import { approvalsAtDesk } from '../../quotes/approvals.ts'
import { quoteTabPath } from '../../quotes/rules/quote-tabs.ts'
import { sheetsToReview } from '../../reports/queries.ts'
import { decidesClaims, sheetLabels } from '../../reports/rules/report.ts'
import { configures } from '../../settings/rules/settings.ts'
import { lateWork, stoppedWork } from '../../settings/screens/system-work.ts'
import { minuteAt, toDate } from '../../shared/calendar.ts'
import { type Count, countOf } from '../../shared/count.ts'
import { counted, dateSpan, formatPhone, money, shortDate } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { openTimeOffRequests } from '../../users/schedule.ts'
import { paperWork } from '../../users/screens/paper-work.ts'
import { papersAtDesk } from '../../users/staff-papers.ts'
import { type OfficeWork, officeWork } from '../office-work.ts'
import { firstToQuote, type ToQuote, type ToQuoteList } from '../quote-figures.ts'
import { byHarm, type Wait, type WorkKind, type WorkView, whenWords, workWait } from '../rules/work.ts'
import { openTasks } from '../tasks.ts'

/** The one button of a line: it opens a page, calls a phone, or does it where it stands. */
export type WorkAct =
  | { how: 'open'; label: string; to: string }
  | { how: 'call'; label: string; phone: string }
  | { how: 'confirm'; version: number; assigneeId: string }
  | { how: 'approve'; version: number }

/** One thing to do. */
export type WorkLine = {
  kind: WorkKind
  id: string
  /** Since when it waits, or when its appointment starts. */
  at: Date
  title: string
  /** Where the whole of it is. */
  to: string | null
  facts: string
  wait: Wait | null
  act: WorkAct | null
  /** What its form asks, where it is done by hand. */
  task: TaskForms | null
  /** The manager or analyst who took it. */
  takenBy: string | null
  isSnoozed: boolean
}

type Task = Awaited<ReturnType<typeof openTasks>>['rows'][number]
type TaskForms = Pick<Task, 'id' | 'person' | 'personId' | 'phone' | 'home'> & {
  claim: 'decides' | 'waits' | null
}

/** The lines of one kind; `proposed` are those that one press confirms, `all` is another list of the kind. */
export type WorkGroup = {
  kind: WorkKind
  count: Count
  all: string | null
  lines: WorkLine[]
  proposed: WorkLine[]
}

/** `lists` is read for lists; `db` for what is decided here. */
type Sources = { db: Db; lists: Db }

/** For whom work is read; `cases`: how many cases with CFE are late. */
type Reader = {
  actor: Actor
  cases: Promise<{ late: number; lateSince: string | null }> | null
  now: Date
  on: Modules
  view: WorkView
  isAnySnoozed: boolean
}

/** Of what is read whole, as many as one page can bear. */
const MOST = 500

/** What waits for the user, group by group in order of harm. */
export async function readWork(from: Sources, reader: Reader): Promise<WorkGroup[]> {
  const read = await readSources(from, reader)
  const proofsPath = reader.on.has('payments') ? '/admin/payments' : null
  const lines = byHarm(linesOf(read, reader, proofsPath))
  const all: Partial<Record<WorkKind, string | null>> = {
    ...appointmentLists,
    proof: proofsPath,
    report: '/admin/appointments-done?view=por-revisar',
    to_quote: quoteTabPath('por-cotizar'),
    no_report: quoteTabPath('sin-reporte'),
    quote_changes: quoteTabPath('cambios'),
    call_quote: reader.on.has('clients') ? pipelinePartPath('llamar') : null,
    overdue: reader.on.has('payments') ? figurePath('overdue') : null,
  }
  return [...Map.groupBy(lines, ({ kind }) => kind)].map(([kind, own]) => ({
    kind,
    count: countsOf(read)[kind] ?? countOf(own.length),
    all: all[kind] ?? null,
    lines: own,
    proposed: [],
  }))
}

type Read = Awaited<ReturnType<typeof readSources>>

async function readSources({ db, lists }: Sources, { actor, cases, isAnySnoozed, now, view }: Reader) {
  const most = (...kinds: WorkView[]) =>
    isAnySnoozed || [...kinds, 'mias', 'pospuestas'].includes(view ?? '') ? MOST : undefined
  const [appointments, proofs, reports, toQuote, tasks, refunds, ...rest] = await Promise.all([
    appointmentsAtDesk(db, actor, now, most(...appointmentKinds)),
    proofsToReview(db, actor, most('proof')),
    sheetsToReview(lists, actor, most('report')),
    firstToQuote(lists, actor, most('to_quote', 'no_report')),
    openTasks(db, actor, most('task', 'urgent', 'quote_changes')),
    refundsToSettle(db, actor, most('refund')),
    approvalsAtDesk(db, actor, most('approval', 'quote_answered')),
    codesAtDesk(db, actor, now, most('code')),
    openTimeOffRequests(db, actor),
    papersAtDesk(db, actor, now),
    stoppedJobs(db, actor),
    configures(actor) ? lateRounds(db) : [],
    officeWork(db, actor, now, most('call_quote', 'overdue', 'fiscal', 'invoice', 'case_to_open')),
    cases,
  ])
  const [approvals, codes, timeOff, papers, stopped, rounds, office, late] = rest
  const first = { appointments, proofs, reports, toQuote, tasks, refunds }
  return { ...first, approvals, codes, timeOff, papers, stopped, rounds, office, late }
}

const linesOf = (read: Read, { actor, now }: Reader, proofsPath: string | null): WorkLine[] => [
  ...read.appointments.flatMap(({ rows }) => rows.map((row) => appointmentLine(row, actor, now))),
  ...(read.proofs?.rows ?? []).map((row) => proofLine(row, proofsPath, now)),
  ...(read.reports?.rows ?? []).map((row) => reportLine(row, now)),
  ...read.toQuote.flatMap(({ kind, rows }) => rows.map((row) => quoteLine(kind, row, now))),
  ...read.tasks.rows.map((task) => taskLine(task, actor, now)),
  ...(read.refunds?.rows ?? []).map((row) => refundLine(row, now)),
  ...read.approvals.map((row) => approvalLine(row, now)),
  ...read.codes.map((code) => codeLine(code, now)),
  ...read.timeOff.map((request) => timeOffLine(request, now)),
  ...lateCasesLines(read.late, now),
  ...read.office.flatMap(({ rows }) => rows.map((row) => officeLine(row, now))),
  ...[
    ...read.papers.map((paper) => paperWork(paper, now)),
    ...read.stopped.map(stoppedWork),
    ...lateWork(read.rounds, now),
  ].map(({ kind, ...facts }) => lineOf(kind, now, facts)),
]

/** How many there are of the kinds of which only the first are read. */
function countsOf(read: Read) {
  const { appointments, approvals, codes, office, proofs, refunds, reports, tasks, toQuote } = read
  const { changes, urgents } = tasks
  const counts: Partial<Record<WorkKind, Count | undefined>> = {
    ...Object.fromEntries([...appointments, ...office].map(({ count, kind }) => [kind, count])),
    ...Object.fromEntries(toQuote.map(({ kind, total }) => [kind, countOf(total)])),
    proof: proofs?.count,
    report: reports?.count,
    urgent: countOf(urgents),
    quote_changes: countOf(changes),
    task: { ...tasks.count, total: tasks.count.total - urgents - changes },
    refund: refunds?.count,
    code: countOf(codes[0]?.counted ?? 0),
    [approvals[0]?.answer ? 'quote_answered' : 'approval']: countOf(approvals[0]?.counted ?? 0),
  }
  return counts
}

const appointmentLists: Record<DeskAppointment['kind'], string> = {
  late: '/admin/appointments-pending?view=tarde',
  left_open: '/admin/appointments-pending?view=tarde',
  nobody_today: '/admin/appointments-pending?view=sin-persona',
  nobody_soon: '/admin/appointments-pending?view=sin-persona',
  to_confirm: '/admin/assignations#por-asignar',
}

const appointmentKinds = Object.keys(appointmentLists) as DeskAppointment['kind'][]

type LineFacts = Pick<WorkLine, 'id' | 'at' | 'title' | 'to' | 'act'> & {
  facts: (string | null | false | undefined)[]
}

/** A line, with how long it waits; facts that there are none of are left out. */
export const lineOf = (kind: WorkKind, now: Date, { facts, ...line }: LineFacts): WorkLine => ({
  ...line,
  kind,
  facts: facts.filter(Boolean).join(' · '),
  wait: workWait(kind, line.at, now),
  task: null,
  takenBy: null,
  isSnoozed: false,
})

const open = (label: string, to: string): WorkAct => ({ how: 'open', label, to })

function appointmentLine(row: DeskAppointment, actor: Actor, now: Date): WorkLine {
  const { assignee, folio, id, kind, municipality, offered, service, startsAt } = row
  const isProposed = kind === 'to_confirm'
  return lineOf(kind, now, {
    id,
    at: startsAt,
    title: row.customer,
    to: appointmentAddress(row),
    facts: [
      startsAt < now && whenWords(startsAt, now),
      assignee && assignee.id !== actor.id && (isProposed ? `con ${assignee.name}` : assignee.name),
      offered && 'Le propusimos otra hora y no ha respondido',
      municipality && municipalityLabel(municipality),
      serviceFacts[service].label,
      folio,
    ],
    act: appointmentAct(row, actor),
  })
}

const appointmentAddress = (row: DeskAppointment) =>
  row.state === 'requested' ? `/admin/assignations/${row.id}` : appointmentPath('pending', row)

function appointmentAct(row: DeskAppointment, actor: Actor): WorkAct {
  const { assignee, kind, version } = row
  if (!assignee) return open('Asignar', appointmentAddress(row))
  if (kind === 'to_confirm') return { how: 'confirm', version, assigneeId: assignee.id }
  const callable = kind === 'late' && assignee.id !== actor.id ? assignee.phone : null
  return callable
    ? { how: 'call', label: `Llamar a ${firstName(assignee.name)}`, phone: callable }
    : open('Ver cita', appointmentAddress(row))
}

const firstName = (name: string) => name.split(' ')[0] ?? name

type Of<Read extends (...args: never[]) => Promise<{ rows: unknown[] } | null>> = NonNullable<
  Awaited<ReturnType<Read>>
>['rows'][number]

function proofLine(row: Of<typeof proofsToReview>, paymentsPath: string | null, now: Date): WorkLine {
  const to = paymentsPath ? `${paymentsPath}?comprobante=${row.folio}` : `${row.to}#comprobante-${row.folio}`
  return lineOf('proof', now, {
    id: row.id,
    at: row.since ?? now,
    title: row.customer,
    to,
    facts: [money(row.amount), conceptLabels[row.concept], row.home, row.folio],
    act: open('Revisar', to),
  })
}

function reportLine(row: Of<typeof sheetsToReview>, now: Date): WorkLine {
  const to = appointmentPath('done', row)
  return lineOf('report', now, {
    id: row.id,
    at: row.submittedAt ?? now,
    title: row.customer,
    to,
    facts: [sheetLabels[row.kind], row.technician, row.returnReason && 'Corregido', row.folio],
    act: open('Revisar', to),
  })
}

function quoteLine(kind: ToQuoteList, row: ToQuote, now: Date): WorkLine {
  const { act, customer: title, folio, id, municipality, since: at, taker, to, why } = row
  const facts = [
    kind === 'to_quote' && why,
    municipality && municipalityLabel(municipality),
    taker && `La tiene ${taker}`,
    folio,
  ]
  return lineOf(kind, now, { id, at, title, to, facts, act: open(act, to) })
}

function refundLine(row: Of<typeof refundsToSettle>, now: Date): WorkLine {
  return lineOf('refund', now, {
    id: row.id,
    at: row.since ?? now,
    title: row.customer,
    to: row.to,
    facts: [money(row.amount), refundStateFacts[row.state].label, row.home, row.folio],
    act: open('Revisar', row.to),
  })
}

function taskLine(task: Task, actor: Actor, now: Date): WorkLine {
  const { appointment, home, id, person, personId, phone, quote, quoteId, reason, subject } = task
  const to = appointment
    ? appointmentPath('pending', appointment)
    : quoteId
      ? `/admin/cotizations/detail-quote/${quoteId}`
      : personId && customerPath(personId)
  const claim = reason !== claimReason ? null : decidesClaims(actor) ? 'decides' : 'waits'
  const line = lineOf(task.urgent ? 'urgent' : quote ? 'quote_changes' : 'task', now, {
    id,
    at: task.createdAt,
    title: person ?? subject,
    to,
    facts: quote
      ? [`«${quote.reason}»`, quote.folio]
      : [claim === 'waits' && 'Decide la gerencia', person && subject],
    act: quote
      ? open(`Hacer versión ${quote.revision + 1}`, `/admin/cotizations/add-quote/${quote.appointmentId}`)
      : phone
        ? { how: 'call', label: `Llamar${person ? ` a ${firstName(person)}` : ''}`, phone }
        : null,
  })
  return { ...line, task: { id, personId, person, phone, home, claim } }
}

/** What an author asks the manager, or the manager's answer, which is for its author. */
function approvalLine(row: Awaited<ReturnType<typeof approvalsAtDesk>>[number], now: Date): WorkLine {
  const to = `/admin/cotizations/add-quote/${row.appointmentId}`
  const about = { id: row.id, title: row.customer, to, at: row.askedAt }
  const facts = [`${row.asker}: ${row.reason}`, row.folio]
  if (row.answer === null) return lineOf('approval', now, { ...about, facts, act: open('Revisar', to) })
  const isApproved = row.answer === 'approved'
  return lineOf('quote_answered', now, {
    ...about,
    at: row.answeredAt ?? now,
    facts: [isApproved ? 'Autorizada: ya puedes enviarla' : `Devuelta: ${row.words}`, row.folio],
    act: open(isApproved ? 'Enviar' : 'Corregir', to),
  })
}

function codeLine(row: Awaited<ReturnType<typeof codesAtDesk>>[number], now: Date): WorkLine {
  return lineOf('code', now, {
    id: row.id,
    at: row.askedAt,
    title: row.text,
    to: agencyPath(row.agencyId, 'codigos'),
    facts: [row.benefit, row.agency, `Lo pide ${row.owner}`],
    act: { how: 'approve', version: row.version },
  })
}

function timeOffLine(row: Awaited<ReturnType<typeof openTimeOffRequests>>[number], now: Date): WorkLine {
  const to = `/admin/users/${row.personId}`
  return lineOf('time_off', now, {
    id: row.id,
    at: row.askedAt,
    title: row.person,
    to,
    facts: [dateSpan(row.from, row.to), row.reason],
    act: open('Responder', to),
  })
}

const officeLabels = {
  call_quote: 'Ver cotización',
  overdue: 'Cobrar',
  fiscal: 'Verificar',
  invoice: 'Emitir',
  case_to_open: 'Abrir trámite',
} as const

/** What waits with a customer's quote, money and papers. */
function officeLine(row: OfficeWork, now: Date): WorkLine {
  const { amount, at, customer, folio, id, kind, phone, to, until } = row
  return lineOf(kind, now, {
    id,
    at,
    title: customer,
    to,
    facts: [
      kind === 'call_quote' && 'Vio su cotización',
      kind === 'fiscal' && 'Por verificar',
      amount !== null && money(amount),
      kind === 'overdue' && phone && formatPhone(phone),
      until && `Vence el ${shortDate(until)}`,
      folio,
    ],
    act:
      kind === 'call_quote' && phone
        ? { how: 'call', label: `Llamar a ${firstName(customer)}`, phone }
        : open(officeLabels[kind], to),
  })
}

type LateCases = Awaited<Reader['cases']>

/** Cases with CFE whose term has passed: one line for all, since their list is sorted by it. */
function lateCasesLines(cases: LateCases, now: Date): WorkLine[] {
  if (!cases?.lateSince) return []
  const to = '/admin/gesties'
  return [
    lineOf('late_cases', now, {
      id: to,
      at: toDate(minuteAt(cases.lateSince, '00:00')),
      title: counted(cases.late, 'trámite atrasado', 'trámites atrasados'),
      to,
      facts: ['Ya pasó la fecha de su paso actual'],
      act: open('Ver', to),
    }),
  ]
}

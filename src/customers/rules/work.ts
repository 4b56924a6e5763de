import type { AppointmentState } from '../../appointments/rules/appointment.ts'
import { isNotBegun } from '../../appointments/rules/late.ts'
import type { Stage, Waiting } from '../../projects/rules/stages.ts'
import type { Settings } from '../../settings/rules/settings-schema.ts'
import { addDays, dayOf, isHoliday, localDate, minuteAt, toDate, toMinutes } from '../../shared/calendar.ts'
import { type Count, countWords } from '../../shared/count.ts'
import {
  counted,
  dayNumber,
  duration,
  localDay,
  monthShort,
  relative,
  time,
  weekdayName,
  weekdayShort,
} from '../../shared/format.ts'
import type { Tone } from '../../shared/state-machine.ts'

type KindFacts = {
  /** What it is, next to the customer's name. */
  label: string
  /** What stands behind how many there are, of one where that differs. */
  one?: string
  many: string
  /** How many hours it may wait before its line says that it waits too long; none where it says how late it is. */
  patienceHours?: number
  /** A person waits at this moment, or a customer is let down today; the rest stands behind its count. */
  urges?: 'now' | 'today'
}

/** What waits for the office, in order of harm: who waits live, what breaks today, then all that may wait. */
export const workKinds = {
  urgent: { label: 'Urgente', one: 'urgente', many: 'urgentes', patienceHours: 1, urges: 'now' },
  approval: {
    label: 'Por autorizar',
    one: 'autorización',
    many: 'autorizaciones',
    patienceHours: 1,
    urges: 'now',
  },
  quote_answered: {
    label: 'Respuesta',
    one: 'respuesta',
    many: 'respuestas',
    patienceHours: 4,
    urges: 'now',
  },
  late: { label: 'Va tarde', many: 'tarde', urges: 'now' },
  nobody_today: { label: 'Sin persona', many: 'sin persona hoy', urges: 'now' },
  nobody_soon: { label: 'Sin persona', many: 'sin persona', urges: 'today' },
  quote_changes: {
    label: 'Pidió cambios',
    one: 'pidió cambios',
    many: 'pidieron cambios',
    patienceHours: 24,
    urges: 'today',
  },
  task: { label: 'Pendiente', one: 'pendiente', many: 'pendientes', patienceHours: 24, urges: 'today' },
  call_quote: { label: 'Llamar hoy', many: 'por llamar', patienceHours: 48, urges: 'today' },
  to_confirm: { label: 'Por confirmar', many: 'por confirmar', urges: 'today' },
  unsent: {
    label: 'Envíos que fallaron',
    one: 'envío que falló',
    many: 'envíos que fallaron',
    patienceHours: 4,
    urges: 'today',
  },
  stopped: {
    label: 'Automáticas',
    one: 'tarea automática',
    many: 'tareas automáticas',
    patienceHours: 4,
    urges: 'today',
  },
  left_open: { label: 'Sin cerrar', many: 'sin cerrar' },
  proof: { label: 'Comprobante', one: 'comprobante', many: 'comprobantes', patienceHours: 24 },
  report: { label: 'Reporte', one: 'reporte', many: 'reportes', patienceHours: 24 },
  to_quote: { label: 'Por cotizar', many: 'por cotizar', patienceHours: 48 },
  no_report: { label: 'Sin reporte', many: 'sin reporte', patienceHours: 48 },
  refund: { label: 'Reembolso', one: 'reembolso', many: 'reembolsos', patienceHours: 72 },
  fiscal: { label: 'Datos fiscales', many: 'RFC por verificar', patienceHours: 48 },
  invoice: { label: 'Factura', one: 'factura', many: 'facturas', patienceHours: 72 },
  overdue: { label: 'Cobro vencido', one: 'vencido', many: 'vencidos' },
  code: { label: 'Código', one: 'código', many: 'códigos', patienceHours: 72 },
  time_off: { label: 'Permiso', one: 'permiso', many: 'permisos', patienceHours: 48 },
  paper: { label: 'Papel', one: 'papel', many: 'papeles', patienceHours: 72 },
  late_cases: { label: 'CFE', one: 'aviso de CFE', many: 'avisos de CFE' },
  case_to_open: {
    label: 'Abrir trámite',
    one: 'trámite por abrir',
    many: 'trámites por abrir',
    patienceHours: 48,
  },
  case: { label: 'En tu turno', one: 'trámite', many: 'trámites', patienceHours: 72, urges: 'today' },
} as const satisfies Record<string, KindFacts>
export type WorkKind = keyof typeof workKinds

const forManagers: readonly WorkKind[] = [
  'nobody_today',
  'nobody_soon',
  'to_confirm',
  'code',
  'time_off',
  'paper',
  'approval',
  'stopped',
]

/** Whether only managers see the lines of a kind. */
export const isForManagers = (kind: WorkKind) => forManagers.includes(kind)

const ranks = Object.keys(workKinds) as WorkKind[]

/** When it began to wait, or when its appointment starts. */
type Ordered = { kind: WorkKind; at: Date; id: string }

/** How many there are of a kind: "4 tarde", "1 autorización". */
export function countedWork(kind: WorkKind, count: Count): string {
  const { many, one = many }: KindFacts = workKinds[kind]
  return `${countWords(count)} ${count.total === 1 ? one : many}`
}

/** Where a line stands at home: before all, today, or behind the count of its kind. Assignments are confirmed until tomorrow's. */
export function urgencyOf({ at, kind }: Pick<Ordered, 'at' | 'kind'>, now: Date): 'now' | 'today' | 'later' {
  const { urges }: KindFacts = workKinds[kind]
  const isFar = kind === 'to_confirm' && localDay(at) > addDays(localDay(now), 1)
  return (!isFar && urges) || 'later'
}

/** The lines in order of harm; of one kind the longest wait, or the soonest appointment, comes first. */
export const byHarm = <Line extends Ordered>(lines: readonly Line[]): Line[] =>
  lines.toSorted(
    (a, b) =>
      ranks.indexOf(a.kind) - ranks.indexOf(b.kind) ||
      a.at.getTime() - b.at.getTime() ||
      (a.id < b.id ? -1 : 1),
  )

/** What a home lists: one kind whole, what its reader took, or what is put off; null is what cannot wait. */
export type WorkView = WorkKind | 'mias' | 'pospuestas' | null

/** How many lines of a kind stand at home, unless a person waits for each. */
const mostAtHome = 10

type Shown = Ordered & { takenBy: string | null; isSnoozed: boolean }

/** The lines of one kind that a view lists: at home those that cannot wait, and where there are none the first. */
export function shownOf<Line extends Shown>(
  own: readonly Line[],
  reader: { id: string },
  view: WorkView,
  now: Date,
): Line[] {
  if (view === 'mias') return own.filter(({ takenBy }) => takenBy === reader.id)
  if (view === 'pospuestas') return own.filter(({ isSnoozed }) => isSnoozed)
  if (view) return own.filter(({ kind }) => kind === view)
  const awake = own.filter(({ isSnoozed }) => !isSnoozed)
  const urging = awake.filter((line) => urgencyOf(line, now) !== 'later')
  if (urging.length === 0) return awake.slice(0, 1)
  return urging.filter((line, n) => n < mostAtHome || urgencyOf(line, now) === 'now')
}

/** What an appointment asks of the office, judged by its row. */
type AppointmentFacts = {
  state: AppointmentState
  assigneeId: string | null
  startsAt: Date
  /** Its customer is asked about another time and has not answered. */
  offered: boolean
}

/** The kinds of work that an appointment is. */
export type AppointmentWork = Extract<
  WorkKind,
  'late' | 'left_open' | 'nobody_soon' | 'nobody_today' | 'to_confirm'
>

/** The local day that a list of work is read on: its midnights. */
export function workDay(now: Date) {
  const { end, start } = dayOf(toMinutes(now))
  return { midnight: toDate(start), tomorrow: toDate(end) }
}

/** What an appointment asks of the office now; null where it asks nothing. */
export function appointmentWork(
  { assigneeId, offered, startsAt, state }: AppointmentFacts,
  now: Date,
): AppointmentWork | null {
  const { midnight, tomorrow } = workDay(now)
  if (!isNotBegun(state)) return null
  if (startsAt < midnight) return 'left_open'
  if (startsAt < now) return 'late'
  if (state === 'requested' && !assigneeId) return startsAt < tomorrow ? 'nobody_today' : 'nobody_soon'
  return state === 'requested' && !offered ? 'to_confirm' : null
}

/** How long a line waits, in words, and whether that is too long. */
export type Wait = { words: string; tone: Tone }

/** "38 min tarde", "Empieza mañana 1:30 p. m.", "Hace 2 horas"; what waits too long has another tone. */
export function workWait(kind: WorkKind, at: Date, now: Date): Wait {
  const minutes = toMinutes(now) - toMinutes(at)
  if (kind === 'late') return { words: `${duration(minutes)} tarde`, tone: 'bad' }
  if (kind === 'overdue') return { words: `Venció ${relative(at, now)}`, tone: 'wait' }
  if (kind === 'late_cases') return { words: `Venció ${relative(at, now)}`, tone: 'bad' }
  if (minutes < 0)
    return { words: `Empieza ${whenWords(at, now).replace(',', '')}`, tone: toneAhead[kind] ?? 'neutral' }
  const { patienceHours = 0 }: KindFacts = workKinds[kind]
  return { words: capital(relative(at, now)), tone: minutes > patienceHours * 60 ? 'wait' : 'neutral' }
}

/** The tone of an appointment that has not begun. */
const toneAhead: Partial<Record<WorkKind, Tone>> = { nobody_today: 'bad', nobody_soon: 'wait' }

const capital = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`

/** "hoy, 9:00 a. m.", "mañana, 9:00 a. m.", "lun 23 nov, 9:00 a. m." */
export function whenWords(at: Date, now: Date): string {
  const day = localDay(at)
  const today = localDay(now)
  const near = day === today ? 'hoy' : day === addDays(today, 1) ? 'mañana' : null
  return `${near ?? `${weekdayShort(day)} ${dayNumber(day)} ${monthShort(day)}`}, ${time(at)}`
}

/** "Tienes 3 cosas por resolver.", and where there is nothing what the page then shows. */
export function workSummary(counts: readonly Count[]): string {
  const total = counts.reduce((sum, one) => sum + one.total, 0)
  if (total === 0) return 'Esto es lo de hoy.'
  const isMore = counts.some((one) => one.isMore)
  return isMore
    ? `Tienes ${countWords({ total, isMore })} cosas por resolver.`
    : `Tienes ${counted(total, 'cosa', 'cosas')} por resolver.`
}

/** What the system did with an appointment that no manager confirmed. */
export type NightOutcome = 'without' | 'replaced' | 'confirmed'
/** What it ended: bookings whose e-mail nobody verified, and quotes, payments and proposed times whose term passed. */
export type NightEnding = 'letGo' | 'quotes' | 'payments' | 'offers'
export type NightCounts = Record<NightOutcome, number> & Partial<Record<NightEnding, number>>

/** When the last working evening before today began: what the system did since then, the manager reads in the morning. */
export function lastEvening({ autoConfirmAt, holidays, hours }: Settings, now: Date): Date {
  const today = localDate(toMinutes(now))
  const before = Array.from({ length: 14 }, (_, n) => addDays(today, -1 - n))
  const isWorked = (date: string) =>
    hours[dayOf(minuteAt(date, '12:00')).weekday] !== null && !isHoliday(date, holidays)
  return toDate(minuteAt(before.find(isWorked) ?? before[0]!, autoConfirmAt))
}

/** "Anoche el sistema confirmó 4, cambió 1 y dejó 1 sin persona."; null where it did nothing. */
export function nightWords(counts: NightCounts, since: Date, now: Date): string | null {
  const { confirmed, letGo = 0, offers = 0, payments = 0, quotes = 0, replaced, without } = counts
  const expired = [
    quotes > 0 && counted(quotes, 'cotización', 'cotizaciones'),
    payments > 0 && counted(payments, 'pago', 'pagos'),
    offers > 0 && counted(offers, 'propuesta de horario', 'propuestas de horario'),
  ].filter((part) => part !== false)
  const done = [
    confirmed > 0 && `confirmó ${counted(confirmed, 'cita', 'citas')}`,
    replaced > 0 && `cambió ${replaced} de persona`,
    without > 0 && `dejó ${without} sin persona`,
    letGo > 0 && `liberó ${letGo} sin correo confirmado`,
    expired.length > 0 && `dio por vencido: ${expired.join(', ')}`,
  ].filter((part) => part !== false)
  if (done.length === 0) return null
  const last = done.pop()
  const isYesterday = localDay(since) === addDays(localDate(toMinutes(now)), -1)
  const when = isYesterday
    ? 'Desde anoche'
    : `Desde el ${weekdayName(dayOf(toMinutes(since)).weekday).toLowerCase()} por la noche`
  return `${when}, el sistema ${[done.join(', '), last].filter(Boolean).join(' y ')}.`
}

/** What the person does whose turn it is, and where it stands: on the customer's home, on a page, or in kinds of work. */
type TurnAct = { act: string; on: 'home' | `/admin${string}` | readonly WorkKind[] }
type TurnActs = Partial<Record<Exclude<Waiting, 'none'>, TurnAct>>

const onTheirHome = (act: string): TurnAct => ({ act, on: 'home' })
const unassigned = [
  'to_confirm',
  'nobody_today',
  'nobody_soon',
  'late',
  'left_open',
  'urgent',
  'task',
] as const satisfies readonly WorkKind[]
const atWork: TurnAct = { act: 'Hacer la cita y enviar su reporte', on: '/admin/appointments-pending' }
/** A fault of an installed charger has its visit, at whatever stage the rest is. */
const ofFault: TurnActs = {
  customer: onTheirHome('Pagar, responder o agendar lo que falta'),
  manager: { act: 'Asignar la cita', on: unassigned },
  technician: atWork,
}

/** Whose turn it can be at each stage, and what they do about it. No stage has a turn that is not here. */
export const turnActs: Record<Stage, TurnActs> = {
  intake: {
    customer: onTheirHome('Dar su domicilio o agendar su visita'),
    manager: { act: 'Decir si llegamos a su domicilio', on: ['task'] },
  },
  advisory: {
    customer: onTheirHome('Responder al horario propuesto'),
    manager: { act: 'Asignar la asesoría', on: unassigned },
    analyst: { act: 'Atender la asesoría', on: '/admin/appointments-pending' },
  },
  visit: {
    customer: onTheirHome('Hablar con un analista, o responder al horario propuesto'),
    manager: { act: 'Asignar la cita', on: unassigned },
    analyst: { act: 'Revisar el reporte, o atender la asesoría', on: ['report', 'late', 'left_open'] },
    technician: atWork,
  },
  quoting: {
    customer: onTheirHome('Responder a su cotización, o pedir otra'),
    analyst: {
      act: 'Cotizar, o conseguir el reporte que falta',
      on: ['to_quote', 'no_report', 'proof', 'quote_changes', 'task'],
    },
  },
  deposit: {
    customer: onTheirHome('Pagar su anticipo'),
    analyst: { act: 'Revisar su comprobante', on: ['proof'] },
  },
  installing: {
    ...ofFault,
    analyst: { act: 'Revisar el registro, el permiso o el pago', on: ['report', 'proof', 'task'] },
  },
  cfe: {
    ...ofFault,
    manager: { act: 'Abrir otro trámite, o asignar la cita', on: ['case_to_open', ...unassigned] },
    gester: { act: 'Mover el trámite', on: '/admin/gesties' },
    cfe: { act: 'Anotar lo que responda CFE', on: '/admin/gesties' },
  },
  closed: ofFault,
  lost: {},
}

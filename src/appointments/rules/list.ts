import { type Actor, isAlly, isCustomer, type Role, type StaffKind } from '../../access/rules/actor.ts'
import { addDays, minuteAt, toDate } from '../../shared/calendar.ts'
import { type DayRange, dayRanges, daysOfRange } from '../../shared/day-range.ts'
import {
  type AppointmentState,
  activeStates,
  appointmentStates,
  doneStates,
  performers,
  type Service,
  services,
} from './appointment.ts'
import { notBegunStates } from './late.ts'

/** The lists of appointments. */
export type ListName = 'pending' | 'done'
export const statesOf: Record<ListName, readonly AppointmentState[]> = {
  pending: activeStates,
  done: doneStates,
}

/** The filters of a list, as its address holds them. */
export type ListFilters = {
  /** '0' to '11'; without a year, that month of every year. */
  month?: string
  year?: string
  /** A local date. */
  day?: string
  /** Local dates: the first and the last day. */
  from?: string
  to?: string
  view?: ViewName
  service?: Service
  state?: AppointmentState
  /** The slug of a municipality. */
  zone?: string
  /** The id of the assignee, or `noPerson`. */
  person?: string
  text?: string
  order?: 'reverse'
}

/** The filter of appointments without an assignee. */
export const noPerson = 'nadie'

/** The figure that a quick filter shows the rows of. */
export const countedBy = (view: ViewName | undefined) => (view ? (views[view] as View).counts : undefined)

/** Where the rows of a figure are: of some local dates, both included, and of a person; null for those without. */
export const rowsPath = (view: ViewName, from: string, to: string, person?: string | null) =>
  `/admin/appointments-done?${new URLSearchParams({ view, from, to, ...(person !== undefined && { person: person ?? noPerson }) })}`

/** A period; its end is excluded. */
export type DateSpan = { from: Date; until: Date }

/**
 * What the office's figures count: visits and installations that began, or whose arrival window ended without them; those
 * that began within it; the others; and what takes the hours of who carries appointments out today.
 */
export type AppointmentFigure = 'due' | 'onTime' | 'late' | 'booked'

type View = {
  label: string
  /** Only what a figure counts, open or closed: the rows behind it, not offered otherwise. */
  counts?: AppointmentFigure
  /** Default: all states of the list. */
  states?: readonly AppointmentState[]
  when?: (now: Date) => DateSpan
  /** Only appointments without an assignee. */
  nobody?: true
  /** Only appointments whose sheet waits for the office's review. */
  inReview?: true
  lists: readonly ListName[]
  kinds: readonly StaffKind[]
}

const office = ['manager', 'analyst'] as const
const everyone = ['manager', 'analyst', 'tecnician', 'gester', 'alliate'] as const
const both = ['pending', 'done'] as const

const counting = <Counts extends AppointmentFigure>(counts: Counts, label: string) =>
  ({ label, counts, states: appointmentStates, lists: ['done'], kinds: office }) as const

/** The quick filters: each is one tap on a list, and is counted by a figure of the home page. */
export const views = {
  hoy: { label: dayRanges.hoy.label, when: spanOf('hoy'), lists: both, kinds: everyone },
  manana: { label: dayRanges.manana.label, when: spanOf('manana'), lists: ['pending'], kinds: everyone },
  semana: { label: dayRanges.semana.label, when: spanOf('semana'), lists: both, kinds: everyone },
  'proxima-semana': {
    label: dayRanges['proxima-semana'].label,
    when: spanOf('proxima-semana'),
    lists: ['pending'],
    kinds: everyone,
  },
  'en-ruta': {
    label: 'En camino o en curso',
    states: ['en_route', 'in_progress', 'paused'],
    lists: ['pending'],
    kinds: office,
  },
  tarde: {
    label: 'Tarde',
    states: notBegunStates,
    when: (now) => ({ from: everBefore, until: now }),
    lists: ['pending'],
    kinds: office,
  },
  'sin-persona': {
    label: 'Sin persona',
    states: ['requested'],
    nobody: true,
    lists: ['pending'],
    kinds: office,
  },
  'por-revisar': {
    label: 'Por revisar',
    states: ['done'],
    inReview: true,
    lists: ['done'],
    kinds: office,
  },
  puntualidad: counting('due', 'Citas por empezar'),
  'a-tiempo': counting('onTime', 'Citas a tiempo'),
  'con-retraso': counting('late', 'Citas tarde'),
  ocupacion: counting('booked', 'Horas reservadas'),
} as const satisfies Record<string, View>
export type ViewName = keyof typeof views
export const viewNames = Object.keys(views) as ViewName[]

const everBefore = toDate(minuteAt('1900-01-01', '00:00'))
const everAfter = toDate(minuteAt('3000-01-01', '00:00'))
const localMidnight = (date: string) => toDate(minuteAt(date, '00:00'))

function spanOf(range: DayRange) {
  return (now: Date) => daysSpan(...daysOfRange(range, now))
}

/** The quick filters that a kind of staff has on a list. */
export const viewsFor = (list: ListName, kind: StaffKind): ViewName[] =>
  viewNames.filter((name) => {
    const { lists, kinds }: View = views[name]
    return lists.includes(list) && kinds.includes(kind)
  })

/** Further filters of a kind of staff; a row cannot be found by data that the viewer may not see. */
const seenColumns: Record<StaffKind, readonly ('zone' | 'person')[]> = {
  manager: ['zone', 'person'],
  analyst: ['zone', 'person'],
  tecnician: ['zone'],
  gester: ['zone'],
  alliate: [],
}
export const mayNarrowBy = (column: 'zone' | 'person', kind: StaffKind) => seenColumns[kind].includes(column)

/** Keeps the filters that a kind of staff may use on a list and ignores the others. */
export function filtersFor(list: ListName, kind: StaffKind, filters: ListFilters): ListFilters {
  const { view, state, zone, person, ...rest } = filters
  return {
    ...rest,
    ...(view && viewsFor(list, kind).includes(view) && { view }),
    ...(state && statesOf[list].includes(state) && { state }),
    ...(zone && mayNarrowBy('zone', kind) && { zone }),
    ...(person && mayNarrowBy('person', kind) && { person }),
  }
}

/** Filters resolved to conditions: states, services, periods, and so on. */
export type ListConditions = {
  states: readonly AppointmentState[]
  services: readonly Service[]
  spans: readonly DateSpan[]
  nobody: boolean
  inReview: boolean
  counts: AppointmentFigure | undefined
}

/** The conditions of filters at this moment. `years` are the first and the last year for a month without a year. */
export function wantedOf(
  list: ListName,
  { view, state, service, ...when }: ListFilters,
  now: Date,
  years: readonly [first: number, last: number],
): ListConditions {
  const { states = statesOf[list], nobody, inReview, counts }: Partial<View> = view ? views[view] : {}
  return {
    states: state ? states.filter((one) => one === state) : states,
    services: service ? [service] : services,
    spans: spansOf({ ...(view && { view }), ...when }, now, years),
    nobody: nobody ?? false,
    inReview: inReview ?? false,
    counts,
  }
}

function spansOf(
  { view, day, from, to, month, year }: ListFilters,
  now: Date,
  years: readonly [number, number],
) {
  const { when }: Partial<View> = view ? views[view] : {}
  const whole = { from: everBefore, until: everAfter }
  const within = [when?.(now) ?? whole, daysSpan(day, day), daysSpan(from, to)]
  return calendarSpans(month, year, years).flatMap((span) => {
    const shared = within.reduce(common, span)
    return shared.from < shared.until ? [shared] : []
  })
}

/** From the first day to the last, each open where it is not given. */
const daysSpan = (first: string | undefined, last: string | undefined): DateSpan => ({
  from: first ? localMidnight(first) : everBefore,
  until: last ? localMidnight(addDays(last, 1)) : everAfter,
})

const common = (one: DateSpan, other: DateSpan): DateSpan => ({
  from: new Date(Math.max(one.from.getTime(), other.from.getTime())),
  until: new Date(Math.min(one.until.getTime(), other.until.getTime())),
})

function calendarSpans(
  month: string | undefined,
  year: string | undefined,
  [first, last]: readonly [number, number],
): DateSpan[] {
  if (month === undefined && year === undefined) return [{ from: everBefore, until: everAfter }]
  const years = year === undefined ? range(first, last) : [Number(year)]
  return years.map((one) => {
    const start = month === undefined ? firstOf(one, 0) : firstOf(one, Number(month))
    const end = month === undefined ? firstOf(one + 1, 0) : firstOf(one, Number(month) + 1)
    return { from: localMidnight(start), until: localMidnight(end) }
  })
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n)

/** The first day of a month counted from 0; month 12 is January of the year after. */
const firstOf = (year: number, month: number) =>
  `${String(year + Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`

/** A figure of the home page: the number of rows of a list under these filters, its link, and what follows the number. */
type Figure = {
  label: string
  one: string
  many: string
  path: string
  list: ListName
  filters: ListFilters
}

const pending = (label: string, [one, many]: readonly [string, string], filters: ListFilters): Figure => ({
  label,
  one,
  many,
  path: '/admin/appointments-pending',
  list: 'pending',
  filters,
})
const done: Figure = {
  label: 'Citas realizadas',
  one: 'cita realizada',
  many: 'citas realizadas',
  path: '/admin/appointments-done',
  list: 'done',
  filters: {},
}
const upcoming = pending('Próximas citas', ['próxima cita', 'próximas citas'], {})
const todaysFigure = pending('Hoy', ['cita hoy', 'citas hoy'], { view: 'hoy' })
const week = pending('Esta semana', ['cita esta semana', 'citas esta semana'], { view: 'semana' })

/** The home page figures of each kind; the gester's work comes from the cases. */
const byKind: Record<StaffKind, (actor: Actor) => readonly Figure[]> = {
  manager: () => [
    upcoming,
    todaysFigure,
    pending('En camino o en curso', ['en camino o en curso', 'en camino o en curso'], { view: 'en-ruta' }),
  ],
  analyst: ({ id }) => [
    pending('Tus llamadas de hoy', ['llamada tuya hoy', 'llamadas tuyas hoy'], {
      view: 'hoy',
      service: 'videocall',
      person: id,
    }),
    pending('Llamadas de hoy', ['llamada hoy', 'llamadas hoy'], { view: 'hoy', service: 'videocall' }),
    upcoming,
    done,
  ],
  tecnician: () => [todaysFigure, week, done],
  gester: () => [],
  alliate: () => [week, upcoming, done],
}

export const figuresFor = (actor: Actor): readonly Figure[] => (actor.kind ? byKind[actor.kind](actor) : [])

/** The address of the list that a figure counts. */
export function addressOf({ path, filters }: Figure): string {
  const query = new URLSearchParams(filters as Record<string, string>).toString()
  return `${path}${query && `?${query}`}`
}

/** The kinds with a daily route of their own. */
export const hasOwnDay = ({ kind }: { kind: StaffKind | null }) => performers.some((one) => one === kind)

/** Whether a user has appointments of their own to export to a calendar: customers and field staff. */
export const hasOwnAppointments = (user: { role: Role; kind: StaffKind | null }) =>
  isCustomer(user) || hasOwnDay(user)

/** Who reads no more of an appointment than its customer's first name, its state, service and date: no folio either. */
export const readsFirstNamesOnly = isAlly

/** How many past and future days a subscribed calendar contains. */
export const feedDays = { past: 30, ahead: 60 } as const

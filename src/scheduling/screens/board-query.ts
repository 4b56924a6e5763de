import { type Service, services } from '../../appointments/rules/appointment.ts'
import type { BoardFilter } from '../../dispatch/rules/board.ts'
import { addDays, localDate, minuteAt, toMinutes } from '../../shared/calendar.ts'
import { isMunicipality, type MunicipalitySlug, municipalities } from '../../shared/places.ts'

/** What the address of the board asks for. */
export type BoardQuery = {
  /** The day shown, or one of the week shown. */
  date: string
  today: string
  view: 'day' | 'week'
  /** Beside the day a map, of every way (todos) or with one person's in front (their id); null without it. */
  map: string | null
  zones: MunicipalitySlug[]
  service: Service | undefined
  /** Of the queue, only what is unassigned. */
  nobody: boolean
  after: string | undefined
}

export const boardPath = '/admin/assignations'

const isDate = /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** A local date of an address; an invalid one becomes `otherwise`. */
export function dateIn(text: string | null, otherwise: string): string {
  if (!text || !isDate.test(text)) return otherwise
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text) ? text : otherwise
}

const isTime = /^([01]\d|2[0-3]):[0-5]\d$/

/** A time of day of an address ("13:00"); undefined where it is none. */
export const timeIn = (text: string | null) => (text && isTime.test(text) ? text : undefined)

/** The start that an address asks for (`?dia=2026-11-24&hora=10:30`), in epoch minutes; null where it names none. */
export function startIn({ searchParams }: URL): number | null {
  const date = dateIn(searchParams.get('dia'), '')
  const time = timeIn(searchParams.get('hora'))
  return date && time ? minuteAt(date, time) : null
}

const isMapOf = /^(todos|[0-9a-f-]{36})$/

/** Reads the board's address; invalid values are left out, never an error. Without a day its date is empty. */
export function boardQueryOf({ searchParams }: Pick<URL, 'searchParams'>, now: Date): BoardQuery {
  const today = localDate(toMinutes(now))
  const after = searchParams.get('after')
  return {
    date: dateIn(searchParams.get('dia'), ''),
    today,
    view: searchParams.get('vista') === 'semana' ? 'week' : 'day',
    map: isMapOf.exec(searchParams.get('mapa') ?? '')?.[0] ?? null,
    zones: [...new Set(searchParams.getAll('zona'))].filter(isMunicipality),
    service: services.find((service) => service === searchParams.get('service')),
    nobody: searchParams.get('persona') === 'nadie',
    after: after && after.length <= 60 ? after : undefined,
  }
}

/** The address of the board with something changed. It always names the day: without one the board chooses it. */
export function boardLink(query: BoardQuery, change: Partial<BoardQuery> = {}, anchor = ''): string {
  return `${boardPath}?${searchOf({ ...query, after: undefined, ...change })}${anchor}`
}

const searchOf = ({ date, view, map, zones, service, nobody, after }: BoardQuery) =>
  new URLSearchParams([
    ['dia', date],
    ...(view === 'week' ? [['vista', 'semana']] : []),
    ...(map ? [['mapa', map]] : []),
    ...zones.map((zone) => ['zona', zone]),
    ...(service ? [['service', service]] : []),
    ...(nobody ? [['persona', 'nadie']] : []),
    ...(after ? [['after', after]] : []),
  ])

/** In the address of a screen that leads back to a board: what that one's address asked for. */
const boardKey = 'tablero'

/** The address of a screen that leads back to this board. */
export const fromBoard = (path: string, query: BoardQuery) =>
  withBoard(path, { [boardKey]: `${searchOf({ ...query, after: undefined })}` })

/** The board that a screen leads back to, for the addresses of the screens that follow it. */
export function keptBoard({ searchParams }: Pick<URL, 'searchParams'>): Record<string, string> {
  const kept = searchParams.get(boardKey)
  return kept === null ? {} : { [boardKey]: kept }
}

/** An address that keeps the board to lead back to. */
export const withBoard = (path: string, kept: Record<string, string>) =>
  Object.keys(kept).length === 0
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(kept)}`

/**
 * The board that a screen leads back to, as its own address says; without one that of a date, or the board as it opens.
 * What an address says is read as the board reads its own, so that it leads nowhere else.
 */
export function boardBehind(url: Pick<URL, 'searchParams'>, now: Date, date: string): string {
  const search = new URLSearchParams(keptBoard(url)[boardKey])
  const query = boardQueryOf({ searchParams: search }, now)
  if (query.date) return boardLink(query)
  return date ? `${boardPath}?dia=${date}` : boardPath
}

/** The day, or the week, some steps away. */
export const stepped = ({ date, view }: BoardQuery, steps: number) =>
  addDays(date, view === 'week' ? 7 * steps : steps)

/** The filter as the board's own rules take it: zones by number. */
export const boardFilterOf = ({ zones, service }: BoardQuery): BoardFilter => ({
  zones: municipalities.filter(({ slug }) => zones.includes(slug)).map(({ index }) => index),
  service,
})

/** The address of the plan of a board's day and zones; it keeps what else the board shows. */
export const planLink = (query: BoardQuery) => `${boardPath}/plan?${searchOf({ ...query, after: undefined })}`

export const newAppointmentPath = '/admin/assignations/nueva'

/** Where a service is booked for a customer who calls; with what is chosen so far. */
export const forCaller = (customerId: string, service: Service = 'technical_visit', chosen: object = {}) =>
  `${newAppointmentPath}?${new URLSearchParams({ cliente: customerId, servicio: service, ...chosen })}`

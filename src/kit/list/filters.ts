import { type DayFilters, type DayRange, dayRanges, withDays } from '../../shared/day-range.ts'
import { monthNames } from '../../shared/format.ts'
import { isMunicipality, municipalitiesOf, regionGroups } from '../../shared/places.ts'
import { tidy } from '../../shared/text.ts'
import type { Option, OptionGroup } from '../form/field.tsx'

export type Choices = readonly (Option | OptionGroup)[]

/** What narrows or orders a list: how it is read from an address and, with a label, chosen in a form. */
export type Filter<Value extends string = string> = {
  /** Undefined for an invalid value. */
  read: (text: string) => Value | undefined
  label?: string
  choices?: Choices
  /** What chooses none of them. */
  all?: string | undefined
  /** Set by other controls: the form keeps it. */
  isKept?: boolean
  /** Which part of the list it shows: kept, and no filter that could be taken off. */
  isTab?: boolean
  placeholder?: string
  maxLength?: number
}
export type FilterTable = Readonly<Record<string, Filter>>
type Read<Declared extends FilterTable> = {
  [Name in keyof Declared]?: Exclude<ReturnType<Declared[Name]['read']>, undefined>
}

/** One of these values. */
export const oneOf = <Value extends string>(values: readonly Value[]): Filter<Value> => ({
  read: (text) => values.find((value) => value === text),
})

/** A text of this pattern. */
export const matching = (pattern: RegExp): Filter => ({
  read: (text) => (pattern.test(text) ? text : undefined),
})

export const anId = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)

/** An id, or the value for rows without one. */
export const anIdOr = (none: string): Filter => ({
  read: (text) => (text === none ? text : anId.read(text)),
})

type Words = string | { label: string }

/** The choices that a table of labels holds. */
export const choicesOf = (table: Readonly<Record<string, Words>> | ArrayLike<Words>): Option[] =>
  Object.entries(table).map(([value, words]) => ({
    value,
    label: typeof words === 'string' ? words : words.label,
  }))

/** One of the values of a table of labels. */
export function choiceFilter<Value extends string>(
  label: string,
  table: Readonly<Record<Value, Words>> | ArrayLike<Words>,
  all?: string,
): Filter<Value> {
  const choices = choicesOf(table)
  return { ...oneOf(choices.map(({ value }) => value as Value)), label, choices, all }
}

/** The order of a list: usual, or another by its name. */
export const orders = <Order extends string>(usual: string, others: Readonly<Record<Order, string>>) =>
  choiceFilter('Orden', others, usual)

/** '0' to '11'. */
export const aMonth = choiceFilter<string>('Mes', monthNames)
export const aYear: Filter = { ...matching(/^(19|20)\d\d$/), label: 'Año' }

/** Words to look for, of at most so many characters. */
export const searched = (placeholder = '', maxLength = 100): Filter => ({
  placeholder,
  maxLength,
  read(text) {
    const words = tidy(text)
    return words.length > 0 && words.length <= maxLength ? words : undefined
  },
})

/** A local date. */
export const aDate: Filter = {
  read(text) {
    if (!/^(19|20)\d\d-\d\d-\d\d$/.test(text)) return undefined
    const at = new Date(`${text}T00:00:00Z`)
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined
  },
}

/** One of the municipalities served. */
export const aZone: Filter = {
  label: 'Zona',
  all: 'Todas',
  read: (text) => (isMunicipality(text) ? text : undefined),
  choices: regionGroups.map(({ id, label }) => ({
    label,
    options: municipalitiesOf(id).map(({ slug, label: name }) => ({ value: slug, label: name })),
  })),
}

/** What narrows a list to days. */
export const dayFilters = {
  range: { ...oneOf(Object.keys(dayRanges) as DayRange[]), isKept: true },
  from: aDate,
  to: aDate,
}

/** The filters of an address, and the place in its list; invalid values are left out, never an error. */
export function readFilters<Declared extends FilterTable>(
  declared: Declared,
  { searchParams }: URL,
  place: Filter = anId,
): { filters: Read<Declared>; after: string | undefined; place: Place } {
  const sentAs = (name: string, { read }: Filter) => {
    const sent = searchParams.getAll(name).at(-1)
    return sent === undefined ? undefined : read(sent)
  }
  const read = Object.entries(declared).map(([name, filter]) => [name, sentAs(name, filter)])
  const filters = Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Read<Declared>
  const after = sentAs('after', place)
  const page = Number(sentAs('page', matching(/^[1-9]\d{0,5}$/)) ?? 0)
  const before = (sentAs('trail', matching(/^.{1,2000}$/)) ?? '').split('.')
  const trail = before.filter((one) => place.read(one) !== undefined)
  return { filters, after, place: after ? { after, page, trail } : { after, page: 1, trail: [] } }
}

/**
 * Where a page stands in its list: after this row; its number, 0 where its address does not say it; and the places of the
 * pages between the first and this one. A page is found by the row before it (docs/decisions/0034), so the way back is
 * carried along.
 */
type Place = { after: string | undefined; page: number; trail: readonly string[] }

/** How many pages lead back one by one; from there back leads to the first. */
const longestTrail = 20

export type Filters = Readonly<Record<string, string | undefined>>

/** The query of an address that holds these filters; empty for none. */
export function listQuery(filters: Filters): string {
  const query = new URLSearchParams(filters as Record<string, string>).toString()
  return query && `?${query}`
}

/** A list without any filter, in the tab that is shown. */
export const wholePath = (
  { filters: declared, path }: { path: string; filters: FilterTable },
  filters: Filters,
) => path + listQuery(Object.fromEntries(Object.entries(filters).filter(([name]) => declared[name]?.isTab)))

export type Pages = { page: number; previous: string | null; next: string | null }

/** The addresses of the pages before and after, null where there is none. `next` is the last row of this page. */
export function pageLinks(filters: Filters, { after, page, trail }: Place, next: string | null): Pages {
  const to = (place: Place) =>
    listQuery({
      ...filters,
      ...(place.after && { after: place.after }),
      ...(place.after && place.page > 1 && { page: String(place.page) }),
      ...(place.trail.length > 0 && { trail: place.trail.join('.') }),
    }) || '?'
  const passed = after ? [...trail, after].slice(-longestTrail) : []
  return {
    page,
    previous: after ? to({ after: trail.at(-1), page: page && page - 1, trail: trail.slice(0, -1) }) : null,
    next: next && to({ after: next, page: page && page + 1, trail: passed }),
  }
}

/** What a list's query is asked: days by their dates, and the row before the page. */
type Asked<Allowed> = Omit<Allowed, 'range'> & { after?: string }

/** What an address asks of a list: its filters, of those that the reader is `allowed`, and how its page is answered. */
export function readList<Declared extends FilterTable, Allowed extends Filters = Read<Declared>>(
  list: { filters: Declared; place?: Filter },
  url: URL,
  now: Date,
  allowed: (filters: Read<Declared>) => Allowed = (filters) => filters as unknown as Allowed,
) {
  const { after, filters: read, place } = readFilters(list.filters, url, list.place)
  const filters = allowed(read)
  return {
    filters,
    after,
    asked: { ...withDays(filters as DayFilters, now), ...(after && { after }) } as Asked<Allowed>,
    page: <Page extends { next: string | null }>({ next, ...page }: Page) => ({
      ...page,
      filters,
      pages: pageLinks(filters, place, next),
    }),
  }
}

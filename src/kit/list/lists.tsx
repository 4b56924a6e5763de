import { Search } from 'lucide-react'
import { type ChangeEvent, type ReactNode, useEffect, useRef } from 'react'
import { Form as SearchForm, useNavigate } from 'react-router'
import { yearsForFilter } from '../../appointments/rules/appointment.ts'
import { type Count, type ListOrder, rangeWords } from '../../shared/count.ts'
import { tidy } from '../../shared/text.ts'
import { Button, buttonClass, LinkButton } from '../../ui/button.tsx'
import { Details } from '../../ui/card.tsx'
import type { Sorting } from '../../ui/data-table.tsx'
import { FileLinks } from '../../ui/figure-table.tsx'
import { useEverTrue } from '../../ui/hydrated.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { isChanged } from '../form/dirty-forms.ts'
import { Field, type Option, type OptionGroup, Select } from '../form/field.tsx'

type FilterDetailsProps = {
  /** How many of the choices narrow the list now; with any, they are open. */
  count: number
  /** The list without any of them, where no other control of the screen links to it. */
  path?: string
  children: ReactNode
}

/** The filters of a list beside its search, folded until they are used. */
function FilterDetails({ count, path, children }: FilterDetailsProps) {
  // The filter that was just taken back is still in use.
  const open = useEverTrue(count > 0)
  return (
    <Details summary={count > 0 ? `Filtros (${count})` : 'Filtros'} open={open}>
      <div className="grid gap-3 min-[22rem]:grid-cols-2 lg:grid-cols-3">{children}</div>
      <noscript>
        <Button type="submit" variant="ghost" className="max-sm:w-full">
          Filtrar
        </Button>
      </noscript>
      {path && count > 0 && (
        <LinkButton variant="ghost" to={path} className="sm:justify-self-start">
          Quitar filtros
        </LinkButton>
      )}
    </Details>
  )
}

type SearchBoxProps = { placeholder: string; value: string | undefined; maxLength?: number }

/** The search of every list: the box, and the button that sends it. */
const SearchBox = ({ placeholder, value, maxLength = 100 }: SearchBoxProps) => (
  <div className="flex items-end gap-3">
    <Field
      label="Buscar"
      name="text"
      type="search"
      optional="unsaid"
      enterKeyHint="search"
      placeholder={placeholder}
      maxLength={maxLength}
      defaultValue={value}
      className="min-w-0 flex-1"
    />
    <Button type="submit" variant="ghost">
      <Search aria-hidden className="size-5" />
      <span className="max-sm:sr-only">Buscar</span>
    </Button>
  </div>
)

/** What a list is narrowed by is kept in its address: read here, shown in a plain form, and carried by its links. */

/** Reads the value of a filter; undefined for an invalid one. */
type Reader<Value extends string> = (text: string) => Value | undefined
type Readers = Readonly<Record<string, Reader<string>>>
type Read<Schema extends Readers> = { [Name in keyof Schema]?: Exclude<ReturnType<Schema[Name]>, undefined> }

/** One of these values. */
export const oneOf =
  <Value extends string>(values: readonly Value[]): Reader<Value> =>
  (text) =>
    values.find((value) => value === text)

/** A text of this pattern. */
export const matching =
  (pattern: RegExp): Reader<string> =>
  (text) =>
    pattern.test(text) ? text : undefined

/** An id. */
export const anId = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)

/** A list's order, turned round. */
export const anOrder = oneOf(['reverse'])

/** The same, or by one of these columns, either way round. */
export const ordersBy = <Column extends string>(...columns: readonly Column[]) =>
  oneOf<ListOrder<Column>>([
    'reverse',
    ...columns.flatMap((column) => [column, `${column}-reverse`] as const),
  ])

/**
 * The link of a column that a list can be ordered by: the list's usual order where it has no name. It orders the list by it,
 * as `first` says, or turns that round.
 */
export function sortedBy(
  { order, ...filters }: Filters,
  first: 'ascending' | 'descending',
  column?: string,
): Sorting {
  const [one, turned] = column ? [column, `${column}-reverse`] : [undefined, 'reverse']
  const to = (order: string | undefined) => listQuery({ ...filters, ...(order && { order }) }) || '?'
  if (order === one) return { now: first, to: to(turned) }
  const other = first === 'ascending' ? 'descending' : 'ascending'
  return { now: order === turned ? other : undefined, to: to(one) }
}

/** The same as a choice among the filters: cards have no headers. `others` are in words by their order. */
export const orderField = (usual: string, others: Readonly<Record<string, string>>): FilterField => ({
  name: 'order',
  label: 'Orden',
  choices: choicesOf(others),
  all: usual,
})

/** '0' to '11'. */
export const aMonth = matching(/^([0-9]|1[01])$/)
export const aYear = matching(/^(19|20)\d\d$/)

/** Words to look for, of at most so many characters. */
export const searched =
  (most = 100): Reader<string> =>
  (text) => {
    const words = tidy(text)
    return words.length > 0 && words.length <= most ? words : undefined
  }

/** The filters of an address, and the place in its list; invalid values are left out, never an error. */
export function readFilters<Schema extends Readers>(
  schema: Schema,
  { searchParams }: URL,
  place: Reader<string> = anId,
): { filters: Read<Schema>; after: string | undefined; place: Place } {
  const valueOfFilter = (name: string, read: Reader<string>) => {
    const sent = searchParams.getAll(name).at(-1)
    return sent === undefined ? undefined : read(sent)
  }
  const read = Object.entries(schema).map(([name, reader]) => [name, valueOfFilter(name, reader)])
  const filters = Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Read<Schema>
  const after = valueOfFilter('after', place)
  const page = Number(valueOfFilter('page', matching(/^[1-9]\d{0,5}$/)) ?? 0)
  const before = (valueOfFilter('trail', matching(/^.{1,2000}$/)) ?? '').split('.')
  const trail = before.filter((one) => place(one) !== undefined)
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

type Filters = Readonly<Record<string, string | undefined>>

/** The query of an address that holds these filters; empty for none. */
export function listQuery(filters: Filters): string {
  const query = new URLSearchParams(filters as Record<string, string>).toString()
  return query && `?${query}`
}

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
  const [back, forth] = [page && page - 1, page && page + 1]
  const passed = after ? [...trail, after].slice(-longestTrail) : []
  return {
    page,
    previous: after ? to({ after: trail.at(-1), page: back, trail: trail.slice(0, -1) }) : null,
    next: next && to({ after: next, page: forth, trail: passed }),
  }
}

type ListPagesProps = {
  pages: Pages
  rows: readonly unknown[]
  count: Count
  /** The rows of a full page, where they are not as many as usual. */
  size?: number
}

/** Which rows of how many these are, and the pages before and after; a single page says so too. */
export const ListPages = ({ count, pages, rows, size }: ListPagesProps) => (
  <Pagination previous={pages.previous} next={pages.next}>
    {pages.page > 0 && rows.length > 0 && rangeWords(pages.page, rows.length, count, size)}
  </Pagination>
)

type Choices = readonly (Option | OptionGroup)[]

/** A filter to choose; `all` is what chooses none of them. */
export type FilterField = { name: string; label: string; choices: Choices; all?: string }

type FilterBarProps = {
  /** The list without any filter. */
  path: string
  filters: Filters
  /** What the words are looked for in. */
  placeholder: string
  maxLength?: number
  /** The other parameters of the address: they stay as they are. */
  kept?: Readonly<Record<string, string>> | undefined
  fields: readonly FilterField[]
  /** Whether another control of the screen removes the filters. */
  clearsElsewhere?: boolean
  /** Shown below the fields. */
  children?: ReactNode
}

/** Shows the address's filters in the form's fields, but for the one in use: the form stays, and the focus in it. */
function useFieldsOf(filters: Filters) {
  const form = useRef<HTMLFormElement>(null)
  const shown = useRef(filters)
  useEffect(() => {
    if (JSON.stringify(shown.current) === JSON.stringify(filters)) return
    shown.current = filters
    for (const field of form.current?.elements ?? []) {
      const isSelect = field instanceof HTMLSelectElement
      if (!(isSelect || field instanceof HTMLInputElement) || field === document.activeElement) continue
      const value = filters[field.name] ?? ''
      if (field.type === 'checkbox') (field as HTMLInputElement).checked = value !== ''
      else if (field.type !== 'hidden') field.value = value
    }
  }, [filters])
  return form
}

/** What narrows a list: kept in the address, sent as a plain form; a choice applies at once, words when they are sent. */
export function FilterBar({ filters, kept = {}, path, fields, ...bar }: FilterBarProps) {
  const form = useFieldsOf(filters)
  const navigate = useNavigate()
  const apply = (all: HTMLFormElement) => {
    const sent = [...new FormData(all)].filter(([, value]) => value !== '')
    navigate(`${path}${listQuery(Object.fromEntries(sent) as Filters)}`, { preventScrollReset: true })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was chosen before scripts ran is heard once.
  useEffect(() => {
    if ([...form.current!.querySelectorAll('select')].some(isChanged)) apply(form.current!)
  }, [])
  const chosen = Object.keys(filters).filter(
    (name) => name !== 'text' && name !== 'order' && !Object.hasOwn(kept, name),
  )
  return (
    <SearchForm
      ref={form}
      onChange={({ currentTarget, target }: ChangeEvent<HTMLFormElement>) => {
        if (target.type !== 'search' && target.validity.valid) apply(currentTarget)
      }}
      method="get"
      action={path}
      role="search"
      // What a browser would put back was not chosen now.
      autoComplete="off"
      className="grid items-end gap-3"
    >
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SearchBox placeholder={bar.placeholder} value={filters.text} maxLength={bar.maxLength ?? 100} />
      {fields.length > 0 && (
        <FilterDetails count={chosen.length} {...(!bar.clearsElsewhere && { path })}>
          {fields.map(({ all = 'Todos', choices, label, name }) => (
            <Select
              key={name}
              label={label}
              name={name}
              optional="unsaid"
              placeholder={all}
              options={choices}
              defaultValue={filters[name]}
            />
          ))}
          {bar.children}
        </FilterDetails>
      )}
    </SearchForm>
  )
}

/** The choices that a table of labels holds. */
export const choicesOf = (table: Readonly<Record<string, string | { label: string }>>): Option[] =>
  Object.entries(table).map(([value, words]) => ({
    value,
    label: typeof words === 'string' ? words : words.label,
  }))

/** The choices among what has an id and a name. */
export const namedChoices = (named: readonly { id: string; name: string }[]): Option[] =>
  named.map(({ id, name }) => ({ value: id, label: name }))

/** The years to choose from: the usual ones, and those that a list has besides. */
export const yearChoices = (years: readonly number[]): Option[] =>
  yearsForFilter(years).map((year) => ({ value: String(year), label: String(year) }))

/** The links that download a list as a file. */
export const ExportLinks = ({ to }: { to: string }) => <FileLinks to={to} className={buttonClass('ghost')} />

import { Download, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Form as SearchForm } from 'react-router'
import { yearsForFilter } from '../../domain/appointments/appointment.ts'
import { tidy } from '../../domain/shared/text.ts'
import { Button, buttonClass, LinkButton } from '../ui/button.tsx'
import { Details } from '../ui/card.tsx'
import { Field, type Option, type OptionGroup, Select } from '../ui/field.tsx'

type FilterDetailsProps = {
  /** How many of the choices narrow the list now; with any, they are open. */
  count: number
  /** The list without any of them, where no other control of the screen links to it. */
  path?: string
  children: ReactNode
}

/** The filters of a list beside its search, folded until they are used. */
const FilterDetails = ({ count, path, children }: FilterDetailsProps) => (
  <Details summary={count > 0 ? `Filtros (${count})` : 'Filtros'} open={count > 0}>
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-3">{children}</div>
    <div className="flex gap-3">
      <Button type="submit" variant="ghost" className="max-sm:flex-1">
        Filtrar
      </Button>
      {path && count > 0 && (
        <LinkButton variant="ghost" to={path}>
          Quitar filtros
        </LinkButton>
      )}
    </div>
  </Details>
)

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
): { filters: Read<Schema>; after: string | undefined } {
  const valueOfFilter = (name: string, read: Reader<string>) => {
    const sent = searchParams.getAll(name).at(-1)
    return sent === undefined ? undefined : read(sent)
  }
  const read = Object.entries(schema).map(([name, reader]) => [name, valueOfFilter(name, reader)])
  const filters = Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Read<Schema>
  return { filters, after: valueOfFilter('after', place) }
}

type Filters = Readonly<Record<string, string | undefined>>

/** The query of an address that holds these filters; empty for none. */
export function listQuery(filters: Filters): string {
  const query = new URLSearchParams(filters as Record<string, string>).toString()
  return query && `?${query}`
}

/** The addresses of a list's first page, null where it is shown, and of the next, null where there is none. */
export const pageLinks = (filters: Filters, after: string | undefined, next: string | null) => ({
  first: after ? listQuery(filters) || '?' : null,
  next: next && listQuery({ ...filters, after: next }),
})

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
  kept?: Readonly<Record<string, string>>
  fields: readonly FilterField[]
  /** Whether another control of the screen removes the filters. */
  clearsElsewhere?: boolean
  /** Shown below the fields. */
  children?: ReactNode
}

/** What narrows a list: kept in the address, sent as a plain form. */
export function FilterBar({ filters, kept = {}, path, fields, ...bar }: FilterBarProps) {
  const chosen = Object.keys(filters).filter((name) => name !== 'text' && !Object.hasOwn(kept, name))
  return (
    // Another address is another form: a filter removed elsewhere must not stay in its box.
    <SearchForm
      key={JSON.stringify(filters)}
      method="get"
      action={path}
      role="search"
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

/** The link that downloads a list as a file. */
export const ExportLink = ({ to, children = 'Exportar CSV' }: { to: string; children?: ReactNode }) => (
  <a className={buttonClass('ghost')} href={to} download>
    <Download aria-hidden className="size-5" />
    {children}
  </a>
)

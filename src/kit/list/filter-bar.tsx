import { Search, X } from 'lucide-react'
import { type ChangeEvent, type ReactNode, useEffect, useRef } from 'react'
import { Form as SearchForm, useNavigate } from 'react-router'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Details } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useEverTrue } from '../../ui/hydrated.ts'
import { Link } from '../../ui/link.tsx'
import { isChanged } from '../form/dirty-forms.ts'
import { Field, type Option, Select } from '../form/field.tsx'
import { useInSight } from '../in-sight.ts'
import { type Choices, type Filter, type Filters, listQuery, wholePath } from './filters.ts'

type Named = { id: string; name: string }

/**
 * The choices of filters where they depend on data or on the reader: values of those declared, years, or what has an id
 * and a name; null for no field, 'kept' where another control of the screen sets it.
 */
export type OfferedChoices = Readonly<
  Record<string, readonly (string | number | Named)[] | null | 'kept' | undefined>
>

type SearchedList = { path: string; filters: Readonly<Record<string, Filter>> }

const fieldsOf = ({ filters }: SearchedList, offers: OfferedChoices) =>
  Object.entries(filters).flatMap(([name, { all = 'Todos', choices, label }]) => {
    const offered = offers[name]
    if (!label || offered === null || offered === 'kept') return []
    const options = offered ? offered.map((one) => optionOf(one, choices)) : choices
    return options ? [{ name, label, options, placeholder: all }] : []
  })

function optionOf(offered: string | number | Named, choices: Choices = []): Option {
  if (typeof offered === 'object') return { value: offered.id, label: offered.name }
  const value = String(offered)
  const declared = choices.find((one) => 'value' in one && one.value === value)
  return { value, label: declared ? String(declared.label) : value }
}

type FilterBarProps = {
  list: SearchedList
  filters: Filters
  offers?: OfferedChoices | undefined
  /** What the words are looked for in, where it depends on the reader. */
  placeholder?: string | undefined
  /** Whether another control of the screen removes the filters. */
  clearsElsewhere?: boolean | undefined
  /** Shown below the fields. */
  children?: ReactNode
}

/** What narrows a list: kept in the address, sent as a plain form; a choice applies at once, words when they are sent. */
export function FilterBar({ list, filters, offers = {}, clearsElsewhere = false, ...bar }: FilterBarProps) {
  const { path } = list
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
  const fields = fieldsOf(list, offers)
  const isKept = (name: string) => {
    const declared = list.filters[name]
    return declared?.isKept || declared?.isTab || offers[name] === 'kept'
  }
  const chosen = Object.keys(filters).filter((name) => name !== 'text' && name !== 'order' && !isKept(name))
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
      {Object.entries(filters).map(
        ([name, value]) => isKept(name) && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {list.filters.text && (
        <SearchBox text={list.filters.text} placeholder={bar.placeholder} value={filters.text} />
      )}
      {fields.length > 0 && (
        <FilterDetails count={chosen.length} {...(!clearsElsewhere && { path: wholePath(list, filters) })}>
          {fields.map((field) => (
            <Select key={field.name} {...field} optional="unsaid" defaultValue={filters[field.name]} />
          ))}
          {list.filters.from && (
            <>
              <DateField label="Desde" name="from" value={filters.from} />
              <DateField label="Hasta" name="to" value={filters.to} />
            </>
          )}
          {bar.children}
        </FilterDetails>
      )}
    </SearchForm>
  )
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

type SearchBoxProps = { text: Filter; placeholder: string | undefined; value: string | undefined }

/** The search of every list: the box, and the button that sends it. */
const SearchBox = ({ text, placeholder = text.placeholder, value }: SearchBoxProps) => (
  <div className="flex items-end gap-3">
    <Field
      label="Buscar"
      name="text"
      type="search"
      optional="unsaid"
      enterKeyHint="search"
      placeholder={placeholder}
      maxLength={text.maxLength}
      defaultValue={value}
      className="min-w-0 flex-1"
    />
    <Button type="submit" variant="ghost">
      <Search aria-hidden className="size-5" />
      <span className="max-sm:sr-only">Buscar</span>
    </Button>
  </div>
)

/** While its year is being typed it is before the first day, and so no filter yet. */
const DateField = ({ value, ...named }: { label: string; name: string; value: string | undefined }) => (
  <Field {...named} type="date" min="1900-01-01" max="2099-12-31" optional="unsaid" defaultValue={value} />
)

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

type FilterChipProps = { isOn: boolean; to: string; children: ReactNode }

/** A filter of one tap. An active one says so, and a second tap removes it. */
export const FilterChip = ({ isOn, to, children }: FilterChipProps) => (
  <Link
    to={to}
    prefetch="intent"
    preventScrollReset
    aria-current={isOn || undefined}
    className={classNames(
      'flex min-h-11 items-center gap-1.5 rounded-full border px-4 text-[0.9375rem] font-medium whitespace-nowrap no-underline',
      isOn ? 'border-transparent bg-brand text-on-brand' : 'border-line bg-card text-ink hover:bg-hover',
    )}
  >
    {children}
    {isOn && (
      <>
        <X aria-hidden className="size-4" />
        <span className="sr-only">: quitar este filtro</span>
      </>
    )}
  </Link>
)

type FilterChipsProps = {
  /** What they choose among. */
  label: string
  path: string
  filters: Filters
  /** Each with the filters that it sets; one replaces another, and days that were typed. */
  chips: readonly { label: string; count?: string; sets: Readonly<Record<string, string>> }[]
  /** On a phone many chips stay in one line, which scrolls within itself. */
  oneLine?: boolean
}

const inLine =
  'relative -m-1 flex min-w-0 gap-2 p-1 *:shrink-0 max-lg:overflow-x-auto max-lg:pb-2 max-lg:[scrollbar-width:thin] lg:flex-wrap'

/** The filters of one tap of a list; the others stay as they are. */
export function FilterChips({ label, path, filters, chips, oneLine = false }: FilterChipsProps) {
  const line = useInSight<HTMLElement>('[aria-current]', listQuery(filters))
  const own = new Set(chips.flatMap(({ sets }) => Object.keys(sets)))
  const replaced = own.has('range') ? [...own, 'from', 'to'] : [...own]
  const others = Object.fromEntries(Object.entries(filters).filter(([name]) => !replaced.includes(name)))
  return (
    <nav
      ref={oneLine ? line : undefined}
      aria-label={label}
      className={oneLine ? inLine : 'flex flex-wrap gap-2'}
    >
      {chips.map(({ count, label: words, sets }) => {
        const isOn = [...own].every((name) => filters[name] === sets[name])
        return (
          <FilterChip
            key={words}
            isOn={isOn}
            to={`${path}${listQuery(isOn ? others : { ...others, ...sets })}`}
          >
            {words}
            {count !== undefined && (
              <span className={classNames('tabular-nums', !isOn && 'text-mute')}>{count}</span>
            )}
          </FilterChip>
        )
      })}
    </nav>
  )
}

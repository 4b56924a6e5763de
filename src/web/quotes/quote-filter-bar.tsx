import { Form as SearchForm } from 'react-router'
import { months, yearsForFilter } from '../../domain/options.ts'
import { type QuoteState, quoteStateFacts } from '../../domain/quote.ts'
import type { QuoteFilters } from '../../domain/quote-list.ts'
import { FilterDetails } from '../ui/filter-details.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Select } from '../ui/select.tsx'
import { listPath } from './list-query.ts'

type Named = readonly { id: string; name: string }[]

type QuoteFilterBarProps = {
  filters: QuoteFilters
  years: readonly number[]
  states: readonly QuoteState[]
  /** Null for those who may not narrow by them. */
  makers: Named | null
  agencies: Named | null
  /** What the words are looked for in. */
  placeholder: string
}

const all = { optional: 'unsaid', placeholder: 'Todos' } as const
const every = { ...all, placeholder: 'Todas' } as const
const choices = (named: Named) => named.map(({ id, name }) => ({ value: id, label: name }))

/** What narrows the list: kept in the address, sent as a plain form. */
export function QuoteFilterBar({ filters, placeholder, ...offered }: QuoteFilterBarProps) {
  const { text, ...chosen } = filters
  return (
    // Another address is another form: a filter taken off elsewhere must not stay in its box.
    <SearchForm
      key={JSON.stringify(filters)}
      method="get"
      action={listPath}
      role="search"
      className="grid items-end gap-3"
    >
      <SearchBox placeholder={placeholder} value={text} />
      <FilterDetails count={Object.keys(chosen).length} path={listPath}>
        <Choices filters={filters} {...offered} />
      </FilterDetails>
    </SearchForm>
  )
}

type ChoicesProps = Omit<QuoteFilterBarProps, 'placeholder'>

function Choices({ filters, years, states, makers, agencies }: ChoicesProps) {
  return (
    <>
      <Select
        {...all}
        label="Estado"
        name="state"
        options={states.map((state) => ({ value: state, label: quoteStateFacts[state].label }))}
        defaultValue={filters.state}
      />
      <Select {...all} label="Mes" name="month" options={months} defaultValue={filters.month} />
      <Select
        {...all}
        label="Año"
        name="year"
        options={yearsForFilter(years).map((year) => ({ value: String(year), label: String(year) }))}
        defaultValue={filters.year}
      />
      {makers && (
        <Select
          {...all}
          label="Analista"
          name="analyst"
          options={choices(makers)}
          defaultValue={filters.analyst}
        />
      )}
      {agencies && (
        <Select
          {...every}
          label="Concesionaria"
          name="agency"
          options={choices(agencies)}
          defaultValue={filters.agency}
        />
      )}
    </>
  )
}

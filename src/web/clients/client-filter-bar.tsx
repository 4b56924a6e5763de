import { Form as SearchForm } from 'react-router'
import { type ClientFilters, clientStageLabels, clientStages } from '../../domain/client.ts'
import type { ClientOptions } from '../../server/clients/options.ts'
import { FilterDetails } from '../ui/filter-details.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Select } from '../ui/select.tsx'
import { listPath } from './list-query.ts'

const stages = clientStages.map((stage) => ({ value: stage, label: clientStageLabels[stage] }))
const all = { optional: 'unsaid', placeholder: 'Todos' } as const

type ClientFilterBarProps = {
  filters: ClientFilters
  options: ClientOptions
  /** The list without any of them, where it is not the ally's own. */
  path?: string
  /** Where the form goes, and what its address says besides. */
  action?: string
  kept?: Readonly<Record<string, string>>
}

/** What narrows the list: kept in the address, sent as a plain form. */
export function ClientFilterBar({
  filters,
  options,
  path = listPath,
  action = path,
  kept = {},
}: ClientFilterBarProps) {
  const { text, ...chosen } = filters
  return (
    // Another address is another form: a filter taken off elsewhere must not stay in its box.
    <SearchForm
      key={JSON.stringify(filters)}
      method="get"
      action={action}
      role="search"
      className="grid items-end gap-3"
    >
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SearchBox placeholder="Nombre" value={text} />
      <FilterDetails count={Object.keys(chosen).length} path={path}>
        <Select
          {...all}
          label="Etapa"
          name="stage"
          placeholder="Todas"
          options={stages}
          defaultValue={filters.stage}
        />
        <Select {...all} label="Código" name="code" options={options.codes} defaultValue={filters.code} />
        <Select {...all} label="Aliado" name="ally" options={options.allies} defaultValue={filters.ally} />
      </FilterDetails>
    </SearchForm>
  )
}

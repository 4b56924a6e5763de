import { Form as SearchForm } from 'react-router'
import { codeStates } from '../../domain/code.ts'
import type { CodeFilters } from '../../domain/code-list.ts'
import { FilterDetails } from '../ui/filter-details.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Select } from '../ui/select.tsx'

type CodeFilterBarProps = {
  filters: CodeFilters
  /** Where the list is. */
  path: string
  /** What its address says besides. */
  kept?: Record<string, string>
}

/** What narrows the list of codes: kept in the address, sent as a plain form. */
export const CodeFilterBar = ({ filters, path, kept = {} }: CodeFilterBarProps) => (
  // Its boxes take what the address says anew whenever that changes from elsewhere, as by "Quitar filtros".
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
    <SearchBox placeholder="Código o para qué es" value={filters.text} maxLength={80} />
    <FilterDetails count={filters.state ? 1 : 0} path={`${path}?${new URLSearchParams(kept)}`}>
      <Select
        label="Estado"
        name="state"
        optional="unsaid"
        placeholder="Todos"
        options={Object.entries(codeStates).map(([value, label]) => ({ value, label }))}
        defaultValue={filters.state}
      />
    </FilterDetails>
  </SearchForm>
)

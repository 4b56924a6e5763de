import { Form as SearchForm } from 'react-router'
import type { AgencyFilters } from '../../server/agencies/queries.ts'
import { FilterDetails } from '../ui/filter-details.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Select } from '../ui/select.tsx'

const path = '/admin/agencies'

/** What narrows the list: kept in the address, sent as a plain form. */
export function AgencyFilterBar({ filters }: { filters: AgencyFilters }) {
  return (
    // Its boxes take what the address says anew whenever that changes from elsewhere, as by "Quitar filtros".
    <SearchForm
      key={JSON.stringify(filters)}
      method="get"
      action={path}
      role="search"
      className="grid items-end gap-3"
    >
      <SearchBox placeholder="Nombre, marca o contacto" value={filters.text} maxLength={120} />
      <FilterDetails count={filters.active ? 1 : 0} path={path}>
        <Select
          label="Estado"
          name="active"
          optional="unsaid"
          placeholder="Todos"
          options={[
            { value: 'yes', label: 'Activas' },
            { value: 'no', label: 'Inactivas' },
          ]}
          defaultValue={filters.active}
        />
      </FilterDetails>
    </SearchForm>
  )
}

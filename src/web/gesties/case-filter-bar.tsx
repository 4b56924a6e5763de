import { Form as SearchForm } from 'react-router'
import { caseKindLabels, caseStateFacts, caseTurnLabels } from '../../domain/cfe-case.ts'
import type { CaseFilters } from '../../domain/cfe-list.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { FilterDetails } from '../ui/filter-details.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Select } from '../ui/select.tsx'
import { casesPath } from './list-query.ts'

type Named = readonly { id: string; name: string }[]
/** `gesters` is null for those who see their own only. */
type CaseFilterBarProps = { filters: CaseFilters; gesters: Named | null }

const all = { optional: 'unsaid', placeholder: 'Todos' } as const
const options = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))
const states = Object.fromEntries(Object.entries(caseStateFacts).map(([name, { label }]) => [name, label]))
const { none: _, ...turns } = caseTurnLabels

/** What narrows the list of cases: kept in the address, sent as a plain form. */
export function CaseFilterBar({ filters, gesters }: CaseFilterBarProps) {
  const { text, ...chosen } = filters
  return (
    // Another address is another form: a filter taken off elsewhere must not stay in its box.
    <SearchForm
      key={JSON.stringify(filters)}
      method="get"
      action={casesPath}
      role="search"
      className="grid items-end gap-3"
    >
      <SearchBox placeholder="Folio, cliente o número de servicio" value={text} />
      <FilterDetails count={Object.keys(chosen).length} path={casesPath}>
        <Select {...all} label="Turno de" name="turn" options={options(turns)} defaultValue={filters.turn} />
        <Select {...all} label="Estado" name="state" options={options(states)} defaultValue={filters.state} />
        <Select
          {...all}
          label="Trámite"
          name="kind"
          options={options(caseKindLabels)}
          defaultValue={filters.kind}
        />
        {gesters && (
          <Select
            {...all}
            label="Gestor"
            name="gester"
            options={[
              { value: 'nadie', label: 'Sin gestor' },
              ...gesters.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            defaultValue={filters.gester}
          />
        )}
        <Checkbox
          label="Ver los terminados"
          name="over"
          value="1"
          defaultChecked={filters.over === true}
          className="col-span-full"
        />
      </FilterDetails>
    </SearchForm>
  )
}

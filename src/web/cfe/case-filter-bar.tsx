import { type CaseFilters, caseKindLabels, caseStateFacts, caseTurnLabels } from '../../domain/cfe/case.ts'
import { choicesOf, FilterBar, namedChoices } from '../lib/lists.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { casesPath } from './list-query.ts'

type Named = readonly { id: string; name: string }[]
/** `gesters` is null for those who see their own only. */
type CaseFilterBarProps = { filters: CaseFilters; gesters: Named | null }

const { none: _, ...turns } = caseTurnLabels
const nobody = { value: 'nadie', label: 'Sin gestor' }

/** What narrows the list of cases. */
export const CaseFilterBar = ({ filters, gesters }: CaseFilterBarProps) => (
  <FilterBar
    path={casesPath}
    filters={filters}
    placeholder="Folio, cliente o número de servicio"
    fields={[
      { name: 'turn', label: 'Turno de', choices: choicesOf(turns) },
      { name: 'state', label: 'Estado', choices: choicesOf(caseStateFacts) },
      { name: 'kind', label: 'Trámite', choices: choicesOf(caseKindLabels) },
      ...(gesters ? [{ name: 'gester', label: 'Gestor', choices: [nobody, ...namedChoices(gesters)] }] : []),
    ]}
  >
    <Checkbox
      label="Ver los terminados"
      name="over"
      value="1"
      defaultChecked={filters.over !== undefined}
      className="col-span-full"
    />
  </FilterBar>
)

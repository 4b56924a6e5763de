import { type ClientFilters, clientStageLabels } from '../../domain/agencies/clients.ts'
import type { ClientOptions } from '../../server/agencies/options.ts'
import { choicesOf, FilterBar } from '../lib/lists.tsx'

type ClientFilterBarProps = {
  filters: ClientFilters
  options: ClientOptions
  /** The list without any of them. */
  path: string
  /** Where the form goes, and what its address says besides. */
  action?: string
  kept?: Readonly<Record<string, string>>
}

/** What narrows a list of clients. */
export const ClientFilterBar = ({ options, ...where }: ClientFilterBarProps) => (
  <FilterBar
    {...where}
    placeholder="Nombre"
    fields={[
      { name: 'stage', label: 'Etapa', choices: choicesOf(clientStageLabels), all: 'Todas' },
      { name: 'code', label: 'Código', choices: options.codes },
      { name: 'ally', label: 'Aliado', choices: options.allies },
    ]}
  />
)

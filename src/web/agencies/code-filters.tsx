import { type CodeFilters, type CodeState, codeStates } from '../../domain/agencies/codes.ts'
import { choicesOf, FilterBar, oneOf, searched } from '../lib/lists.tsx'

export const codeFilters = {
  text: searched(80),
  state: oneOf(Object.keys(codeStates) as CodeState[]),
}

const fields = [{ name: 'state', label: 'Estado', choices: choicesOf(codeStates) }]

type CodeFilterBarProps = {
  filters: CodeFilters
  /** Where the list is. */
  path: string
  /** What its address says besides. */
  kept?: Record<string, string>
}

/** What narrows a list of codes. */
export const CodeFilterBar = ({ filters, path, kept = {} }: CodeFilterBarProps) => (
  <FilterBar
    path={`${path}?${new URLSearchParams(kept)}`}
    action={path}
    filters={filters}
    kept={kept}
    placeholder="Código o para qué es"
    maxLength={80}
    fields={fields}
  />
)

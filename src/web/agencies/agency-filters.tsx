import { Form as SearchForm } from 'react-router'
import type { AgencyFilters } from '../../server/agencies/queries.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'

/** What narrows the list: kept in the address, sent as a plain form. */
export function AgencyFilterBar({ filters }: { filters: AgencyFilters }) {
  return (
    // Its boxes take what the address says anew whenever that changes from elsewhere, as by "Limpiar".
    <SearchForm
      key={JSON.stringify(filters)}
      method="get"
      action="/admin/agencies"
      role="search"
      className="grid items-end gap-3 sm:grid-cols-[1fr_12rem_auto]"
    >
      <Field
        label="Buscar"
        name="text"
        type="search"
        optional="unsaid"
        enterKeyHint="search"
        maxLength={120}
        placeholder="Nombre, marca o contacto"
        defaultValue={filters.text}
      />
      <Select
        label="Estado"
        name="active"
        optional="unsaid"
        placeholder="Todas"
        options={[
          { value: 'yes', label: 'Activas' },
          { value: 'no', label: 'Inactivas' },
        ]}
        defaultValue={filters.active}
      />
      <div className="flex gap-3">
        <Button type="submit" variant="ghost" className="flex-1">
          Filtrar
        </Button>
        <LinkButton variant="ghost" to="/admin/agencies">
          Limpiar
        </LinkButton>
      </div>
    </SearchForm>
  )
}

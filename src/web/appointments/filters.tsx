import { Form as SearchForm } from 'react-router'
import { type AppointmentState, stateFacts } from '../../domain/appointment.ts'
import { months, yearsForFilter } from '../../domain/options.ts'
import { serviceFacts, services } from '../../domain/services.ts'
import type { Filters } from '../../server/appointments/lists.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Select } from '../ui/select.tsx'

type FilterBarProps = {
  filters: Filters
  years: readonly number[]
  states: readonly AppointmentState[]
  path: string
}

/** What narrows a list: kept in the address, sent as a plain form. */
export function FilterBar({ filters, years, states, path }: FilterBarProps) {
  return (
    <SearchForm method="get" action={path} className="grid grid-cols-2 items-end gap-3 lg:grid-cols-5">
      <Select
        label="Mes"
        name="month"
        optional="unsaid"
        placeholder="Todos"
        options={months}
        defaultValue={filters.month}
      />
      <Select
        label="Año"
        name="year"
        optional="unsaid"
        placeholder="Todos"
        options={yearsForFilter([...years]).map((year) => ({ value: String(year), label: String(year) }))}
        defaultValue={filters.year}
      />
      <Select
        label="Servicio"
        name="service"
        optional="unsaid"
        placeholder="Todos"
        options={services.map((service) => ({ value: service, label: serviceFacts[service].label }))}
        defaultValue={filters.service}
      />
      <Select
        label="Estado"
        name="state"
        optional="unsaid"
        placeholder="Todos"
        options={states.map((state) => ({ value: state, label: stateFacts[state].label }))}
        defaultValue={filters.state}
      />
      <div className="col-span-2 flex gap-3 lg:col-span-1">
        <Button type="submit" variant="ghost" className="flex-1">
          Filtrar
        </Button>
        <LinkButton variant="ghost" to={path}>
          Limpiar
        </LinkButton>
      </div>
    </SearchForm>
  )
}

import { Form as SearchForm } from 'react-router'
import { type AppointmentState, stateFacts } from '../../domain/appointment.ts'
import type { ListFilters } from '../../domain/appointment-list.ts'
import { months, yearsForFilter } from '../../domain/options.ts'
import { municipalitiesOf, regionGroups } from '../../domain/regions.ts'
import { serviceFacts, services } from '../../domain/services.ts'
import { FilterDetails } from '../ui/filter-details.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Select } from '../ui/select.tsx'

export type FilterBarProps = {
  filters: ListFilters
  years: readonly number[]
  states: readonly AppointmentState[]
  path: string
  narrowsByZone: boolean
  /** Who can be chosen; null where one may not narrow by who goes. */
  people: readonly { id: string; name: string }[] | null
}

/** What narrows a list: kept in the address, sent as a plain form. */
export function FilterBar({ path, ...narrowing }: FilterBarProps) {
  const { filters, narrowsByZone, people } = narrowing
  // Whoever is told no place is told no folio either.
  const known = narrowsByZone ? 'Folio o nombre' : 'Nombre'
  const placeholder = people ? 'Folio, nombre, correo o teléfono' : known
  const { text, view, day, ...chosen } = filters
  return (
    // Another address is another form: a filter taken off elsewhere must not stay in its box.
    <SearchForm
      key={JSON.stringify(filters)}
      method="get"
      action={path}
      role="search"
      className="grid items-end gap-3"
    >
      {view && <input type="hidden" name="view" value={view} />}
      {day && <input type="hidden" name="day" value={day} />}
      <SearchBox placeholder={placeholder} value={text} />
      <FilterDetails count={Object.keys(chosen).length}>
        <Choices {...narrowing} />
      </FilterDetails>
    </SearchForm>
  )
}

const all = { optional: 'unsaid', placeholder: 'Todos' } as const
const every = { ...all, placeholder: 'Todas' } as const
const zones = regionGroups.map(({ id, label }) => ({
  label,
  options: municipalitiesOf(id).map(({ slug, label: name }) => ({ value: slug, label: name })),
}))

function Choices({ filters, years, states, narrowsByZone, people }: Omit<FilterBarProps, 'path'>) {
  return (
    <>
      <Select {...all} label="Mes" name="month" options={months} defaultValue={filters.month} />
      <Select
        {...all}
        label="Año"
        name="year"
        options={yearsForFilter([...years]).map((year) => ({ value: String(year), label: String(year) }))}
        defaultValue={filters.year}
      />
      <Select
        {...all}
        label="Servicio"
        name="service"
        options={services.map((service) => ({ value: service, label: serviceFacts[service].label }))}
        defaultValue={filters.service}
      />
      <Select
        {...all}
        label="Estado"
        name="state"
        options={states.map((state) => ({ value: state, label: stateFacts[state].label }))}
        defaultValue={filters.state}
      />
      {narrowsByZone && (
        <Select {...every} label="Zona" name="zone" options={zones} defaultValue={filters.zone} />
      )}
      {people && (
        <Select
          {...every}
          label="Persona"
          name="person"
          options={people.map(({ id, name }) => ({ value: id, label: name }))}
          defaultValue={filters.person}
        />
      )}
    </>
  )
}

import { Search } from 'lucide-react'
import { Form as SearchForm } from 'react-router'
import { type AppointmentState, stateFacts } from '../../domain/appointment.ts'
import type { ListFilters } from '../../domain/appointment-list.ts'
import { months, yearsForFilter } from '../../domain/options.ts'
import { municipalitiesOf, regionGroups } from '../../domain/regions.ts'
import { serviceFacts, services } from '../../domain/services.ts'
import { Button } from '../ui/button.tsx'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
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
  const { filters, people } = narrowing
  const { text, view, day, ...chosen } = filters
  const count = Object.keys(chosen).length
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
      <div className="flex items-end gap-3">
        <Field
          label="Buscar"
          name="text"
          type="search"
          optional="unsaid"
          enterKeyHint="search"
          placeholder={people ? 'Folio, nombre, correo o teléfono' : 'Folio o nombre'}
          maxLength={100}
          defaultValue={text}
          className="min-w-0 flex-1"
        />
        <Button type="submit" variant="ghost">
          <Search aria-hidden className="size-5" />
          <span className="max-sm:sr-only">Buscar</span>
        </Button>
      </div>
      <Details summary={count > 0 ? `Filtros (${count})` : 'Filtros'} open={count > 0}>
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-3">
          <Choices {...narrowing} />
        </div>
        <Button type="submit" variant="ghost" className="lg:justify-self-start">
          Filtrar
        </Button>
      </Details>
    </SearchForm>
  )
}

const all = { optional: 'unsaid', placeholder: 'Todos' } as const
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
        <Select {...all} label="Zona" name="zone" options={zones} defaultValue={filters.zone} />
      )}
      {people && (
        <Select
          {...all}
          label="Persona"
          name="person"
          options={people.map(({ id, name }) => ({ value: id, label: name }))}
          defaultValue={filters.person}
        />
      )}
    </>
  )
}

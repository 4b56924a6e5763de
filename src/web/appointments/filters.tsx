import {
  type AppointmentState,
  months,
  serviceFacts,
  services,
  stateFacts,
} from '../../domain/appointments/appointment.ts'
import type { ListFilters } from '../../domain/appointments/list.ts'
import { municipalitiesOf, regionGroups } from '../../domain/shared/places.ts'
import { FilterBar, type FilterField, namedChoices, yearChoices } from '../lib/lists.tsx'

export type AppointmentFilterBarProps = {
  filters: ListFilters
  years: readonly number[]
  states: readonly AppointmentState[]
  path: string
  narrowsByZone: boolean
  /** Who can be chosen; null where one may not narrow by who goes. */
  people: readonly { id: string; name: string }[] | null
}

/** What narrows a list of appointments; the quick filters stay, and take all of them off. */
export function AppointmentFilterBar({ path, filters, ...offered }: AppointmentFilterBarProps) {
  const { narrowsByZone, people } = offered
  // Whoever is told no place is told no folio either.
  const known = narrowsByZone ? 'Folio o nombre' : 'Nombre'
  const { day, view } = filters
  return (
    <FilterBar
      path={path}
      filters={filters}
      kept={{ ...(view && { view }), ...(day && { day }) }}
      placeholder={people ? 'Folio, nombre, correo o teléfono' : known}
      fields={fieldsFor(offered)}
      clearsElsewhere
    />
  )
}

const zones = regionGroups.map(({ id, label }) => ({
  label,
  options: municipalitiesOf(id).map(({ slug, label: name }) => ({ value: slug, label: name })),
}))

type Offered = Omit<AppointmentFilterBarProps, 'path' | 'filters'>

const fieldsFor = ({ narrowsByZone, people, states, years }: Offered): FilterField[] => [
  { name: 'month', label: 'Mes', choices: months },
  { name: 'year', label: 'Año', choices: yearChoices(years) },
  {
    name: 'service',
    label: 'Servicio',
    choices: services.map((value) => ({ value, label: serviceFacts[value].label })),
  },
  {
    name: 'state',
    label: 'Estado',
    choices: states.map((value) => ({ value, label: stateFacts[value].label })),
  },
  ...(narrowsByZone ? [{ name: 'zone', label: 'Zona', choices: zones, all: 'Todas' }] : []),
  ...(people ? [{ name: 'person', label: 'Persona', choices: namedChoices(people), all: 'Todas' }] : []),
]

import { Form as SearchForm } from 'react-router'
import { kindLabels, staffKinds } from '../../domain/actor.ts'
import type { AgencyName } from '../../server/users/agency-names.ts'
import { FilterDetails } from '../ui/filter-details.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Select } from '../ui/select.tsx'
import type { Asked } from './list-filters.ts'

type UserFilterBarProps = {
  asked: Asked
  agencies: readonly AgencyName[]
  manages: boolean
  /** Whether there is more than one kind of people to look for. */
  byKind: boolean
}

const path = '/admin/users'
const all = { optional: 'unsaid', placeholder: 'Todos' } as const
const every = { ...all, placeholder: 'Todas' } as const
const kinds = staffKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))
const roles = [
  { value: 'customer', label: 'Clientes' },
  { value: 'staff', label: 'Equipo' },
]
const standings = [
  { value: 'yes', label: 'Activas' },
  { value: 'no', label: 'Inactivas' },
  { value: 'blocked', label: 'Bloqueadas' },
]

/** What narrows the list of people: kept in the address, sent as a plain form. */
export function UserFilterBar({ asked, agencies, manages, byKind }: UserFilterBarProps) {
  const { text, role, kind, active, agency } = asked
  const count = [role, kind, active, agency].filter(Boolean).length
  return (
    <SearchForm
      key={JSON.stringify(asked)}
      method="get"
      action={path}
      role="search"
      className="grid items-end gap-3"
    >
      <SearchBox placeholder="Nombre, correo o teléfono" value={text} />
      {byKind && (
        <FilterDetails count={count} path={path}>
          {manages && <Select {...all} label="Rol" name="role" options={roles} defaultValue={role} />}
          <Select {...all} label="Puesto" name="kind" options={kinds} defaultValue={kind} />
          {manages && (
            <Select {...every} label="Cuenta" name="active" options={standings} defaultValue={active} />
          )}
          {manages && (
            <Select
              {...every}
              label="Concesionaria"
              name="agency"
              options={agencies.map(({ id, name }) => ({ value: id, label: name }))}
              defaultValue={agency}
            />
          )}
        </FilterDetails>
      )}
    </SearchForm>
  )
}

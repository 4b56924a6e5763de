import { Form as SearchForm } from 'react-router'
import { kindLabels, staffKinds } from '../../domain/actor.ts'
import type { AgencyName } from '../../server/users/agency-names.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import type { Asked } from './list-filters.ts'

type UserFilterBarProps = { asked: Asked; agencies: readonly AgencyName[]; manages: boolean }

const kinds = staffKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))
const roles = [
  { value: 'customer', label: 'Clientes' },
  { value: 'staff', label: 'Equipo' },
]
const standings = [
  { value: 'yes', label: 'Activas' },
  { value: 'no', label: 'Inactivas' },
]

/** What narrows the list of people: kept in the address, sent as a plain form. */
export function UserFilterBar({ asked, agencies, manages }: UserFilterBarProps) {
  const all = { optional: 'unsaid', placeholder: 'Todos' } as const
  return (
    <SearchForm
      method="get"
      action="/admin/users"
      role="search"
      className="grid grid-cols-2 items-end gap-3 lg:grid-cols-4"
    >
      <Field
        label="Buscar"
        name="text"
        type="search"
        optional="unsaid"
        enterKeyHint="search"
        placeholder="Nombre, correo o teléfono"
        maxLength={100}
        defaultValue={asked.text}
        className="col-span-2"
      />
      {manages && <Select {...all} label="Rol" name="role" options={roles} defaultValue={asked.role} />}
      <Select
        {...all}
        label="Puesto"
        name="kind"
        options={kinds}
        defaultValue={asked.kind}
        className={manages ? undefined : 'max-lg:col-span-2'}
      />
      {manages && (
        <Select {...all} label="Cuenta" name="active" options={standings} defaultValue={asked.active} />
      )}
      {manages && (
        <Select
          {...all}
          label="Concesionaria"
          name="agency"
          options={agencies.map(({ id, name }) => ({ value: id, label: name }))}
          defaultValue={asked.agency}
        />
      )}
      <div className={classNames('col-span-2 flex gap-3', !manages && 'lg:col-span-1')}>
        <Button type="submit" variant="ghost" className="flex-1">
          Buscar
        </Button>
        <LinkButton variant="ghost" to="/admin/users">
          Limpiar
        </LinkButton>
      </div>
    </SearchForm>
  )
}

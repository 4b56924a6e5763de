import { Select } from '../../kit/form/field.tsx'
import type { AgencyName } from '../queries.ts'

type AgencySelectProps = { agencies: readonly AgencyName[]; chosen?: string | null }

/** The agency of an ally; shown, also without JavaScript, only while that role is chosen in its `group`. */
export function AgencySelect({ agencies, chosen = null }: AgencySelectProps) {
  return (
    <Select
      label="Concesionaria"
      name="agencyId"
      placeholder="Elige una"
      options={agencies.map(({ id, name, active }) => ({
        value: id,
        label: active ? name : `${name} (inactiva)`,
        disabled: !active && id !== chosen,
      }))}
      defaultValue={chosen}
      className="hidden group-has-[option[value=alliate]:checked]:grid"
    />
  )
}

import { dwellingLabels, parkingLabels } from '../../domain/projects/address.ts'
import type { AddressRow } from '../../server/platform/database/schema/projects.ts'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'

const options = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** What the place is like. */
export function HomeFields({ address }: { address: AddressRow | null }) {
  return (
    <Card title="Cómo es">
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label="Tipo de vivienda"
          name="dwelling"
          placeholder="Elige una opción"
          options={options(dwellingLabels)}
          defaultValue={address?.dwelling}
        />
        <Select
          label="Estacionamiento"
          name="parking"
          placeholder="Elige una opción"
          options={options(parkingLabels)}
          defaultValue={address?.parking}
        />
        <Field
          className="sm:col-span-2"
          label="Número de servicio de CFE"
          name="cfeServiceNumber"
          optional
          inputMode="numeric"
          defaultValue={address?.cfeServiceNumber ?? ''}
          help="12 dígitos; está en tu recibo de luz."
        />
      </div>
    </Card>
  )
}

import { type Charger, type Vehicle, vehicleInWords } from '../../domain/projects/equipment.ts'
import { Details } from '../ui/details.tsx'
import { Form, useFormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { EquipmentBoxes } from './equipment-fields.tsx'

type EquipmentCardProps = {
  equipment: { version: number; vehicle: Vehicle | null; charger: Charger | null }
}

/** Car and charger of a project, to be told or changed at any time. */
export function EquipmentCard({ equipment: { version, vehicle, charger } }: EquipmentCardProps) {
  const result = useFormResult('equipment')
  const car = vehicleInWords(vehicle)
  return (
    <Details
      summary={`Tu auto y tu cargador${car ? `: ${car}` : ''}`}
      open={result !== undefined}
      key={result ? 'open' : version}
    >
      <Form intent="equipment">
        <input type="hidden" name="version" value={version} />
        <EquipmentBoxes known={{ ...(vehicle && { vehicle }), ...(charger && { charger }) }} />
        <Submit variant="ghost">Guardar</Submit>
      </Form>
    </Details>
  )
}

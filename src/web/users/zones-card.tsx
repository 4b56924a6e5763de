import { municipalitiesOf, regionGroups } from '../../domain/shared/places.ts'
import type { Schedule } from '../../server/users/schedule.ts'
import type { Failure } from '../lib/submit.ts'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { intents } from './intents.ts'
import { ScheduleForm } from './schedule-form.tsx'

type ZonesCardProps = { schedule: Schedule; result: Failure | undefined }

/** The municipalities somebody goes to. */
export function ZonesCard({ schedule, result }: ZonesCardProps) {
  return (
    <Card title="Zonas">
      <p className="text-[0.9375rem] text-mute">
        {schedule.zones.length === 0
          ? 'Ahora atiende todas las zonas. Marca algunas para limitarlas.'
          : `Ahora atiende ${schedule.zones.length} de 20 zonas. Si quitas todas las marcas, las atiende todas.`}
      </p>
      <ScheduleForm intent={intents.zones} schedule={schedule} result={result} submit="Guardar zonas">
        {regionGroups.map((group) => (
          <fieldset key={group.id}>
            <legend className="mb-1 font-semibold">{group.label}</legend>
            <div className="grid sm:grid-cols-2">
              {municipalitiesOf(group.id).map(({ slug, label }) => (
                <Checkbox
                  key={slug}
                  label={label}
                  name={`zone.${slug}`}
                  defaultChecked={schedule.zones.includes(slug)}
                />
              ))}
            </div>
          </fieldset>
        ))}
      </ScheduleForm>
    </Card>
  )
}

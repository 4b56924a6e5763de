import { type Charger, type Vehicle, vehicleInWords } from '../../domain/projects/equipment.ts'
import type { Stage } from '../../domain/projects/stages.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { forms } from '../lib/submit.ts'
import { OwnReportCards } from '../reports/own-report.tsx'
import { ownReport } from '../reports/own-report-loader.ts'
import { Details } from '../ui/details.tsx'
import { Form, useFormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/technics-visit.ts'
import { EquipmentBoxes } from './equipment-fields.tsx'
import { equipmentForms, ownEquipment } from './equipment-forms.ts'
import { ownForms } from './own-forms.ts'
import { ownService } from './service-loader.ts'
import { ServicePage } from './service-page.tsx'

type EquipmentCardProps = {
  equipment: { version: number; vehicle: Vehicle | null; charger: Charger | null }
}

/** Car and charger of a project, to be told or changed at any time. */
function EquipmentCard({ equipment: { version, vehicle, charger } }: EquipmentCardProps) {
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

export const handle = { announcesUpdates: true }

export const shouldRevalidate = revalidateOnConflict

export const loader = async ({ context }: Route.LoaderArgs) => {
  const page = await ownService(context, 'technical_visit')
  const [equipment, report] = await Promise.all([ownEquipment(context), ownReport(context, page.past)])
  return { ...page, equipment, report }
}

export const action = forms(({ request, context }: Route.ActionArgs) => ({
  ...ownForms(context, request, 'technical_visit'),
  ...equipmentForms(context),
}))

/** Later on whether a charger can be installed is no question any more. */
const asked: readonly Stage[] = ['visit', 'quoting']

export default function TechnicsVisit({ loaderData }: Route.ComponentProps) {
  return (
    <ServicePage page={loaderData}>
      {loaderData.report && (
        <OwnReportCards report={loaderData.report} isCurrent={asked.includes(loaderData.stage)} />
      )}
      {loaderData.equipment && <EquipmentCard equipment={loaderData.equipment} />}
    </ServicePage>
  )
}

import type { Stage } from '../../domain/project.ts'
import { concerning } from '../accounts/form-concerned.ts'
import { afterRefusal } from '../after-refusal.ts'
import { formOf } from '../form.ts'
import { OwnReportCards } from '../onsite/own-report.tsx'
import { ownReport } from '../onsite/own-report-loader.ts'
import type { Route } from './+types/technics-visit.ts'
import { equipmentAction, ownEquipment } from './equipment-action.ts'
import { EquipmentCard } from './equipment-card.tsx'
import { ownAction } from './own-action.ts'
import { ownService } from './service-loader.ts'
import { ServicePage } from './service-page.tsx'

export const handle = { announcesUpdates: true }

export const shouldRevalidate = afterRefusal

export const loader = async ({ context }: Route.LoaderArgs) => {
  const page = await ownService(context, 'technical_visit')
  const [equipment, report] = await Promise.all([ownEquipment(context), ownReport(context, page.past)])
  return { ...page, equipment, report }
}

export const action = async ({ request, context }: Route.ActionArgs) => {
  const form = await formOf(request)
  return form.get('intent') === 'equipment'
    ? equipmentAction(request, context)
    : ownAction(request, context, 'technical_visit')
}

/** Later on whether a charger can be installed is no question any more. */
const asked: readonly Stage[] = ['visit', 'quoting']

export default function TechnicsVisit({ loaderData, actionData }: Route.ComponentProps) {
  const about = concerning(actionData, 'equipment')
  return (
    <ServicePage page={loaderData} result={about ? undefined : actionData}>
      {loaderData.report && (
        <OwnReportCards report={loaderData.report} isCurrent={asked.includes(loaderData.stage)} />
      )}
      {loaderData.equipment && <EquipmentCard equipment={loaderData.equipment} result={about} />}
    </ServicePage>
  )
}

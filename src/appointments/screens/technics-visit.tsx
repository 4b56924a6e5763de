import { redirectWithToast } from '../../kit/flash.ts'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { lastSave } from '../../platform/database/versions.ts'
import { openProjectOf, saveEquipment } from '../../projects/open-project.ts'
import { type Charger, type Vehicle, vehicleInWords } from '../../projects/rules/equipment.ts'
import { equipmentInput, equipmentOf } from '../../projects/rules/schema.ts'
import type { Stage } from '../../projects/rules/stages.ts'
import { OwnReportCards } from '../../reports/screens/own-report.tsx'
import { ownReport } from '../../reports/screens/own-reports-server.ts'
import { seenVersion } from '../../shared/schema.ts'
import { Details } from '../../ui/card.tsx'
import type { Route } from './+types/technics-visit.ts'
import { EquipmentBoxes } from './equipment-fields.tsx'
import { ServicePage } from './service-page.tsx'
import { ownForms, ownService } from './service-server.ts'

/** Car and charger of the open project, for their form; null before there is one. */
async function ownEquipment(context: LoaderContext) {
  const { db, actor, openProjects } = signedIn(context)
  const id = actor.projectId ?? openProjects[0]
  const [project, wasSaved] = await Promise.all([
    openProjectOf(db, actor),
    id && lastSave(db, actor, { entity: 'project', id }),
  ])
  if (!project) return { equipment: null }
  const { charger, vehicle, version } = project
  return { equipment: { version, vehicle, charger }, ...(wasSaved && { wasSaved }) }
}

const formInput = (now: Date) =>
  equipmentInput(now).extend({
    version: seenVersion,
  })

/** Saves what the form of car and charger says. */
const equipmentForms = (context: LoaderContext) => ({
  equipment: form(formInput(new Date()), async ({ version, ...told }) => {
    const { db, actor } = signedIn(context)
    await saveEquipment(db, actor, equipmentOf(told), version)
    return redirectWithToast(
      '/technics-visit',
      'Guardamos los datos de tu auto y tu cargador',
      'Con ellos preparamos tu visita y tu cotización.',
    )
  }),
})

type EquipmentCardProps = {
  equipment: { version: number; vehicle: Vehicle | null; charger: Charger | null }
}

/** Car and charger of a project, to be given or changed at any time. */
function EquipmentCard({ equipment: { version, vehicle, charger } }: EquipmentCardProps) {
  const result = useFormResult('equipment')
  const car = vehicleInWords(vehicle)
  return (
    <div id="equipo" className="scroll-mt-20">
      <Details summary={`Tu auto y tu cargador${car ? `: ${car}` : ''}`} open={result !== undefined}>
        <Form intent="equipment" version={version}>
          <EquipmentBoxes known={{ ...(vehicle && { vehicle }), ...(charger && { charger }) }} />
          <Submit variant="ghost">Guardar</Submit>
        </Form>
      </Details>
    </div>
  )
}

export const handle = { announcesUpdates: true }

export const shouldRevalidate = revalidateOnConflict

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const [page, own, report] = await Promise.all([
    ownService(context, 'technical_visit', url),
    ownEquipment(context),
    ownReport(context),
  ])
  return { ...page, ...own, report }
}

export const action = forms(({ request, context }: Route.ActionArgs) => ({
  ...ownForms(context, request, 'technical_visit'),
  ...equipmentForms(context),
}))

/** In later stages it is settled whether a charger can be installed. */
const asked: readonly Stage[] = ['visit', 'quoting']

export default function TechnicsVisit({ loaderData }: Route.ComponentProps) {
  const { equipment, report, stage } = loaderData
  const car = equipment && <EquipmentCard equipment={equipment} />
  return (
    <ServicePage page={loaderData} aside={!report && car}>
      {report && <OwnReportCards report={report} isCurrent={asked.includes(stage)} />}
      {report && car}
    </ServicePage>
  )
}

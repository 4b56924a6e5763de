import { pipelineParts } from '../../domain/projects/pipeline.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { load } from '../lib/load.ts'
import { demandModule } from '../lib/module.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import type { Route } from './+types/pipeline.ts'
import { callAction } from './call-action.ts'
import { CallList } from './call-list.tsx'
import { OfficeFiguresPart } from './figures-part.tsx'
import { loadPipeline } from './pipeline-loader.ts'
import { partPath } from './pipeline-path.ts'
import { ProjectList } from './project-list.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

/** Every customer's project as the office has it: how far each is, whom to call, and what it comes to. */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  load(async () => {
    demandModule(context, 'clients')
    return loadPipeline({ context, url })
  })

export const action = ({ request, context }: Route.ActionArgs) => {
  demandModule(context, 'clients')
  return callAction(request, context)
}

export default function Pipeline({ loaderData, actionData }: Route.ComponentProps) {
  const { calls, figures, list, now, part, parts } = loaderData
  const tabs = parts.map((name) => ({ name, label: pipelineParts[name], to: partPath(name) }))
  return (
    <>
      <PageHeader title="Clientes" />
      {tabs.length > 1 && <TabLinks label="Partes de clientes" tabs={tabs} current={part} />}
      {list && <ProjectList {...list} now={now} />}
      {calls && <CallList {...calls} now={now} result={actionData} />}
      {figures && <OfficeFiguresPart {...figures} now={now} />}
    </>
  )
}

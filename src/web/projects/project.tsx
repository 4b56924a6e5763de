import { losesProjects } from '../../domain/projects/project.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db, enabledModules } from '../../server/app/context.ts'
import { endingOf } from '../../server/projects/ending.ts'
import { projectFile } from '../../server/projects/queries.ts'
import { assertModule } from '../lib/module.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { requireActor } from '../lib/require-actor.ts'
import { forms } from '../lib/submit.ts'
import type { Route } from './+types/project.ts'
import { endingForms } from './ending-forms.ts'
import { pipelinePath } from './pipeline-path.ts'
import { ProjectScreen } from './project-screen.tsx'

export const handle = { announcesUpdates: true }

/** One project with everything of it, as far as whoever looks may see it. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'clients')
    const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
    const project = (await projectFile(database, actor, params.id, now)) ?? refuse('not-found')
    const ending = await endingOf(database, actor, project.customerId, now)
    return {
      project,
      // How a customer's newest project stands, which this one need not be.
      ending: ending?.id === project.id ? ending : null,
      hasCases: context.get(enabledModules).has('gesties'),
      isManager: actor.kind === 'manager',
      now,
    }
  })

export const action = forms(({ context, params }: Route.ActionArgs) => {
  assertModule(context, 'clients')
  if (!losesProjects(requireActor(context))) refuse('permission-denied')
  return endingForms(context, `${pipelinePath}/${params.id}`)
})

export default function ProjectFileScreen({ loaderData }: Route.ComponentProps) {
  return <ProjectScreen {...loaderData} />
}

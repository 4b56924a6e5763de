import { refuse } from '../../domain/refusal.ts'
import { db, modules } from '../../server/context.ts'
import { projectFile } from '../../server/pipeline/file.ts'
import { load } from '../load.ts'
import { demandModule } from '../module.ts'
import { someone } from '../someone.ts'
import type { Route } from './+types/project.ts'
import { ProjectScreen } from './project-screen.tsx'

export const handle = { announcesUpdates: true }

/** One project with everything of it, as far as whoever looks may see it. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(async () => {
    demandModule(context, 'clients')
    const now = new Date()
    const project =
      (await projectFile(context.get(db), someone(context), params.id, now)) ?? refuse('not-found')
    return {
      project,
      hasCases: context.get(modules).has('gesties'),
      isManager: someone(context).kind === 'manager',
      now,
    }
  })

export default function ProjectFileScreen({ loaderData }: Route.ComponentProps) {
  return <ProjectScreen {...loaderData} />
}

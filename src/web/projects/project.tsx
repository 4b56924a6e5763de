import { redirect } from 'react-router'
import { customerPath } from '../../domain/projects/pipeline.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { customerOfProject } from '../../server/projects/queries.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { assertModule, requireActor } from '../lib/require-actor.ts'
import type { Route } from './+types/project.ts'

/** A project has its place on the page of its customer. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'clients')
    const customerId = await customerOfProject(context.get(db), requireActor(context), params.id)
    throw redirect(customerPath(customerId ?? refuse('not-found'), params.id))
  })

/** Never shown: its loader leads on. */
export default function ProjectScreen() {
  return null
}

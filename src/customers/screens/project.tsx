import { redirect } from 'react-router'
import { db } from '../../app/context.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { assertModule, requireActor } from '../../kit/require-actor.ts'
import { customerPath } from '../../projects/rules/pipeline.ts'
import { refuse } from '../../shared/refusal.ts'
import { customerOfProject } from '../queries.ts'
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

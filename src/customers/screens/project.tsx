import { redirect } from 'react-router'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { assertModule, signedIn } from '../../kit/request.ts'
import { customerPath } from '../../projects/rules/pipeline.ts'
import { refuse } from '../../shared/refusal.ts'
import { customerOfProject } from '../queries.ts'
import type { Route } from './+types/project.ts'

/** A project has its place on the page of its customer. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'clients')
    const { db, actor } = signedIn(context)
    const customerId = await customerOfProject(db, actor, params.id)
    throw redirect(customerPath(customerId ?? refuse('not-found'), params.id))
  })

/** Never shown: its loader leads on. */
export default function ProjectScreen() {
  return null
}

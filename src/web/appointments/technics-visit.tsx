import { afterRefusal } from '../after-refusal.ts'
import type { Route } from './+types/technics-visit.ts'
import { ownAction } from './own-action.ts'
import { ownService } from './service-loader.ts'
import { ServicePage } from './service-page.tsx'

export const handle = { announcesUpdates: true }

export const shouldRevalidate = afterRefusal

export const loader = ({ context }: Route.LoaderArgs) => ownService(context, 'technical_visit')

export const action = ({ request, context }: Route.ActionArgs) =>
  ownAction(request, context, 'technical_visit')

export default ({ loaderData, actionData }: Route.ComponentProps) => (
  <ServicePage page={loaderData} result={actionData} />
)

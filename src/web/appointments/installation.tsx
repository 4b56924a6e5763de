import type { Route } from './+types/installation.ts'
import { ownService } from './service-loader.ts'
import { ServicePage } from './service-page.tsx'

export const handle = { announcesUpdates: true }

export const loader = ({ context }: Route.LoaderArgs) => ownService(context, 'installation')

export default ({ loaderData }: Route.ComponentProps) => <ServicePage page={loaderData} />

import type { Route } from './+types/videocall.ts'
import { ownService } from './service-loader.ts'
import { ServicePage } from './service-page.tsx'

export const handle = { announcesUpdates: true }

export const loader = ({ context }: Route.LoaderArgs) => ownService(context, 'videocall')

export default ({ loaderData }: Route.ComponentProps) => <ServicePage page={loaderData} />

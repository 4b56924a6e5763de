import { afterRefusal } from '../after-refusal.ts'
import type { Route } from './+types/book-installation.ts'
import { BookingScreen } from './booking-screen.tsx'
import { agendaFor, book } from './booking-server.ts'

export const shouldRevalidate = afterRefusal

export const loader = ({ context, url }: Route.LoaderArgs) => agendaFor(context, url, 'installation')

export const action = ({ request, context }: Route.ActionArgs) => book(request, context, 'installation')

export default ({ loaderData, actionData }: Route.ComponentProps) => (
  <BookingScreen agenda={loaderData} result={actionData} />
)

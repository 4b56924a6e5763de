import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import type { Route } from './+types/book.ts'
import { BookingScreen, ChangeScreen } from './booking-screen.tsx'
import { changeAgenda, changeOrBook } from './booking-server.ts'

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) => changeAgenda(context, url, 'technical_visit')

export const action = ({ request, context }: Route.ActionArgs) =>
  changeOrBook(request, context, 'technical_visit')

export default ({ loaderData, actionData }: Route.ComponentProps) =>
  'changes' in loaderData ? (
    <ChangeScreen agenda={loaderData} result={actionData} />
  ) : (
    <BookingScreen agenda={loaderData} result={actionData} />
  )

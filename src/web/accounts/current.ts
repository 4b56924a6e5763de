import { currentSession } from '../../server/app/context.ts'
import type { Route } from './+types/current.ts'

/** Whether somebody is signed in here. Asking moves the end of a session on when that comes near, as every request does. */
export const loader = ({ context }: Route.LoaderArgs) =>
  Response.json(
    { signedIn: context.get(currentSession) !== null },
    { headers: { 'cache-control': 'no-store' } },
  )

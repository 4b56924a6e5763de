import { redirect } from 'react-router'
import { redirectWithToast } from '../../kit/flash.ts'
import { requestOf } from '../../kit/request.ts'
import { signOut } from '../entry.ts'
import type { Route } from './+types/signout.ts'

/** A GET ends no session: only the button's POST does. */
export const loader = () => redirect('/')

export const action = async ({ context }: Route.ActionArgs) => {
  const { headers } = await signOut(requestOf(context).caller)
  return redirectWithToast('/signin', 'Cerraste tu sesión', 'Vuelve cuando quieras.', 'default', headers)
}

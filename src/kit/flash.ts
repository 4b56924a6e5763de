import { randomUUID } from 'node:crypto'
import { createCookie, redirect } from 'react-router'
import { type Undoable, undoText } from '../appointments/rules/undo.ts'
import { currentContext, type RequestContext } from '../platform/telemetry/log.ts'
import { withProject } from '../projects/rules/homes.ts'
import { type Flash, flash } from './schema.ts'

const cookie = createCookie('flash', { path: '/', httpOnly: true, sameSite: 'lax', maxAge: 60 })

const projects = new WeakMap<RequestContext, string>()

/** Has this request, of a customer with several projects, redirect to screens of the same one. */
export const stayWith = (projectId: string): void => void projects.set(currentContext(), projectId)

const afterRefusals = new WeakMap<RequestContext, () => void>()

/** Runs once a form of this request was refused, before the page that says so is made. */
export const whenRefused = (run: () => void): void => void afterRefusals.set(currentContext(), run)
export const formRefused = (): void => afterRefusals.get(currentContext())?.()

/** Where a request of a customer redirects to, with the project that it is about. */
export const onward = (to: string): string => withProject(to, projects.get(currentContext()) ?? null)

/** Redirects (303) to another screen, which shows this toast. `headers` may carry more cookies, as a sign-in does. */
export async function redirectWithToast(
  to: string,
  title: string,
  description: string,
  variant: Flash['variant'] = 'success',
  headers?: HeadersInit,
): Promise<Response> {
  const sent = new Headers(headers)
  sent.append('set-cookie', await cookieOf({ title, description, variant }))
  return redirect(onward(to), { status: 303, headers: sent })
}

/** The same after a change of the office's that can be undone for a while: the toast offers it. */
export async function redirectWithUndo(
  to: string,
  title: string,
  description: string,
  changes: readonly Undoable[],
): Promise<Response> {
  const shown = { title, description, variant: 'success', undo: undoText(changes) } as const
  return redirect(to, { status: 303, headers: { 'set-cookie': await cookieOf(shown) } })
}

const cookieOf = (shown: Omit<Flash, 'once'>) => cookie.serialize({ ...shown, once: randomUUID() })

/** The waiting toast, and the headers that delete it. Only the root loader reads it: a second reader finds nothing. */
export async function takeFlash(request: Request): Promise<{ flash: Flash | null; headers: Headers }> {
  const sent: unknown = await cookie.parse(request.headers.get('cookie'))
  const headers = new Headers()
  if (sent !== null) headers.append('set-cookie', await cookie.serialize('', { maxAge: 0 }))
  return { flash: flash.safeParse(sent).data ?? null, headers }
}

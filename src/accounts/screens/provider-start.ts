import { redirect } from 'react-router'
import { redirectWithToast } from '../../kit/flash.ts'
import { screenOf } from '../../kit/refusals-as-responses.ts'
import { requestOf } from '../../kit/request.ts'
import { formOf } from '../../kit/submit.ts'
import { Refusal } from '../../shared/refusal.ts'
import { providerStartInput } from '../rules/schema.ts'
import { providerError } from '../rules/sign-in-errors.ts'
import type { Route } from './+types/provider-start.ts'

/** A GET starts no sign-in. */
export const loader = () => redirect('/signin')

/** Redirects to the provider. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await formOf(request)
  const { next, attempt } = providerStartInput.parse({ next: form.get('next'), attempt: form.get('attempt') })
  const { provider: chosen, caller } = requestOf(context)
  if (!chosen) return refused('not_configured', attempt)
  try {
    const { to, headers } = await chosen.start(caller, request.headers, {
      next: next ?? '/',
      attempt,
    })
    return to.startsWith('/') ? redirect(to, { status: 303, headers }) : onward(to, chosen.label, headers)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'permission-denied') throw screenOf(error)
    return refused('too_many', attempt)
  }
}

const refused = (answer: string, attempt: string | null) => {
  if (attempt !== null) return redirect(`/session/provider/done?attempt=${attempt}&error=${answer}`, 303)
  const { title, description } = providerError(answer)
  return redirectWithToast('/signin', title, description, 'destructive')
}

/**
 * A page that continues by itself. A redirect would have to satisfy the policy of the page with the form
 * (form-action), for each address that the provider redirects through; we know only the first of them.
 */
function onward(to: string, label: string, headers: Headers): Response {
  headers.set('content-type', 'text/html; charset=utf-8')
  const address = escaped(to)
  return new Response(
    `<!doctype html><html lang="es-MX"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="0;url=${address}">
<title>${escaped(label)}</title><p><a href="${address}">Continuar con ${escaped(label)}</a>`,
    { headers },
  )
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)

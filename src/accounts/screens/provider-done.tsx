import { useEffect } from 'react'
import { redirect } from 'react-router'
import { redirectWithToast } from '../../kit/flash.ts'
import { CleanFrame } from '../../kit/frame/clean-frame.tsx'
import { requestOf } from '../../kit/request.ts'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { providerError } from '../rules/sign-in-errors.ts'
import type { Route } from './+types/provider-done.ts'
import { tellOpener } from './provider-form.tsx'

/**
 * The end of an attempt at the provider: in its own window it notifies the tab that opened it, otherwise it
 * redirects.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const attempt = url.searchParams.get('attempt')
  const answer = url.searchParams.get('error') ?? (requestOf(context).actor ? null : 'no_session')
  const error = answer === null ? null : providerError(answer)
  if (attempt !== null) return { attempt, error }
  throw error
    ? await redirectWithToast('/signin', error.title, error.description, 'destructive')
    : redirect('/')
}

export default function ProviderDone({ loaderData: { attempt, error } }: Route.ComponentProps) {
  useEffect(() => tellOpener(attempt, error), [attempt, error])
  return (
    <CleanFrame>
      <Card>
        <PageHeader
          title={error?.title ?? 'Iniciaste sesión'}
          subtitle={error?.description ?? 'Ya puedes cerrar esta ventana.'}
        />
        <a href="/">Ir al inicio</a>
      </Card>
    </CleanFrame>
  )
}

import { type ComponentProps, type FormEvent, useEffect } from 'react'
import { useNavigate } from 'react-router'
import { beforeLeaving } from '../../offline/worker-messages.ts'
import { useToast } from '../../ui/toaster.tsx'

/** With the words of all that can go wrong at a sign-in; loaded after the page, while there is a network. */
const operations = () => import('./operations.ts')

/** Ends the session: by a plain form, or, with JavaScript, in place, where a lost network replaces no screen. */
export function SignOutForm(props: Omit<ComponentProps<'form'>, 'method' | 'action' | 'onSubmit'>) {
  const navigate = useNavigate()
  const toast = useToast()
  useEffect(() => void operations().catch(() => null), [])
  const leave = async () => {
    const answer = await operations().then(
      ({ sessionOperations }) => sessionOperations.signOut(),
      () => notLoaded,
    )
    // A phone that works offline also signs out offline: its service worker does the rest once there is a network.
    if (!answer.ok && answer.error.code === 'network-request-failed' && navigator.serviceWorker?.controller)
      return (await import('../../offline/remove-worker.ts')).leaveOffline()
    if (!answer.ok) return toast({ variant: 'destructive', ...answer.error })
    const at = '/signin'
    toast({ title: 'Cerraste tu sesión', description: 'Vuelve cuando quieras.', at })
    await navigate(at)
  }
  const input = (event: FormEvent) => {
    event.preventDefault()
    if (!beforeLeaving.asks?.(leave)) void leave()
  }
  return <form {...props} method="post" action="/signout" onSubmit={input} />
}

/** The network was gone before they had come. */
const notLoaded = {
  ok: false,
  error: {
    code: 'network-request-failed',
    title: 'No hay conexión',
    description: 'Revisa tu internet y vuelve a intentarlo.',
  },
} as const

import type { ComponentProps, FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { canLeaveOffline, leaveOffline } from '../offline/worker-messages.ts'
import { useToast } from '../ui/toaster.tsx'
import { sessionOperations } from './operations.ts'

/** Ends the session: by a plain form, or, with JavaScript, in place, where a lost network replaces no screen. */
export function SignOutForm(props: Omit<ComponentProps<'form'>, 'method' | 'action' | 'onSubmit'>) {
  const navigate = useNavigate()
  const toast = useToast()
  const leave = async (event: FormEvent) => {
    event.preventDefault()
    const answer = await sessionOperations.signOut()
    // A phone that works offline also signs out offline.
    if (!answer.ok && answer.error.code === 'network-request-failed' && canLeaveOffline())
      return leaveOffline()
    if (!answer.ok) return toast({ variant: 'destructive', ...answer.error })
    toast({ title: 'Cerraste tu sesión', description: 'Vuelve cuando quieras.' })
    await navigate('/signin')
  }
  return <form {...props} method="post" action="/signout" onSubmit={leave} />
}

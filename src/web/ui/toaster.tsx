import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { Alert } from './alert.tsx'
import { classNames } from './class-names.ts'
import type { ToastAreaProps } from './toast-area.tsx'
import { toastAreaClass } from './toast-limits.ts'
import { createToastQueue, type ToastEntry, type ToastQueue } from './toast-queue.ts'

const Queue = createContext<ToastQueue | null>(null)

/** What raises a toast: `toast({ title, description, variant })`. Always the same function. */
export function useToast(): ToastQueue['raise'] {
  const queue = useContext(Queue)
  if (!queue) throw new Error('useToast needs a Toaster above it')
  return queue.raise
}

/** Gives its children `useToast`, and shows what they raise. */
export function Toaster({ children }: { children: ReactNode }) {
  const [queue] = useState(createToastQueue)
  return (
    <Queue value={queue}>
      {children}
      <Toasts queue={queue} />
    </Queue>
  )
}

// Most pages are left without a toast: what shows them comes once the page has nothing else to do, or with the first.
const load = () => import('./toast-area.tsx')
const ToastArea = lazy(() =>
  load().then(
    (area) => ({ default: area.ToastArea }),
    () => ({ default: PlainArea }),
  ),
)
const none: readonly ToastEntry[] = []

/** What a toast tells of is often that the network is gone, which would have brought it. */
function fetchAhead() {
  const fetch = () => void load().catch(() => null)
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(fetch, 2_000)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(fetch, { timeout: 10_000 })
  return () => cancelIdleCallback(asked)
}

function Toasts({ queue }: { queue: ToastQueue }) {
  useEffect(fetchAhead, [])
  const entries = useSyncExternalStore(queue.subscribe, queue.entries, () => none)
  if (entries.length === 0) return null
  return (
    <Suspense>
      <ToastArea entries={entries} dismiss={queue.dismiss} />
    </Suspense>
  )
}

/** The same words, where the network that would bring the rest is gone: often just what they tell of. */
const PlainArea = ({ entries }: ToastAreaProps) => (
  <div role="status" className={classNames('fixed top-0 right-0 z-50 grid w-full p-4', toastAreaClass)}>
    {entries.slice(0, 1).map(({ id, title, description, variant }) => (
      <Alert key={id} tone={variant === 'destructive' ? 'bad' : 'info'} title={title}>
        {description}
      </Alert>
    ))}
  </div>
)

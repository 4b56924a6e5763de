import {
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { PlainArea } from './plain-toast.tsx'
import type { ToastAreaProps } from './toast-area.tsx'
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
  const Area = useArea(entries[0]?.id)
  return Area && entries.length > 0 && <Area entries={entries} dismiss={queue.dismiss} />
}

type Area = ComponentType<ToastAreaProps>

/** What shows toasts; its stand-in where that could not be fetched, which each toast tries anew. Nothing before the first. */
function useArea(toast: number | undefined): Area | null {
  const [area, become] = useState<Area | null>(null)
  const missing = area === null || area === PlainArea
  useEffect(() => {
    if (toast === undefined || !missing) return
    load().then(
      ({ ToastArea }) => become(() => ToastArea),
      () => become(() => PlainArea),
    )
  }, [toast, missing])
  return area
}
